"""Workbooks are opened with openpyxl, and the cells of their sheets read that hold something."""

import re
import warnings
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from itertools import accumulate
from typing import Any
from xml.etree.ElementTree import Element
from zipfile import ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.cell.read_only import ReadOnlyCell
from openpyxl.reader.excel import ExcelReader
from openpyxl.worksheet._read_only import ReadOnlyWorksheet
from openpyxl.worksheet._reader import WorkSheetParser
from openpyxl.worksheet.dimensions import SheetFormatProperties
from openpyxl.xml.constants import ARC_STYLE

from retrieval.documents.cells import CellRange
from retrieval.errors import UnreadableDocument
from retrieval.parsing.hiding import SMALLEST_TYPE
from retrieval.parsing.limits import MOST_PLACES, require_at_most
from retrieval.parsing.office import as_transitional

_EMPTY_FILL = re.compile(rb"<((?:\w+:)?)fill\s*(?:/>|></\1fill>)")
"""As xlsx-populate writes them, in which openpyxl finds no kind of fill."""


def opened(content: bytes, *, whole: bool = False) -> Workbook:
    """With what formulas came to; `whole`: with plain text, for places at random."""
    content = as_transitional(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of parts that openpyxl does not know
        reader = ExcelReader(
            BytesIO(content),
            read_only=not whole,
            data_only=True,
            keep_links=False,
            rich_text=not whole,
        )
        reader.archive = _Archive(BytesIO(content))
        reader.read()
    return reader.wb


class _Archive(ZipFile):
    def read(self, name: str | ZipInfo, pwd: bytes | None = None) -> bytes:
        part = super().read(name, pwd)
        return (
            _EMPTY_FILL.sub(rb"<\1fill><\1patternFill/></\1fill>", part)
            if name == ARC_STYLE
            else part
        )


LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
_FORMULA, _VALUE = (
    f"{{http://schemas.openxmlformats.org/spreadsheetml/2006/main}}{name}" for name in "fv"
)
_MOST_PAINTED = 1_000
"""Ranges that each cell in doubt is compared with."""
_ON = ("1", "true")
_NARROWEST = 0.3
"""Characters: nothing can be read in a column of this width."""


@dataclass
class Sheet:
    rows: dict[int, dict[int, ReadOnlyCell]] = field(default_factory=dict)
    """By number of row and column, from 1; only cells with a value."""
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    merged: dict[tuple[int, int], CellRange] = field(default_factory=dict)
    """By row and column of the first cell, which covers the others."""
    covered: set[tuple[int, int]] = field(default_factory=set)
    """Those of the others that hold something all the same."""
    painted: Sequence[CellRange] = ()
    """Where rules or table styles may paint, so that colours there are not known."""

    def may_paint(self, row: int, column: int) -> bool:
        return any(
            each.first_row <= row <= each.last_row
            and each.first_column <= column <= each.last_column
            for each in self.painted
        )

    def has_gap(self, before: int, here: int) -> bool:
        """Whether a row that is seen and blank stands between two."""
        first, last = (bisect_left(self._hidden, each) for each in (before + 1, here))
        return here - before - 1 > last - first

    @cached_property
    def _hidden(self) -> list[int]:
        return sorted(self.hidden_rows)


class _Cells(WorkSheetParser):  # type: ignore[misc]  # openpyxl has no types
    """It notes formulas of which the file does not hold what they come to."""

    uncomputed: str = ""

    def parse_cell(self, element: Element) -> dict[str, Any]:
        formula = element.find(_FORMULA)
        if formula is not None and not self.uncomputed and element.get("t", "n") != "str":
            value = element.find(_VALUE)
            if value is None or not value.text:
                self.uncomputed = element.get("r") or "a cell"
        parsed: dict[str, Any] = super().parse_cell(element)
        return parsed


def sheet_of(worksheet: ReadOnlyWorksheet, held: int) -> Sheet:
    """Read a sheet once; `held`: cells in those before it. Raise `UnreadableDocument`."""
    workbook, found = worksheet.parent, Sheet()
    with worksheet._get_source() as source:  # noqa: SLF001  # rows alone are public
        parser = _Cells(
            source,
            worksheet._shared_strings,  # noqa: SLF001
            data_only=True,
            epoch=workbook.epoch,
            date_formats=workbook._date_formats,  # noqa: SLF001
            timedelta_formats=workbook._timedelta_formats,  # noqa: SLF001
            rich_text=True,
        )
        for _, cells in parser.parse():
            for cell in cells:
                is_on_sheet = 0 < cell["row"] <= LAST_ROW and 0 < cell["column"] <= LAST_COLUMN
                if cell["value"] is None or not is_on_sheet:
                    continue
                held += 1
                require_at_most(held, MOST_PLACES, "cells")
                row = found.rows.setdefault(cell["row"], {})
                row[cell["column"]] = ReadOnlyCell(worksheet, **cell)
    if parser.uncomputed:
        raise UnreadableDocument(
            f"has formulas without what they come to ({worksheet.title}, {parser.uncomputed}); "
            "open it in a spreadsheet program and save it, which works them out"
        )
    usual = getattr(parser, "sheet_format", None) or SheetFormatProperties()
    found.hidden_rows = {
        int(number)
        for number, stated in parser.row_dimensions.items()
        if stated.get("hidden") in _ON or _is_at_most(stated.get("ht"), SMALLEST_TYPE)
    }
    if _is_at_most(usual.defaultRowHeight, SMALLEST_TYPE):
        stated = parser.row_dimensions.items()
        found.hidden_rows |= found.rows.keys() - {int(row) for row, its in stated if "ht" in its}
    found.hidden_columns = set(
        _columns(
            stated
            for stated in parser.column_dimensions.values()
            if stated.get("hidden") in _ON or _is_at_most(stated.get("width"), _NARROWEST)
        )
    )
    if _is_at_most(usual.defaultColWidth, _NARROWEST):
        held_columns = {column for row in found.rows.values() for column in row}
        sized = (each for each in parser.column_dimensions.values() if "width" in each)
        found.hidden_columns |= held_columns - set(_columns(sized))
    merged = parser.merged_cells.mergeCell if parser.merged_cells else ()
    ranges = [CellRange.of(each.ref.replace("$", "")) for each in merged]
    found.merged = {(each.first_row, each.first_column): each for each in ranges}
    found.covered = set(_covered(found))
    found.painted = _painted(parser)
    return found


def _painted(parser: WorkSheetParser) -> Sequence[CellRange]:
    """All of a sheet with a table, which says in another part where it stands."""
    ranges = [each for rule in parser.formatting for each in rule.sqref.ranges]
    if parser.tables.tablePart or len(ranges) > _MOST_PAINTED:
        return [CellRange(1, 1, LAST_COLUMN, LAST_ROW)]
    return [CellRange(*each.bounds) for each in ranges]


def _covered(sheet: Sheet) -> Iterator[tuple[int, int]]:
    looked_at = 0
    for first, merged in sheet.merged.items():
        rows = range(merged.first_row, merged.last_row + 1)
        columns = range(merged.first_column, merged.last_column + 1)
        few = rows if len(rows) < len(sheet.rows) else sheet.rows
        for row in few:
            held = sheet.rows.get(row, {}) if row in rows else {}
            looked_at += 1 + len(held)
            require_at_most(looked_at, 2 * MOST_PLACES, "cells that are merged")
            yield from (
                (row, column) for column in held if column in columns and (row, column) != first
            )


def _columns(dimensions: Iterable[Mapping[str, str]]) -> Iterator[int]:
    """Each once, however often it is stated."""
    deep = [0] * (LAST_COLUMN + 2)
    for stated in dimensions:
        deep[min(int(stated["min"]), LAST_COLUMN + 1)] += 1
        deep[min(int(stated["max"]), LAST_COLUMN) + 1] -= 1
    return (column for column, count in enumerate(accumulate(deep)) if count > 0)


def _is_at_most(size: str | float | None, most: float) -> bool:
    return size is not None and float(size) <= most
