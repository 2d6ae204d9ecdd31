"""What people confirmed is told with the passage that answered, while they stand by it."""

import pytest
from sample_records import a_candidate, a_citation, a_record, an_event

from audit.feedback import ConfirmedQuestion, Opinion
from audit.log import AuditReader, AuditWriter
from audit.record import AuditEvent, AuditRecord, Decision
from audit.values import ClaimRecord, PersonRecord, Status

pytest_plugins = ["audit_stores"]

ANA, BEN = PersonRecord(id="ana", name="Ana Silva"), PersonRecord(id="ben")


def say(
    writer: AuditWriter,
    record: AuditRecord,
    value: str,
    who: PersonRecord = ANA,
    **details: str,
) -> AuditEvent:
    said = an_event(record, person=who, details={"value": value, **details})
    writer.append(said)
    return said


def confirmed(reader: AuditReader) -> list[tuple[str, str, str]]:
    return [
        (each.person_id, each.question, each.passage_id) for each in reader.confirmed_questions()
    ]


def test_an_answer_that_helped_is_confirmed_with_what_it_cites_first(
    writer: AuditWriter, reader: AuditReader
) -> None:
    other = a_citation("handbook/other.md").model_copy(update={"passage_id": "p-2"})
    unsupported = other.model_copy(update={"status": Status.UNSUPPORTED})
    record = a_record(
        claims=(
            ClaimRecord(text="No", status=Status.UNSUPPORTED, citations=(other,)),
            ClaimRecord(text="So", status=Status.VERIFIED, citations=(unsupported, a_citation())),
        )
    )
    for each in (record, a_record(1)):
        writer.append(each)
    say(writer, record, "good", BEN)
    assert reader.confirmed_questions() == [
        ConfirmedQuestion(
            audit_id=record.audit_id,
            person_id="ben",
            asked="How many weeks of parental leave do I get?",
            question="weeks of parental leave",
            document_id="doc-handbook/leave.md",
            version="sha256:12ab",
            passage_id="p-1",
        )
    ]
    assert reader.searched_for([record.audit_id, "none"]) == {
        record.audit_id: "weeks of parental leave"
    }


def test_where_a_claim_cites_several_passages_the_best_that_was_read_for_it_is_confirmed(
    writer: AuditWriter, reader: AuditReader
) -> None:
    cited = [
        a_citation().model_copy(update={"passage_id": which}) for which in ("before", "p-2", "p-1")
    ]
    claim = ClaimRecord(text="So", status=Status.VERIFIED, citations=tuple(cited))
    unused = a_candidate().model_copy(update={"passage_id": "before", "used": False})
    candidates = (unused, a_candidate(1), a_candidate(2))
    for record in (a_record(claims=(claim,), candidates=candidates[:2]), a_record(1)):
        writer.append(record)
        say(writer, record, "good")
    both = a_record(2, claims=(claim,), candidates=candidates)
    writer.append(both)
    say(writer, both, "good")
    assert [passage_id for _, _, passage_id in confirmed(reader)] == ["p-1", "p-1", "p-1"]


def test_a_passage_that_was_it_is_confirmed_by_its_own_place(
    writer: AuditWriter, reader: AuditReader
) -> None:
    record = a_record(claims=(), decision=Decision.ABSTAIN)
    writer.append(record)
    say(writer, record, "this_was_it", passage_id="p-9", document_id="d", version="2", file="x.md")
    [found] = reader.confirmed_questions()
    assert (found.passage_id, found.document_id, found.version) == ("p-9", "d", "2")


@pytest.mark.parametrize("then", ["bad", Opinion.WITHDRAWN])
def test_what_is_taken_back_is_confirmed_no_more(
    writer: AuditWriter, reader: AuditReader, then: str
) -> None:
    record = a_record()
    writer.append(record)
    good = say(writer, record, "good")
    assert confirmed(reader)
    say(writer, record, then, withdraws=good.event_id)
    assert confirmed(reader) == []
    say(writer, record, "good", BEN)
    assert confirmed(reader) == [("ben", "weeks of parental leave", "p-1")]


def test_an_answer_that_nothing_bears_out_confirms_nothing(
    writer: AuditWriter, reader: AuditReader
) -> None:
    record = a_record(claims=(), decision=Decision.ABSTAIN)
    writer.append(record)
    say(writer, record, "good")
    say(writer, record, "bad", BEN)
    assert confirmed(reader) == []


def test_of_a_store_that_is_not_there_nothing_is_confirmed(reader: AuditReader) -> None:
    assert (confirmed(reader), reader.searched_for(["a"])) == ([], {})
