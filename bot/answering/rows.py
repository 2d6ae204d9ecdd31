"""What is copied or quoted of a table is its rows, and is read as a table again."""

from collections.abc import Sequence

from retrieval.language.table_rows import Cell, cells_of
from retrieval.types import Sentence


def rows_of(sentences: Sequence[Sentence]) -> tuple[tuple[Cell, ...], ...]:
    """The rows of one table; none where some of it is no row, or of another table."""
    rows = tuple(cells_of(each.text) for each in sentences)
    first = {row[0].column if row else "" for row in rows}
    return rows if len(first) == 1 and all(rows) else ()
