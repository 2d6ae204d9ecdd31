"""Sources opened at the place that a passage states, by other readers than the parsers."""

import io
import posixpath
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, time
from html import unescape
from pathlib import PurePath
from typing import Any

import docx
import openpyxl
import pdfplumber
import pptx
from lxml import etree
from openpyxl.cell import Cell as WorkbookCell
from openpyxl.cell.rich_text import CellRichText, TextBlock
from pdfplumber.pdf import PDF

from retrieval.ingest.chunking import cut
from retrieval.parsing import parser_for
from retrieval.types import Box, Cell, Document, Metadata, Passage, Sentence

Opened = Callable[[Sentence], str]
"""What stands at a sentence's place."""


def passages_of(file: str, content: bytes) -> list[Passage]:
    parsed = parser_for(file)(content)
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return cut(Document(file, file, "1", now, parsed.title, Metadata()), parsed)


def assert_places_yield_their_text(file: str, content: bytes) -> list[Passage]:
    """Of each passage each sentence, or each cell of a row, is found where it is said to be."""
    passages = passages_of(file, content)
    assert passages
    suffix = PurePath(file).suffix
    opened = _OPENERS.get(suffix, _text)(content)
    for passage in passages:
        assert passage.place().page == passage.sentences[0].page
        for number, sentence in enumerate(passage.sentences):
            held = opened(sentence)
            for value in _said(sentence):
                assert letters(value) in letters(held), (file, sentence)
            if suffix == ".pdf" and not sentence.cells:
                assert letters(held) == letters(passage.quote(number, number)), (file, sentence)
    return passages


def letters(text: str) -> str:
    """Without white space, markup's signs and hyphens, ligatures as the letters they stand for."""
    plain = unicodedata.normalize("NFKC", unescape(text))
    return re.sub(r"[\s*_`\\|\[\]\u00ad\u200b\u2010-]", "", plain)


def _said(sentence: Sentence) -> list[str]:
    """Names of columns stand in another row."""
    values = [sentence.text[cell.start : cell.end] for cell in sentence.cells]
    return values or [sentence.text]


def _pdf(content: bytes) -> Opened:
    document = pdfplumber.open(io.BytesIO(content))

    def opened(sentence: Sentence) -> str:
        boxes: Sequence[Box] = sentence.boxes
        if sentence.cells:
            boxes = [cell.box for cell in sentence.cells if cell.box]
            for cell in sentence.cells:
                assert_cell_holds(document, sentence, cell)
        assert {box.page for box in boxes} == {sentence.page}
        if sentence.picture:
            assert_picture_stands_apart(document, sentence, sentence.picture)
        return " ".join(_inside(document, box) for box in boxes)

    return opened


def assert_cell_holds(document: PDF, sentence: Sentence, cell: Cell) -> None:
    """Its value and nothing else."""
    assert cell.box is not None
    value = sentence.text[cell.start : cell.end]
    assert letters(_inside(document, cell.box)) == letters(value)


def assert_picture_stands_apart(document: PDF, sentence: Sentence, picture: Box) -> None:
    """On the page of its caption, of which it holds no word."""
    page = document.pages[picture.page - 1]
    assert picture.page == sentence.page
    assert 0 <= picture.x0 < picture.x1 <= page.width
    assert 0 <= picture.y0 < picture.y1 <= page.height
    for box in sentence.boxes:
        middle = (box.y0 + box.y1) / 2
        assert middle <= picture.y0 or picture.y1 <= middle


def _inside(document: PDF, box: Box) -> str:
    """The characters whose middles are in a box, line by line."""
    page = document.pages[box.page - 1]
    held = [
        each
        for each in page.chars
        if box.x0 <= (each["x0"] + each["x1"]) / 2 <= box.x1
        and box.y0 <= (each["top"] + each["bottom"]) / 2 <= box.y1
    ]
    return "".join(each["text"] for each in held)


def _text(content: bytes) -> Opened:
    lines = content.decode("utf-8-sig").splitlines()

    def opened(sentence: Sentence) -> str:
        assert sentence.line_start is not None
        assert sentence.line_end is not None
        held = "\n".join(lines[sentence.line_start - 1 : sentence.line_end])
        return re.sub(r"<[^>]*>|\]\([^)]*\)|[\[\]]", "", held)

    return opened


_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_TAKEN_OUT = {
    f"{_WORD}del",
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback",
}
_EMU = 12_700
"""In a point."""


def word(content: bytes) -> Opened:
    archive = zipfile.ZipFile(io.BytesIO(content))
    body = etree.fromstring(archive.read("word/document.xml"))[0]
    notes = dict(_notes(archive))
    paragraphs = [_text_of(child, notes) for child in body if child.tag == f"{_WORD}p"]
    tables = docx.Document(io.BytesIO(content)).tables
    rows = [
        " ".join(" ".join(cell.text for cell in row.cells).split())
        for table in tables
        for row in table.rows
    ]

    def opened(sentence: Sentence) -> str:
        assert sentence.paragraph is not None
        if not sentence.cells:
            return paragraphs[sentence.paragraph - 1]
        values = [sentence.text[cell.start : cell.end] for cell in sentence.cells]
        return next(row for row in rows if all(value in row for value in values))

    return opened


def _notes(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """By the name of their reference and its number."""
    for kind in ("footnote", "endnote"):
        if (name := f"word/{kind}s.xml") in archive.namelist():
            for note in etree.fromstring(archive.read(name)):
                yield f"{kind}Reference {note.get(f'{_WORD}id')}", _text_of(note, {})


def _text_of(element: Any, notes: dict[str, str]) -> str:
    """The text with changes accepted, and at its end that of the notes referred to."""
    texts, noted = [], []
    for each in element.iter(f"{_WORD}*"):
        name = each.tag.removeprefix(_WORD)
        if name == "t" and not any(above.tag in _TAKEN_OUT for above in each.iterancestors()):
            texts.append(each.text or "")
        noted.append(notes.get(f"{name} {each.get(f'{_WORD}id')}", ""))
    return "".join([*texts, *noted])


def workbook(content: bytes) -> Opened:
    book = openpyxl.load_workbook(io.BytesIO(content), data_only=True, rich_text=True)

    def opened(sentence: Sentence) -> str:
        sheet = book[sentence.page_label.removeprefix("sheet ")]
        assert sentence.cells
        return " ".join(_shown(sheet[cell.reference]) for cell in sentence.cells)

    return opened


def _shown(cell: WorkbookCell) -> str:
    """All that people may read in it: a number has several looks."""
    match cell.value:
        case CellRichText() as runs:
            return "".join(
                str(run) for run in runs if not (isinstance(run, TextBlock) and run.font.strike)
            )
        case datetime() as day:
            return f"{day:%Y-%m-%d} {day:%H:%M}"
        case time() as at:
            return f"{at:%H:%M}"
        case bool() as so:
            return str(so).upper()
        case int() | float() as number:
            return f"{number:g} {number:,.2f} \N{EURO SIGN} {number:.1%} {number:.0%}"
        case value:
            return str(value)


def presentation(content: bytes) -> Opened:
    slides = list(pptx.Presentation(io.BytesIO(content)).slides)

    def opened(sentence: Sentence) -> str:
        assert sentence.page is not None
        assert sentence.page_label == f"slide {sentence.page}"
        (box,) = sentence.boxes
        held = [
            text
            for left, top, right, bottom, text in _shapes(slides[sentence.page - 1].shapes)
            if left - 1 <= box.x0
            and top - 1 <= box.y0
            and box.x1 <= right + 1
            and box.y1 <= bottom + 1
        ]
        return " ".join(held)

    return opened


def _shapes(shapes: Any) -> Iterator[tuple[float, float, float, float, str]]:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
            continue
        left, top = shape.left / _EMU, shape.top / _EMU
        edges = left, top, left + shape.width / _EMU, top + shape.height / _EMU
        if getattr(shape, "has_table", False):
            yield *edges, " ".join(cell.text for row in shape.table.rows for cell in row.cells)
        elif shape.has_text_frame:
            yield *edges, shape.text_frame.text


def book(content: bytes) -> Opened:
    archive = zipfile.ZipFile(io.BytesIO(content))
    container = etree.fromstring(archive.read("META-INF/container.xml"))
    package = container.find(".//{*}rootfile").get("full-path")
    read = etree.fromstring(archive.read(package))
    files = {item.get("id"): item.get("href") for item in read.iterfind(".//{*}manifest/{*}item")}
    spine = [files[each.get("idref")] for each in read.iterfind(".//{*}spine/{*}itemref")]

    def opened(sentence: Sentence) -> str:
        assert sentence.line_start is not None
        assert sentence.line_end is not None
        chapter = spine[int(sentence.page_label.removeprefix("chapter ")) - 1]
        name = posixpath.join(posixpath.dirname(package), chapter)
        lines = archive.read(name).decode().splitlines()
        held = "\n".join(lines[sentence.line_start - 1 : sentence.line_end])
        return re.sub(r"<[^>]*>?|^[^<>]*>", "", held)

    return opened


_OPENERS: Mapping[str, Callable[[bytes], Opened]] = {
    ".pdf": _pdf,
    ".docx": word,
    ".xlsx": workbook,
    ".pptx": presentation,
    ".epub": book,
}
