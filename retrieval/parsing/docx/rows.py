"""The rows of a table in a Word document, each cell in the column that people see it in."""

from collections.abc import Iterator
from itertools import accumulate

from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.table import Table
from docx.text.paragraph import Paragraph

from retrieval.parsing.docx.text import is_deleted, paragraphs_in, words
from retrieval.parsing.limits import MOST_SPANNED
from retrieval.parsing.tables import Cell

_SLIVER = 40
"""Twentieths of a point: what is narrower is no column, but borders that do not quite meet."""


def rows_of(table: Table) -> list[list[tuple[Cell, str]]]:
    """Each row's cells as they read, and what stands in the row itself.

    A cell that continues the one above reads as that one, but is written only there.
    Rows that were deleted are left out.
    """
    rows: list[list[tuple[Cell, str]]] = []
    above: dict[int, str] = {}
    grid = _Grid(table)
    for row in table._tbl.tr_lst:  # noqa: SLF001  # python-docx's rows repeat merged cells
        if is_deleted(row):
            continue
        before = min(grid.column(row.grid_before), MOST_SPANNED)
        cells = [(Cell("", columns=before), "")] if before else []
        for element, column, span in grid.cells(row):
            own = _cell_text(element, table)
            read = above.get(column, "") if element.vMerge == "continue" else own
            if span or read:
                cells.append((Cell(read, columns=max(1, span)), own))
                above[column] = read
        rows.append(cells)
    return rows


class _Grid:
    """The columns of a table by those that its file has, slivers counted."""

    def __init__(self, table: Table) -> None:
        grid = table._tbl.find(qn("w:tblGrid"))  # noqa: SLF001
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


def _cell_text(cell: BaseOxmlElement, table: Table) -> str:
    paragraphs = (Paragraph(element, table) for element in paragraphs_in(cell))
    texts = (words(paragraph) for paragraph in paragraphs)
    return " ".join(" ".join(texts).split())
