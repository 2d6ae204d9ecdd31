"""What people said of answers: which of it is in force, lists of it, questions that it confirms.

What somebody took back is not in force any more.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, select

from audit.record import AuditEvent, Entry, EventKind
from audit.tables import entries, key
from audit.teams import of_team
from audit.values import stamp


class Opinion(StrEnum):
    """What somebody said: `details["value"]` of an event of feedback."""

    GOOD = "good"
    BAD = "bad"
    THIS_WAS_IT = "this_was_it"
    """A quoted passage answers the question; `details["passage_id"]` says which."""
    WITHDRAWN = "withdrawn"
    """An earlier one is taken back; `details["withdraws"]` is its `event_id`."""


def current_feedback(entries: Iterable[Entry]) -> tuple[AuditEvent, ...]:
    """Of one record's events, oldest first, the feedback that still stands, in their order.

    Of each person that is the last thumb, and each passage once. Who takes a thumb back is left
    with the one before it, if any.
    """
    said = [
        each
        for each in entries
        if isinstance(each, AuditEvent) and each.kind is EventKind.FEEDBACK and not each.erased
    ]
    withdrawn = {
        (_whose(each), each.details.get("withdraws"))
        for each in said
        if each.details.get("value") == Opinion.WITHDRAWN
    }
    last = {
        (_whose(each), each.details.get("passage_id")): each
        for each in said
        if (_whose(each), each.event_id) not in withdrawn
        and each.details.get("value") != Opinion.WITHDRAWN
    }
    stands = {each.event_id for each in last.values()}
    return tuple(each for each in said if each.event_id in stands)


def _whose(said: AuditEvent) -> str:
    return said.person.id if said.person else ""


_BATCH = 50


@dataclass(frozen=True, slots=True)
class FeedbackQuery:
    """A query says whose feedback is asked for, of when: None asks nothing."""

    person: str | None = None
    """The id of whoever gave it."""
    since: datetime | None = None
    """Aware, inclusive; when it was given."""
    until: datetime | None = None
    """Aware, exclusive."""
    team: str | None = None
    """The workspace of those who gave it; empty for the home's own."""
    before: int | None = None
    """`FeedbackPage.next` of the page before."""
    limit: int = 50


@dataclass(frozen=True, slots=True)
class GivenFeedback:
    """One piece of feedback in one line; the question is cut after 2,000 characters."""

    sequence: int
    audit_id: str
    """Of the answer."""
    time: str
    """UTC, ISO 8601."""
    person_id: str
    person_name: str
    value: str
    """One of `Opinion`."""
    why: str
    """The kind of fault that was chosen; empty where none was."""
    words: str
    file: str
    """Of the passage that was it; empty for a thumb."""
    question: str


@dataclass(frozen=True, slots=True)
class FeedbackPage:
    """A page has feedback newest first; `next` is None on the last one."""

    given: tuple[GivenFeedback, ...]
    next: int | None


def find_feedback(connection: Connection, query: FeedbackQuery) -> FeedbackPage:
    found = list(islice(_standing(connection, query), query.limit + 1))
    shown = tuple(found[: query.limit])
    return FeedbackPage(shown, shown[-1].sequence if len(found) > len(shown) > 0 else None)


def _standing(connection: Connection, query: FeedbackQuery) -> Iterator[GivenFeedback]:
    """All that the query asks for and that stands, a batch read at a time."""
    before = query.before
    while batch := connection.execute(_given(query, before)).all():
        before = batch[-1].sequence
        for row in batch:
            event = _event(row.payload)
            if event in current_feedback(feedback_of(connection, row.audit_id)):
                yield _summary(row.sequence, event, row.question)


def _given(query: FeedbackQuery, before: int | None) -> Select[tuple[int, str, str, str]]:
    """The next batch. No event has a decision, so an index has them by kind, in this order."""
    asked = entries.alias()
    conditions: list[ColumnElement[bool]] = [
        entries.c.decision.is_(None),
        entries.c.kind == EventKind.FEEDBACK.value,
    ]
    if query.person is not None:
        conditions.append(entries.c.person_id == key(query.person))
    if query.since is not None:
        conditions.append(entries.c.time >= stamp(query.since))
    if query.until is not None:
        conditions.append(entries.c.time < stamp(query.until))
    if query.team is not None:
        conditions.append(of_team(entries.c.person_id, query.team))
    if before is not None:
        conditions.append(entries.c.sequence < before)
    return (
        select(entries.c.sequence, entries.c.audit_id, entries.c.payload, asked.c.question)
        .join(asked, asked.c.entry_id == entries.c.audit_id)
        .where(*conditions)
        .order_by(entries.c.decision.desc(), entries.c.sequence.desc())
        .limit(_BATCH)
    )


def feedback_of(connection: Connection, audit_id: str) -> list[AuditEvent]:
    """All that was said of a record, oldest first."""
    query = (
        select(entries.c.payload)
        .where(entries.c.audit_id == audit_id, entries.c.kind == EventKind.FEEDBACK.value)
        .order_by(entries.c.sequence)
    )
    return [_event(payload) for payload in connection.scalars(query)]


def _event(payload: str) -> AuditEvent:
    return AuditEvent.model_validate(json.loads(payload), extra="ignore")


def _summary(sequence: int, event: AuditEvent, question: str) -> GivenFeedback:
    said = {name: str(event.details.get(name) or "") for name in ("value", "why", "file")}
    return GivenFeedback(
        sequence=sequence,
        audit_id=event.audit_id,
        time=stamp(event.time),
        person_id=event.person.id if event.person else "",
        person_name=event.person.name if event.person else "",
        words=event.text,
        question=question,
        **said,
    )


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
    return [each for each in current_feedback(events) if each.details.get("value") in _SAYS_YES]


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
