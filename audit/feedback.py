"""What people said of answers: which of it is in force, and lists of it.

What somebody took back is not in force any more.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import islice

from sqlalchemy import ColumnElement, Connection, Select, select

from audit.record import AuditEvent, Entry, EventKind
from audit.storing.tables import entries, key
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
    found = list(islice(_current(connection, query), query.limit + 1))
    shown = tuple(found[: query.limit])
    return FeedbackPage(shown, shown[-1].sequence if len(found) > len(shown) > 0 else None)


def _current(connection: Connection, query: FeedbackQuery) -> Iterator[GivenFeedback]:
    """All that the query asks for and that stands, a batch read at a time."""
    before = query.before
    while batch := connection.execute(_given(query, before)).all():
        before = batch[-1].sequence
        for row in batch:
            event = event_of(row.payload)
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
    return [event_of(payload) for payload in connection.scalars(query)]


def event_of(payload: str) -> AuditEvent:
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
