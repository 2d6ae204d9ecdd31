"""Answers that people gave where the bot knew none."""

import json
from collections.abc import Sequence
from datetime import date, datetime

from pydantic import Field, JsonValue
from sqlalchemy import Connection, select

from audit.record import AuditEvent, EventKind
from audit.storing.tables import entries
from audit.values import Value, new_id

_KINDS = (EventKind.GIVEN.value, EventKind.RETRACTED.value)


class GivenDetails(Value):
    """What an event of a given answer says in its `details`."""

    for_others: bool = False
    """Whether others who ask are answered from it, too; all that follows is of such alone."""
    question: str = ""
    """Of a reviewed reply one a line, of which it answers each."""
    audience: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Who they are, by facets; empty for everyone."""
    owner: str = ""
    """Whom to ask."""
    valid_to: date | None = None
    """Its last day."""
    rests_on: tuple[tuple[str, str], ...] = ()
    """Documents and versions that a reviewed reply cites, all of which must stand; empty for what
    somebody said in their own words."""

    @property
    def questions(self) -> tuple[str, ...]:
        """Return what it answers, each in one line."""
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
    """Return those that nobody retracted, oldest first; `details["retracts"]` names an event."""
    query = (
        select(entries.c.payload)
        .where(entries.c.decision.is_(None), entries.c.kind.in_(_KINDS))
        .order_by(entries.c.sequence)
    )
    told = [
        AuditEvent.model_validate(json.loads(payload), extra="ignore")
        for payload in connection.scalars(query)
    ]
    return _not_retracted(told)


def _not_retracted(events: Sequence[AuditEvent]) -> list[AuditEvent]:
    gone = {each.details.get("retracts") for each in events if each.kind is EventKind.RETRACTED}
    given = (each for each in events if each.kind is EventKind.GIVEN and not each.erased)
    return [each for each in given if each.event_id not in gone]
