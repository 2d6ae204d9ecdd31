"""The last step tells the audit store that the reply was delivered."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from audit.errors import EntryConflict, UnknownRecord
from audit.record.events import AuditEvent, EventKind
from bot.slack.exchange import Exchange, Stage
from bot.slack.steps.answering import place_of

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DeliveryStep:
    """Appends the same event however often it is repeated."""

    append: Callable[[AuditEvent], object]

    def __call__(self, exchange: Exchange) -> Exchange:
        try:
            self.append(_delivered(exchange))
        except (EntryConflict, UnknownRecord) as error:
            # Somebody changed the store; the reply is seen, and trying again mends nothing.
            log.error("Exchange %d: its delivery is not recorded: %s", exchange.exchange_id, error)
        return replace(exchange, stage=Stage.DONE)


def _delivered(exchange: Exchange) -> AuditEvent:
    """The time is the stored one, so that a repeated event is the same to the last bit."""
    return AuditEvent(
        kind=EventKind.DELIVERED,
        event_id=f"{exchange.audit_id}-delivered",
        audit_id=exchange.audit_id,
        time=exchange.posted_at or exchange.received_at,
        channel=place_of(exchange),
        details={"ts": exchange.placeholder},
    )
