"""How long the inbox keeps what is finished."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, delete

from bot.slack.exchange import Stage
from bot.slack.inbox_store import STORE, is_missing, open_engine
from bot.slack.inbox_tables import exchanges, paces, stale_messages, tombstones

KEPT = timedelta(days=30)
"""To tell a late repetition from a new question and to go on with an old thread."""
FINISHED = (Stage.DONE.value, Stage.UNDELIVERABLE.value, Stage.WITHDRAWN.value)


def forget(connection: Connection, before: datetime) -> int:
    """Remove what was finished and received before then: the audit store has it.

    Return how many exchanges.
    """
    old = (exchanges.c.stage.in_(FINISHED), exchanges.c.received_at < before)
    removed = connection.execute(delete(exchanges).where(*old))
    connection.execute(delete(paces).where(paces.c.next_expected < before))
    connection.execute(delete(tombstones).where(tombstones.c.since < before))
    connection.execute(delete(stale_messages).where(stale_messages.c.added_at < before))
    return removed.rowcount


def forget_in(url: str, now: datetime) -> int:
    """Do so in an inbox that another process may own; one that is not there is left so.

    Raise `InboxUnavailable`.
    """
    if is_missing(url):
        return 0
    engine = open_engine(STORE.parse(url))
    try:
        with STORE.transaction(engine) as connection:
            return forget(connection, now - KEPT)
    finally:
        engine.dispose()
