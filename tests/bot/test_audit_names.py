"""Whom and what an auditor names, and which records are meant."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from libraries import library_in
from sample_records import a_citation, a_record

from audit.log import open_reader, open_writer
from audit.record import AuditEvent, EventKind
from audit.values import Channel, ClaimRecord, PersonRecord, Status
from bot.access.names import AuditNames
from bot.access.people import People, Person
from bot.cli.arguments import time
from bot.errors import UnknownChannel, UnknownDocument, UnknownPerson, WrongUse
from bot.wording.names import named_day
from retrieval.documents.holdings import Acquisition, Fingerprint
from retrieval.types import Document, Metadata

PEOPLE = People(
    {
        "ana": Person("ana", "Ana Silva", "ana@example.org", {}),
        "U1": Person("U1", "Sam Lee", "", {}),
        "T0OTHER//U1": Person("T0OTHER//U1", "Olga", "", {}),
    }
)
LISTED = {"C1": "help", "T0OTHER//C1": "other"}
ASKERS = {"ana": "Ana S.", "U2": "Sam Lee", "U3": "Robin", "guest": "guest"}
SERVED = {
    "d1": ("docs", "old/leave.md", "Leave", "1"),
    "d2": ("docs", "leave.md", "Sabbaticals", "1"),
    "d3": ("docs", "a/fees.md", "Fees", "1"),
    "d4": ("docs", "b/fees.md", "Fees", "1"),
    "d5": ("docs", "pay.md", "Pay", "1"),
    "d6": ("more", "pay.md", "Pay", "1"),
    "d7": ("docs", "left.md", "Grants", "1"),
    "d8": ("theirs", "merger.md", "Merger", "1"),
    "d9": ("theirs", "visa.md", "Visa", "1"),
    "d10": ("docs", "own/visa.md", "Visa", "1"),
}


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AuditNames]:
    folder = tmp_path_factory.mktemp("names")
    library, url = library_in(folder), f"sqlite:///{folder / 'audit.sqlite'}"
    library.store(_held(*each) for each in SERVED.items())
    library.rename("d1", "staff/leave.md")
    library.store([_held("d1", ("docs", "staff/leave.md", "Annual leave", "2"))])
    library.remove(["d7"])
    cited, dropped = (
        ClaimRecord(text="x", status=Status.VERIFIED, citations=(a_citation(file),))
        for file in ("posted.pdf", "dropped.pdf")
    )
    with open_writer(url) as writer, open_reader(url) as reader:
        for number, (own_id, name) in enumerate(ASKERS.items()):
            who = PersonRecord(id=own_id, name=name)
            where = Channel(id=f"C{number}", name="general" if number else "help")
            record = a_record(
                number, person=who, channel=where, claims=(cited,), dropped=(dropped,)
            )
            writer.append(record)
        theirs = PersonRecord(id="T0OTHER//U1", name="Olga")
        claim = cited.model_copy(update={"citations": (a_citation("theirs.pdf"),)})
        where = Channel(id="T0OTHER//C1", name="other")
        writer.append(a_record(99, person=theirs, channel=where, claims=(claim,)))
        writer.append(
            AuditEvent(
                kind=EventKind.FEEDBACK,
                event_id="1",
                audit_id=record.audit_id,
                time=record.time,
                person=PersonRecord(id="quill"),
                details={"value": "bad"},
            )
        )
        yield AuditNames(
            reader, lambda: PEOPLE, lambda: library, lambda: {"theirs"}, lambda: LISTED
        )


def _held(own_id: str, told: tuple[str, str, str, str]) -> Acquisition:
    source, file, title, version = told
    read_at = datetime(2026, 2, 1, tzinfo=UTC)
    document = Document(own_id, file, version, read_at, title, Metadata())
    return Acquisition(source, document, Fingerprint(1, 1, own_id, ""), [])


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("ana", "ana"),
        ("Ana  silva", "ana"),
        ("ANA@example.org", "ana"),
        ("Ana", "ana"),
        ("silva", "ana"),
        ("Silva Ana", "ana"),
        ("robin", "U3"),
        ("U2", "U2"),
        ("guest", "guest"),
        ("quill", "quill"),
        ("olga", "T0OTHER//U1"),
    ],
)
def test_somebody_is_meant_by_id_e_mail_or_name_also_who_left(
    names: AuditNames, said: str, meant: str
) -> None:
    assert names.person(said) == meant


def test_who_shares_a_name_with_somebody_who_left_is_not_taken_for_them(names: AuditNames) -> None:
    with pytest.raises(UnknownPerson, match="U1, U2"):
        names.person("sam lee")


@pytest.mark.parametrize("said", ["Anna", "silvia", "ana@example.com"])
def test_of_somebody_unknown_it_is_said_who_may_be_meant(names: AuditNames, said: str) -> None:
    with pytest.raises(UnknownPerson, match=r"Did you mean ana \(Ana Silva\)"):
        names.person(said)


def test_nobody_of_another_workspace_is_meant_nor_named(names: AuditNames) -> None:
    assert [names.person(said, "T0OTHER") for said in ("Olga", "U1")] == ["T0OTHER//U1"] * 2
    for said, team in (("Olga", ""), ("Ana Silva", "T0OTHER"), ("quill", "T0OTHER")):
        with pytest.raises(UnknownPerson) as raised:
            names.person(said, team)
        assert "Did you mean" not in str(raised.value)


@pytest.mark.parametrize(
    ("said", "team", "meant"),
    [
        ("C3", None, "C3"),
        ("<#C3|general>", "", "C3"),
        ("#Other", None, "T0OTHER//C1"),
        ("C1", "T0OTHER", "T0OTHER//C1"),
    ],
)
def test_a_channel_is_meant_by_id_or_name_also_one_that_records_alone_name(
    names: AuditNames, said: str, team: str | None, meant: str
) -> None:
    assert names.channel(said, team) == meant


@pytest.mark.parametrize(
    ("said", "team", "why"),
    [
        ("help", "", "2 channels are called help; give the id of one: C0, C1"),
        ("generel", "", r"Did you mean .*C2 \(general\)"),
        ("other", "", "none in which somebody asked"),
        ("C9", None, "Give its id"),
    ],
)
def test_where_no_channel_or_several_are_meant_it_is_said_which_there_are(
    names: AuditNames, said: str, team: str | None, why: str
) -> None:
    with pytest.raises(UnknownChannel, match=why):
        names.channel(said, team)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("d1", "d1"),
        ("staff/leave.md", "d1"),
        ("old/leave.md", "d1"),
        ("sabbaticals", "d2"),
        ("leave.md", "d2"),
        ("B/fees.md", "d4"),
        ("grants", "d7"),
        ("PAY.md", "pay.md"),
        ("posted.pdf", "posted.pdf"),
        ("doc-posted.pdf", "doc-posted.pdf"),
        ("dropped.pdf", "dropped.pdf"),
    ],
)
def test_a_document_is_meant_by_id_or_path_before_a_name_that_others_share_also_one_that_left(
    names: AuditNames, said: str, meant: str
) -> None:
    assert names.document(said) == meant


def test_where_several_documents_are_meant_one_is_to_be_chosen(names: AuditNames) -> None:
    with pytest.raises(WrongUse, match=r"path or id: d3 \(a/fees.md\), d4 \(b/fees.md\)"):
        names.document("Fees")


@pytest.mark.parametrize("said", ["sabatical", "handbook.md", ""])
def test_a_document_that_nobody_knows_is_not_found(names: AuditNames, said: str) -> None:
    with pytest.raises(UnknownDocument, match=f"No document is or was called {said!r}"):
        names.document(said)


@pytest.mark.parametrize("said", ["merger.md", "Merger", "merge.md", "d8", "theirs.pdf"])
def test_of_sources_of_another_workspace_the_homes_own_is_told_nothing(
    names: AuditNames, said: str
) -> None:
    """Neither found, nor suggested; the operator is."""
    with pytest.raises(UnknownDocument) as told:
        names.document(said, "")
    assert "merger.md" not in str(told.value).replace(repr(said), "")
    if said == "merge.md":
        with pytest.raises(UnknownDocument, match=r"Did you mean .*merger\.md"):
            names.document(said)
    else:
        assert names.document(said)


def test_of_two_workspaces_documents_of_one_name_the_homes_own_means_its_own(
    names: AuditNames,
) -> None:
    assert names.document("Visa", "") == "d10"
    with pytest.raises(WrongUse, match=r"d10 .* d9|d9 .* d10"):
        names.document("Visa")


def test_which_documents_there_are_another_workspace_is_not_told(names: AuditNames) -> None:
    for said in ("Fees", "sabbaticals", "nothing"):
        assert names.document(said, "T0OTHER") == said
    assert names.files("T0OTHER") == frozenset()
    own = names.files("")
    assert ("pay.md" in own, "merger.md" in own) == (True, False)


A_DAY = date(2026, 3, 1)


def test_today_and_yesterday_are_days() -> None:
    assert named_day("Today", A_DAY) == A_DAY
    assert named_day(" yesterday", A_DAY) == date(2026, 2, 28)
    assert named_day("tomorrow", A_DAY) is None


def test_at_the_command_line_a_named_day_is_its_beginning_in_utc() -> None:
    before = datetime.now(UTC).date()
    today, yesterday = time("today"), time("yesterday")
    assert (today.tzinfo, today.time()) == (UTC, datetime.min.time())
    assert before <= today.date() <= before + timedelta(days=1)
    assert yesterday < today


def test_who_names_no_day_is_told_what_may_be_written() -> None:
    with pytest.raises(WrongUse, match=r"'tomorrow' is no date.* today or yesterday"):
        time("tomorrow")
