"""What people said of answers, and answers that they gave where the bot knew none.

What somebody took back is in force no more.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from itertools import islice

from pydantic import Field, JsonValue
from sqlalchemy import ColumnElement, Connection, Select, select

from audit.record import AuditEvent, Entry, EventKind
from audit.storing.tables import entries, key, of_team
from audit.values import Value, new_id, stamp


class Opinion(StrEnum):
    """`details["value"]` of an event of feedback."""

    GOOD = "good"
    BAD = "bad"
    THIS_WAS_IT = "this_was_it"
    """A quoted passage answers the question; `details["passage_id"]` says which."""
    WITHDRAWN = "withdrawn"
    """An earlier one is taken back; `details["withdraws"]` is its `event_id`."""


def current_feedback(entries: Iterable[Entry]) -> tuple[AuditEvent, ...]:
    """Of one record's events, oldest first, the feedback that still stands, in their order.

    Of each person the last thumb, and each passage once. Who takes one back has the one before.
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
    """Whose feedback is asked for, of when: None asks nothing."""

    person: str | None = None
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
    person_id: str
    person_name: str
    value: str
    why: str
    """The kind of fault that was chosen; empty where none was."""
    words: str
    file: str
    """Of the passage that was it; empty for a thumb."""
    question: str


@dataclass(frozen=True, slots=True)
class FeedbackPage:
    """Newest first; `next` is None on the last one."""

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
    query = (
        select(entries.c.payload)
        .where(entries.c.audit_id == audit_id, entries.c.kind == EventKind.FEEDBACK.value)
        .order_by(entries.c.sequence)
    )
    return [event_of(payload) for payload in connection.scalars(query)]


def event_of(payload: str) -> AuditEvent:
    return AuditEvent.model_validate(json.loads(payload), extra="ignore")


def happened(
    connection: Connection, *kinds: EventKind, since: datetime | None = None
) -> list[AuditEvent]:
    """Every event of these kinds since then, oldest first; none of what was erased."""
    query = select(entries.c.payload).where(entries.c.decision.is_(None), entries.c.kind.in_(kinds))
    if since is not None:
        query = query.where(entries.c.time >= stamp(since))
    found = map(event_of, connection.scalars(query.order_by(entries.c.sequence)))
    return [each for each in found if each.erased is None]


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


class GivenDetails(Value):
    """What an event of a given answer says in its `details`."""

    for_others: bool = False
    """Whether others who ask are answered from it, too; all that follows is of such alone."""
    question: str = ""
    """Of a reviewed reply one a line, of which it answers each."""
    audience: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Who they are, by facets; empty for everyone."""
    owner: str = ""
    valid_to: date | None = None
    rests_on: tuple[tuple[str, str], ...] = ()
    """Documents and versions that a reviewed reply cites, all of which must stand; empty for what
    somebody said in their own words."""

    @property
    def questions(self) -> tuple[str, ...]:
        lines = self.question.splitlines() if self.rests_on else [self.question]
        return tuple(dict.fromkeys(filter(None, (" ".join(each.split()) for each in lines))))

    def details(self) -> dict[str, JsonValue]:
        return self.model_dump(mode="json", exclude_defaults=True)


def details_of(event: AuditEvent) -> GivenDetails:
    return GivenDetails.model_validate(dict(event.details), extra="ignore")


def retraction(answer: str, audit_id: str, now: datetime) -> AuditEvent:
    """Say that nobody is told an answer any more; `answer`: the id of its event."""
    return AuditEvent(
        kind=EventKind.RETRACTED,
        event_id=new_id(now),
        audit_id=audit_id,
        time=now,
        details={"retracts": answer},
    )


def given_answers(connection: Connection) -> list[AuditEvent]:
    """Those that nobody retracted, oldest first; `details["retracts"]` names an event."""
    said = happened(connection, EventKind.GIVEN, EventKind.RETRACTED)
    gone = {each.details.get("retracts") for each in said}
    return [each for each in said if each.kind is EventKind.GIVEN and each.event_id not in gone]
