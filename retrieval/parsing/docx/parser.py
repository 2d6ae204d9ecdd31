"""Word documents are read with python-docx; sentences are cited by their paragraph's number."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from io import BytesIO
from itertools import accumulate, chain, takewhile

import docx
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.exceptions import OpcError
from docx.oxml.exceptions import XmlchemyError
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.styles.style import BaseStyle

from retrieval.documents.cells import table_row
from retrieval.errors import UnreadableDocument
from retrieval.language.sentences import sentence_spans
from retrieval.language.words import RAISED_DIGITS, words_of
from retrieval.parsing.docx.formatting import StyleSheet, switched
from retrieval.parsing.docx.styles import Look, Marker, Numbers, Styles
from retrieval.parsing.docx.text import (
    DESCRIPTION,
    OF_CHART,
    asides,
    cell_text,
    hang_drawn,
    hang_notes,
    has_mark,
    is_bold,
    is_of_picture,
    notes,
    paragraphs_of,
    set_apart,
    words,
    write_raised,
)
from retrieval.parsing.docx.visibility import take_out_hidden
from retrieval.parsing.draft import Draft
from retrieval.parsing.limits import (
    LONGEST_COLUMN_NAME,
    LONGEST_HEADING,
    MOST_RUNS,
    MOST_SPANNED,
    require_at_most,
)
from retrieval.parsing.office import (
    BROKEN,
    OfficeFormat,
    as_transitional,
    require_sound,
    stated_in_office,
    without_text,
)
from retrieval.parsing.placed import PlacedText, Run, Source, item_spans
from retrieval.parsing.row_groups import told_rows
from retrieval.parsing.tables import (
    Cell,
    RowText,
    are_boxes,
    filled,
    have_numbers,
    heads_and_names,
    heads_where_merged,
    looks_like_header,
)
from retrieval.types import FragmentKind, ParsedDocument, Sentence

_SLIVER = 40
"""Twentieths of a point: what is narrower is no column, but borders that do not quite meet."""


def current_rows(table: BaseOxmlElement) -> list[BaseOxmlElement]:
    """Its rows but for deleted ones; python-docx's own repeat merged cells."""
    deleted = f"{qn('w:trPr')}/{qn('w:del')}"
    return [row for row in table.tr_lst if row.find(deleted) is None]


def rows_of(table: BaseOxmlElement, styles: Styles) -> list[list[tuple[Cell, str]]]:
    """Each standing row's cells as they read, and what is written in the row itself."""
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


CLAUSES = 10
"""The level of a heading that is one as it stands above clauses, below all that say so."""
_MOST_NAMING = 8
_BINDING = frozenset(
    "cannot except if may must never no not only shall should unless when where without".split()  # noqa: SIM905
)
"""What leads to clauses by one of these is no name: "Staff must not"."""
WORD = OfficeFormat("Word", "a document", ".docx")
_PARAGRAPH, _TABLE, _CONTROL = qn("w:p"), qn("w:tbl"), qn("w:sdt")
_GALLERY = "/".join(map(qn, ("w:sdtPr", "w:docPartObj", "w:docPartGallery")))
_CONTENTS = f"{_GALLERY}[@{qn('w:val')}='Table of Contents']"
"""What a control says of itself that holds a table of contents."""


def parse(content: bytes) -> ParsedDocument:
    """Read it with all changes accepted; raise `UnreadableDocument`."""
    document = _opened(content)
    runs = document.element.body.iter(_PARAGRAPH, qn("w:r"))
    require_at_most(sum(1 for _ in runs), MOST_RUNS, "paragraphs and runs of text")
    reader = _Reader(document)
    try:
        hang_notes(document)
        hang_drawn(document)
        _complete_tables(document)
        hidden = take_out_hidden(document, reader.styles.sheet)
        write_raised(document, reader.styles.sheet)
        reader.read(document.element.body)
    except (XmlchemyError, ValueError) as error:  # an attribute is missing or no number
        raise UnreadableDocument(WORD.damaged) from error
    if reader.draft.is_empty and not reader.title:
        raise without_text(hidden=False)
    title = reader.title or " ".join((document.core_properties.title or "").split())
    reader.draft.state(stated_in_office(content))
    return reader.draft.document(reader.source.text, stated_title=title, hidden=hidden)


def _opened(content: bytes) -> Document:
    require_sound(content, WORD)
    try:
        document = docx.Document(BytesIO(as_transitional(content)))
        # A part of the right name but with another root comes as a bare element.
        _ = document.element.body, document.styles.default(WD_STYLE_TYPE.PARAGRAPH)
    except (*BROKEN, XmlchemyError, OpcError) as error:
        raise UnreadableDocument(WORD.damaged) from error
    return document


def _complete_tables(document: Document) -> None:
    """Word opens tables without properties or grid; python-docx takes both for granted."""
    for table in document.element.body.iter(_TABLE):
        for name in ("w:tblGrid", "w:tblPr"):
            if table.find(qn(name)) is None:
                at = 1 if table.find(qn("w:tblPr")) is not None else 0
                table.insert(at, OxmlElement(name))


class _Reader:
    def __init__(self, document: Document) -> None:
        self.draft = Draft()
        self.title = ""
        self.source = Source()
        self._document = document
        self.styles = Styles(StyleSheet(document))
        self._numbers = Numbers(document)
        self._paragraph = self._tables = 0
        self._label = ""
        """What people call the paragraph or the row that is read."""

    def read(self, parent: BaseOxmlElement, *, is_body: bool = True, group: str = "") -> None:
        """Paragraphs and tables in order, tables behind their `group`; asides are not counted."""
        for child in parent.iterchildren():
            if child.tag == _PARAGRAPH:
                self._paragraph += is_body
                self._read_paragraph(child)
            elif child.tag == _TABLE:
                self._read_table(child, group)
            elif child.tag == _CONTROL:
                for held in child.iterchildren(qn("w:sdtContent")):
                    if child.find(_CONTENTS) is None:
                        self.read(held, is_body=False)
                    else:
                        self._read_contents(held)

    def _read_contents(self, table: BaseOxmlElement) -> None:
        """A table of contents, whatever the styles of its lines."""
        for element in table.iter(_PARAGRAPH):
            if folded := self.source.add(words(element)).folded():
                self.draft.leave_out(FragmentKind.CONTENTS, [self._whole(folded)])

    def _sentence(self, text: str, start: int, end: int) -> Sentence:
        number = max(1, self._paragraph)
        return Sentence(text, start, end, paragraph=number, page_label=self._label)

    def _read_paragraph(self, paragraph: BaseOxmlElement) -> None:
        look = self.styles.of(paragraph)
        marker = self._marker(paragraph, look)
        placed = self.source.add(words(paragraph))
        folded = placed.folded()
        if folded and look.is_contents:
            self.draft.leave_out(FragmentKind.CONTENTS, [self._whole(folded)])
        elif folded:
            self._label = f"clause {marker.clause}" if marker.clause else ""
            self._block(paragraph, look, placed, marker)
            self._label = ""
        for aside in asides(paragraph):
            if aside.get(DESCRIPTION):
                described = self.source.add("".join(map(words, aside)))
                self.draft.fragment(FragmentKind.FIGURE, self._sentences(described))
            else:
                self.read(aside, is_body=False)

    def _marker(self, paragraph: BaseOxmlElement, look: Look) -> Marker:
        """Headings, empty items and those in cells count as well, so each paragraph is asked."""
        if has_mark(paragraph) or words(paragraph).strip():
            return self._numbers.take(look.list_of(paragraph.pPr))
        return Marker()

    def _block(
        self, paragraph: BaseOxmlElement, look: Look, placed: PlacedText, marker: Marker
    ) -> None:
        folded = placed.folded()
        names = len(folded.text) <= LONGEST_HEADING
        properties = paragraph.pPr
        level = look.heading_level(properties)
        if not level and marker.clause:
            depth = CLAUSES + look.depth_of(properties)
            self.draft.end_sections(depth)
            level = depth * self._names_clauses(paragraph, look)
        if names and level:
            named = " ".join(filter(None, (marker.shown, folded.text)))
            self.draft.heading(level, named, replace(self._whole(folded), text=named))
        elif names and look.is_title and not self.title:
            self.title = folded.text
            self.draft.leave_out(FragmentKind.HEADING, [self._whole(folded)])
        elif look.is_list_item(properties) and not self._numbers.is_blank(look.list_of(properties)):
            item = [self._part(folded, span) for span in item_spans(folded.text)]
            self.draft.item(marker.number, item, look.depth_of(properties))
        elif look.is_caption:
            kind = FragmentKind.FIGURE if is_of_picture(paragraph) else FragmentKind.CAPTION
            self.draft.fragment(kind, self._sentences(folded))
        elif look.is_code or paragraph in self._in_code_fonts:
            lines = Run([placed]).lines()
            self.draft.code([self._sentence(*line) for line in lines])
        else:
            self.draft.fragment(FragmentKind.PARAGRAPH, self._sentences(folded))

    def _names_clauses(self, paragraph: BaseOxmlElement, look: Look) -> bool:
        """Whether it stands in bold above clauses within its own, and only names what they say."""
        below, said = paragraph.getnext(), words_of(text := words(paragraph))
        is_name = text.rstrip()[-1:].isalnum() and text.rstrip()[-1] not in RAISED_DIGITS
        if below is None or below.tag != _PARAGRAPH or not is_name:
            return False
        if len(said) > _MOST_NAMING or _BINDING & set(said):
            return False
        is_above = self.styles.of(below).depth_of(below.pPr) > look.depth_of(paragraph.pPr)
        return is_above and is_bold(paragraph, self.styles) and not is_bold(below, self.styles)

    @cached_property
    def _in_code_fonts(self) -> frozenset[BaseOxmlElement]:
        """Asked for once what is hidden has gone."""
        return set_apart(self._document, self.styles.sheet)

    def _whole(self, folded: PlacedText) -> Sentence:
        return self._sentence(folded.text, folded.start, folded.end)

    def _sentences(self, folded: PlacedText) -> list[Sentence]:
        return [self._part(folded, span) for span in sentence_spans(folded.text)]

    def _part(self, folded: PlacedText, span: tuple[int, int]) -> Sentence:
        return self._sentence(folded.text[slice(*span)], *folded.span(*span))

    def _read_table(self, table: BaseOxmlElement, group: str) -> None:
        """`group`: what its rows are read behind."""
        rows = rows_of(table, self.styles)
        cells = [[cell for cell, _ in row] for row in rows]
        style = self._document.part.get_style(table.tblStyle_val, WD_STYLE_TYPE.TABLE)
        heads, names = heads_and_names(cells, head_count(table, rows, style))
        if not heads and are_boxes(
            [[replace(cell, text=own) for cell, own in row] for row in rows]
        ):
            for cell in (cell for row in current_rows(table) for cell in row.tc_lst):
                self.read(cell, is_body=False, group=group)
            return
        is_drawn = table.get(OF_CHART) is not None
        elements = current_rows(table)
        hidden = (switched(each.find(qn("w:trPr")), "w:hidden") for each in elements)
        counted = list(accumulate(int(not each) for each in hidden))
        self._tables += not is_drawn and any(counted)
        number = self._tables
        own = [[cell for cell, _ in row] if any(text for _, text in row) else [] for row in rows]
        texts = chain([RowText()] * heads, told_rows(own[heads:], names))
        hung: list[BaseOxmlElement] = []
        for at, element, row, text in zip(counted, elements, rows, texts, strict=True):
            if self._read_boxes(element, group, row, names):
                continue
            self._count(element)
            self._label = "" if is_drawn else table_row(number, at)
            self._read_row([own for _, own in row], text.under(group))
            self._label = ""
            hung += notes(element)
        for note in hung:
            self.read(note, is_body=False)

    def _count(self, cells: BaseOxmlElement) -> None:
        """What is numbered there counts, though no number is told."""
        for paragraph in paragraphs_of(cells):
            self._marker(paragraph, self.styles.of(paragraph))

    def _read_boxes(
        self,
        element: BaseOxmlElement,
        group: str,
        row: Sequence[tuple[Cell, str]],
        names: Sequence[str],
    ) -> bool:
        """Read a row with a table in a cell by that table's rows, or box by box; tell whether."""
        holding = [cell for cell in element.tc_lst if _holds_rows(cell)]
        held = {cell_text(cell) for cell in holding}
        beside = [cell.text for cell, _ in row if cell.text and cell.text not in held]
        is_named = len(holding) == 1 and not any(map(_says, holding[0].p_lst))
        if not holding or (beside and not is_named) or len("".join(beside)) > LONGEST_COLUMN_NAME:
            return False
        column = element.grid_before
        for cell in element.tc_lst:
            name = names[column] if column < len(names) else ""
            column += max(1, cell.grid_span)
            if cell in holding or not beside:
                under = ": ".join(filter(None, (group, *beside, name)))
                self.read(cell, is_body=False, group=under)
            else:
                self._count(cell)
                for note in notes(cell):
                    self.read(note, is_body=False)
        return True

    def _read_row(self, cells: list[str], text: RowText) -> None:
        """`text` is what it reads as; what is too long for a sentence is read cell by cell."""
        line = "\t".join(cells)
        place = self.source.add(line).start
        start, end = place + len(line) - len(line.lstrip()), place + len(line.rstrip())
        if text.is_prose:
            for cell in cells:
                sentences = self._sentences(PlacedText.verbatim(cell, place))
                self.draft.fragment(FragmentKind.PARAGRAPH, sentences)
                place += len(cell) + 1
        elif text.text and start < end:
            sentence = replace(self._sentence(text.text, start, end), cells=text.placed())
            self.draft.fragment(FragmentKind.TABLE_ROW, [sentence])


def _says(paragraph: BaseOxmlElement) -> bool:
    return bool(words(paragraph).strip())


def _holds_rows(cell: BaseOxmlElement) -> bool:
    """Whether it has a table of several rows with text."""
    rows = (row for table in cell.tbl_lst for row in table.tr_lst)
    return sum(any(map(_says, row.iter(_PARAGRAPH))) for row in rows) > 1
