"""Whoever opens a citation or a document sees what they may read today, and else nothing."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from cited_shelf import (
    ANA,
    BEN,
    CS,
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
from libraries import tampered_with, url_in

from audit.places import Place
from audit.record import AuditRecord
from audit.values import (
    CellRecord,
    CitationRecord,
    ClaimRecord,
    ContradictionRecord,
    Prevails,
    SideRecord,
    Status,
)
from bot.access.people import Person
from bot.answering.citations.links import CitationRef
from bot.web.pages import HEADERS, CitationPages
from bot.web.views import CitationView, Freshness
from bot.wording import web as wording
from retrieval.metadata.access import HOME, TEAM
from retrieval.types import AccessRule, Document

FOR_ALL = AccessRule()
READERS = [ANA, BEN, HANNA, ROOT, None]
SAID = "Parental leave is 14 weeks."
Happens = Callable[[CitedShelf, Document], object]


def answered(shelf: CitedShelf, rule: AccessRule = FOR_ALL, channel: str = "") -> AuditRecord:
    """A reply that cites how long leave is."""
    cited = shelf.cite(shelf.put("leave.md", LEAVE, rule), "14 weeks")
    return shelf.answer(cited, channel=channel)


def view_of(shelf: CitedShelf, record: AuditRecord, who: Person | None = ANA) -> CitationView:
    return seen(shelf.citations.find(record.audit_id, "1-1", who))


def readers_of(shelf: CitedShelf, record: AuditRecord, ref: str = "1-1") -> list[Person | None]:
    """Who is shown a citation."""
    opened = [(who, shelf.citations.find(record.audit_id, ref, who)) for who in READERS]
    return [who for who, found in opened if found is not None]


@pytest.mark.parametrize(
    "text",
    [
        *("", "0-1", "1-0", "n0", "n", "1", "1-", "-1", "1-1-1", "N1", "01-1", "1-1 ", "٢-1"),
        *("n99999", "d1", "d0-1", "d1-0", "d1-3", "d1-1-1", "D1-1", "d-1"),
    ],
)
def test_what_is_no_name_of_a_citation_is_none(text: str) -> None:
    assert CitationRef.parse(text) is None


@pytest.mark.parametrize("text", ["2-1", "n1", "12-3", "d1-1", "d3-2"])
def test_a_citations_name_is_read_and_written_alike(text: str) -> None:
    assert str(CitationRef.parse(text)) == text


def test_the_cited_words_are_marked_where_they_stand(shelf: CitedShelf) -> None:
    view = view_of(shelf, answered(shelf))
    assert words_of(view, cited=True) == [SAID]
    assert (view.place, view.section_path) == ("line 7", ("Parental",))
    assert view.freshness is Freshness.AS_CITED
    assert [each.cited for each in view.versions] == [True]


def test_a_passage_that_came_nearest_is_opened_without_any_claim(shelf: CitedShelf) -> None:
    document = shelf.put("leave.md", LEAVE)
    record = shelf.answer(claims=(), nearest=(shelf.nearest(document, "needs a note"),))
    view = seen(shelf.citations.find(record.audit_id, "n1", ANA))
    assert (view.nearest, view.claim) == (True, None)
    assert words_of(view, cited=True) == ["Sick leave needs a note after three days."]


def test_of_a_sheets_row_the_cells_are_named_that_the_claim_rests_on(shelf: CitedShelf) -> None:
    row = Place(page=1, page_label="sheet Fees", cell_range="A7:D7")
    cell = CellRecord(value="14 weeks", reference="B7", sentence=0)
    document = shelf.put("leave.md", LEAVE)
    record = shelf.answer(shelf.cite(document, "14 weeks", place=row, cells=(cell,)))
    assert view_of(shelf, record).place == "sheet Fees, cell B7"


class TestADisagreement:
    """Both sides of it open to who may read both, and to nobody else."""

    def disagreed(self, shelf: CitedShelf, against: AccessRule = FOR_ALL) -> AuditRecord:
        """A reply that says 14 weeks, while an older page says 10."""
        new = shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks")
        old = shelf.cite(shelf.put("old.md", LEAVE.replace("14", "10"), against), "10 weeks")
        found = ContradictionRecord(
            holds=SideRecord(citation=new),
            against=SideRecord(citation=old),
            differs=("14 weeks / 10 weeks",),
            prevails=Prevails.NEITHER,
        )
        return shelf.answer(new, person=HANNA, channel=CS, contradictions=(found,))

    def test_each_side_opens_at_its_words_and_leads_to_the_other(self, shelf: CitedShelf) -> None:
        record = self.disagreed(shelf)
        for ref, other, words in (("d1-1", "d1-2", "14 weeks"), ("d1-2", "d1-1", "10 weeks")):
            view = seen(shelf.citations.find(record.audit_id, ref, ANA))
            assert words_of(view, cited=True) == [f"Parental leave is {words}."]
            assert (view.other_side, view.claim, view.nearest) == (other, None, False)
        assert view_of(shelf, record).other_side == ""
        for ref in ("d1-3", "d2-1", "d9999-1"):
            assert shelf.citations.find(record.audit_id, ref, HANNA) is None

    def test_one_side_that_is_withheld_closes_both(self, shelf: CitedShelf) -> None:
        record = self.disagreed(shelf, FOR_HR)  # no candidate of the record, but a side alone
        for ref in ("d1-1", "d1-2"):
            assert readers_of(shelf, record, ref) == [HANNA], ref
        view = view_of(shelf, record)
        assert "old.md" not in repr(view)
        assert "10 weeks" not in repr(view)


def put(rule: AccessRule, text: str = LEAVE) -> Happens:
    return lambda shelf, _: shelf.put("leave.md", text, rule)


HAPPENS: dict[str, tuple[AccessRule, Happens, list[Person | None]]] = {
    "nothing": (FOR_ALL, lambda *_: None, READERS),
    "the link is handed on": (FOR_HR, lambda *_: None, [HANNA]),
    "it stood in a channel": (FOR_CS, lambda *_: None, [ANA, BEN]),
    "it is for fewer now": (FOR_ALL, put(FOR_HR), [HANNA]),
    "it is for more now": (FOR_HR, put(FOR_ALL, LEAVE.replace("14", "20")), [HANNA]),
    "its time is over": (FOR_ALL, put(AccessRule(valid_to=TODAY - timedelta(days=1))), []),
    "it left": (FOR_ALL, lambda shelf, it: shelf.library.remove([it.document_id]), [ROOT]),
    "it is suspended": (FOR_ALL, lambda shelf, it: shelf.library.suspend([it.document_id]), [ROOT]),
    "it was purged": (FOR_ALL, lambda shelf, it: shelf.library.purge(it.document_id), []),
}
"""What the rule was, what happens, and who is shown the citation then."""


@pytest.mark.parametrize("what", HAPPENS)
def test_a_citation_is_shown_to_who_might_read_it_then_and_may_today(
    shelf: CitedShelf, what: str
) -> None:
    rule, happens, readers = HAPPENS[what]
    document = shelf.put("leave.md", LEAVE, rule)
    record = shelf.answer(shelf.cite(document, "14 weeks"), channel=CS)
    happens(shelf, document)
    assert readers_of(shelf, record) == readers


def test_what_left_is_shown_to_administrators_as_it_was_cited(shelf: CitedShelf) -> None:
    record = answered(shelf)
    shelf.library.remove([record.claims[0].citations[0].document_id])
    view = view_of(shelf, record, ROOT)
    assert view.freshness is Freshness.LEFT
    assert words_of(view, cited=True) == [SAID]


def test_nothing_tells_a_forbidden_citation_from_one_that_is_not(shelf: CitedShelf) -> None:
    record = answered(shelf, FOR_HR)
    asked = [
        *((record.audit_id, ref) for ref in ("1-1", "1-2", "2-1", "n1", "nonsense")),
        ("0195e1c2-7a3b-7000-8000-000000000000", "1-1"),
        ("", "1-1"),
    ]
    assert {shelf.citations.find(*each, BEN) for each in asked} == {None}
    assert {shelf.citations.picture(*each, "1", BEN) for each in asked} == {None}


def test_the_beginning_of_an_audit_id_opens_nothing(shelf: CitedShelf) -> None:
    record = answered(shelf)
    for beginning in (record.audit_id[:8], record.audit_id[:-1], record.audit_id.upper()):
        assert shelf.citations.find(beginning, "1-1", ANA) is None
    assert view_of(shelf, record)


def test_a_person_who_changed_department_loses_what_they_could_open(shelf: CitedShelf) -> None:
    record = answered(shelf, FOR_CS, CS)
    assert view_of(shelf, record)
    moved = replace(ANA, facets={"departments": frozenset({"hr"})})
    assert shelf.citations.find(record.audit_id, "1-1", moved) is None


def test_of_a_version_whose_text_was_let_go_the_quote_is_shown_alone(shelf: CitedShelf) -> None:
    record = answered(shelf)
    cited = record.claims[0].citations[0]
    shelf.put("leave.md", LEAVE.replace("14", "20"))
    shelf.library.forget([(cited.document_id, cited.version)])
    view = view_of(shelf, record)
    assert (view.body, view.quote) == (None, SAID)


def test_text_that_somebody_changed_in_the_database_is_not_passed_off_as_cited(
    shelf: CitedShelf,
) -> None:
    record = answered(shelf)
    shelf.put("other.md", LEAVE.replace("14", "99"))
    tampered_with(
        url_in(shelf.folder),
        "UPDATE library_version SET parsed = (SELECT parsed FROM library_version AS other "
        "WHERE other.file = '\"other.md\"') WHERE file = '\"leave.md\"'",
    )
    view = view_of(shelf, record)
    assert (view.body, view.quote) == (None, SAID)


class TestTheClaim:
    """A reply's words are for those to whom it was given, as far as they may read its sources."""

    def secret(self, shelf: CitedShelf) -> CitationRecord:
        """Of a document that is for other people than Ana and Ben."""
        return shelf.cite(
            shelf.put("pay.md", "# Pay\n\nA dean is paid 9,000 euros.\n", FOR_HR), "9,000"
        )

    def open_one(self, shelf: CitedShelf) -> CitationRecord:
        return shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks")

    def test_whoever_asked_reads_it_with_its_verdict(self, shelf: CitedShelf) -> None:
        record = shelf.answer(self.open_one(shelf), text="14 weeks", question="Am I dismissed?")
        view = view_of(shelf, record)
        assert view.claim is not None
        assert (view.claim.text, view.claim.status) == ("14 weeks", Status.VERIFIED)
        assert view.claim.score == 0.97
        assert "dismissed" not in repr(view), "the question is on no page"

    @pytest.mark.parametrize(
        ("channel", "readers"),
        [
            *((each, [ANA, ROOT]) for each in ("", "D0ANA", "G0OFTWO", "C0LISTEDNOWHERE")),
            (CS, [ANA, BEN, ROOT]),
        ],
    )
    def test_a_private_reply_is_for_who_asked_and_a_channels_for_its_audience(
        self, shelf: CitedShelf, channel: str, readers: list[Person]
    ) -> None:
        record = answered(shelf, channel=channel)
        assert [who for who in READERS if view_of(shelf, record, who).claim] == readers

    def test_beside_a_source_that_is_withheld_the_open_place_is_shown_alone(
        self, shelf: CitedShelf
    ) -> None:
        both = replace(HANNA, facets={"departments": frozenset({"hr", "cs"})})
        cited, said = (self.open_one(shelf), self.secret(shelf)), "14 weeks of 9,000 euros"
        record = shelf.answer(*cited, text=said, person=both, channel=CS)
        view = view_of(shelf, record, BEN)
        assert view.claim is None
        assert "9,000" not in repr(view)
        assert "pay" not in repr(view).lower()
        assert shelf.citations.find(record.audit_id, "1-2", BEN) is None
        assert view_of(shelf, record, both).claim is not None

    def test_a_claim_that_nothing_bears_out_may_be_anybodys_words(self, shelf: CitedShelf) -> None:
        doubtful = ClaimRecord(
            text="It is 9,000 euros.", status=Status.UNSUPPORTED, citations=(self.open_one(shelf),)
        )
        hidden = ClaimRecord(text="9,000", status=Status.VERIFIED, citations=(self.secret(shelf),))
        record = shelf.answer(claims=(doubtful, hidden), channel=CS)
        assert "9,000" not in repr(view_of(shelf, record))


def test_versions_that_were_for_others_are_not_listed(shelf: CitedShelf) -> None:
    shelf.put("leave.md", LEAVE.replace("14", "12"), FOR_HR)
    record = answered(shelf)
    shelf.put("leave.md", LEAVE.replace("14", "20"))
    view = view_of(shelf, record)
    assert [each.cited for each in view.versions] == [False, True]
    assert view.freshness is Freshness.CHANGED
    assert [each.cited for each in view_of(shelf, record, HANNA).versions] == [False, True, False]


def test_a_file_that_is_read_anew_has_not_changed(shelf: CitedShelf) -> None:
    record = answered(shelf)
    shelf.put("leave.md", LEAVE)
    view = view_of(shelf, record)
    assert view.freshness is Freshness.AS_CITED
    assert [each.same_file for each in view.versions] == [True, True]


def test_a_long_document_is_shown_part_by_part_and_all_of_it_can_be_read(shelf: CitedShelf) -> None:
    every = [f"Sentence number {n} of many." for n in range(3_000)]
    document = shelf.put("long.md", "# Long\n\n" + "\n\n".join(every))
    record = shelf.answer(shelf.cite(document, "number 1500 "))
    view = view_of(shelf, record)
    assert view.body is not None
    assert view.body.holds_citation
    assert words_of(view, cited=True) == [every[1500]]
    read: list[str] = []
    at: int | None = 1
    while at is not None:
        view = seen(shelf.citations.find(record.audit_id, "1-1", ANA, str(at)))
        words = words_of(view, cited=False)
        assert sum(map(len, words)) < 15_000
        read += words
        at = view.body.after if view.body else None
    assert read == every


@pytest.mark.parametrize("at", ["", "x", "-1", "0", "²", "99999999999", "999999999", "1 "])
def test_any_other_part_than_there_is_is_the_nearest_that_there_is(
    shelf: CitedShelf, at: str
) -> None:
    record = answered(shelf)
    assert seen(shelf.citations.find(record.audit_id, "1-1", ANA, at)).body


OVER = AccessRule(valid_to=TODAY - timedelta(days=1))
OF_A_DOCUMENT: dict[str, tuple[AccessRule, Happens, list[Person | None]]] = {
    "nothing": (FOR_ALL, lambda *_: None, READERS),
    "the link is handed on": (FOR_CS, lambda *_: None, [ANA, BEN]),
    "it is for fewer now": (FOR_ALL, put(FOR_HR), [HANNA]),
    "it is for more now": (FOR_HR, put(FOR_ALL), READERS),
    "its time is over": (FOR_ALL, put(OVER), []),
    "it left": (FOR_ALL, lambda shelf, it: shelf.library.remove([it.document_id]), []),
    "it is suspended": (FOR_ALL, lambda shelf, it: shelf.library.suspend([it.document_id]), []),
    "it was purged": (FOR_ALL, lambda shelf, it: shelf.library.purge(it.document_id), []),
}


def opened(shelf: CitedShelf, document_id: str, who: Person | None, at: str = "") -> str:
    """The page; empty for none."""
    sent = CitationPages(shelf.citations).document(document_id, who, {"at": at}, "a-token")
    assert sent is None or {name.lower() for name in HEADERS} <= set(sent.headers)
    return bytes(sent.body).decode() if sent else ""


@pytest.mark.parametrize("what", OF_A_DOCUMENT)
def test_a_document_is_shown_to_who_may_read_it_today(shelf: CitedShelf, what: str) -> None:
    rule, happens, readers = OF_A_DOCUMENT[what]
    document = shelf.put("leave.md", LEAVE, rule)
    happens(shelf, document)
    pages = [(who, opened(shelf, document.document_id, who)) for who in READERS]
    assert [who for who, page in pages if page] == readers
    assert all("Parental leave is 14 weeks." in page for _, page in pages if page)


def test_what_stands_today_is_shown_and_no_older_version(shelf: CitedShelf) -> None:
    for weeks in (14, 16):
        its = shelf.put("leave.md", LEAVE.replace("14", str(weeks))).document_id
    page = opened(shelf, its, ANA)
    assert ("is 16 weeks" in page, "is 14 weeks" in page) == (True, False)


def test_of_another_workspace_nobody_opens_it(shelf: CitedShelf) -> None:
    document = shelf.put("leave.md", LEAVE, AccessRule(((TEAM, (HOME,)),)))
    for team, is_shown in ((HOME, True), ("T0OTHER", False)):
        who = replace(ANA, facets={TEAM: frozenset({team})})
        assert bool(opened(shelf, document.document_id, who)) is is_shown


def test_no_other_id_opens_it(shelf: CitedShelf) -> None:
    its = shelf.put("leave.md", LEAVE).document_id
    for other in ("", its[:-1], its.upper() + "A", f"{its} ", f"{its}\0", "%", "leave.md", "*"):
        assert not opened(shelf, other, ROOT), other


def test_what_it_says_is_text_and_marks_nothing(shelf: CitedShelf) -> None:
    hostile = "# Rules\n\n<script>alert(1)</script> is said.\n"
    its = shelf.put("rules.md", hostile, title="<b>Rules</b>").document_id
    page = opened(shelf, its, BEN)
    assert "<script" not in page
    assert "&lt;b&gt;Rules&lt;/b&gt;" in page
    assert "<mark" not in page


def test_a_long_one_is_read_part_by_part(shelf: CitedShelf) -> None:
    every = "\n\n".join(f"Sentence number {n} of many." for n in range(3_000))
    its = shelf.put("long.md", f"# Long\n\n{every}").document_id
    page = opened(shelf, its, ANA)
    assert "number 0 " in page
    assert wording.BACK_TO_CITED not in page
    onwards = page.split('rel="next" href="?at=')[1].split("#")[0]
    assert f"number {int(onwards) - 1} " in opened(shelf, its, ANA, onwards)
    assert opened(shelf, its, ANA, "x") == page
