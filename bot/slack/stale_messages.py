"""Messages of the bot's own that stand in Slack and should not: kept here until they are gone."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, and_, case, delete, insert, select, update

from bot.slack.exchange import Exchange, Stage
from bot.slack.inbox_tables import exchanges, stale_messages

HOLD = timedelta(seconds=60)
"""How long one replica has one of them for itself."""
MAY_COME_LATE = timedelta(minutes=10)
"""After which Slack carries out nothing any more that it did not say it had."""
NOT_STORED_MARK = "vouch-unkept"
"""`block_id` of the first block of a notice that a question could not be kept."""

Transact = Callable[[], AbstractContextManager[Connection]]


@dataclass(frozen=True, slots=True)
class StaleMessage:
    """One message, or all that bear a mark and are not the reply."""

    channel: str
    thread: str = ""
    """Where to look; empty for the top level."""
    ts: str = ""
    """Of the message; empty where it must be looked for."""
    mark: str = ""
    """`block_id` of its first block."""
    oldest: str = ""
    """A `ts` that it is certainly after."""
    exchange_id: int | None = None
    """Its reply bears the same mark and stays; nothing is looked for before it is posted."""


@dataclass(frozen=True, slots=True)
class Removal:
    """A stale message whose turn it is to be removed."""

    stale_message_id: int
    what: StaleMessage
    added_at: datetime
    look_until: datetime
    attempts: int
    """Failures so far, or looks."""
    reply: str
    """`ts` of the reply, which stays; empty for none."""
    waits: bool
    """Its exchange is not finished."""


class StaleMessages:
    """A queue in the inbox, so that nothing is forgotten by a process that dies."""

    def __init__(self, transact: Transact) -> None:
        self._transact = transact

    def add(self, what: StaleMessage, now: datetime, look_for: timedelta = timedelta()) -> None:
        """Have it removed; `look_for`: how long it may still appear."""
        with self._transact() as connection:
            same = [stale_messages.c[name] == getattr(what, name) for name in _SAME]
            known = select(stale_messages.c.stale_message_id).where(*same)
            if connection.scalar(known) is not None:
                return
            times = {"added_at": now, "not_before": now, "look_until": now + look_for}
            connection.execute(insert(stale_messages).values(**asdict(what), **times, attempts=0))

    def take(self, now: datetime) -> Removal | None:
        """Take the next that is due; for a while nobody else takes it."""
        due = (
            select(stale_messages, exchanges.c.stage, _REPLY)
            .outerjoin(exchanges, exchanges.c.exchange_id == stale_messages.c.exchange_id)
            .where(stale_messages.c.not_before <= now)
            .order_by(stale_messages.c.not_before)
            .limit(1)
        )
        with self._transact() as connection:
            row = connection.execute(due).one_or_none()
            if row is None:
                return None
            _put_off(connection, row.stale_message_id, now + HOLD, row.attempts)
        return _removal(row)

    def done(self, removal: Removal) -> None:
        with self._transact() as connection:
            mine = stale_messages.c.stale_message_id == removal.stale_message_id
            connection.execute(delete(stale_messages).where(mine))

    def postpone(self, removal: Removal, until: datetime, *, attempts: int) -> None:
        with self._transact() as connection:
            _put_off(connection, removal.stale_message_id, until, attempts)


_SAME = ("channel", "thread", "ts", "mark")
_HERE = exchanges.c.channel == stale_messages.c.channel
_STANDS = exchanges.c.stage.in_((Stage.DELIVERY.value, Stage.DONE.value))
_REPLY = case((and_(_HERE, _STANDS), exchanges.c.placeholder), else_="").label("reply")
"""The reply, where there is one in this channel."""


def placeholder_of(exchange: Exchange) -> StaleMessage:
    """Return what was posted for an exchange that gets no reply there."""
    return StaleMessage(exchange.channel, ts=exchange.placeholder)


def _put_off(connection: Connection, key: int, until: datetime, attempts: int) -> None:
    mine = stale_messages.c.stale_message_id == key
    changes = {"not_before": until, "attempts": attempts}
    connection.execute(update(stale_messages).where(mine).values(**changes))


def _removal(row: Row[Any]) -> Removal:
    what = StaleMessage(row.channel, row.thread, row.ts, row.mark, row.oldest, row.exchange_id)
    is_known = row.stage is not None
    return Removal(
        stale_message_id=row.stale_message_id,
        what=what,
        added_at=row.added_at,
        look_until=row.look_until,
        attempts=row.attempts,
        reply=row.reply or "",
        waits=is_known and row.stage < Stage.DONE.value,
    )
