"""Word documents, with python-docx.

Word knows no pages before it lays a document out, so a sentence is cited by the number
of its body paragraph.
"""

from io import BytesIO
from itertools import takewhile
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812  # zlib names its exception so

import docx
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.exceptions import OpcError
from docx.oxml.exceptions import XmlchemyError
from docx.oxml.ns import qn
from docx.oxml.table import CT_Row
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.table import Table
from docx.text.paragraph import Paragraph

from retrieval.errors import UnreadableDocument
from retrieval.parsing.docx_text import (
    heading_level,
    is_bold,
    is_contents,
    is_list_item,
    is_title,
    text_boxes,
    words,
)
from retrieval.parsing.docx_visibility import take_out_hidden
from retrieval.parsing.draft import Draft
from retrieval.parsing.front_matter import refuse_unread
from retrieval.parsing.placed import PlacedText
from retrieval.parsing.sentences import sentence_spans
from retrieval.parsing.tables import Cell, column_names, looks_like_header, row_texts
from retrieval.types import FragmentKind, ParsedDocument, Sentence

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How an encrypted document starts, and one of Word before 2007."""
_LARGEST = 200 * 1024 * 1024
"""Bytes once unpacked: more is a mistake, or meant to fill the memory."""

_DAMAGED = "is damaged, or not a Word document; open it in Word and save it as .docx again"
_DAMAGE = (
    *(BadZipFile, ZlibError, EOFError, RuntimeError, OSError),  # the archive
    *(
        XmlchemyError,
        OpcError,
        KeyError,
        ValueError,
        AttributeError,
        SyntaxError,
    ),  # what is in it
)


def parse(content: bytes) -> ParsedDocument:
    """Read a document as people see it with all changes accepted.

    Raise `UnreadableDocument` for what is damaged, encrypted, too large or empty.
    """
    document = _opened(content)
    reader = _Reader(document)
    try:
        hidden = take_out_hidden(document)
        reader.read(document.element.body)
    except (XmlchemyError, ValueError) as error:  # an attribute is missing or no number
        raise UnreadableDocument(_DAMAGED) from error
    if reader.draft.is_empty and not reader.title:
        raise UnreadableDocument("holds no text; add text to it, or remove it")
    title = reader.title or " ".join((document.core_properties.title or "").split())
    source = "\n".join(reader.lines)
    refuse_unread("\n".join(piece.text for piece in hidden))
    refuse_unread(source)
    return reader.draft.document(source, stated_title=title, hidden=hidden)


def _opened(content: bytes) -> Document:
    if not content:
        raise UnreadableDocument("is empty; add text to it, or remove it")
    if content.startswith(_OLE):
        raise UnreadableDocument(
            "is protected by a password, or made by Word before 2007; "
            "save it as .docx without a password"
        )
    try:
        with ZipFile(BytesIO(content)) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
        if unpacked > _LARGEST:
            raise UnreadableDocument(
                f"unpacks to {unpacked // 1024**2} MB, more than the {_LARGEST // 1024**2} MB that "
                "are read; split it, or make its pictures smaller"
            )
        document = docx.Document(BytesIO(content))
        # A part of the right name but with another root comes as a bare element.
        _ = document.element.body, document.styles.default(WD_STYLE_TYPE.PARAGRAPH)
    except _DAMAGE as error:
        raise UnreadableDocument(_DAMAGED) from error
    return document


class _Reader:
    """Walks through the body once; `lines` become the source."""

    def __init__(self, document: Document) -> None:
        self.draft = Draft()
        self.title = ""
        self.lines: list[str] = []
        self._document = document
        self._offset = 0
        self._paragraph = 0

    def read(self, parent: BaseOxmlElement, *, is_body: bool = True) -> None:
        """Paragraphs and tables in order; those in controls and text boxes are not counted."""
        for child in parent.iterchildren():
            if child.tag == qn("w:p"):
                self._paragraph += is_body
                self._read_paragraph(Paragraph(child, self._document._body))  # noqa: SLF001
            elif child.tag == qn("w:tbl"):
                self._read_table(Table(child, self._document._body))  # noqa: SLF001
            elif child.tag == qn("w:sdt"):
                for held in child.iterchildren(qn("w:sdtContent")):
                    self.read(held, is_body=False)

    def _line(self, text: str) -> int:
        """Add a line to the source; return where it starts."""
        start = self._offset
        self.lines.append(text)
        self._offset += len(text) + 1
        return start

    def _sentence(self, text: str, start: int, end: int) -> Sentence:
        return Sentence(text, start, end, paragraph=max(1, self._paragraph))

    def _read_paragraph(self, paragraph: Paragraph) -> None:
        text = words(paragraph)
        folded = PlacedText.verbatim(text, self._line(text)).folded()
        if folded and not is_contents(paragraph):
            self._block(paragraph, folded)
        for box in text_boxes(paragraph):
            self.read(box, is_body=False)

    def _block(self, paragraph: Paragraph, folded: PlacedText) -> None:
        if level := heading_level(paragraph):
            self.draft.heading(level, folded.text)
        elif is_title(paragraph) and not self.title:
            self.title = folded.text
        elif is_list_item(paragraph):
            sentence = self._sentence(folded.text, folded.start, folded.end)
            self.draft.fragment(FragmentKind.LIST_ITEM, [sentence])
        else:
            spans = sentence_spans(folded.text)
            self.draft.fragment(
                FragmentKind.PARAGRAPH,
                [self._sentence(folded.text[a:b], *folded.span(a, b)) for a, b in spans],
            )

    def _read_table(self, table: Table) -> None:
        rows = _rows(table)
        cells = [[cell for cell, _ in row] for row in rows]
        heads = _header_rows(table, cells)
        texts = [""] * heads + row_texts(cells[heads:], column_names(cells[:heads]))
        for row, text in zip(rows, texts, strict=True):
            line = "\t".join(own for _, own in row)
            start = self._line(line) + len(line) - len(line.lstrip())
            if text and line.strip():
                sentence = self._sentence(text, start, start + len(line.strip()))
                self.draft.fragment(FragmentKind.TABLE_ROW, [sentence])


def _rows(table: Table) -> list[list[tuple[Cell, str]]]:
    """Each row's cells as they read, and what stands in the row itself.

    A cell that continues the one above reads as that one, but is written only there.
    Rows that were deleted are left out.
    """
    rows: list[list[tuple[Cell, str]]] = []
    above: dict[int, str] = {}
    for row in table._tbl.tr_lst:  # noqa: SLF001  # python-docx's rows repeat merged cells
        if row.trPr is not None and row.trPr.find(qn("w:del")) is not None:
            continue
        cells, column = [], row.grid_before
        for element in row.tc_lst:
            own = _cell_text(element, table)
            read = above.get(column, "") if element.vMerge == "continue" else own
            cells.append((Cell(read, columns=element.grid_span), own))
            above[column] = read
            column += element.grid_span
        rows.append(cells)
    return rows


def _cell_text(cell: BaseOxmlElement, table: Table) -> str:
    paragraphs = (Paragraph(element, table) for element in cell.iter(qn("w:p")))
    return " ".join(" ".join(words(paragraph) for paragraph in paragraphs).split())


def _header_rows(table: Table, cells: list[list[Cell]]) -> int:
    """How many rows at the top name the columns."""
    marked = len(list(takewhile(_is_marked, table._tbl.tr_lst)))  # noqa: SLF001
    if 0 < marked < len(cells):
        return marked
    texts = [[cell.text for cell in row] for row in cells]
    return int(looks_like_header(texts, _first_row_stands_out(table)))


def _is_marked(row: CT_Row) -> bool:
    """Whether Word repeats the row at the top of each page."""
    return row.trPr is not None and row.trPr.find(qn("w:tblHeader")) is not None


def _first_row_stands_out(table: Table) -> bool:
    """Whether it is bold and the next is not, or the table's style sets it off."""
    look = table._tbl.tblPr.find(qn("w:tblLook"))  # noqa: SLF001
    first_row = look is not None and look.get(qn("w:firstRow"), "1") in ("1", "true")
    conditional = table.style.element.iter(qn("w:tblStylePr")) if table.style else ()
    if first_row and any(part.get(qn("w:type")) == "firstRow" for part in conditional):
        return True
    bold = [
        all(is_bold(p) for cell in row.cells for p in cell.paragraphs if p.text.strip())
        for row in table.rows[:2]
    ]
    return bold == [True, False]
