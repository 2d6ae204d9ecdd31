"""Feedback on a reply: asked for after a thumb down, kept in the audit store until taken back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Any

from audit.feedback import Opinion, current_feedback
from audit.log import AuditReader
from audit.record import AuditEvent, AuditRecord, EventKind, NearestRecord
from audit.values import PersonRecord, new_id
from bot.slack.blocks.elements import View, in_line, section, spoken
from bot.slack.blocks.forms import (
    LONGEST_TYPED,
    chosen,
    form,
    form_field,
    radio,
    text_input,
    typed,
)
from bot.wording import evidence as wording
from bot.wording.slack import SEND


@dataclass(frozen=True, slots=True)
class FeedbackReason:
    """What somebody filled in; empty where they left it so."""

    why: str
    """One of `wording.WHYS`."""
    words: str


def feedback_words(audit_id: str, event_id: str) -> View:
    """Ask in a modal what kind of fault it is, in which words; both may stay empty.

    `event_id`: of the thumb that opened it; empty where the thumb was down before. Slack tells of a
    modal that is cancelled where `notify_on_close` asks it to.
    """
    hint = wording.WORDS_HINT
    blocks = [
        section(wording.THUMB_KEPT if event_id else wording.THUMB_STANDS),
        form_field("why", wording.WHY, radio(wording.WHYS), optional=True),
        form_field("words", wording.IN_YOUR_WORDS, text_input(), optional=True, hint=hint),
    ]
    metadata = f"{audit_id}:{event_id}"
    view = form(wording.FEEDBACK_TITLE, "feedback_words", metadata, blocks, SEND)
    return {**view, "notify_on_close": True}


def reason_in(values: Mapping[str, Any]) -> FeedbackReason:
    """Read what came back in `view.state.values`; what was not offered is left out."""
    why = chosen(values, "why")
    return FeedbackReason(
        why if why in wording.WHYS else "", typed(values, "words")[:LONGEST_TYPED]
    )


def it_was(passage: NearestRecord) -> str:
    """Confirm which quoted passage was kept as the answer, as message text."""
    return spoken(wording.it_was(in_line(passage.title or passage.file, 150)))


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

    def reason(self, record: AuditRecord, who: PersonRecord, said: FeedbackReason) -> None:
        self._keep(record, who, {"value": Opinion.BAD, "why": said.why}, said.words)

    def take_back(self, record: AuditRecord, who: PersonRecord, event_id: str) -> None:
        """Withdraw a thumb, unless this person has said something else since."""
        with self._turn:
            last = self._last_thumb(record, who)
            if last is not None and last.event_id == event_id:
                details = {"value": Opinion.WITHDRAWN, "withdraws": event_id}
                self._keep(record, who, details)

    def this_was_it(self, record: AuditRecord, who: PersonRecord, passage: NearestRecord) -> None:
        with self._turn:
            said = [each.details.get("passage_id") for each in self._current(record, who)]
            if passage.passage_id not in said:
                place = passage.model_dump(include={"passage_id", "document_id", "file", "version"})
                self._keep(record, who, {"value": Opinion.THIS_WAS_IT, **place})

    def _last_thumb(self, record: AuditRecord, who: PersonRecord) -> AuditEvent | None:
        thumbs = (Opinion.GOOD, Opinion.BAD)
        said = [each for each in self._current(record, who) if each.details.get("value") in thumbs]
        return said[-1] if said else None

    def _current(self, record: AuditRecord, who: PersonRecord) -> list[AuditEvent]:
        events = self.records.happened_to(record.audit_id)
        return [
            each for each in current_feedback(events) if each.person and each.person.id == who.id
        ]

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
