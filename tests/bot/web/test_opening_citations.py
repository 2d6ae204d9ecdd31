"""Whoever opens a citation's link sees what they may read today, and else the same nothing."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from cited_shelf import ANA, BEN, CS, FOR_CS, FOR_HR, HANNA, ROOT, TODAY, CitedShelf
from libraries import tampered_with, url_in

from audit.places import Place
from audit.record import AuditRecord
from audit.values import (
    CellRecord,
    ClaimRecord,
    ContradictionRecord,
    Prevails,
    SideRecord,
    Status,
)
from bot.access.people import Person
from bot.citations.links import CitationRef
from bot.web.views import CitationView, Standing
from retrieval.types import AccessRule

LEAVE = """# Leave

Everybody has annual leave.

## Parental

Parental leave is 14 weeks. It is fully paid.

## Sick

Sick leave needs a note after three days.
"""
FOR_ALL = AccessRule()
READERS = [ANA, BEN, HANNA, ROOT, None]


@pytest.fixture
def shelf(tmp_path: Path) -> CitedShelf:
    return CitedShelf(tmp_path)


def seen(found: CitationView | None) -> CitationView:
    assert isinstance(found, CitationView)
    return found


def readers_of(shelf: CitedShelf, record: AuditRecord) -> list[Person | None]:
    """Who is shown its first citation."""
    opened = [(who, shelf.citations.find(record.audit_id, "1-1", who)) for who in READERS]
    return [who for who, found in opened if found is not None]


def cited_words(view: CitationView) -> list[str]:
    assert view.body is not None
    return [
        piece.text
        for run in view.body.runs
        for block in run.blocks
        for piece in block.pieces
        if piece.cited
    ]


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
    document = shelf.put("leave.md", LEAVE)
    record = shelf.answer(shelf.cite(document, "14 weeks"))
    view = seen(shelf.citations.find(record.audit_id, "1-1", ANA))
    assert cited_words(view) == ["Parental leave is 14 weeks."]
    assert (view.place, view.section_path) == ("line 7", ("Parental",))
    assert view.standing is Standing.AS_CITED
    assert [each.cited for each in view.versions] == [True]


def test_a_passage_that_came_nearest_is_opened_without_any_claim(shelf: CitedShelf) -> None:
    document = shelf.put("leave.md", LEAVE)
    record = shelf.answer(claims=(), nearest=(shelf.nearest(document, "needs a note"),))
    view = seen(shelf.citations.find(record.audit_id, "n1", ANA))
    assert (view.nearest, view.claim) == (True, None)
    assert cited_words(view) == ["Sick leave needs a note after three days."]


def test_of_a_sheets_row_the_cells_are_named_that_the_claim_rests_on(shelf: CitedShelf) -> None:
    row = Place(page=1, page_label="sheet Fees", cell_range="A7:D7")
    cell = CellRecord(value="14 weeks", reference="B7", sentence=0)
    document = shelf.put("leave.md", LEAVE)
    record = shelf.answer(shelf.cite(document, "14 weeks", place=row, cells=(cell,)))
    view = seen(shelf.citations.find(record.audit_id, "1-1", ANA))
    assert view.place == "sheet Fees, cell B7"


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
            assert cited_words(view) == [f"Parental leave is {words}."]
            assert (view.other_side, view.claim, view.nearest) == (other, None, False)
        assert seen(shelf.citations.find(record.audit_id, "1-1", ANA)).other_side == ""

    def test_one_side_that_is_withheld_closes_both(self, shelf: CitedShelf) -> None:
        record = self.disagreed(shelf, FOR_HR)  # no candidate of the record, but a side alone
        for ref in ("d1-1", "d1-2"):
            opened = [(who, shelf.citations.find(record.audit_id, ref, who)) for who in READERS]
            assert [who for who, found in opened if found is not None] == [HANNA], ref
        view = seen(shelf.citations.find(record.audit_id, "1-1", ANA))
        assert "old.md" not in repr(view)
        assert "10 weeks" not in repr(view)

    def test_there_is_no_third_side_and_no_further_one(self, shelf: CitedShelf) -> None:
        record = self.disagreed(shelf)
        for ref in ("d1-3", "d2-1", "d9999-1"):
            assert shelf.citations.find(record.audit_id, ref, HANNA) is None


def test_a_forwarded_link_shows_nothing_to_those_who_may_not_read_the_document(
    shelf: CitedShelf,
) -> None:
    record = shelf.answer(shelf.cite(shelf.put("pay.md", LEAVE, FOR_HR), "14 weeks"), person=HANNA)
    assert readers_of(shelf, record) == [HANNA]


def test_nothing_tells_a_forbidden_citation_from_one_that_is_not(shelf: CitedShelf) -> None:
    record = shelf.answer(shelf.cite(shelf.put("pay.md", LEAVE, FOR_HR), "14 weeks"), person=HANNA)
    asked = [
        (record.audit_id, "1-1"),
        (record.audit_id, "1-2"),
        (record.audit_id, "2-1"),
        (record.audit_id, "n1"),
        (record.audit_id, "nonsense"),
        ("0195e1c2-7a3b-7000-8000-000000000000", "1-1"),
        ("", "1-1"),
    ]
    assert {shelf.citations.find(*each, BEN) for each in asked} == {None}
    assert {shelf.citations.picture(*each, "1", BEN) for each in asked} == {None}


def test_the_beginning_of_an_audit_id_opens_nothing(shelf: CitedShelf) -> None:
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks"))
    for beginning in (record.audit_id[:8], record.audit_id[:-1], record.audit_id.upper()):
        assert shelf.citations.find(beginning, "1-1", ANA) is None
    assert shelf.citations.find(record.audit_id, "1-1", ANA) is not None


def test_a_document_whose_audience_was_narrowed_since_is_shown_to_its_new_audience_alone(
    shelf: CitedShelf,
) -> None:
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks"), channel=CS)
    assert readers_of(shelf, record) == READERS
    shelf.put("leave.md", LEAVE, FOR_HR)
    shown = [
        who for who in READERS if shelf.citations.find(record.audit_id, "1-1", who) is not None
    ]
    assert shown == [HANNA]


def test_a_document_that_was_opened_since_keeps_its_old_version_to_its_old_audience(
    shelf: CitedShelf,
) -> None:
    record = shelf.answer(
        shelf.cite(shelf.put("leave.md", LEAVE, FOR_HR), "14 weeks"), person=HANNA
    )
    shelf.put("leave.md", LEAVE.replace("14", "20"))
    shown = [
        who for who in READERS if shelf.citations.find(record.audit_id, "1-1", who) is not None
    ]
    assert shown == [HANNA]


def test_a_person_who_changed_department_loses_what_they_could_open(shelf: CitedShelf) -> None:
    record = shelf.answer(shelf.cite(shelf.put("cs.md", LEAVE, FOR_CS), "14 weeks"), channel=CS)
    assert seen(shelf.citations.find(record.audit_id, "1-1", ANA))
    moved = replace(ANA, facets={"departments": frozenset({"hr"})})
    assert shelf.citations.find(record.audit_id, "1-1", moved) is None


def test_that_a_reply_stood_in_a_channel_opens_nothing_to_who_is_not_of_its_audience(
    shelf: CitedShelf,
) -> None:
    record = shelf.answer(shelf.cite(shelf.put("cs.md", LEAVE, FOR_CS), "14 weeks"), channel=CS)
    shown = [
        who for who in READERS if shelf.citations.find(record.audit_id, "1-1", who) is not None
    ]
    assert shown == [ANA, BEN]


def test_a_document_out_of_its_time_is_shown_to_nobody(shelf: CitedShelf) -> None:
    over = AccessRule(valid_to=TODAY - timedelta(days=1))
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks"))
    shelf.put("leave.md", LEAVE, over)
    assert readers_of(shelf, record) == []


def test_what_left_the_library_is_shown_to_administrators_alone(shelf: CitedShelf) -> None:
    document = shelf.put("leave.md", LEAVE)
    record = shelf.answer(shelf.cite(document, "14 weeks"))
    shelf.library.remove([document.document_id])
    shown = [
        who for who in READERS if shelf.citations.find(record.audit_id, "1-1", who) is not None
    ]
    assert shown == [ROOT]
    view = seen(shelf.citations.find(record.audit_id, "1-1", ROOT))
    assert view.standing is Standing.LEFT
    assert cited_words(view) == ["Parental leave is 14 weeks."]


def test_what_is_suspended_is_shown_to_administrators_alone(shelf: CitedShelf) -> None:
    document = shelf.put("leave.md", LEAVE)
    record = shelf.answer(shelf.cite(document, "14 weeks"))
    shelf.library.suspend([document.document_id])
    shown = [
        who for who in READERS if shelf.citations.find(record.audit_id, "1-1", who) is not None
    ]
    assert shown == [ROOT]


def test_what_was_purged_is_shown_to_nobody(shelf: CitedShelf) -> None:
    document = shelf.put("leave.md", LEAVE)
    record = shelf.answer(shelf.cite(document, "14 weeks"))
    shelf.library.purge(document.document_id)
    assert readers_of(shelf, record) == []


def test_of_a_version_whose_text_was_let_go_the_quote_is_shown_alone(shelf: CitedShelf) -> None:
    document = shelf.put("leave.md", LEAVE)
    record = shelf.answer(shelf.cite(document, "14 weeks"))
    shelf.put("leave.md", LEAVE.replace("14", "20"))
    shelf.library.forget([(document.document_id, document.version)])
    view = seen(shelf.citations.find(record.audit_id, "1-1", ANA))
    assert (view.body, view.quote) == (None, "Parental leave is 14 weeks.")


def test_text_that_somebody_changed_in_the_database_is_not_passed_off_as_cited(
    shelf: CitedShelf,
) -> None:
    first = shelf.put("leave.md", LEAVE)
    record = shelf.answer(shelf.cite(first, "14 weeks"))
    shelf.put("other.md", LEAVE.replace("14", "99"))
    tampered_with(
        url_in(shelf.folder),
        "UPDATE library_version SET parsed = (SELECT parsed FROM library_version AS other "
        "WHERE other.file = '\"other.md\"') WHERE file = '\"leave.md\"'",
    )
    view = seen(shelf.citations.find(record.audit_id, "1-1", ANA))
    assert (view.body, view.quote) == (None, "Parental leave is 14 weeks.")


class TestTheClaim:
    """A reply's words are for those to whom it was given, as far as they may read its sources."""

    def test_whoever_asked_reads_it_with_its_verdict(self, shelf: CitedShelf) -> None:
        record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks"), text="14 weeks")
        claim = seen(shelf.citations.find(record.audit_id, "1-1", ANA)).claim
        assert claim is not None
        assert (claim.text, claim.status, claim.score) == ("14 weeks", Status.VERIFIED, 0.97)

    def test_a_private_reply_is_not_for_whoever_comes_by_its_link(self, shelf: CitedShelf) -> None:
        cited = shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks")
        for channel in ("", "D0ANA", "G0OFTWO", "C0LISTEDNOWHERE"):
            record = shelf.answer(cited, text="my own affair", channel=channel)
            reads = {
                who.id if who else "guest"
                for who in READERS
                if seen(shelf.citations.find(record.audit_id, "1-1", who)).claim
            }
            assert reads == {"ana", "root"}

    def test_a_channels_reply_is_for_its_audience(self, shelf: CitedShelf) -> None:
        cited = shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks")
        record = shelf.answer(cited, channel=CS)
        reads = [
            who for who in READERS if seen(shelf.citations.find(record.audit_id, "1-1", who)).claim
        ]
        assert reads == [ANA, BEN, ROOT]

    def test_beside_a_source_that_is_withheld_the_open_place_is_shown_alone(
        self, shelf: CitedShelf
    ) -> None:
        secret = shelf.cite(
            shelf.put("pay.md", "# Pay\n\nA dean is paid 9,000 euros.\n", FOR_HR), "9,000"
        )
        open_one = shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks")
        both = replace(HANNA, facets={"departments": frozenset({"hr", "cs"})})
        record = shelf.answer(
            open_one, secret, text="14 weeks of 9,000 euros", person=both, channel=CS
        )
        view = seen(shelf.citations.find(record.audit_id, "1-1", BEN))
        assert view.claim is None
        assert "9,000" not in repr(view)
        assert "pay" not in repr(view).lower()
        assert shelf.citations.find(record.audit_id, "1-2", BEN) is None
        whole = seen(shelf.citations.find(record.audit_id, "1-1", both))
        assert whole.claim is not None

    def test_a_claim_that_nothing_bears_out_may_be_anybodys_words(self, shelf: CitedShelf) -> None:
        secret = shelf.cite(
            shelf.put("pay.md", "# Pay\n\nA dean is paid 9,000 euros.\n", FOR_HR), "9,000"
        )
        open_one = shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks")
        doubtful = ClaimRecord(
            text="It is 9,000 euros.", status=Status.UNSUPPORTED, citations=(open_one,)
        )
        hidden = ClaimRecord(text="9,000", status=Status.VERIFIED, citations=(secret,))
        record = shelf.answer(claims=(doubtful, hidden), channel=CS)
        view = seen(shelf.citations.find(record.audit_id, "1-1", ANA))
        assert "9,000" not in repr(view)

    def test_the_question_is_on_no_page(self, shelf: CitedShelf) -> None:
        cited = shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks")
        record = shelf.answer(cited, question="Am I to be dismissed?")
        assert "dismissed" not in repr(shelf.citations.find(record.audit_id, "1-1", ANA))


def test_versions_that_were_for_others_are_not_listed(shelf: CitedShelf) -> None:
    shelf.put("leave.md", LEAVE.replace("14", "12"), FOR_HR)
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks"))
    shelf.put("leave.md", LEAVE.replace("14", "20"))
    view = seen(shelf.citations.find(record.audit_id, "1-1", ANA))
    assert [each.cited for each in view.versions] == [False, True]
    assert view.standing is Standing.CHANGED
    of_hr = seen(shelf.citations.find(record.audit_id, "1-1", HANNA))
    assert [each.cited for each in of_hr.versions] == [False, True, False]


def test_a_file_that_is_read_anew_has_not_changed(shelf: CitedShelf) -> None:
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks"))
    shelf.put("leave.md", LEAVE)
    view = seen(shelf.citations.find(record.audit_id, "1-1", ANA))
    assert view.standing is Standing.AS_CITED
    assert [each.same_file for each in view.versions] == [True, True]


def test_a_long_document_is_shown_part_by_part_and_all_of_it_can_be_read(
    shelf: CitedShelf,
) -> None:
    text = "# Long\n\n" + "\n\n".join(f"Sentence number {n} of many." for n in range(3_000))
    record = shelf.answer(shelf.cite(shelf.put("long.md", text), "number 1500 "))
    view = seen(shelf.citations.find(record.audit_id, "1-1", ANA))
    assert view.body is not None
    assert view.body.holds_citation
    assert cited_words(view) == ["Sentence number 1500 of many."]
    read: list[str] = []
    at: int | None = 1
    while at is not None:
        body = seen(shelf.citations.find(record.audit_id, "1-1", ANA, str(at))).body
        assert body is not None
        words = [p.text for run in body.runs for block in run.blocks for p in block.pieces]
        assert sum(map(len, words)) < 15_000
        read += words
        at = body.after
    assert read == [f"Sentence number {n} of many." for n in range(3_000)]


@pytest.mark.parametrize("at", ["", "x", "-1", "0", "²", "99999999999", "999999999", "1 "])
def test_any_other_part_than_there_is_is_the_nearest_that_there_is(
    shelf: CitedShelf, at: str
) -> None:
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks"))
    assert seen(shelf.citations.find(record.audit_id, "1-1", ANA, at)).body
