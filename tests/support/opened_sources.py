"""Sources opened at the place that a passage states, by other readers than the parsers."""

import io
import re
import unicodedata
from datetime import UTC, datetime
from html import unescape
from pathlib import PurePath

import pdfplumber
from pdfplumber.pdf import PDF

from bot.lab.proof.places import Check, place_checker
from retrieval.ingest.chunking import cut
from retrieval.parsing import parser_for
from retrieval.types import Box, Document, Metadata, Passage, Sentence


def assert_places_yield_their_text(file: str, content: bytes) -> list[Passage]:
    """Of each passage each sentence, or each cell of a row, is found where it is said to be."""
    parsed = parser_for(file)(content)
    now = datetime(2026, 1, 1, tzinfo=UTC)
    passages = cut(Document(file, file, "1", now, parsed.title, Metadata()), parsed)
    assert passages
    is_pdf = PurePath(file).suffix == ".pdf"
    stands = _boxes_checker(content) if is_pdf else place_checker(content, file, parsed.hidden)
    for passage in passages:
        assert passage.place().page == passage.sentences[0].page
        for number, sentence in enumerate(passage.sentences):
            assert stands(sentence, passage.quote(number, number)), (file, sentence)
    return passages


def _boxes_checker(content: bytes) -> Check:
    """Whether boxes hold a quote, or those of cells their values, and nothing else."""
    document = pdfplumber.open(io.BytesIO(content))

    def stands(sentence: Sentence, quote: str) -> bool:
        if sentence.picture:
            _assert_picture_stands_apart(document, sentence, sentence.picture)
        held = [
            ([cell.box] if cell.box else [], sentence.text[cell.start : cell.end])
            for cell in sentence.cells
        ] or [(list(sentence.boxes), quote)]
        return all(
            {box.page for box in boxes} == {sentence.page}
            and _letters(" ".join(_inside(document, box) for box in boxes)) == _letters(said)
            for boxes, said in held
        )

    return stands


def _letters(text: str) -> str:
    """Without white space, markup's signs and hyphens, ligatures as the letters they stand for."""
    plain = unicodedata.normalize("NFKC", unescape(text))
    return re.sub(r"[\s*_`\\|\[\]\u00ad\u200b\u2010-]", "", plain)


def _assert_picture_stands_apart(document: PDF, sentence: Sentence, picture: Box) -> None:
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
