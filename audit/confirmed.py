"""Questions are listed that somebody said were answered, with the passage that answered them."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from audit.feedback import Opinion, standing
from audit.record.events import AuditEvent, EventKind
from audit.tables import entries

_AT_ONCE = 200
_SAYS_YES = (Opinion.GOOD, Opinion.THIS_WAS_IT)


@dataclass(frozen=True, slots=True)
class ConfirmedQuestion:
    """A person said of an answer that it helped, or of a quoted passage that this was it."""

    audit_id: str
    """Of the answer."""
    person_id: str
    """Who said so: not always who asked."""
    asked: str
    """In the asker's own words."""
    question: str
    """As it was searched for."""
    document_id: str
    version: str
    passage_id: str
    """The one that was it; of an answer the best of those that bear out its first such claim, which
    may also cite the passage before, that was no candidate and is only leant on."""


def confirmed_questions(connection: Connection) -> Iterator[ConfirmedQuestion]:
    """All that stand, in the order of their answers' first confirmation."""
    said = _said(connection)
    ids = [each for each, events in said.items() if _confirming(events)]
    for records in _records(connection, ids):
        for record in records:
            for event in _confirming(said[record["audit_id"]]):
                if found := _confirmed(record, event):
                    yield found


def searched_for(connection: Connection, audit_ids: Collection[str]) -> dict[str, str]:
    """What was searched for, by the id of the answer; one that is not there is left out."""
    return {
        record["audit_id"]: record["standalone_question"]
        for records in _records(connection, list(audit_ids))
        for record in records
    }


def _said(connection: Connection) -> dict[str, list[AuditEvent]]:
    """All feedback by answer, oldest first. No event has a decision, and that has an index."""
    feedback = entries.c.decision.is_(None), entries.c.kind == EventKind.FEEDBACK.value
    query = select(entries.c.payload).where(*feedback).order_by(entries.c.sequence)
    said: dict[str, list[AuditEvent]] = {}
    for payload in connection.scalars(query):
        event = AuditEvent.model_validate(json.loads(payload), extra="ignore")
        said.setdefault(event.audit_id, []).append(event)
    return said


def _confirming(events: Sequence[AuditEvent]) -> list[AuditEvent]:
    return [each for each in standing(events) if each.details.get("value") in _SAYS_YES]


def _records(connection: Connection, ids: Sequence[str]) -> Iterator[list[Mapping[str, Any]]]:
    """Answers as they stand, some at a time, in the order of the ids."""
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        query = select(entries.c.payload).where(
            entries.c.entry_id.in_(some), entries.c.kind == "answer"
        )
        found = map(json.loads, connection.scalars(query))
        yield sorted(found, key=lambda record: some.index(record["audit_id"]))


def _confirmed(record: Mapping[str, Any], event: AuditEvent) -> ConfirmedQuestion | None:
    """None for an answer that no passage bears out."""
    if event.details.get("value") == Opinion.THIS_WAS_IT:
        place: Mapping[str, Any] | None = event.details
    else:
        place = _borne_out(record)
    if place is None or not all(place.get(name) for name in _PLACE):
        return None
    return ConfirmedQuestion(
        audit_id=record["audit_id"],
        person_id=event.person.id if event.person else "",
        asked=record["question"],
        question=record["standalone_question"],
        **{name: str(place[name]) for name in _PLACE},
    )


_PLACE = ("document_id", "version", "passage_id")


def _borne_out(record: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return a citation of the first claim borne out; None where no claim is.

    That of the best candidate that the draft was written from, else the first one.
    """
    used = [each["passage_id"] for each in record.get("candidates", ()) if each["used"]]
    for claim in record.get("claims", ()):
        verified: list[Mapping[str, Any]] = [
            each for each in claim["citations"] if claim["status"] == each["status"] == "VERIFIED"
        ]
        if verified:
            return min(verified, key=lambda each: _place_among(used, each["passage_id"]))
    return None


def _place_among(used: Sequence[str], passage_id: str) -> int:
    return used.index(passage_id) if passage_id in used else len(used)
