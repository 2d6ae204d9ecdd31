"""Somebody opens an old citation, and is told what the source says there today."""

import pytest
from cited_shelf import ANA, FOR_CS, FOR_HR, HANNA, LEAVE, CitedShelf, seen

from audit.record import AuditRecord
from bot.web.pages import citation_page
from bot.web.views import CitationView, Freshness, Now, VersionComparison, WordChange


def opened(shelf: CitedShelf, record: AuditRecord) -> CitationView:
    return seen(shelf.citations.find(record.audit_id, "1-1", ANA))


def since(
    shelf: CitedShelf, now: str, words: str = "14 weeks", then: str = LEAVE
) -> VersionComparison:
    """Cite the words, change the document, and open the citation."""
    record = shelf.answer(shelf.cite(shelf.put("leave.md", then), words))
    shelf.put("leave.md", now)
    view = opened(shelf, record)
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
    html = citation_page(opened(shelf, record))
    assert "The source has changed since this answer." in html
    assert '<del><span class="aloud">removed: </span>14<' in html
    assert '<ins><span class="aloud">added: </span>20<' in html


def test_a_document_that_did_not_change_is_not_compared(shelf: CitedShelf) -> None:
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks"))
    assert opened(shelf, record).comparison is None


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
    assert opened(shelf, record).comparison is None


def test_of_a_long_section_the_part_around_the_citation_is_compared(
    shelf: CitedShelf,
) -> None:
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
