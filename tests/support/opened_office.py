"""Office files and books opened at a stated place by other readers than the parsers."""

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator
from datetime import datetime, time
from typing import Any

import docx
import openpyxl
import pptx
from lxml import etree
from openpyxl.cell import Cell
from openpyxl.cell.rich_text import CellRichText, TextBlock

from retrieval.types import Sentence

Opened = Callable[[Sentence], str]
"""What stands at a sentence's place."""

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


def _shown(cell: Cell) -> str:
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
