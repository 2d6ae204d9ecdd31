"""PDF is read with PDFium for text and places, and with pdfplumber for ruled tables.

The source is made of the extracted lines, one for each visual line, so that a line
number means what a reader counts on the page.
"""

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain

import pypdfium2 as pdfium
from lxml import etree
from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import PDFStream, resolve1
from pdfminer.psparser import PSException, PSLiteral
from pdfminer.utils import decode_text

from retrieval.errors import UnreadableDocument
from retrieval.parsing.embedded_metadata import stated_in_source, stated_in_value
from retrieval.parsing.hiding import Way
from retrieval.parsing.limits import (
    MOST_CHARACTERS,
    MOST_CHARACTERS_A_BYTE,
    MOST_CHARACTERS_A_PAGE,
    require_at_most,
)
from retrieval.parsing.pdf.aligned_tables import aligned_tables
from retrieval.parsing.pdf.characters import (
    PageGeometry,
    characters,
    page_with_values,
    page_without_values,
    with_raised,
)
from retrieval.parsing.pdf.drawing import dots_on, edges_across, pictures_on
from retrieval.parsing.pdf.layout import body_of, captions_in, mark_code, mark_items
from retrieval.parsing.pdf.left_out import lines_left_out, without_watermarks
from retrieval.parsing.pdf.lines import Line, Table, lines_in, page_blocks, preferred
from retrieval.parsing.pdf.reading_order import beside_labels
from retrieval.parsing.pdf.ruled_tables import Grid, RuledTables, may_hold_tables
from retrieval.parsing.pdf.scans import Scans
from retrieval.parsing.pdf.visibility import without_hidden
from retrieval.parsing.pdf.writer import PdfWriter
from retrieval.parsing.recognition import OFF, Recognition, unread_in_words
from retrieval.parsing.rectangles import Rectangle
from retrieval.types import FragmentKind, HiddenText, PageSize, ParsedDocument, Stated, UnreadPage

_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"


def stated_in_pdf(content: bytes) -> Iterator[Stated]:
    """What its Info dictionary and its XMP packet say; what is damaged says nothing."""
    try:
        document = PDFDocument(PDFParser(BytesIO(content)))
        pairs = [(key, resolve1(value)) for info in document.info for key, value in info.items()]
        packet = resolve1(document.catalog.get("Metadata"))
        xmp = packet.get_data() if isinstance(packet, PDFStream) else b""
    except (PSException, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return
    for key, value in pairs:
        said = value.name if isinstance(value, PSLiteral) else value
        if isinstance(said, bytes | str | int | float):
            said = decode_text(said) if isinstance(said, bytes) else str(said)
            yield from stated_in_value("its document properties", key, said)
    yield from _in_xmp(xmp)


def _in_xmp(packet: bytes) -> Iterator[Stated]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        root = etree.fromstring(packet, parser) if packet.strip() else None
    except etree.XMLSyntaxError:
        return
    for each in root.iter(etree.Element) if root is not None else ():
        pairs = [(_local(str(name)), value) for name, value in each.attrib.items()]
        if not len(each):
            pairs.append((_name(each), each.text or ""))
        for key, value in pairs:
            yield from stated_in_value("its XMP", str(key), str(value).strip())


def _name(element: etree._Element) -> str:
    """Of what a value belongs to: an item of a list is its list's."""
    while element.tag.startswith(_RDF) and (parent := element.getparent()) is not None:
        element = parent
    return _local(element.tag)


def _local(name: str) -> str:
    """Without what stands for its namespace, which may be declared nowhere."""
    return re.split("[}:]", name)[-1]


_PDFIUM = threading.Lock()
"""PDFium keeps its state per process and is not thread-safe: one document at a time."""
_NO_TITLE = re.compile(
    r"|untitled.*|\(?anonymous\)?|microsoft word - .*|.*\.(?:docx?|pdf|tex|indd|odt)|[^\s]*_[^\s]*",
    re.IGNORECASE,
)
"""What programs put in place of a title."""


@dataclass(frozen=True, slots=True)
class _Page:
    size: PageSize
    height: float
    """Of the page as it is laid out, which is upright."""
    blocks: list[Line | Table]
    pictures: list[Rectangle] = field(default_factory=list)
    """Where those stand that a caption may be of."""
    marks: list[Line] = field(default_factory=list)
    """Its watermarks, which are among the blocks."""
    unfilled: list[Line] = field(default_factory=list)
    """Those of a form, without what was filled in beside them."""


def parse(content: bytes, recognition: Recognition = OFF) -> ParsedDocument:
    """Read a PDF page by page, those that are pictures by text recognition.

    Raise `UnreadableDocument` for what is damaged, encrypted or has no text.
    """
    if not content.strip():
        raise UnreadableDocument("is empty; add the whole file")
    scans = Scans(recognition)
    with _PDFIUM:
        stated_title, pages, hidden = _read(content, scans)
    lines = [line for page in pages for line in _lines_of(page.blocks)]
    if not lines:
        if hidden:
            raise UnreadableDocument(
                f"shows no text, all that it holds is hidden ({hidden[0].way}); save it as people "
                "should see it"
            )
        raise UnreadableDocument(_why_nothing(scans.unread))
    body = body_of(lines)
    left_out = {
        **lines_left_out([(page.blocks, page.height) for page in pages], body),
        **{id(line): FragmentKind.RUNNING for page in pages for line in page.marks},
    }
    mark_code([page.blocks for page in pages], body, left_out)
    writer = PdfWriter(body)
    for page in pages:
        for number, line in enumerate(_lines_of(page.blocks), start=1):
            line.page, line.number = page.size.number, number
        writer.page(page.size.number, page.blocks, left_out, page.pictures)
    source = writer.source(lines)
    sizes = tuple(page.size for page in pages)
    unfilled = "\n".join(line.text for page in pages for line in page.unfilled)
    stated = chain(stated_in_pdf(content), stated_in_source(unfilled))
    return scans.stated(writer.document(source, stated_title, stated, hidden, sizes))


def _why_nothing(unread: Sequence[UnreadPage]) -> str:
    if not unread:
        return (
            "has no text that can be extracted, and text recognition (OCR) found none in its "
            "pictures; add the text itself"
        )
    return (
        f"has no text that can be extracted, it looks like a scan, and {unread_in_words(unread)}; "
        "or run text recognition (OCR) over it elsewhere, and add the result"
    )


def _read(content: bytes, scans: Scans) -> tuple[str, list[_Page], tuple[HiddenText, ...]]:
    document = _opened(content)
    try:
        hidden: list[HiddenText] = []
        with ExitStack() as closing:
            tables = RuledTables(content, closing)
            pages = list(_pages(document, tables, len(content), hidden, scans))
        title = " ".join(document.get_metadata_value("Title").split())
    except pdfium.PdfiumError as error:
        raise UnreadableDocument("is damaged; print it to a new PDF, and add that") from error
    finally:
        document.close()
    return "" if _NO_TITLE.fullmatch(title) else title, pages, tuple(hidden)


def _pages(
    document: pdfium.PdfDocument,
    lines: RuledTables,
    size: int,
    hidden: list[HiddenText],
    scans: Scans,
) -> Iterator[_Page]:
    """One after another: the characters of one page at a time are held.

    `size`: of the file, in bytes. What people do not see is added to `hidden`.
    """
    count = 0
    before: Grid | None = None
    packed = MOST_CHARACTERS_A_PAGE + MOST_CHARACTERS_A_BYTE * size
    for number in range(len(document)):
        filled_in, values_from = page_without_values(document, number)
        page = page_with_values(document, number)
        drawn = with_raised(characters(page))
        count += len(drawn)
        require_at_most(count, MOST_CHARACTERS, "characters of text")
        if count > packed:
            raise UnreadableDocument(
                "has far more text than a file of its size can hold, as its pages repeat each "
                "other; print the pages that differ to a new PDF, and add that"
            )
        text, unseen = without_hidden(page, drawn, number + 1)
        hidden.extend(unseen)
        width, height = page.get_size()
        shown = PageSize(number + 1, width, height, is_form=filled_in)
        has_layer = any(piece.way == Way.PICTURED for piece in unseen)
        if scan := None if has_layer else scans.page(page, number + 1, text):
            yield _Page(shown, scan.height, page_blocks(scan.characters, ()))
        else:
            text, marks = without_watermarks(text)
            own = [each for each in text if each.index < values_from]
            unfilled = list(_lines_of(page_blocks(own, ())))
            text = beside_labels(text, values_from) if values_from else text
            ruled = lines.on(number, PageGeometry(page)) if text and may_hold_tables(page) else ()
            aligned = aligned_tables(text, edges_across(page), before) if text else []
            tables = preferred(ruled, aligned)
            last = max(tables, key=lambda each: each.box[3], default=None)
            before = last if last and last.box[3] > shown.height / 2 else None
            blocks = page_blocks(text, tables)
            mark_items((each for each in blocks if isinstance(each, Line)), dots_on(page))
            pictures = _pictures(page, blocks)
            yield _Page(shown, shown.height, [*blocks, *marks], pictures, marks, unfilled)
        page.close()


def _pictures(page: pdfium.PdfPage, blocks: Sequence[Line | Table]) -> list[Rectangle]:
    """None are looked for where no caption stands."""
    captions = captions_in(blocks)
    tables = [block.box for block in blocks if isinstance(block, Table)]
    return pictures_on(page, captions, tables) if captions else []


def _opened(content: bytes) -> pdfium.PdfDocument:
    try:
        return pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower():
            raise UnreadableDocument(
                "is protected by a password; save a copy without one, and add that"
            ) from error
        raise UnreadableDocument(
            "is damaged, or not a PDF; open it in a reader and save it again"
        ) from error


def _lines_of(blocks: Sequence[Line | Table]) -> Iterator[Line]:
    return (line for block in blocks for line in lines_in(block))
