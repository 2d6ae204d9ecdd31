"""Whoever reads a citation is told what the source says there today, and goes on to other versions.

To those that they might have read, and no others.
"""

import hashlib
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from cited_shelf import (
    ANA,
    BEN,
    FOR_CS,
    FOR_HR,
    HANNA,
    LEAVE,
    ROOT,
    TODAY,
    CitedShelf,
    seen,
    words_of,
)
from pdf_pages import handbook_pdf

from audit.record import AuditRecord
from audit.values import CellRecord
from bot.access.people import Person
from bot.web.opening import OtherVersions
from bot.web.pages import CitationPages, citation_page
from bot.web.views import CitationView, Freshness, Now, VersionComparison, WordChange
from bot.wording import web as wording
from retrieval.types import AccessRule, Box

EARLIER = LEAVE.replace("14 weeks", "12 weeks")
LATER = LEAVE.replace("# Leave\n", "# Leave\n\nThis is new.\n").replace("It is fully", "It is half")
SAID = "Parental leave is 14 weeks."


def digest(content: str | bytes) -> str:
    content = content if isinstance(content, bytes) else content.encode()
    return hashlib.sha256(content).hexdigest()


def opened(
    shelf: CitedShelf, record: AuditRecord, version: str, who: Person | None = ANA, at: str = ""
) -> CitationView | None:
    return shelf.citations.find(record.audit_id, "1-1", who, at, version)


def linked(shelf: CitedShelf, record: AuditRecord, who: Person | None = ANA) -> list[str]:
    """The versions that their page links to, newest first."""
    view = seen(opened(shelf, record, "", who))
    return [each.opens for each in view.versions if each.opens]


def html(shelf: CitedShelf, record: AuditRecord, version: str = "") -> str:
    asked = {"version": version}
    found = CitationPages(shelf.citations).page(record.audit_id, "1-1", ANA, asked, "")
    assert found is not None
    return bytes(found.body).decode()


def three(shelf: CitedShelf, *rules: AccessRule | None, words: str = "14 weeks") -> AuditRecord:
    """An earlier version, the one that is cited and a later one, each under its rule."""
    earlier, cited, later = rules or (None, None, None)
    shelf.put("leave.md", EARLIER, earlier)
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE, cited), words))
    shelf.put("leave.md", LATER, later)
    return record


def test_earlier_and_later_versions_are_a_link_away(shelf: CitedShelf) -> None:
    record = three(shelf)
    assert linked(shelf, record) == [digest(LATER), digest(EARLIER)]
    for version in linked(shelf, record):
        assert f'href="?version={version}#document"' in html(shelf, record)


def test_another_version_says_that_it_is_one_and_otherwise_and_leads_back(
    shelf: CitedShelf,
) -> None:
    record = three(shelf)
    page = html(shelf, record, digest(EARLIER))
    assert wording.ANOTHER_VERSION in page
    assert f'<a href="?#cited">{wording.BACK_TO_CITED_VERSION}</a>' in page
    assert wording.SAYS_OTHERWISE in page
    assert "14 weeks" not in page  # nor what the reply said
    assert "<mark>" not in page
    assert wording.ANOTHER_VERSION not in html(shelf, record)
    view = seen(opened(shelf, record, digest(EARLIER)))
    assert "Parental leave is 12 weeks. It is fully paid." in words_of(view, cited=False)
    assert words_of(view, cited=True) == []
    assert view.other is not None
    assert (view.other.says_the_same, view.claim) == (False, None)


def test_the_very_words_are_marked_where_they_stand_in_the_same_section(shelf: CitedShelf) -> None:
    record = three(shelf)
    view = seen(opened(shelf, record, digest(LATER)))
    assert words_of(view, cited=True) == [SAID]
    assert view.other is not None
    assert view.other.says_the_same is True
    assert wording.SAME_BEGINS in html(shelf, record, digest(LATER))
    assert wording.CITED_BEGINS not in html(shelf, record, digest(LATER))


def test_a_version_that_is_nobodys_while_it_is_opened_is_no_error(
    shelf: CitedShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, listed = three(shelf), OtherVersions.listed
    cited = lambda *asked: tuple(each for each in listed(*asked) if each.cited)  # noqa: E731
    monkeypatch.setattr(OtherVersions, "listed", cited)
    view = seen(opened(shelf, record, digest(EARLIER)))
    assert (view.other, view.claim) == (None, None)


def test_a_long_version_opens_at_the_section_of_the_cited_words(shelf: CitedShelf) -> None:
    filler = "\n\n".join(f"Sentence number {n} of many." for n in range(2_000))
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "needs a note"))
    longer = LEAVE.replace("## Sick\n", f"## Filler\n\n{filler}\n\n## Sick\n").replace(
        "after three days", "on the first day"
    )
    shelf.put("leave.md", longer)
    view = seen(opened(shelf, record, digest(longer)))
    assert "Sick leave needs a note on the first day." in words_of(view, cited=False)
    assert view.body is not None
    page = html(shelf, record, digest(longer))
    assert f"?version={digest(longer)}&amp;at={view.body.before}#document" in page
    first = seen(opened(shelf, record, digest(longer), at="1"))
    assert "This" not in words_of(first, cited=False)
    assert "Everybody has annual leave." in words_of(first, cited=False)


def test_a_row_under_other_heads_is_not_the_very_row(shelf: CitedShelf) -> None:
    table = "# Fees\n\n| Name | Euros a year |\n|---|---|\n| Lab | 5 |\n| Gym | 7 |\n"
    monthly, wider = table.replace("a year", "a month"), table + "| Pool | 9 |\n"
    cell = CellRecord(name="Euros a year", value="7", sentence=0)
    record = shelf.answer(shelf.cite(shelf.put("fees.md", table), "Gym", cells=(cell,)))
    shelf.put("fees.md", monthly)
    shelf.put("fees.md", wider)
    marked = {}
    for content in (monthly, wider):
        body = seen(opened(shelf, record, digest(content))).body
        assert body is not None
        rows = [block for run in body.runs for block in run.blocks]
        marked[content] = [cell.text for row in rows for cell in row.cells if cell.cited]
    assert marked == {monthly: [], wider: ["7"]}


def test_a_version_that_was_for_others_is_neither_linked_nor_opened(shelf: CitedShelf) -> None:
    record = three(shelf, FOR_HR, None, None)
    assert linked(shelf, record) == [digest(LATER)]
    assert linked(shelf, record, HANNA) == [digest(LATER), digest(EARLIER)]
    for who in (ANA, BEN, ROOT, None):
        assert opened(shelf, record, digest(EARLIER), who) is None
    assert digest(EARLIER)[:8] not in html(shelf, record)
    assert seen(opened(shelf, record, digest(EARLIER), HANNA)).body


def test_who_may_not_read_the_document_today_opens_no_version_of_it(shelf: CitedShelf) -> None:
    record = three(shelf, None, None, FOR_HR)
    for content in (EARLIER, LEAVE, LATER):
        assert opened(shelf, record, digest(content), ANA) is None
    assert seen(opened(shelf, record, digest(EARLIER), HANNA))


def test_who_might_not_read_the_cited_version_opens_no_other_by_its_link(shelf: CitedShelf) -> None:
    record = three(shelf, None, FOR_CS, None)
    for content in (EARLIER, LATER):
        assert opened(shelf, record, digest(content), HANNA) is None
        assert opened(shelf, record, digest(content), None) is None
        assert seen(opened(shelf, record, digest(content), ANA))


@pytest.mark.parametrize("guessed", ["0" * 64, "x", " ", digest(EARLIER)[:8], digest(LEAVE)[:-1]])
def test_a_guessed_digest_looks_like_one_that_is_not_theirs(
    shelf: CitedShelf, guessed: str
) -> None:
    record = three(shelf, FOR_HR, None, None)
    pages = CitationPages(shelf.citations)
    for version in (guessed, digest(EARLIER), digest(EARLIER).upper()):
        asked = {"version": version}
        assert pages.page(record.audit_id, "1-1", ANA, asked, "") is None
        assert pages.picture(record.audit_id, "1-1", "1", ANA, asked) is None


def test_a_version_of_another_document_is_not_opened_by_this_ones_link(shelf: CitedShelf) -> None:
    other = "# Parking\n\nParking is free.\n"
    shelf.put("parking.md", other)
    assert opened(shelf, three(shelf), digest(other)) is None


def test_before_its_time_a_version_was_for_nobody_and_stays_so(shelf: CitedShelf) -> None:
    embargo = AccessRule(valid_from=date.today() + timedelta(days=10))
    record = three(shelf, embargo, None, None)  # replaced it today
    later = replace(shelf.citations, today=lambda: date.today() + timedelta(days=20))
    for citations in (shelf.citations, later):
        assert citations.find(record.audit_id, "1-1", ANA, "", digest(EARLIER)) is None
        assert seen(citations.find(record.audit_id, "1-1", ANA, "", digest(LATER)))


def test_a_version_that_held_once_is_read_by_who_could_then_and_one_that_never_did_by_nobody(
    shelf: CitedShelf,
) -> None:
    over = AccessRule(FOR_CS.audience, valid_to=TODAY - timedelta(days=20))
    record = three(shelf, over, None, None)
    assert seen(opened(shelf, record, digest(EARLIER), ANA))
    assert opened(shelf, record, digest(EARLIER), HANNA) is None
    over_when_it_came = three(shelf, AccessRule(valid_to=date(2026, 1, 1)), None, None)
    assert opened(shelf, over_when_it_came, digest(EARLIER), HANNA) is None


def test_of_a_document_that_left_its_versions_are_for_administrators(shelf: CitedShelf) -> None:
    record = three(shelf)
    shelf.library.remove([record.claims[0].citations[0].document_id])
    assert seen(opened(shelf, record, digest(EARLIER), ROOT))
    assert opened(shelf, record, digest(EARLIER), ANA) is None


def test_a_version_whose_text_was_let_go_is_listed_without_a_link(shelf: CitedShelf) -> None:
    first = shelf.put("leave.md", EARLIER)
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks"))
    shelf.library.forget([(first.document_id, first.version)])
    assert len(seen(opened(shelf, record, "")).versions) == 2
    assert linked(shelf, record) == []
    assert opened(shelf, record, digest(EARLIER)) is None


def test_what_was_purged_is_opened_by_no_digest(shelf: CitedShelf) -> None:
    first = shelf.put("leave.md", EARLIER)
    shelf.library.purge(first.document_id)
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks"))
    assert opened(shelf, record, digest(EARLIER), ROOT) is None
    shelf.library.purge(first.document_id)
    for content in (EARLIER, LEAVE):
        assert opened(shelf, record, digest(content), ROOT) is None


def test_the_cited_versions_own_digest_opens_it_as_ever(shelf: CitedShelf) -> None:
    record = three(shelf)
    assert opened(shelf, record, digest(LEAVE)) == opened(shelf, record, "")


def test_where_the_cited_text_is_let_go_others_are_read_from_their_beginning(
    shelf: CitedShelf,
) -> None:
    record = three(shelf)
    cited = record.claims[0].citations[0]
    shelf.library.forget([(cited.document_id, cited.version)])
    view = seen(opened(shelf, record, digest(LATER)))
    assert (words_of(view, cited=False)[0], words_of(view, cited=True)) == ("This is new.", [])
    assert view.other is not None
    assert view.other.says_the_same is None


def test_pictures_are_of_the_version_that_is_asked_for_and_judged_with_it(tmp_path: Path) -> None:
    drawn: list[tuple[str, int, int]] = []

    def draw(content: bytes, page: int, boxes: list[Box]) -> bytes:
        """Stands in for PDFium: what it is given is what is looked at."""
        drawn.append((digest(content), page, len(boxes)))
        return b"PNG"

    shelf = CitedShelf(tmp_path, draw)  # type: ignore[arg-type]  # boxes are a sequence
    secret, cited, later = (handbook_pdf(pages) for pages in (2, 3, 4))
    shelf.put("handbook.pdf", secret, FOR_HR)
    record = shelf.answer(shelf.cite(shelf.put("handbook.pdf", cited), "Rule 7 of page 2"))
    shelf.put("handbook.pdf", later)
    shown = shelf.citations.picture
    assert shown(record.audit_id, "1-1", "4", ANA, digest(later)) == b"PNG"
    assert shown(record.audit_id, "1-1", "2", ANA) == b"PNG"
    assert drawn == [(digest(later), 4, 0), (digest(cited), 2, 1)]
    assert shown(record.audit_id, "1-1", "2", ANA, digest(secret)) is None
    assert shown(record.audit_id, "1-1", "2", ANA, "0" * 64) is None
    assert len(drawn) == 2
    assert shown(record.audit_id, "1-1", "2", HANNA, digest(secret)) == b"PNG"
    assert f'src="1-1/page/2.png?version={digest(later)}"' in html(shelf, record, digest(later))


def page_of(shelf: CitedShelf, record: AuditRecord) -> CitationView:
    return seen(shelf.citations.find(record.audit_id, "1-1", ANA))


def since(
    shelf: CitedShelf, now: str, words: str = "14 weeks", then: str = LEAVE
) -> VersionComparison:
    """Cite the words, change the document, and open the citation."""
    record = shelf.answer(shelf.cite(shelf.put("leave.md", then), words))
    shelf.put("leave.md", now)
    view = page_of(shelf, record)
    assert view.freshness is Freshness.CHANGED
    assert view.comparison is not None
    return view.comparison


def said(comparison: VersionComparison, change: WordChange) -> list[str]:
    return [text for each in comparison.differences for kind, text in each.pieces if kind is change]


@pytest.mark.parametrize(
    ("was", "became", "now", "removed", "added"),
    [
        ("14 weeks", "20 weeks", Now.CHANGED, ["14"], ["20"]),
        (
            "A form is needed.",
            "Ask the dean.",
            Now.STANDS,
            ["A form is needed."],
            ["Ask the dean."],
        ),
        ("three days", "five days", Now.STANDS, [], []),  # in another section
        ("## Parental", "## For parents", Now.ELSEWHERE, [], []),
        (LEAVE, "# Leave\n\nThere is none any more.\n", Now.SECTION_GONE, [], []),
    ],
)
def test_what_became_of_the_cited_words_and_beside_them_is_told(
    shelf: CitedShelf, was: str, became: str, now: Now, removed: list[str], added: list[str]
) -> None:
    found = since(shelf, LEAVE.replace(was, became))
    assert (found.now, said(found, WordChange.REMOVED), said(found, WordChange.ADDED)) == (
        now,
        removed,
        added,
    )
    assert found.elsewhere == (("For parents",) if now is Now.ELSEWHERE else ())


def test_the_page_says_it_in_words_and_not_by_colour_alone(shelf: CitedShelf) -> None:
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks"))
    shelf.put("leave.md", LEAVE.replace("14 weeks", "<b>20</b> weeks"))
    html = citation_page(page_of(shelf, record))
    assert "The source has changed since this answer." in html
    assert '<del><span class="aloud">removed: </span>14<' in html
    assert '<ins><span class="aloud">added: </span>20<' in html


def test_a_document_that_did_not_change_is_not_compared(shelf: CitedShelf) -> None:
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks"))
    assert page_of(shelf, record).comparison is None


def test_a_new_version_for_others_is_neither_compared_nor_told(shelf: CitedShelf) -> None:
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE, FOR_CS), "14 weeks"))
    shelf.put("leave.md", LEAVE.replace("14 weeks", "secret weeks"), FOR_HR)
    for who in (ANA, HANNA):
        assert shelf.citations.find(record.audit_id, "1-1", who) is None


def test_a_version_whose_text_was_let_go_is_not_compared(shelf: CitedShelf) -> None:
    document = shelf.put("leave.md", LEAVE)
    record = shelf.answer(shelf.cite(document, "14 weeks"))
    shelf.put("leave.md", LEAVE.replace("14", "20"))
    shelf.library.forget([(document.document_id, document.version)])
    assert page_of(shelf, record).comparison is None


def test_of_a_long_section_the_part_around_the_citation_is_compared(shelf: CitedShelf) -> None:
    lines = [f"Sentence number {n} is one of very many." for n in range(500)]
    then = "# Long\n\n" + "\n\n".join(lines)
    changed = ["Quite another beginning.", *lines[1:400], "It is all over here.", *lines[401:]]
    found = since(shelf, "# Long\n\n" + "\n\n".join(changed), "number 402 ", then)
    assert found.now is Now.STANDS
    assert said(found, WordChange.REMOVED) == ["Sentence number 400 is one of very many."]
    assert said(found, WordChange.ADDED) == ["It is all over here."]


def test_sentences_of_any_length_are_compared(shelf: CitedShelf) -> None:
    long = " ".join(f"word{n}" for n in range(600))
    then = "# Long\n\n" + "\n\n".join(f"{long} {n}." for n in range(100)) + "\n\nAnd the end.\n"
    found = since(shelf, then.replace("word5 ", "word6 "), "And the end", then)
    assert found.now is Now.STANDS
