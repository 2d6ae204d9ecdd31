"""Tesseract says what it read in hOCR: HTML whose titles hold places and confidence.

Places count in points of the picture from its top left corner. See
https://kba.github.io/hocr-spec/1.2/ for `bbox`, `baseline` and `x_wconf`; `x_size` is
Tesseract's own, the height of a line from its ascenders to its descenders.
"""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

_NUMBERS = re.compile(r"(\w+)((?: -?[\d.]+)+)")
_LINES = frozenset({"ocr_line", "ocr_header", "ocr_caption", "ocr_textfloat"})
_WORD = "ocrx_word"
_FEW_LETTERS = 4
"""A line of fewer may be higher than wide."""

Rectangle = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class RecognisedWord:
    """A word was read with a confidence from 0 to 1."""

    text: str
    box: Rectangle
    confidence: float


@dataclass(slots=True)
class RecognisedLine:
    """A line has one word at least, left to right."""

    box: Rectangle
    size: float
    """From ascenders to descenders."""
    slope: float
    """Of the baseline: points down for each point to the right."""
    offset: float
    """Of the baseline at the left edge, from the bottom of the box; seldom above 0."""
    words: list[RecognisedWord] = field(default_factory=list)

    def baseline_at(self, x: float) -> float:
        return self.box[3] + self.offset + self.slope * (x - self.box[0])

    @property
    def is_level(self) -> bool:
        """Whether its words stand beside each other; Tesseract reads some that climb, too."""
        left, top, right, bottom = self.box
        return self.length < _FEW_LETTERS or right - left >= bottom - top

    @property
    def length(self) -> int:
        return sum(len(word.text) for word in self.words)

    @property
    def confidence(self) -> float:
        """The mean of its words', each as often as it has characters."""
        return sum(len(word.text) * word.confidence for word in self.words) / self.length


def lines_of(hocr: str) -> list[RecognisedLine]:
    reader = _Reader()
    reader.feed(hocr)
    reader.close()
    return [line for line in reader.lines if line.words]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[RecognisedLine] = []
        self._word: dict[str, list[float]] | None = None
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = dict(attrs)
        kind = held.get("class") or ""
        if tag != "span" or (kind not in _LINES and kind != _WORD):
            return
        said = _stated(held.get("title") or "")
        if kind == _WORD:
            self._word, self._text = said, ""
        else:
            box = _box(said)
            slope, offset = (*said.get("baseline", ()), 0.0, 0.0)[:2]
            size = said.get("x_size", [box[3] - box[1]])[0]
            self.lines.append(RecognisedLine(box, size, slope, offset))

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag != "span" or self._word is None:
            return
        text = "".join(self._text.split())
        if text and self.lines:
            sure = self._word.get("x_wconf", [0.0])[0] / 100
            word = RecognisedWord(text, _box(self._word), min(max(sure, 0.0), 1.0))
            self.lines[-1].words.append(word)
        self._word = None


def _stated(title: str) -> dict[str, list[float]]:
    """Such as `bbox 10 20 30 40; x_wconf 96`."""
    return {
        name: [float(number) for number in numbers.split()]
        for name, numbers in _NUMBERS.findall(title)
    }


def _box(said: dict[str, list[float]]) -> Rectangle:
    left, top, right, bottom = (*said.get("bbox", ()), 0.0, 0.0, 0.0, 0.0)[:4]
    return left, top, right, bottom
