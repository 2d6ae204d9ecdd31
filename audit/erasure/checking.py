"""Erased is what an event of the log names, and nothing else."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, func, select

from audit.erasure.remains import digest, ranges
from audit.storing.store import REVISIONS
from audit.storing.tables import WITHOUT_ERASED, entries, erased, tree

EVENTS = ("erased", "expired")
_OF = (
    select(entries.c.sequence, entries.c.payload, tree.c.salt)
    .join(erased, erased.c.sequence == entries.c.sequence)
    .join(tree, tree.c.sequence == entries.c.sequence)
    .order_by(entries.c.sequence)
)


class ErasedCheck:
    """Holds each event to the entries that it names, whether they are read anew or not."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def step(self, row: Row[Any], payload: Mapping[str, Any]) -> str | None:
        """What is wrong with an event of erasure."""
        if row.kind not in EVENTS:
            return None
        if "erased" in payload:
            return "it says what was erased, and was erased itself"
        rows = self._connection.execute(_OF.where(erased.c.event == row.sequence)).all()
        details = payload["details"]
        if details.get("entries") != ranges([each.sequence for each in rows]):
            return "the entries that it says were erased are not those that are"
        if details.get("remains") != digest(tuple(each) for each in rows):
            return "what stays of the entries that it erased was altered since"
        return None

    def unsaid(self) -> int | None:
        """An entry that is erased and that no event before the log's end names."""
        event = select(entries.c.sequence).where(
            entries.c.sequence == erased.c.event,
            entries.c.kind.in_(EVENTS),
            entries.c.sequence > erased.c.sequence,
        )
        lost: int | None = self._connection.scalar(
            select(func.min(erased.c.sequence)).where(~event.exists())
        )
        return lost


def erased_by(connection: Connection, first: int, last: int) -> dict[int, int]:
    """Of the erased ones of some entries, the numbers of the events; none in an earlier store."""
    if REVISIONS.stated(connection) in WITHOUT_ERASED:
        return {}
    query = select(erased).where(erased.c.sequence.between(first, last))
    return {row.sequence: row.event for row in connection.execute(query)}
