"""Sheets of OpenDocument: what cells show stands in their paragraphs."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from odfdo import Element

from retrieval.documents.cells import reference
from retrieval.parsing.css.visibility import verdict_of
from retrieval.parsing.draft import Draft
from retrieval.parsing.hiding import Verdict, Way
from retrieval.parsing.limits import LONGEST_LABEL, MOST_PLACES, MOST_SPANNED, require_at_most
from retrieval.parsing.notes import as_set
from retrieval.parsing.odf.styles import Css, Styles, count, in_a_line, rows_in, said
from retrieval.parsing.placed import PlacedText, Source
from retrieval.parsing.spreadsheet import SHEET_LEVEL, GridCell, GridRow, GridWriter, Place, row_in
from retrieval.types import HiddenText, ParsedDocument, Stated

_COLUMN_GROUPS = ("table:table-column-group", "table:table-columns", "table:table-header-columns")
_CELLS = ("table:table-cell", "table:covered-table-cell")
_MOST = MOST_SPANNED * 1_000
"""Rows or columns that one is told for, or takes."""
_MOST_ALIKE = 10_000


@dataclass(frozen=True, slots=True)
class _Row:
    number: int
    element: Element
    is_shown: bool


@dataclass(frozen=True, slots=True)
class _Columns:
    """From the one of this number to the next such."""

    number: int
    is_shown: bool = True
    style: str = ""
    """Of cells that have none."""


class SheetReader:
    """It goes through the sheets once."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._draft = Draft()
        self._source = Source()
        self._hidden: list[HiddenText] = []
        self._places = 0

    def read(self, body: Element, title: str, stated: Sequence[Stated]) -> ParsedDocument:
        sheets = [each for each in body.children if each.tag == "table:table"]
        for number, sheet in enumerate(sheets, start=1):
            name = " ".join(said(sheet, "table:name").split())
            place = Place(number, f"sheet {name[:LONGEST_LABEL]}")
            style = said(sheet, "table:style-name")
            is_shown = self._styles.states("table", style, "table:display") != "false"
            self._draft.end_sections()
            if is_shown:
                self._draft.heading(SHEET_LEVEL, name)
            self._sheet(sheet, place, is_shown=is_shown)
        self._draft.state(stated)
        hidden = tuple(self._hidden)
        return self._draft.document(self._source.text, stated_title=title, hidden=hidden)

    def _sheet(self, sheet: Element, place: Place, *, is_shown: bool) -> None:
        columns = list(_columns_of(sheet))
        rows: list[GridRow] = []
        for row in _rows(sheet):
            if rows and row.number > rows[-1].number + 1:
                rows.append(GridRow(row.number - 1))
            found = self._row(row, place, columns, is_shown=is_shown and row.is_shown)
            rows.append(found)
        GridWriter(self._draft, place).write(rows)

    def _row(
        self, row: _Row, place: Place, columns: Sequence[_Columns], *, is_shown: bool
    ) -> GridRow:
        cells: list[GridCell] = []
        for column, cell in self._cells(row.element):
            among = columns[bisect_right(columns, column, key=lambda each: each.number) - 1]
            css = self._css(cell, row.element, among)
            covered = Verdict(Way.COVERED) if cell.tag == "table:covered-table-cell" else None
            whole = covered if is_shown and among.is_shown else Verdict(Way.MARKED)
            told = self._pieces(cell, css)
            pieces = [(whole or _verdict_of(in_a_line(look)), text) for text, look in told]
            where = f"{place.label}, cell {reference(column, row.number)}"
            for hidden, group in groupby(pieces, lambda each: each[0]):
                words = " ".join("".join(text for _, text in group).split())
                if hidden and words:
                    way, left_out = hidden
                    self._hidden.append(HiddenText(words, way.value, where, left_out))
            shown = "".join(text for hidden, text in pieces if not (hidden and hidden.left_out))
            text = PlacedText.verbatim(shown, 0).folded().text
            if not text:
                continue
            cells.append(
                GridCell(
                    column,
                    PlacedText.verbatim(text, 0),
                    columns=count(cell, "table:number-columns-spanned", _MOST),
                    rows=count(cell, "table:number-rows-spanned", _MOST),
                    is_bold=css.get("font-weight") == "bold",
                )
            )
        return row_in(self._source, row.number, cells)

    def _cells(self, row: Element) -> Iterator[tuple[int, Element]]:
        column = 1
        for cell in row.children:
            if cell.tag not in _CELLS:
                continue
            repeated = count(cell, "table:number-columns-repeated", _MOST)
            if cell.children:
                self._places += repeated
                require_at_most(self._places, MOST_PLACES, "cells")
                yield from ((column + each, cell) for each in range(repeated))
            column += repeated

    def _css(self, cell: Element, row: Element, columns: _Columns) -> Css:
        default = "table:default-cell-style-name"
        style = said(cell, "table:style-name") or said(row, default) or columns.style
        return self._styles.css("table-cell", style)

    def _pieces(self, cell: Element, css: Css) -> Iterator[tuple[str, Css]]:
        """The text of a cell, and how it looks."""
        for paragraph in cell.children:
            if paragraph.tag == "text:p":
                before = ""
                for text, look in self._inline(paragraph, css):
                    how = look.get("vertical-align", "")
                    before = as_set(how, text, before, in_cell=True)
                    yield before, look
                yield " ", css

    def _inline(self, element: Element, css: Css) -> Iterator[tuple[str, Css]]:
        yield element.text or "", css
        for child in element.children:
            if child.tag in ("text:s", "text:tab", "text:line-break"):
                yield " ", css
            elif child.tag != "office:annotation":
                look = self._styles.css("text", said(child, "text:style-name"))
                yield from self._inline(child, {**css, **look})
            yield child.tail or "", css


_verdict_of = lru_cache(1_000)(verdict_of)


def _columns_of(sheet: Element) -> Iterator[_Columns]:
    number = 1
    for column in _columns(sheet):
        shown = said(column, "table:visibility") not in ("collapse", "filter")
        yield _Columns(number, shown, said(column, "table:default-cell-style-name"))
        number += count(column, "table:number-columns-repeated", _MOST)
    yield _Columns(number)


def _columns(parent: Element) -> Iterator[Element]:
    for child in parent.children:
        if child.tag == "table:table-column":
            yield child
        elif child.tag in _COLUMN_GROUPS:
            yield from _columns(child)


def _rows(sheet: Element) -> Iterator[_Row]:
    """Rows that hold something; of rows that are said once for several, each."""
    number, alike = 1, 0
    for row, _ in rows_in(sheet):
        repeated = count(row, "table:number-rows-repeated", _MOST)
        if any(cell.children for cell in row.children):
            alike += repeated - 1
            require_at_most(alike, _MOST_ALIKE, "rows that are alike")
            shown = said(row, "table:visibility") not in ("collapse", "filter")
            yield from (_Row(number + each, row, shown) for each in range(repeated))
        number += repeated
