"""People see only some words of a PDF page.

Two ways are gone. What the page says of each piece of text: its render mode, colour and size,
what is painted behind and over it. And the page as it is drawn: where nothing is drawn, nothing
is seen, whatever the reason (layers, masks, clips).

Invisible text over or under a picture is how text recognition adds what a scan shows: it is
read as the picture's text, and reported.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.parsing.hiding import SMALLEST_TYPE, WHITE, Rgb, Verdict, Way, verdict_on
from retrieval.parsing.pdf.characters import Character
from retrieval.parsing.pdf.drawing import (
    MOST_PAINTS,
    Drawing,
    Ink,
    Kind,
    Paint,
    address,
    drawing_of,
)
from retrieval.parsing.rectangles import Rectangle, meet, spanned
from retrieval.types import HiddenText

_LOWEST = 1.0
"""Points: of a word that is drawn no higher nothing can be read; a dash is not much higher."""
LEAST_DIFFERENCE = 6
"""Of 255: where no two points of a word's place differ as much, nothing is drawn."""
_MOST_POINTS = 4_000_000
"""A larger page is drawn smaller."""
_TOLERANCE = 1.0
"""Points by which a word may stand out of what is behind or over it."""


@dataclass(frozen=True, slots=True)
class Word:
    characters: tuple[Character, ...]
    box: Rectangle
    ink: Ink | None

    @property
    def text(self) -> str:
        return "".join(character.text for character in self.characters)


def without_hidden(
    page: pdfium.PdfPage, characters: Sequence[Character], number: int
) -> tuple[list[Character], list[HiddenText]]:
    """The characters without those that are hidden, and what was hidden or may be.

    `number` is the page's, from 1.
    """
    if not characters:
        return [], []
    text_page = page.get_textpage()
    words = list(_words(characters, text_page, drawing := drawing_of(page)))
    text_page.close()
    eye = _Eye(page, drawing)
    verdicts = [(word, eye.verdict(word)) for word in words]
    hidden = {
        character.index
        for word, verdict in verdicts
        if verdict is not None and verdict.left_out
        for character in word.characters
    }
    return list(_without(characters, hidden)), list(_pieces(verdicts, number))


def _words(
    characters: Sequence[Character], text_page: pdfium.PdfTextPage, drawing: Drawing
) -> Iterator[Word]:
    def owner(character: Character) -> tuple[int, int] | None:
        if character.box is None or character.text.isspace():
            return None
        text = raw.FPDFText_GetTextObject(text_page, character.index)
        return character.line, address(text)

    for owned, group in groupby(characters, key=owner):
        if owned is not None:
            held = tuple(group)
            boxes = [character.box for character in held if character.box is not None]
            yield Word(held, spanned(*boxes), drawing.inks.get(owned[1]))


def _without(characters: Sequence[Character], hidden: set[int]) -> Iterator[Character]:
    """Spaces after a hidden word go with it."""
    after_hidden = False
    for character in characters:
        if character.index in hidden:
            after_hidden = True
        elif not (after_hidden and character.text.isspace()):
            after_hidden = False
            yield character


def _pieces(verdicts: Sequence[tuple[Word, Verdict | None]], number: int) -> Iterator[HiddenText]:
    for verdict, group in groupby(verdicts, key=lambda judged: judged[1]):
        if verdict is not None:
            text = " ".join(word.text for word, _ in group)
            yield HiddenText(text, verdict.way.value, f"page {number}", verdict.left_out)


class _Eye:
    def __init__(self, page: pdfium.PdfPage, drawing: Drawing) -> None:
        self._width, self._height = page.get_size()
        self._scale = min(1.0, sqrt(_MOST_POINTS / max(1.0, self._width * self._height)))
        self._picture = _drawn(page, self._scale)
        self._paints = drawing.paints if len(drawing.paints) <= MOST_PAINTS else []
        self._is_mapped = len(drawing.paints) <= MOST_PAINTS
        self._boxes = np.array([paint.box for paint in self._paints]).reshape(-1, 4)

    def verdict(self, word: Word) -> Verdict | None:
        """How a word is hidden; None where it is seen."""
        if not meet(word.box, (0.0, 0.0, self._width, self._height)):
            return Verdict(Way.AWAY)
        _, top, _, bottom = word.box
        if word.characters[0].style.size <= SMALLEST_TYPE or bottom - top <= _LOWEST:
            return Verdict(Way.TINY)
        shows_something = self._shows_something(word.box)
        found = None if word.ink is None else self._of_ink(word.box, word.ink, shows_something)
        if found is None and not shows_something:
            return Verdict(Way.NOT_DRAWN)
        return found

    def _of_ink(self, box: Rectangle, ink: Ink, shows_something: bool) -> Verdict | None:
        if ink.clip is not None and not meet(ink.clip, box):
            return Verdict(Way.CUT_AWAY)
        around = self._around(box)
        over = [paint for paint in around if paint.order > ink.order]
        behind = [paint for paint in around if paint.order < ink.order]
        is_pictured = shows_something and any(p.kind is Kind.PICTURE for p in around)
        if ink.is_known and not ink.colours:
            return Verdict(Way.PICTURED, left_out=False) if is_pictured else Verdict(Way.INVISIBLE)
        if any(paint.kind is Kind.SOLID for paint in over):
            return Verdict(Way.COVERED)
        if any(paint.kind is Kind.PICTURE for paint in over):
            return Verdict(Way.PICTURED if shows_something else Way.COVERED, not shows_something)
        return self._of_colour(box, ink, behind)

    def _of_colour(self, box: Rectangle, ink: Ink, behind: Sequence[Paint]) -> Verdict | None:
        ground = self._ground(box, ink, behind)
        if not ink.is_known or ground is None:
            return None
        return verdict_on(ink.colours, ground)

    def _ground(self, box: Rectangle, ink: Ink, behind: Sequence[Paint]) -> Rgb | None:
        """What is right behind a word; None where it is not one colour."""
        last = behind[-1] if behind else Paint(-1, Kind.SOLID, box, WHITE)
        between = (paint for paint in self._touching(box) if last.order < paint.order < ink.order)
        if not self._is_mapped or last.kind is not Kind.SOLID or next(between, None) is not None:
            return None
        return last.rgb

    def _around(self, box: Rectangle) -> list[Paint]:
        """What is painted all over a word's place, in order."""
        left, top, right, bottom = box
        x, y = min(_TOLERANCE, (right - left) / 4), (bottom - top) / 4
        x0, y0, x1, y1 = self._boxes.T
        held = (x0 <= left + x) & (y0 <= top + y) & (x1 >= right - x) & (y1 >= bottom - y)
        return [self._paints[index] for index in np.flatnonzero(held)]

    def _touching(self, box: Rectangle) -> Iterator[Paint]:
        left, top, right, bottom = box
        x0, y0, x1, y1 = self._boxes.T
        held = (x0 < right) & (x1 > left) & (y0 < bottom) & (y1 > top)
        return (self._paints[index] for index in np.flatnonzero(held))

    def _shows_something(self, box: Rectangle) -> bool:
        """Whether the page, as it is drawn, differs anywhere in a word's place."""
        left, top, right, bottom = (edge * self._scale for edge in box)
        rows = slice(max(0, int(top) - 1), int(bottom) + 2)
        columns = slice(max(0, int(left) - 1), int(right) + 2)
        place = self._picture[rows, columns].reshape(-1, self._picture.shape[2])
        if not place.size:
            return False
        differences = place.max(axis=0).astype(int) - place.min(axis=0)
        return bool(differences.max() >= LEAST_DIFFERENCE)


def _drawn(page: pdfium.PdfPage, scale: float) -> npt.NDArray[np.uint8]:
    """Rows, columns, colours."""
    bitmap = page.render(scale=scale, rev_byteorder=True)
    drawn: npt.NDArray[np.uint8] = np.array(bitmap.to_numpy())[:, :, :3]
    bitmap.close()
    return drawn
