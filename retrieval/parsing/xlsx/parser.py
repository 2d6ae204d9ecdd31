"""Workbooks of Excel are read with openpyxl: what cells show, a line for each row that is seen."""

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from xml.etree.ElementTree import Element
from zipfile import ZipFile

from openpyxl import Workbook
from openpyxl.cell.read_only import ReadOnlyCell
from openpyxl.packaging.relationship import get_dependents, get_rels_path
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet._read_only import ReadOnlyWorksheet
from openpyxl.xml.functions import fromstring

from retrieval.documents.cells import CellRange, range_of, reference
from retrieval.errors import UnreadableDocument
from retrieval.parsing.draft import Draft
from retrieval.parsing.hiding import Way
from retrieval.parsing.limits import LONGEST_LABEL
from retrieval.parsing.office import (
    BROKEN,
    OfficeFormat,
    require_sound,
    stated_in_office,
    without_text,
)
from retrieval.parsing.placed import PlacedText, Source
from retrieval.parsing.spreadsheet import SHEET_LEVEL, GridCell, GridRow, GridWriter, Place, row_in
from retrieval.parsing.xlsx.cells import Looks, shown
from retrieval.parsing.xlsx.sheets import Sheet, opened, sheet_of
from retrieval.types import HiddenText, ParsedDocument

_KINDS = ("/comments", "/threadedComment")


def notes_on(archive: ZipFile, part: str, label: str) -> Iterator[HiddenText]:
    """Those on the cells of a sheet, which stands in a part of the archive."""
    names = set(archive.namelist())
    relations = get_rels_path(part)
    if relations not in names:
        return
    for related in get_dependents(archive, relations):
        within = related.TargetMode != "External" and related.target in names
        if within and related.Type.endswith(_KINDS):
            yield from _notes(fromstring(archive.read(related.target)), label)


def _notes(root: Element, label: str) -> Iterator[HiddenText]:
    for element in root.iter():
        if not isinstance(element.tag, str) or _name(element) not in ("comment", "threadedComment"):
            continue
        texts = (each.text or "" for each in element.iter() if _name(each) in ("t", "text"))
        if said := " ".join("".join(texts).split()):
            yield HiddenText(said, Way.COMMENT.value, f"{label}, {_where(element)}")


def _where(element: Element) -> str:
    try:
        return f"cell {CellRange.of(element.get('ref', ''))}"
    except ValueError:
        return "a cell"


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


EXCEL = OfficeFormat("Excel", "a workbook", ".xlsx")
_NO_NAME = re.compile(r"(?:Sheet|Tabelle|Feuil|Hoja|Foglio|Blad) ?\d+", re.IGNORECASE)


def parse(content: bytes) -> ParsedDocument:
    """Read it sheet by sheet; raise `UnreadableDocument`, also for formulas without values."""
    require_sound(content, EXCEL)
    reader = _Reader()
    try:
        workbook = opened(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts that openpyxl does not know
            reader.read(workbook)
            title = " ".join((workbook.properties.title or "").split())
    except (*BROKEN, InvalidFileException) as error:
        raise UnreadableDocument(EXCEL.damaged) from error
    if not reader.source.lines:
        raise without_text(hidden=bool(reader.hidden))
    reader.draft.state(stated_in_office(content))
    hidden = tuple(reader.hidden)
    return reader.draft.document(reader.source.text, stated_title=title, hidden=hidden)


class _Reader:
    def __init__(self) -> None:
        self.draft = Draft()
        self.source = Source()
        self.hidden: list[HiddenText] = []
        self._cells = 0
        self._looks = Looks()

    def read(self, workbook: Workbook) -> None:
        sheets = [
            (number, sheet)
            for number, sheet in enumerate(workbook._sheets, start=1)  # noqa: SLF001  # charts too
            if isinstance(sheet, ReadOnlyWorksheet)
        ]
        if not sheets:
            raise ValueError("has no sheet")
        seen = [sheet for _, sheet in sheets if sheet.sheet_state == "visible"]
        for number, worksheet in sheets:
            sheet = sheet_of(worksheet, self._cells)
            self._cells += sum(map(len, sheet.rows.values()))
            name = " ".join(PlacedText.verbatim(worksheet.title, 0).folded().text.split())
            label = f"sheet {name[:LONGEST_LABEL]}"
            if worksheet.sheet_state == "visible":
                self.draft.end_sections()
                if len(seen) > 1 or not _NO_NAME.fullmatch(name):
                    self.draft.heading(SHEET_LEVEL, name)
                self._read_sheet(sheet, Place(number, label))
            else:
                self._hide(sheet, Way.MARKED, label, sorted(sheet.rows))
            archive, part = workbook._archive, worksheet._worksheet_path  # noqa: SLF001
            self.hidden += notes_on(archive, part, label)

    def _hide(self, sheet: Sheet, way: Way, where: str, rows: Sequence[int]) -> None:
        texts = (
            _text(shown(cell.value, cell.number_format))
            for row in rows
            for _, cell in sorted(sheet.rows[row].items())
        )
        self._note(" ".join(filter(None, texts)), way, where)

    def _note(self, text: str, way: Way, where: str, *, left_out: bool = True) -> None:
        if text:
            self.hidden.append(HiddenText(text, way.value, where, left_out))

    def _read_sheet(self, sheet: Sheet, place: Place) -> None:
        rows: list[GridRow] = []
        unseen: dict[tuple[Way, bool, int], list[tuple[str, str]]] = {}
        runs = groupby(sorted(sheet.rows), key=lambda number: number in sheet.hidden_rows)
        for is_hidden, numbers in runs:
            if is_hidden:
                held = list(numbers)
                first, last = held[0], held[-1]
                where = f"row {first}" if first == last else f"rows {first}-{last}"
                self._hide(sheet, Way.MARKED, f"{place.label}, {where}", held)
                continue
            for number in numbers:
                if rows and sheet.has_gap(rows[-1].number, number):
                    rows.append(GridRow(number - 1))
                rows.append(self._row(sheet, number, unseen))
        for (way, left_out, _), cells in unseen.items():
            around = range_of(name for name, _ in cells)
            where = f"{place.label}, {'cells' if ':' in around else 'cell'} {around}"
            self._note(" ".join(text for _, text in cells), way, where, left_out=left_out)
        GridWriter(self.draft, place).write(rows)

    def _row(
        self,
        sheet: Sheet,
        number: int,
        unseen: dict[tuple[Way, bool, int], list[tuple[str, str]]],
    ) -> GridRow:
        """`unseen` takes the names and texts of what people do not see, by column."""
        cells: list[GridCell] = []
        for column, cell in sorted(sheet.rows[number].items()):
            seen: list[str] = []
            for piece, way in self._pieces(sheet, cell):
                is_read = way is None or (way is Way.COLOUR and sheet.may_paint(number, column))
                if is_read:
                    seen.append(piece)
                if way is not None and (said := _text(piece)):
                    named = reference(column, number), said
                    unseen.setdefault((way, not is_read, column), []).append(named)
            if text := _text("".join(seen)):
                span = sheet.merged.get((number, column))
                cells.append(
                    GridCell(
                        column,
                        PlacedText.verbatim(text, 0),
                        columns=span.last_column - column + 1 if span else 1,
                        rows=span.last_row - number + 1 if span else 1,
                        is_bold=bool(cell.font.b),
                    )
                )
        return row_in(self.source, number, cells)

    def _pieces(self, sheet: Sheet, cell: ReadOnlyCell) -> Iterable[tuple[str, Way | None]]:
        """The runs of a cell's text; hidden with all of the cell, or by what they look like."""
        is_marked = cell.column in sheet.hidden_columns
        if is_marked or (cell.row, cell.column) in sheet.covered:
            text = shown(cell.value, cell.number_format) or str(cell.value)
            return [(text, Way.MARKED if is_marked else Way.COVERED)]
        return self._looks.pieces(cell)


def _text(value: str) -> str:
    return PlacedText.verbatim(value, 0).folded().text
