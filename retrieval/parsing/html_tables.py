"""Tables as HTML has them: which rows name columns, which name the rows below, which are data."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from retrieval.parsing.placed import Run
from retrieval.parsing.row_groups import told_rows
from retrieval.parsing.tables import (
    Cell,
    RowText,
    are_boxes,
    are_names,
    column_names,
    filled,
    go_on_below,
    heads_where_merged,
    looks_like_header,
)


@dataclass(slots=True)
class Row:
    """In the making; `start` and `end` are places in the source."""

    start: int
    in_head: bool
    end: int = 0
    cells: list[tuple[Cell, Run]] = field(default_factory=list)
    stray: Run | None = None
    """Text that stands between cells, where there should be none; a row of its own."""
    section: int = 0

    @property
    def is_plain(self) -> bool:
        """Whether a word of it is not bold."""
        return self.stray is not None or any(c.text and not c.is_bold for c, _ in self.cells)

    @property
    def runs(self) -> list[Run]:
        return [*([self.stray] if self.stray else []), *(run for _, run in self.cells)]

    @property
    def is_blank(self) -> bool:
        return self.stray is None and not any(cell.text for cell, _ in self.cells)

    @property
    def is_header(self) -> bool:
        named = [cell for cell, _ in self.cells if cell.text]
        return bool(named) and (self.in_head or all(cell.is_header for cell in named))

    @property
    def read(self) -> list[Cell]:
        return [cell for cell, _ in self.cells]

    def names_columns(self) -> bool:
        return self.is_header and not self.names_others and not self.leads_others

    @property
    def names_others(self) -> str:
        """What it calls the rows below where a header that spans stands alone in it; else empty."""
        alone = self.cells[0][0] if len(self.cells) == 1 else None
        return alone.text if alone and self.is_header and alone.columns > 1 else ""

    @property
    def leads_others(self) -> bool:
        """Whether a header alone in it reaches down beside the rows below."""
        return len(self.cells) == 1 and not self.in_head and self.cells[0][0].rows > 1

    @property
    def names_rows(self) -> bool:
        """Whether its first cell alone says something, so that it names no second column."""
        others = self.read[1:]
        return not self.in_head and bool(others) and not any(cell.text for cell in others)


@dataclass(slots=True)
class Table:
    rows: list[Row] = field(default_factory=list)
    places: int = 0
    """Columns of all its cells: Markdown fills each row up to the widest."""
    section: int = 0
    is_layout: bool = False
    """It holds another table: its cells are boxes on a page, not data."""
    is_page: bool = False
    """So are those of a table without one, which `read_rows` finds."""
    has_role: bool = False

    def read_rows(self) -> tuple[Sequence[Row], Iterator[tuple[Row, RowText | None]]]:
        """Its captions, and its other rows: None for the text of one that is read cell by cell."""
        left: Counter[int] = Counter()
        for row in reversed(self.rows):
            left[row.section] += 1
            rest = left[row.section]
            row.cells = [
                (cell if cell.rows else replace(cell, rows=rest), run) for cell, run in row.cells
            ]
        rows = [row for row in self.rows if not row.is_blank]
        are_data = any(row.is_header for row in rows)
        if self.has_role or (not are_data and are_boxes([row.read for row in rows])):
            self.is_page = True
            return [], ((row, None) for row in rows)
        titles = len(list(takewhile(lambda row: row.names_others, rows)))
        below = rows[titles:]
        heads = len(list(takewhile(Row.names_columns, below)))
        while heads > 1 and below[heads - 1].names_rows:
            heads -= 1
        heads = (heads if heads < len(below) else 0) or _bold_heads(below)
        names = column_names([row.read for row in below[:heads]])
        if not heads or not are_names(names):
            return [], _read(self.rows)
        return rows[:titles], _read(self.rows[self.rows.index(below[heads]) :], names)


def _bold_heads(rows: Sequence[Row]) -> int:
    """How many rows name the columns, the first by being bold as what is below them is not."""
    if len(rows) < 2 or rows[0].is_plain:
        return 0
    cells = [row.read for row in rows]
    above, below, *rest = filled(cells)
    below = [text if text not in above[at : at + 1] else "" for at, text in enumerate(below)]
    heads = heads_where_merged(cells, [above, below, *rest])
    if not rows[heads].is_plain or go_on_below(cells[:heads], rest):
        return 0
    texts = [[cell.text for cell in row] for row in (cells[0], *cells[heads:])]
    return heads * looks_like_header(texts, stands_out=True)


def _read(rows: Sequence[Row], names: Sequence[str] = ()) -> Iterator[tuple[Row, RowText | None]]:
    rows = [row for row in rows if row.cells or not row.is_blank]
    read = told_rows([row.read for row in rows], names, [row.section for row in rows])
    for row, text in zip(rows, read, strict=True):
        yield row, None if row.stray is not None or text.is_prose else text
