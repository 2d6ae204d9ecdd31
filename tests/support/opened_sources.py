"""Sources opened at the place that a passage states, by other readers than the parsers."""

import io
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from html import unescape
from pathlib import PurePath

import opened_office as office
import pdfplumber
from opened_office import Opened
from pdfplumber.pdf import PDF

from retrieval.ingest.chunking import cut
from retrieval.parsing import parser_for
from retrieval.types import Box, Cell, Document, Metadata, Passage, Sentence


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


_OPENERS: Mapping[str, Callable[[bytes], Opened]] = {
    ".pdf": _pdf,
    ".docx": office.word,
    ".xlsx": office.workbook,
    ".pptx": office.presentation,
    ".epub": office.book,
}
