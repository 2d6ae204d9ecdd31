"""The rows of a Word table, by the columns that people see, and which of them name these."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile

from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.styles.style import BaseStyle

from retrieval.parsing.docx.styles import Styles
from retrieval.parsing.docx.text import cell_text, is_bold
from retrieval.parsing.limits import MOST_SPANNED
from retrieval.parsing.tables import (
    Cell,
    filled,
    have_numbers,
    heads_where_merged,
    looks_like_header,
)

_SLIVER = 40
"""Twentieths of a point: what is narrower is no column, but borders that do not quite meet."""


def current_rows(table: BaseOxmlElement) -> list[BaseOxmlElement]:
    """Its rows but for deleted ones; python-docx's own repeat merged cells."""
    deleted = f"{qn('w:trPr')}/{qn('w:del')}"
    return [row for row in table.tr_lst if row.find(deleted) is None]


def rows_of(table: BaseOxmlElement, styles: Styles) -> list[list[tuple[Cell, str]]]:
    """Each standing row's cells as they read, and what stands in the row itself.

    A cell that continues the one above reads as that one, but is written only there.
    """
    rows: list[list[tuple[Cell, str]]] = []
    above: dict[int, Cell] = {}
    grid = _Grid(table)
    for row in current_rows(table):
        before = min(grid.column(row.grid_before), MOST_SPANNED)
        cells = [(Cell("", columns=before), "")] if before else []
        for element, column, span in grid.cells(row):
            own = cell_text(element)
            bold = all(is_bold(p, styles) for p in element.p_lst if p.text.strip())
            read = Cell(own, columns=max(1, span), is_bold=bold)
            if element.vMerge == "continue":
                over = above.get(column, Cell(""))
                read = replace(read, text=over.text, is_bold=over.is_bold)
            if span or read.text:
                cells.append((read, own))
                above[column] = read
        rows.append(cells)
    return rows


class _Grid:
    """The columns of a table by those that its file has, slivers counted."""

    def __init__(self, table: BaseOxmlElement) -> None:
        grid = table.find(qn("w:tblGrid"))
        stated = (each.get(qn("w:w"), "") for each in (() if grid is None else grid))
        seen = (not (width.isdecimal() and 0 < int(width[:9]) <= _SLIVER) for width in stated)
        self._columns = list(accumulate(seen, initial=0))

    def column(self, place: int) -> int:
        """How many columns stand before a place of the grid."""
        last = len(self._columns) - 1
        return self._columns[min(place, last)] + max(0, place - last)

    def cells(self, row: BaseOxmlElement) -> Iterator[tuple[BaseOxmlElement, int, int]]:
        """The cells of a row, each with its column and how many it takes; 0 for a sliver."""
        place = row.grid_before
        for element in row.tc_lst:
            end = place + min(max(1, element.grid_span), MOST_SPANNED)
            column = self.column(place)
            yield element, column, self.column(end) - column
            place = end


def head_count(
    table: BaseOxmlElement,
    rows: Sequence[Sequence[tuple[Cell, str]]],
    style: BaseStyle | None,
) -> int:
    """How many rows at the top name the columns; `rows` as `rows_of` gives them.

    `style` is the table's. None where a cell of theirs goes on below, unless numbers there say that
    they are names.
    """
    marked = len(list(takewhile(_is_marked, table.tr_lst)))
    if 1 < marked < len(rows):
        return marked
    cells = [[cell for cell, _ in row] for row in rows]
    own = list(filled([[replace(cell, text=text) for cell, text in row] for row in rows]))
    bold = [all(cell.is_bold for cell, text in row if text) for row in rows[:3]]
    heads = heads_where_merged(cells, own, stand_out=bold == [True, True, False])
    if marked == 1 < len(rows):
        return heads
    texts = [[cell.text for cell in row] for row in cells]
    stands_out = _is_set_off(table, style) or [*bold[:1], *bold[heads : heads + 1]] == [True, False]
    if not looks_like_header([*texts[:1], *texts[heads:]], stands_out):
        return 0
    goes_on = any(cell.text and not text for cell, text in rows[heads])
    return 0 if goes_on and not have_numbers(own[heads:]) else heads


def _is_marked(row: BaseOxmlElement) -> bool:
    """Whether Word repeats the row at the top of each page."""
    return row.trPr is not None and row.trPr.find(qn("w:tblHeader")) is not None


def _is_set_off(table: BaseOxmlElement, style: BaseStyle | None) -> bool:
    """Whether the table's style sets its first row off."""
    look = table.tblPr.find(qn("w:tblLook"))
    first_row = look is not None and look.get(qn("w:firstRow"), "1") in ("1", "true")
    conditional = style.element.iter(qn("w:tblStylePr")) if style else ()
    return first_row and any(part.get(qn("w:type")) == "firstRow" for part in conditional)
