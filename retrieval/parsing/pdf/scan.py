"""A page that was read from a picture: its characters, and how surely each word was read.

The characters are as a page of text has them, so that lines, paragraphs, headings and columns
are found in the same way. A page that lies on its side is laid out upright; only the boxes of
finished sentences are turned back (`Scan.stated_of`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.parsing.pdf.text import Character, Rectangle, Style
from retrieval.parsing.recognition.hocr import RecognisedLine, RecognisedWord
from retrieval.types import Box, Sentence

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
