"""Replaces any step where the person deleted the question: nobody needs the answer."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from audit.errors import EntryConflict, UnknownRecord
from audit.log import AuditReader
from audit.record.events import AuditEvent, EventKind
from bot.slack.exchange import Exchange, Stage
from bot.slack.stale_messages import StaleMessages, placeholder_of
from bot.slack.steps.answering import place_of
from bot.slack.steps.posting_once import late_sends
from bot.slack.steps.records import record_of

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WithdrawStep:
    """Posts nothing, takes the placeholder away, and says so in the audit where it was answered."""

    records: AuditReader
    append: Callable[[AuditEvent], object]
    stale_messages: StaleMessages
    now: Callable[[], datetime]

    def __call__(self, exchange: Exchange) -> Exchange:
        if record_of(self.records, exchange):
            self._note(exchange)
        if exchange.placeholder:
            self.stale_messages.add(placeholder_of(exchange), self.now())
        if exchange.sending_since:
            late_sends(self.stale_messages, exchange, self.now())
        return replace(exchange, stage=Stage.WITHDRAWN)

    def _note(self, exchange: Exchange) -> None:
        try:
            self.append(_withdrawn(exchange))
        except (EntryConflict, UnknownRecord) as error:
            log.error(
                "Exchange %d: its withdrawal is not recorded: %s", exchange.exchange_id, error
            )


def _withdrawn(exchange: Exchange) -> AuditEvent:
    """The time is the stored one, so that a repeated event is the same to the last bit."""
    return AuditEvent(
        kind=EventKind.WITHDRAWN,
        event_id=f"{exchange.audit_id}-withdrawn",
        audit_id=exchange.audit_id,
        time=exchange.withdrawn_at or exchange.received_at,
        channel=place_of(exchange),
        details={"not delivered": "the question was deleted"},
    )
