"""Feedback on a reply is kept in the audit store: once, and until it is taken back."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

from audit.feedback import Opinion, standing
from audit.log import AuditReader
from audit.record import AuditRecord
from audit.record.asker import PersonRecord
from audit.record.base import new_id
from audit.record.events import AuditEvent, EventKind
from audit.record.nearest import NearestRecord
from bot.slack.blocks.feedback import Said


@dataclass(frozen=True, slots=True)
class FeedbackStore:
    """Appends what people say of a reply; nothing that they said last already."""

    records: AuditReader
    append: Callable[[AuditEvent], object]
    now: Callable[[], datetime]
    _turn: Lock = field(default_factory=Lock, init=False, repr=False)
    """One click at a time: a double click arrives as two at once."""

    def thumb(self, record: AuditRecord, who: PersonRecord, thumb: Opinion) -> str:
        """Keep it and return the event's id; empty where it is what this person said last."""
        with self._turn:
            last = self._last_thumb(record, who)
            if last is not None and last.details.get("value") == thumb:
                return ""
            return self._keep(record, who, {"value": thumb})

    def reason(self, record: AuditRecord, who: PersonRecord, said: Said) -> None:
        """Keep why the thumb is down."""
        self._keep(record, who, {"value": Opinion.BAD, "why": said.why}, said.words)

    def take_back(self, record: AuditRecord, who: PersonRecord, event_id: str) -> None:
        """Withdraw a thumb, unless this person has said something else since."""
        with self._turn:
            last = self._last_thumb(record, who)
            if last is not None and last.event_id == event_id:
                details = {"value": Opinion.WITHDRAWN, "withdraws": event_id}
                self._keep(record, who, details)

    def this_was_it(self, record: AuditRecord, who: PersonRecord, passage: NearestRecord) -> None:
        """Keep that a quoted passage answers the question."""
        with self._turn:
            said = [each.details.get("passage_id") for each in self._standing(record, who)]
            if passage.passage_id not in said:
                place = passage.model_dump(include={"passage_id", "document_id", "file", "version"})
                self._keep(record, who, {"value": Opinion.THIS_WAS_IT, **place})

    def _last_thumb(self, record: AuditRecord, who: PersonRecord) -> AuditEvent | None:
        thumbs = (Opinion.GOOD, Opinion.BAD)
        said = [each for each in self._standing(record, who) if each.details.get("value") in thumbs]
        return said[-1] if said else None

    def _standing(self, record: AuditRecord, who: PersonRecord) -> list[AuditEvent]:
        events = (stored.entry for stored in self.records.events(record.audit_id))
        return [each for each in standing(events) if each.person and each.person.id == who.id]

    def _keep(
        self, record: AuditRecord, who: PersonRecord, details: dict[str, str], words: str = ""
    ) -> str:
        now = self.now()
        event_id = new_id(now)
        self.append(
            AuditEvent(
                kind=EventKind.FEEDBACK,
                event_id=event_id,
                audit_id=record.audit_id,
                time=now,
                person=who,
                channel=record.channel,
                text=words,
                details=details,
            )
        )
        return event_id
