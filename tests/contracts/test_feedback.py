"""What people said of answers is listed as it stands, on every store."""

from datetime import timedelta

import pytest
from sample_records import a_record, an_event

from audit.feedback import FeedbackQuery, GivenFeedback, Opinion
from audit.log import AuditReader, AuditWriter
from audit.record import AuditEvent, AuditRecord, EventKind
from audit.values import PersonRecord

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
