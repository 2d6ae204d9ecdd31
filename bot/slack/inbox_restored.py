"""An inbox that comes back from a backup knows nothing of what was said since.

A question that waited then may have been answered an hour later, so none is answered again. Its
placeholder is taken away, if it still stands. Whose reply was posted already is only recorded.
"""

from datetime import datetime

from sqlalchemy import Connection, delete, select, text, update

from bot.slack.exchange import Exchange, Kind, Stage
from bot.slack.inbox_store import STORE, open_engine
from bot.slack.inbox_tables import EPOCH, early_follow_ups, exchange_of, exchanges
from bot.slack.stale_messages import StaleMessages, placeholder_of
from bot.slack.steps.posting_once import late_sends

SKIPPED = 1_000_000
"""Ids left out: those given since are in Slack as marks of messages, and none is given twice."""


def set_aside(path: str, now: datetime) -> int:
    """Bring up the inbox in a SQLite file and answer nothing that waits in it; how many.

    Raise `InboxUnavailable`.
    """
    engine = open_engine(STORE.parse(path))
    try:
        stale = StaleMessages(lambda: STORE.transaction(engine))
        with STORE.transaction(engine) as connection:
            waiting = _without_reply(connection)
        for exchange in waiting:
            _take_away(stale, exchange, now)
        with STORE.transaction(engine) as connection:
            _close(connection, [exchange.exchange_id for exchange in waiting])
    finally:
        engine.dispose()
    return sum(exchange.asked.kind is Kind.QUESTION for exchange in waiting)


def _without_reply(connection: Connection) -> list[Exchange]:
    query = select(exchanges).where(
        exchanges.c.stage <= Stage.POSTING.value, exchanges.c.posted_at.is_(None)
    )
    return [exchange_of(row) for row in connection.execute(query)]


def _take_away(stale: StaleMessages, exchange: Exchange, now: datetime) -> None:
    """Help and thanks bear a placeholder's mark and are replies, so they stay."""
    if exchange.placeholder:
        stale.add(placeholder_of(exchange), now)
    elif exchange.channel and exchange.asked.kind is Kind.QUESTION:
        late_sends(stale, exchange, now)


def _close(connection: Connection, waiting: list[int]) -> None:
    for exchange_id in waiting:
        mine = exchanges.c.exchange_id == exchange_id
        connection.execute(update(exchanges).where(mine).values(stage=Stage.UNDELIVERABLE.value))
    connection.execute(update(exchanges).values(claimed_by="", claimed_until=EPOCH))
    connection.execute(delete(early_follow_ups))  # what they follow may be answered by now
    _skip_ids(connection)


def _skip_ids(connection: Connection) -> None:
    """Go on far above the last id, also where none was given yet (sqlite.org/autoinc.html)."""
    table = {"table": exchanges.name}
    last = connection.scalar(text("SELECT seq FROM sqlite_sequence WHERE name = :table"), table)
    connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :table"), table)
    counted = {**table, "last": (last or 0) + SKIPPED}
    connection.execute(text("INSERT INTO sqlite_sequence VALUES (:table, :last)"), counted)
