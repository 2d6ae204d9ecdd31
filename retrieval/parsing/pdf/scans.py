"""A page that is a picture is read by text recognition, where that is on and installed.

The characters are as a page of text has them, so that lines, paragraphs, headings and columns are
found in the same way. A page that lies on its side is laid out upright; only the boxes of finished
sentences are turned back (`Scan.stated_of`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.parsing.pdf.characters import Character, PageGeometry, Style
from retrieval.parsing.pdf.drawing import area_of, objects_of
from retrieval.parsing.recognition import (
    DPI,
    LARGEST_SIDE,
    NotRecognised,
    RecognisedLine,
    RecognisedWord,
    Recognition,
    can_detect_orientation,
    lines_in,
    missing,
    turn_of,
)
from retrieval.parsing.rectangles import Rectangle
from retrieval.types import Box, Fragment, ParsedDocument, Sentence, UnreadPage

if TYPE_CHECKING:
    from retrieval.parsing.recognition import Picture

_ALIKE = 0.15
"""Of a size: Tesseract's sizes of one font differ as much from line to line."""
_DESCENT = 0.22
"""Of a size: how far it reaches below the baseline."""
_FONT = "read from a picture"


@dataclass(frozen=True, slots=True)
class Scan:
    """A page was read from a picture; its places are those of the page turned upright."""

    characters: tuple[Character, ...]
    confidences: tuple[tuple[Rectangle, float], ...]
    """Of each word its place, and from 0 to 1 how surely it was read."""
    size: tuple[float, float]
    """Width and height of the page as it is shown, in points."""
    turn: int
    """Quarters clockwise that brought it upright."""

    @property
    def height(self) -> float:
        """Of the page turned upright."""
        return self.size[self.turn % 2 == 0]

    def stated_of(self, sentence: Sentence) -> Sentence:
        """The sentence with its confidence, its boxes on the page as it is shown."""
        held = [
            sure
            for place, sure in self.confidences
            if any(_holds(box, place) for box in sentence.boxes)
        ]
        least = min(held or [sure for _, sure in self.confidences])
        boxes = tuple(self._turned_back(box) for box in sentence.boxes)
        return replace(sentence, recognised=least, boxes=boxes)

    def _turned_back(self, box: Box) -> Box:
        width, height = self.size
        corners = [(box.x0, box.y0), (box.x1, box.y1)]
        match self.turn:
            case 1:
                corners = [(y, height - x) for x, y in corners]
            case 2:
                corners = [(width - x, height - y) for x, y in corners]
            case 3:
                corners = [(width - y, x) for x, y in corners]
        (a, b), (c, d) = corners
        return Box(box.page, min(a, c), min(b, d), max(a, c), max(b, d))


def scan_of(
    lines: Sequence[RecognisedLine], scale: float, size: tuple[float, float], turn: int
) -> Scan:
    """From the points of a picture, `scale` of a page's points each, to a page."""
    width, height = size if turn % 2 == 0 else size[::-1]
    sizes = _sizes(lines)
    characters: list[Character] = []
    confidences: list[tuple[Rectangle, float]] = []
    for number, line in enumerate(lines):
        style = Style(_FONT, round(sizes[number] * scale * 2) / 2, False, (0, 0, 0))
        for word in line.words:
            box = _shown(word, line, sizes[number], scale, (width, height))
            confidences.append((box, word.confidence))
            if characters and characters[-1].line == number:
                characters.append(Character(len(characters), " ", None, style, number))
            characters += _characters(word.text, box, style, number, len(characters))
    return Scan(tuple(characters), tuple(confidences), size, turn)


def _sizes(lines: Sequence[RecognisedLine]) -> list[float]:
    """Of each line, those that are alike made one: the size of most of their characters.

    Layout tells a heading and a paragraph's end by a difference in size.
    """
    chosen: list[float] = []
    for line in sorted(lines, key=lambda each: -each.length):
        if not any(abs(line.size - size) <= _ALIKE * size for size in chosen):
            chosen.append(line.size)
    return [
        next(size for size in chosen if abs(line.size - size) <= _ALIKE * size) for line in lines
    ]


def _shown(
    word: RecognisedWord,
    line: RecognisedLine,
    size: float,
    scale: float,
    page: tuple[float, float],
) -> Rectangle:
    """A word's place, as high as its line: from ascenders to descenders, whatever it has."""
    left, _, right, _ = word.box
    bottom = line.baseline_at((left + right) / 2) + _DESCENT * size
    width, height = page
    return (
        min(max(left * scale, 0.0), width),
        min(max((bottom - size) * scale, 0.0), height),
        min(max(right * scale, 0.0), width),
        min(max(bottom * scale, 0.0), height),
    )


def _characters(
    text: str, box: Rectangle, style: Style, line: int, index: int
) -> Iterator[Character]:
    """Each in an equal share of its word's width: Tesseract's places of letters are vague."""
    left, top, right, bottom = box
    each = (right - left) / len(text)
    for place, letter in enumerate(text):
        at = left + place * each
        yield Character(index + place, letter, (at, top, at + each, bottom), style, line)


def _holds(box: Box, place: Rectangle) -> bool:
    x, y = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1


POINTS_AN_INCH = 72
MOST_POINTS = 25_000_000
"""Of a picture: a larger page than A3 is drawn smaller."""
PAGE_SECONDS = 60
"""By the clock: a full page takes some 3 seconds."""
FEW_CHARACTERS = 100
"""A page of a scan may have a stamp, a page number or an address as text."""
MOST_OF_THE_PAGE = 0.8
"""Of its area: a picture that covers so much of a page with few characters is the page."""
_MORE = 2
"""Times the characters of a page's own text: a picture that says no more is an ornament, and the
text is surer than what is read of it."""
_FEWEST_SEGMENTS = 100
"""Letters may be drawn as areas, some 20 segments each; fewer are rules and frames."""
_DEEPEST_FORM = 15
_LEAST_DIFFERENCE = 32
"""Of 255: where no two points of a page differ as much, it is blank but for a scanner's noise."""
_DARK = 128
"""Of 255: a blank page is white, and a picture that cannot be decoded is drawn black."""
NOISE = 0.3
"""A line that is read with less confidence is no text: grain, a photograph, a rule."""
WEAK = 0.6
"""A page that is read with less confidence may lie on its side."""
T = TypeVar("T")


class Scans:
    """The pages of one document that are pictures; they are read within its time."""

    def __init__(self, recognition: Recognition) -> None:
        self._recognition = recognition
        self._left = float(recognition.seconds)
        self._missing: str | None = None
        self.read: dict[int, Scan] = {}
        """By page, from 1."""
        self.unread: list[UnreadPage] = []
        """Pages that show something which nobody read."""

    def page(self, page: pdfium.PdfPage, number: int, text: Sequence[Character]) -> Scan | None:
        """Read a page on which people see `text`; None where that is all that can be read."""
        if not _is_picture(page, text):
            return None
        try:
            at_a_glance, _ = _drawn(page, POINTS_AN_INCH)
            if int(at_a_glance.max()) - int(at_a_glance.min()) < _LEAST_DIFFERENCE:
                if int(at_a_glance.max()) < _DARK:
                    raise NotRecognised("its picture is damaged; scan it again, or save it anew")
                return None
            scan = self._scan(page)
        except NotRecognised as error:
            self.unread.append(UnreadPage(number, str(error)))
            return None
        if len(scan.characters) <= _MORE * len(text):
            return None
        self.read[number] = scan
        return scan

    def stated(self, document: ParsedDocument) -> ParsedDocument:
        """The document, with what is known of its pages that are pictures."""
        if not self.read:
            return replace(document, unread=tuple(self.unread))
        return replace(
            document,
            fragments=tuple(map(self._fragment, document.fragments)),
            headings=tuple(
                replace(each, sentence=self._stated_of(each.sentence)) for each in document.headings
            ),
            left_out=tuple(map(self._fragment, document.left_out)),
            unread=tuple(self.unread),
        )

    def _fragment(self, fragment: Fragment) -> Fragment:
        return replace(fragment, sentences=tuple(map(self._stated_of, fragment.sentences)))

    def _stated_of(self, sentence: Sentence) -> Sentence:
        scan = self.read.get(sentence.page or 0)
        return scan.stated_of(sentence) if scan else sentence

    def _scan(self, page: pdfium.PdfPage) -> Scan:
        if self._missing is None:
            self._missing = missing(self._recognition)
        if self._missing:
            raise NotRecognised(self._missing)
        picture, scale = _drawn(page, DPI)
        turn, found = 0, self._timed(lambda most: self._lines(picture, most))
        if _sureness(found) < WEAK:
            turn, found = self._turned(picture, found)
        text = [line for line in found if _is_text(line)]
        return scan_of(text, 1 / scale, page.get_size(), turn)

    def _turned(
        self, picture: "Picture", found: list[RecognisedLine]
    ) -> tuple[int, list[RecognisedLine]]:
        """The surer reading: as the page lies, or upright. Raise `NotRecognised`."""
        if not can_detect_orientation():
            if any(map(_is_text, found)):
                return 0, found
            raise NotRecognised("it may lie on its side; install Debian's tesseract-ocr-osd")
        turn = self._timed(lambda most: turn_of(picture, most))
        if turn == 0:
            return 0, found
        upright = np.ascontiguousarray(np.rot90(picture, -turn))
        other = self._timed(lambda most: self._lines(upright, most))
        return (turn, other) if _sureness(other) > _sureness(found) else (0, found)

    def _lines(self, picture: "Picture", seconds: float) -> list[RecognisedLine]:
        return lines_in(picture, self._recognition.languages, seconds)

    def _timed(self, step: Callable[[float], T]) -> T:
        """Take a step within what is left of the time, or raise `NotRecognised`."""
        most = min(self._left, PAGE_SECONDS)
        if most <= 0:
            raise NotRecognised(
                f"pages before it took all {self._recognition.seconds} seconds; split the file, or "
                "raise VOUCH_OCR_SECONDS"
            )
        began = monotonic()
        try:
            return step(most)
        finally:
            self._left -= monotonic() - began


def _is_picture(page: pdfium.PdfPage, text: Sequence[Character]) -> bool:
    """Whether what a page says may stand in a picture of it."""
    count = sum(not character.text.isspace() for character in text)
    if count >= FEW_CHARACTERS:
        return False
    if count == 0:
        return next(_images(page), None) is not None or _segments(page) >= _FEWEST_SEGMENTS
    width, height = page.get_size()
    return any(
        (right - left) * (bottom - top) >= MOST_OF_THE_PAGE * width * height
        for left, top, right, bottom in _images(page)
    )


def _segments(page: pdfium.PdfPage) -> int:
    paths = page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=_DEEPEST_FORM)
    return sum(max(0, raw.FPDFPath_CountSegments(path.raw)) for path in paths)


def _images(page: pdfium.PdfPage) -> Iterator[Rectangle]:
    geometry = PageGeometry(page)
    for obj, matrix in objects_of(page):
        is_image = raw.FPDFPageObj_GetType(obj) == raw.FPDF_PAGEOBJ_IMAGE
        if is_image and (area := area_of(obj, matrix, geometry)):
            yield area


def _drawn(page: pdfium.PdfPage, dpi: float) -> tuple["Picture", float]:
    """The page as it is shown, at most at `dpi`, and its points for each point of the page."""
    width, height = page.get_size()
    scale = min(
        dpi / POINTS_AN_INCH,
        sqrt(MOST_POINTS / max(1.0, width * height)),
        LARGEST_SIDE / max(1.0, width, height),
    )
    bitmap = page.render(scale=scale, grayscale=True)
    picture = np.array(bitmap.to_numpy()).reshape(bitmap.height, bitmap.width, -1)[:, :, 0]
    bitmap.close()
    return np.ascontiguousarray(picture), scale


def _sureness(lines: Sequence[RecognisedLine]) -> float:
    """How surely a page was read, from 0 to 1: the mean of its level lines, all others as 0."""
    length = sum(line.length for line in lines)
    level = sum(line.length * line.confidence for line in lines if line.is_level)
    return level / length if length else 0.0


def _is_text(line: RecognisedLine) -> bool:
    says = any(letter.isalnum() for word in line.words for letter in word.text)
    return says and line.is_level and line.confidence >= NOISE
