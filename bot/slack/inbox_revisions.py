"""Which revision the inbox's tables have, and bringing them to the present one.

Opening is quick because Alembic is imported only where the revision that the database
states, read with plain SQL, is not the present one.
"""

from sqlalchemy import Connection, inspect, text

from bot.slack.inbox_tables import InboxTable

REVISION = "0007"
"""The newest of `migrations/versions`, which the rows belong to."""
REVISION_TABLE = "inbox_revision"


class UnknownForm(Exception):
    """The tables are not of any version that this one knows how to bring up."""


def migrate(connection: Connection) -> None:
    """Make the tables, or bring them to the present revision, in the connection's transaction.

    What waits in them is kept. Raise `UnknownForm` for those of a newer or another version.
    """
    stated = _stated(connection)
    if stated != REVISION:
        from bot.slack.migrations import upgrade  # brings in Alembic

        upgrade(connection, stated)
    _demand_todays_columns(connection)


def _demand_todays_columns(connection: Connection) -> None:
    """Refuse tables that somebody changed besides: they would fail at the first question."""
    inspector = inspect(connection)
    for table in InboxTable.metadata.sorted_tables:
        if {column["name"] for column in inspector.get_columns(table.name)} != set(table.c.keys()):
            raise UnknownForm


def _stated(connection: Connection) -> str | None:
    """Return the revision that the database states; None where it states none."""
    if not inspect(connection).has_table(REVISION_TABLE):
        return None
    query = f"SELECT version_num FROM {REVISION_TABLE}"  # noqa: S608 - a constant of ours
    found: str | None = connection.scalar(text(query))
    return found
