"""What may follow up a question that Slack has not delivered yet, kept until that comes."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, select

from bot.slack import inbox_queries as queries
from bot.slack.exchange import Incoming
from bot.slack.inbox_tables import early_follow_up_of, early_follow_up_row, early_follow_ups

KEPT = timedelta(minutes=10)
"""How long what people say to each other is kept for a question that may come: Slack delivers
again for six minutes."""

_each = early_follow_ups.c


def keep(connection: Connection, incoming: Incoming, now: datetime) -> None:
    """Keep it once, however often it is delivered, and not where it was taken in before."""
    forget(connection, now)
    known = connection.scalar(select(_each.key).where(_each.key == incoming.key))
    if known is None and connection.scalar(queries.already(incoming.key)) is None:
        connection.execute(insert(early_follow_ups).values(**early_follow_up_row(incoming, now)))


def take(connection: Connection, first: Incoming) -> list[Incoming]:
    """Take out what the person said in the thread after a question that came late, in order."""
    mine = (_each.conversation == first.conversation, _each.user_id == first.user)
    rows = connection.execute(select(early_follow_ups).where(*mine)).all()
    connection.execute(delete(early_follow_ups).where(*mine))
    said = [early_follow_up_of(row) for row in rows]
    return sorted((each for each in said if each.ts > first.ts), key=lambda each: each.ts)


def withdraw(connection: Connection, key: str) -> None:
    """Remove what the person deleted."""
    connection.execute(delete(early_follow_ups).where(_each.key == key))


def forget(connection: Connection, now: datetime) -> None:
    """Remove what turned out to be said among people."""
    connection.execute(delete(early_follow_ups).where(_each.received_at < now - KEPT))
