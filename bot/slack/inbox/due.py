"""A queue in a table of the inbox, so that nothing is forgotten by a process that dies."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Row, Select, Table, delete, select, update

from bot.slack.inbox.database import Transact

Taken = TypeVar("Taken")


class DueRows(Generic[Taken]):
    """Rows are taken one after another as they are due, by one replica at a time."""

    def __init__(
        self,
        transact: Transact,
        table: Table,
        due: str,
        hold: timedelta,
        rows: Select[Any],
        taken: Callable[[Row[Any]], Taken],
    ) -> None:
        """`due`: names its column; `hold`: how long one replica has one for itself.

        `taken`: makes of one of the `rows` what is handed out, which bears the table's key.
        """
        self._transact, self._table, self._due = transact, table, table.c[due]
        (self._key,) = table.primary_key
        self._hold, self._rows, self._taken = hold, rows, taken

    def take(self, now: datetime, *which: ColumnElement[bool]) -> Taken | None:
        """Take the next that is due; for a while nobody else takes it."""
        due = select(self._key).where(self._due <= now, *which).order_by(self._due).limit(1)
        with self._transact() as connection:
            key = connection.scalar(due)
            if key is None:
                return None
            held = update(self._table).where(self._key == key).values({self._due: now + self._hold})
            connection.execute(held)
            return self._taken(connection.execute(self._rows.where(self._key == key)).one())

    def done(self, taken: Taken) -> None:
        with self._transact() as connection:
            mine = self._key == getattr(taken, self._key.name)
            connection.execute(delete(self._table).where(mine))

    def postpone(self, taken: Taken, until: datetime, *, attempts: int) -> None:
        with self._transact() as connection:
            mine = update(self._table).where(self._key == getattr(taken, self._key.name))
            connection.execute(mine.values({self._due: until, "attempts": attempts}))
