"""Messages of the bot's own that stand in Slack and should not: noted until they are gone."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, and_, case, delete, insert, select, update

from bot.slack.exchange import Exchange, Stage
from bot.slack.inbox_tables import exchanges, leftovers

HOLD = timedelta(seconds=60)
"""How long one replica has a leftover for itself."""
MAY_COME_LATE = timedelta(minutes=10)
"""After which Slack carries out nothing any more that it did not say it had."""
UNKEPT = "vouch-unkept"
"""`block_id` of the first block of a notice that a question could not be kept."""

Transact = Callable[[], AbstractContextManager[Connection]]


@dataclass(frozen=True, slots=True)
class Leftover:
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
class Noted:
    """A leftover whose turn it is."""

    leftover_id: int
    what: Leftover
    noted_at: datetime
    look_until: datetime
    attempts: int
    """Failures so far, or looks."""
    kept: str
    """`ts` of the reply, which stays; empty for none."""
    waits: bool
    """Its exchange is not finished."""


class Leftovers:
    """Kept in the inbox, so that nothing is forgotten by a process that dies."""

    def __init__(self, transact: Transact) -> None:
        self._transact = transact

    def note(self, what: Leftover, now: datetime, look_for: timedelta = timedelta()) -> None:
        """Have it removed; `look_for`: how long it may still appear."""
        with self._transact() as connection:
            same = [leftovers.c[name] == getattr(what, name) for name in _SAME]
            if connection.scalar(select(leftovers.c.leftover_id).where(*same)) is not None:
                return
            times = {"noted_at": now, "not_before": now, "look_until": now + look_for}
            connection.execute(insert(leftovers).values(**asdict(what), **times, attempts=0))

    def take(self, now: datetime) -> Noted | None:
        """The next that is due; for a while nobody else takes it."""
        due = (
            select(leftovers, exchanges.c.stage, _KEPT)
            .outerjoin(exchanges, exchanges.c.exchange_id == leftovers.c.exchange_id)
            .where(leftovers.c.not_before <= now)
            .order_by(leftovers.c.not_before)
            .limit(1)
        )
        with self._transact() as connection:
            row = connection.execute(due).one_or_none()
            if row is None:
                return None
            self._put_off(connection, row.leftover_id, now + HOLD, row.attempts)
        return _noted(row)

    def done(self, noted: Noted) -> None:
        with self._transact() as connection:
            mine = leftovers.c.leftover_id == noted.leftover_id
            connection.execute(delete(leftovers).where(mine))

    def later(self, noted: Noted, until: datetime, *, attempts: int) -> None:
        with self._transact() as connection:
            self._put_off(connection, noted.leftover_id, until, attempts)

    @staticmethod
    def _put_off(connection: Connection, leftover_id: int, until: datetime, attempts: int) -> None:
        mine = leftovers.c.leftover_id == leftover_id
        changes = {"not_before": until, "attempts": attempts}
        connection.execute(update(leftovers).where(mine).values(**changes))


_SAME = ("channel", "thread", "ts", "mark")
_HERE = exchanges.c.channel == leftovers.c.channel
_STANDS = exchanges.c.stage.in_((Stage.NOTING.value, Stage.DONE.value))
_KEPT = case((and_(_HERE, _STANDS), exchanges.c.placeholder), else_="").label("kept")
"""The reply, where there is one in this channel."""


def placeholder_of(exchange: Exchange) -> Leftover:
    """What was posted for an exchange that gets no reply there."""
    return Leftover(exchange.channel, ts=exchange.placeholder)


def _noted(row: Row[Any]) -> Noted:
    what = Leftover(row.channel, row.thread, row.ts, row.mark, row.oldest, row.exchange_id)
    is_known = row.stage is not None
    return Noted(
        leftover_id=row.leftover_id,
        what=what,
        noted_at=row.noted_at,
        look_until=row.look_until,
        attempts=row.attempts,
        kept=row.kept or "",
        waits=is_known and row.stage < Stage.DONE.value,
    )
