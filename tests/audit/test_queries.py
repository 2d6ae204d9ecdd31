"""What people ask of the store, and what they said of answers, on every store."""

from datetime import timedelta

import pytest
from audit_stores import AuditStore
from sample_records import NOON, a_citation, a_record, an_event
from sqlalchemy import event

from audit.errors import AmbiguousId, UnknownRecord
from audit.export import row
from audit.feedback import FeedbackQuery, GivenFeedback, Opinion
from audit.finding.queries import RecordQuery
from audit.log import AuditReader, AuditWriter
from audit.record import AuditEvent, AuditRecord, Decision, EventKind
from audit.storing.store import STORE, reading_engine
from audit.values import CitationRecord, ClaimRecord, PersonRecord, Status


@pytest.fixture
def month(writer: AuditWriter) -> list[str]:
    """Ten records, a minute apart: even ones by Ana, odd ones by Ben."""
    ids = []
    for number in range(10):
        file = "handbook/leave.md" if number < 3 else "handbook/travel.md"
        claim = ClaimRecord(text="x", status=Status.VERIFIED, citations=(a_citation(file),))
        record = a_record(
            number,
            person=PersonRecord(id="ben" if number % 2 else "ana"),
            decision=Decision.ABSTAIN if number == 5 else Decision.ANSWER,
            question=f"Is day {number} a holiday in Köln?",
            reply="It is." if number != 7 else "No: Re-evaluation's day.",
            claims=(claim,),
        )
        ids.append(writer.append(record).entry.audit_id)
        writer.append(an_event(record, person=PersonRecord(id="ana")))
    return ids


def test_all_that_was_asked_between_two_times_is_read_a_page_at_a_time(
    month: list[str], reader: AuditReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.log._BATCH", 2)
    entries = reader.asked_between(NOON + timedelta(minutes=2), NOON + timedelta(minutes=7))
    found = [each.entry.audit_id for each in entries]
    assert [month.index(each) for each in found] == [6, 5, 4, 3, 2]
    assert list(reader.asked_between(NOON - timedelta(days=2), NOON - timedelta(days=1))) == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (RecordQuery(channel="C0123", limit=2), [9, 8]),
        (RecordQuery(text="KÖLN holiday", person="ben", decision="ABSTAIN"), [5]),
        (RecordQuery(text="re evaluation"), [7]),
        (RecordQuery(text="day 3"), [3]),
        (RecordQuery(text="day", document="handbook/leave.md"), [2, 1, 0]),
        (RecordQuery(text="holi"), []),
        (RecordQuery(text='day AND OR * " NEAR('), []),
        (RecordQuery(text="?!"), []),
    ],
)
def test_records_are_found(
    month: list[str], reader: AuditReader, query: RecordQuery, expected: list[int]
) -> None:
    found = [month.index(record.audit_id) for record in reader.find(query).records]
    assert found == expected


def cited_at(file: str, version: str, passage: str) -> CitationRecord:
    changed = {"version": version, "passage_id": passage}
    return a_citation(file).model_copy(update=changed)


def test_who_was_told_a_version_of_a_document_is_not_who_was_told_it_of_another_one(
    writer: AuditWriter, reader: AuditReader
) -> None:
    leave, travel = "handbook/leave.md", "handbook/travel.md"
    elsewhere = cited_at(leave, "1", "p4").model_copy(update={"document_id": "moved"})
    each = [
        [cited_at(leave, "2", "p1"), cited_at(travel, "1", "p2")],
        [cited_at(leave, "10", "p1")],
        [cited_at(leave, "1", "p1"), cited_at(travel, "2", "p3")],
        [elsewhere],
        [cited_at(leave, "sha256:1a", "p1")],
    ]
    for number, citations in enumerate(each):
        claim = ClaimRecord(text="x", status=Status.VERIFIED, citations=tuple(citations))
        writer.append(a_record(number, audit_id=f"id-{number}", claims=(claim,)))

    def told(**asked: str) -> list[str]:
        found = reader.find(RecordQuery(**asked)).records  # type: ignore[arg-type]  # of any filter
        return [each.audit_id.removeprefix("id-") for each in found]

    assert told(version="1") == ["3", "2", "0"]
    assert told(document=leave, version="1") == ["3", "2"]
    assert told(document=f"doc-{leave}", version="1") == ["2"]
    assert told(document="moved", version="1") == ["3"]
    assert told(document=travel, version="1") == ["0"]
    assert told(document=leave, version="sha256:1") == ["4"]
    assert told(passage="p1", version="1") == ["2"]
    assert told(document=leave, passage="p1", version="2") == ["0"]
    assert told(document=travel, version="10") == told(document="x", version="1") == []
    assert [dict(row(each))["cited"] for each in reader.records(RecordQuery(version="1"))] == [
        f"{leave} (1)",
        f"{leave} (1)\n{travel} (2)",
        f"{leave} (2)\n{travel} (1)",
    ]


def test_what_was_asked_in_another_workspace_is_told_apart(
    writer: AuditWriter, reader: AuditReader
) -> None:
    people = ["ana", "TECH/ana", "T0OTHER//U1", "T0OTHERS//U1"]
    for number, person in enumerate(people):
        writer.append(a_record(number, person=PersonRecord(id=person)))

    def asked(team: str | None) -> list[str]:
        return [each.person_id for each in reader.find(RecordQuery(team=team)).records][::-1]

    assert [asked(team) for team in (None, "", "T0OTHER")] == [people, people[:2], people[2:3]]


def test_what_an_abstention_only_listed_as_near_is_not_what_it_is_about(
    reader: AuditReader, writer: AuditWriter
) -> None:
    listed = {"question": "What does parking cost?", "reply": "Near: you may borrow a laptop."}
    abstained = a_record(1, decision=Decision.ABSTAIN, **listed)
    older = a_record(2, decision=Decision.ABSTAIN, schema_version=1, **listed)
    answered = a_record(3, **listed)
    for record in (abstained, older, answered):
        writer.append(record)

    def found(text: str) -> list[str]:
        return [each.audit_id for each in reader.find(RecordQuery(text=text)).records]

    assert found("laptop") == [answered.audit_id, older.audit_id]
    assert found("parking") == [answered.audit_id, older.audit_id, abstained.audit_id]
    assert reader.verify().ok


def test_pages_go_on_where_the_last_one_ended(
    month: list[str], reader: AuditReader, writer: AuditWriter
) -> None:
    first = reader.find(RecordQuery(limit=4))
    writer.append(a_record(11))  # while somebody reads
    second = reader.find(RecordQuery(limit=4, before=first.next))
    third = reader.find(RecordQuery(limit=4, before=second.next))
    pages = [*first.records, *second.records, *third.records]
    assert [record.audit_id for record in pages] == month[::-1]
    assert third.next is None


def test_a_record_is_found_by_the_beginning_of_its_id(
    month: list[str], reader: AuditReader
) -> None:
    assert reader.record(month[3][:20]).entry.audit_id == month[3]
    with pytest.raises(AmbiguousId, match="more of the id"):
        reader.record(month[3][:3])
    for nothing in ("", "zzz", "%", month[3] + "0"):
        with pytest.raises(UnknownRecord):
            reader.record(nothing)


def test_who_asked_is_told_by_name(month: list[str], reader: AuditReader) -> None:
    assert [each.person_id for each in reader.askers()] == ["ana", "ben"]


def test_a_page_and_what_is_counted_are_of_one_state_while_records_are_appended(
    month: list[str], store: AuditStore, writer: AuditWriter
) -> None:
    engine = reading_engine(STORE.parse(store.url))
    more = iter(range(10, 1000))

    def append_one(*_: object) -> None:
        writer.append(a_record(next(more), decision=Decision.ABSTAIN))

    with AuditReader(engine) as reader:
        reader.find()
        event.listen(engine, "after_cursor_execute", append_one)
        seen = reader.overview(RecordQuery(), NOON.date(), 500)
    counted = seen.records, sum(span.asked for span in seen.spans), seen.read
    assert counted == (len(seen.page.records),) * 3
    assert seen.by_decision[Decision.ABSTAIN] == len(seen.refused)
    assert next(more) > 12


ANA, BEN = PersonRecord(id="ana", name="Ana Silva"), PersonRecord(id="ben")


@pytest.fixture
def record(writer: AuditWriter) -> AuditRecord:
    record = a_record()
    writer.append(record)
    return record


def say(
    writer: AuditWriter, record: AuditRecord, value: str, who: PersonRecord = ANA, **details: str
) -> AuditEvent:
    words = details.pop("words", "")
    said = an_event(record, person=who, text=words, details={"value": value, **details})
    writer.append(said)
    return said


def listed(reader: AuditReader, query: FeedbackQuery | None = None) -> list[tuple[str, str]]:
    return [(each.person_id, each.value) for each in reader.feedback(query).given]


def test_feedback_is_listed_newest_first_with_the_question(
    writer: AuditWriter, reader: AuditReader, record: AuditRecord
) -> None:
    say(writer, record, "good", BEN)
    writer.append(an_event(record, kind=EventKind.DELIVERED, person=None, text="", details={}))
    say(writer, record, "this_was_it", passage_id="p", file="leave.md")
    say(writer, record, "bad", words="It is 16 weeks.", why="outdated")
    assert listed(reader) == [("ana", "bad"), ("ana", "this_was_it"), ("ben", "good")]
    newest, passage, _ = reader.feedback().given
    assert newest == GivenFeedback(
        sequence=5,
        audit_id=record.audit_id,
        time="2025-03-01T12:05:00.000000Z",
        person_id="ana",
        person_name="Ana Silva",
        value="bad",
        why="outdated",
        words="It is 16 weeks.",
        file="",
        question=record.question,
    )
    assert passage.file == "leave.md"


def test_who_changes_their_mind_is_listed_once_and_who_takes_it_back_as_before(
    writer: AuditWriter, reader: AuditReader, record: AuditRecord
) -> None:
    say(writer, record, "good", BEN)
    say(writer, record, "good")
    bad = say(writer, record, "bad")
    assert listed(reader) == [("ana", "bad"), ("ben", "good")]
    say(writer, record, Opinion.WITHDRAWN, withdraws=bad.event_id)
    assert listed(reader) == [("ana", "good"), ("ben", "good")]
    assert len(reader.events(record.audit_id)) == 4, "nothing is deleted"


def test_nobody_takes_back_what_somebody_else_said(
    writer: AuditWriter, reader: AuditReader, record: AuditRecord
) -> None:
    bad = say(writer, record, "bad", BEN)
    say(writer, record, Opinion.WITHDRAWN, ANA, withdraws=bad.event_id)
    assert listed(reader) == [("ben", "bad")]


def test_feedback_is_found_by_whose_it_is_and_when_it_was_given(
    writer: AuditWriter, reader: AuditReader, record: AuditRecord
) -> None:
    given = say(writer, record, "good").time
    say(writer, record, "bad", BEN)
    minute = timedelta(minutes=1)
    assert listed(reader, FeedbackQuery(person="ben")) == [("ben", "bad")]
    assert listed(reader, FeedbackQuery(since=given + minute)) == []
    assert listed(reader, FeedbackQuery(until=given)) == []
    assert len(listed(reader, FeedbackQuery(since=given, until=given + minute))) == 2


def test_pages_hold_all_of_it_once_however_much_was_taken_back(
    writer: AuditWriter, reader: AuditReader
) -> None:
    for number in range(70):
        record = a_record(number)
        writer.append(record)
        bad = say(writer, record, "bad")
        if number not in (3, 60):
            say(writer, record, Opinion.WITHDRAWN, withdraws=bad.event_id)
    first = reader.feedback(FeedbackQuery(limit=1))
    assert first.next is not None
    last = reader.feedback(FeedbackQuery(limit=1, before=first.next))
    assert last.next is None
    assert len({each.audit_id for each in (*first.given, *last.given)}) == 2
