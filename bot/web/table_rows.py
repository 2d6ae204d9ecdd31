"""Rows of a table stand under their columns again, where a parser told the cells apart."""

from collections.abc import Iterable, Sequence

from bot.web.views import Block

MOST_COLUMNS = 40
"""Of a table; rows of one that has more, or whose names change with every row, are read one by
one, for a table takes rows times columns, filled or not."""


def columns_of(rows: Sequence[Block]) -> tuple[str, ...]:
    """Return the names of the columns, in order; none where the rows cannot be laid out so.

    A row tells its filled cells alone, each with its column's name: so rows are a table only
    where every cell has a name, and no name stands twice in a row.
    """
    columns: list[str] = []
    for row in rows:
        names = [cell.column for cell in row.cells]
        if not names or not all(names) or len(set(names)) < len(names):
            return ()
        _add(columns, names)
        if len(columns) > MOST_COLUMNS:
            return ()
    return tuple(columns)


def _add(columns: list[str], names: Iterable[str]) -> None:
    """Add what is new behind what stands before it in this row."""
    place = 0
    for name in names:
        if name in columns:
            place = columns.index(name) + 1
        else:
            columns.insert(place, name)
            place += 1
