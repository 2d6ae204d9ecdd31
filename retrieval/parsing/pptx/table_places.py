"""Where the rows and cells of a slide's table stand."""

from collections.abc import Iterator, Sequence

from pptx.table import Table

from retrieval.parsing.pptx.shapes import EMU
from retrieval.types import Box


class TablePlaces:
    """They go by the sizes that a table states.

    A row that needs more room is drawn taller than it says, and moves those below it.
    """

    def __init__(self, table: Table, box: Box | None) -> None:
        self._box = box
        self._columns = list(_edges([column.width / EMU for column in table.columns]))
        self._rows = list(_edges([row.height / EMU for row in table.rows]))

    def row(self, number: int) -> Box | None:
        box = self._box
        if box is None:
            return None
        first, last = (min(box.y0 + self._rows[n], box.y1) for n in (number, number + 1))
        return Box(box.page, box.x0, first, box.x1, last)

    def cells(self, number: int) -> dict[int, Box]:
        """By column, from 0."""
        row = self.row(number)
        if row is None:
            return {}
        lefts = [min(row.x0 + edge, row.x1) for edge in self._columns]
        return {
            column: Box(row.page, lefts[column], row.y0, lefts[column + 1], row.y1)
            for column in range(len(lefts) - 1)
        }


def _edges(sizes: Sequence[float]) -> Iterator[float]:
    edge = 0.0
    yield edge
    for size in sizes:
        edge += size
        yield round(edge, 2)
