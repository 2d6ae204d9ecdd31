"""Rows of a spreadsheet become fragments: tables with the names of their columns, and lines.

A sheet says nowhere what is a table. Rows without a blank one between them are one; a row of a
single cell above a table is its caption, elsewhere a line of text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, compress, groupby, takewhile

from retrieval.documents.cells import reference
from retrieval.language.sentences import sentence_spans
from retrieval.parsing.draft import Draft
from retrieval.parsing.limits import MOST_PLACES, require_at_most
from retrieval.parsing.placed import PlacedText, Source
from retrieval.parsing.row_groups import told_rows
from retrieval.parsing.tables import (
    Cell,
    RowText,
    go_on_below,
    has_units_below,
    have_numbers,
    heads_and_names,
    is_number,
    looks_like_header,
    name_in_two_rows,
    spread_groups,
)
from retrieval.types import Cell as PlacedCell
from retrieval.types import FragmentKind, Sentence

SHEET_LEVEL = 2
"""Of the heading that a sheet's name is; a caption stands a level below. A heading of level 1
would be taken for the document's title."""
_LONGEST_CAPTION = 12
"""Words: a longer line is a text, not the name of what follows."""
_MOST_BESIDE = 6
"""Tables beside each other."""
_SENTENCE_ENDS = (".", ";", ",", ":", "!", "?")


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell is not empty, and takes so many columns and rows."""

    column: int
    """From 1, as `GridRow.number`."""
    placed: PlacedText
    """As people read it, folded, and where that stands in the source."""
    columns: int = 1
    rows: int = 1
    is_bold: bool = False

    @property
    def text(self) -> str:
        return self.placed.text


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row that is seen; one without cells is blank."""

    number: int
    cells: tuple[GridCell, ...] = ()
    start: int = 0
    """Of its cells in the source, as `end`."""
    end: int = 0
    lines: tuple[int, int] | None = None
    """The first and the last in the file; None for a format without lines."""

    @property
    def is_line(self) -> bool:
        return len(self.cells) == 1

    @property
    def is_bold(self) -> bool:
        return bool(self.cells) and all(cell.is_bold for cell in self.cells)

    def holds(self, below: "GridRow") -> bool:
        """Whether all its cells reach down to that row."""
        rows = min((cell.rows for cell in self.cells), default=1)
        return below.number < self.number + rows


def row_in(source: Source, number: int, cells: Sequence[GridCell]) -> GridRow:
    """A row, of which a line is added to the source; `cells` have their text alone so far."""
    if not cells:
        return GridRow(number)
    line = source.add("\t".join(cell.text for cell in cells))
    lengths = accumulate((len(cell.text) + 1 for cell in cells), initial=line.start)
    placed = (
        replace(cell, placed=PlacedText.verbatim(cell.text, at))
        for cell, at in zip(cells, lengths, strict=False)
    )
    return GridRow(number, tuple(placed), line.start, line.end)


@dataclass(frozen=True, slots=True)
class Place:
    """Rows or paragraphs stand on this page, which people call so; a text has none."""

    page: int | None = None
    label: str = ""


class GridWriter:
    def __init__(self, draft: Draft, place: Place, *, names_columns: bool = False) -> None:
        """`names_columns`: in this format the first row of a table has the columns' names."""
        self._draft = draft
        self._place = place
        self._names_columns = names_columns

    def write(self, rows: Sequence[GridRow]) -> None:
        seen: list[GridRow] = []
        for row in rows:
            if row.cells or not (seen and seen[-1].holds(row)):
                seen.append(row)
        blocks = [
            list(block)
            for has_cells, block in groupby(seen, lambda row: bool(row.cells))
            if has_cells
        ]
        for number, block in enumerate(blocks):
            lines = list(takewhile(lambda row: row.is_line, block))
            if lines and _names_rows(lines[-1], block[len(lines) :]):
                lines.pop()
            table = block[len(lines) :]
            goes_on = bool(table) or (
                number + 1 < len(blocks) and not blocks[number + 1][0].is_line
            )
            for at, row in enumerate(lines):
                self._line(row, may_be_caption=goes_on and at == len(lines) - 1)
            if table:
                self._table(table)

    def _line(self, row: GridRow, *, may_be_caption: bool) -> None:
        cell = row.cells[0]
        names = len(cell.text.split()) <= _LONGEST_CAPTION and not cell.text.endswith(
            _SENTENCE_ENDS
        )
        if names and (may_be_caption or cell.is_bold):
            place = next(self._sentences(row, cell, [(0, len(cell.text))]))
            self._draft.heading(SHEET_LEVEL + 1, cell.text, place)
        else:
            self._paragraph(row, cell)

    def _paragraph(self, row: GridRow, cell: GridCell) -> None:
        sentences = self._sentences(row, cell, sentence_spans(cell.text))
        self._draft.fragment(FragmentKind.PARAGRAPH, list(sentences))

    def _sentences(
        self, row: GridRow, cell: GridCell, spans: Sequence[tuple[int, int]]
    ) -> Iterator[Sentence]:
        for first, last in spans:
            named = PlacedCell(0, last - first, "", reference(cell.column, row.number))
            yield self._sentence(
                row, cell.text[first:last], cell.placed.span(first, last), (named,)
            )

    def _sentence(
        self, row: GridRow, text: str, span: tuple[int, int], cells: tuple[PlacedCell, ...]
    ) -> Sentence:
        first, last = row.lines or (None, None)
        return Sentence(
            text,
            *span,
            line_start=first,
            line_end=last,
            page=self._place.page,
            page_label=self._place.label,
            cells=cells,
        )

    def _table(self, rows: Sequence[GridRow]) -> None:
        told = [each for part in self._beside(rows) for each in self._told(*part)]
        for grid, row, read in sorted(told, key=lambda each: each[1].start):
            if read.is_prose:
                for cell in row.cells:
                    self._paragraph(row, cell)
            else:
                cells = grid.placed(row, read)
                sentence = self._sentence(row, read.text, (row.start, row.end), cells)
                self._draft.fragment(FragmentKind.TABLE_ROW, [sentence])

    def _told(
        self, rows: Sequence[GridRow], group: str = ""
    ) -> Iterator[tuple["Grid", GridRow, RowText]]:
        grid = Grid(rows)
        heads = self._heads(grid)
        heads, names = heads_and_names(grid.header_rows(heads), heads)
        blanks = [[replace(cell, text="") for cell in row] for row in grid.cells[:heads]]
        texts = told_rows(blanks + grid.cells[heads:], names)
        for row, read in zip(rows, texts, strict=True):
            if read.text:
                yield grid, row, read.under(group)

    def _beside(self, rows: Sequence[GridRow]) -> list[tuple[Sequence[GridRow], str]]:
        """Tables beside each other, each with what stands alone above it; else all as one.

        They are where columns without a word are between them, and each has heads, labels at its
        left and numbers beside these. Of one table the columns farther right are numbers alone.
        """
        parts = [_named_above(part) for part in _between_gaps(rows)]
        grids = [Grid(part) for part, _ in parts if part]
        if 1 < len(parts) == len(grids) and all(map(self._stands_alone, grids)):
            return parts
        return [(rows, "")]

    def _stands_alone(self, grid: "Grid") -> bool:
        heads = self._heads(grid)
        rest = [row for row in grid.texts[heads:] if any(row)]
        return (
            heads > 0
            and not any(row[0] and is_number(row[0]) for row in rest)
            and have_numbers([row[1:] for row in rest])
        )

    def _heads(self, grid: "Grid") -> int:
        """How many rows at the top name the columns: two where names are grouped."""
        bold = [row.is_bold for row in grid.rows[:3]]
        if name_in_two_rows(grid.cells[0], grid.texts, stand_out=bold == [True, True, False]):
            heads = 2
        else:
            texts = _without_empty_columns([[cell.text for cell in row] for row in grid.cells])
            several = [row.is_bold for row in grid.rows if not row.is_line]
            stands_out = self._names_columns or several[:2] == [True, False]
            heads = int(looks_like_header(texts, stands_out))
            heads += heads and has_units_below(grid.texts)
        return 0 if go_on_below(grid.cells[:heads], grid.texts[heads:]) else heads


def _names_rows(row: GridRow, below: Sequence[GridRow]) -> bool:
    """Whether a row above others is the name of some: one further down is as bold and alone."""
    cell = row.cells[0]
    names = (each.cells[0] for each in below[:-1] if each.is_line)
    has_others = any(each.is_bold and each.column == cell.column for each in names)
    has_values = bool(below) and any(is_number(each.text) for each in below[0].cells)
    return cell.is_bold and has_others and has_values


def _between_gaps(rows: Sequence[GridRow]) -> list[list[GridRow]]:
    """The rows of each part of a table that columns without a word set apart."""
    used = {
        column
        for row in rows
        for cell in row.cells
        for column in range(cell.column, cell.column + cell.columns)
    }
    starts = [column for column in sorted(used) if column - 1 not in used]
    if len(starts) > _MOST_BESIDE:
        return []
    parts = []
    for start, end in zip(starts, [*starts[1:], max(used) + 1], strict=True):
        held = (
            (row, tuple(cell for cell in row.cells if start <= cell.column < end)) for row in rows
        )
        parts.append(
            [
                replace(row, cells=own, start=own[0].placed.start, end=own[-1].placed.end)
                for row, own in held
                if own
            ]
        )
    return parts


def _named_above(rows: Sequence[GridRow]) -> tuple[Sequence[GridRow], str]:
    """The rows below those of a single cell, and what these say."""
    lines = list(takewhile(lambda row: row.is_line, rows))
    return rows[len(lines) :], ": ".join(row.cells[0].text.rstrip(" :") for row in lines)


class Grid:
    """A table of some rows, as wide as they are; cells that are merged are one."""

    def __init__(self, rows: Sequence[GridRow]) -> None:
        """Raise `UnreadableDocument` for a table of more places than are read."""
        self.rows = rows
        self._first = min(row.cells[0].column for row in rows)
        width = max(cell.column + cell.columns for row in rows for cell in row.cells) - self._first
        require_at_most(width * len(rows), MOST_PLACES, "places in a table")
        self._origins: dict[tuple[int, int], str] = {}
        """Of the columns that a cell above reaches down to, by the row's number."""
        self.cells: list[list[Cell]] = [self._row(at) for at in range(len(rows))]
        self.texts = [[""] * width for _ in rows]
        """By column; what is merged stands at its first place."""
        for texts, row in zip(self.texts, rows, strict=True):
            for cell in row.cells:
                texts[cell.column - self._first] = cell.text

    def header_rows(self, count: int) -> list[list[Cell]]:
        if count != 2 or any(cell.columns > 1 for row in self.cells[:2] for cell in row):
            return self.cells[:count]
        above = spread_groups(self.cells[0], self.texts)
        return [[Cell(text) for text in row] for row in (above, self.texts[1])]

    def _row(self, at: int) -> list[Cell]:
        row, found, column = self.rows[at], [], self._first
        for cell in row.cells:
            while column < cell.column:
                if (row.number, column) not in self._origins:
                    found.append(Cell(""))
                column += 1
            below = self.rows[at + 1 : at + cell.rows]
            within = [each for each in below if each.number < row.number + cell.rows]
            for each in within:
                for reached in range(column, column + cell.columns):
                    self._origins[each.number, reached] = reference(column, row.number)
            rows_down = 1 + len(within)
            found.append(Cell(cell.text, False, cell.columns, rows_down, cell.is_bold))
            column += cell.columns
        return found

    def placed(self, row: GridRow, read: RowText) -> tuple[PlacedCell, ...]:
        """The cells of a row's sentence, by the names that a spreadsheet gives them."""
        return tuple(
            PlacedCell(each.start, each.end, each.name, self._reference(row, each.column))
            for each in read.cells
        )

    def _reference(self, row: GridRow, column: int) -> str:
        here = self._first + column
        return self._origins.get((row.number, here)) or reference(here, row.number)


def _without_empty_columns(texts: list[list[str]]) -> list[list[str]]:
    if len({len(row) for row in texts}) > 1:
        return texts
    used = [any(column) for column in zip(*texts, strict=True)]
    return [list(compress(row, used)) for row in texts]
