"""The feedback that stands is listed, newest first, with the question that it is about."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from sqlalchemy import ColumnElement, Connection, Select, select

from audit.columns import key
from audit.feedback import standing
from audit.record.base import stamp
from audit.record.events import AuditEvent, EventKind
from audit.tables import entries

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
            if event in standing(_events(connection, row.audit_id)):
                yield _summary(row.sequence, event, row.question)


def _given(query: FeedbackQuery, before: int | None) -> Select[tuple[int, str, str, str]]:
    """The next batch. No event has a decision: so far the index on it narrows the walk."""
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
    if before is not None:
        conditions.append(entries.c.sequence < before)
    return (
        select(entries.c.sequence, entries.c.audit_id, entries.c.payload, asked.c.question)
        .join(asked, asked.c.entry_id == entries.c.audit_id)
        .where(*conditions)
        .order_by(entries.c.sequence.desc())
        .limit(_BATCH)
    )


def _events(connection: Connection, audit_id: str) -> list[AuditEvent]:
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
