"""Text is hidden from people in these ways while programs read it, and is listed."""

import colorsys
import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import NamedTuple

from retrieval.parsing.placed import PlacedText, join
from retrieval.types import HiddenText


class Way(StrEnum):
    """Text is hidden in a way; its words stand in reports."""

    NOT_DISPLAYED = "not displayed"
    INVISIBLE = "invisible"
    TRANSPARENT = "transparent"
    TINY = "too small to see"
    COLOUR = "in the colour of what is behind it"
    AWAY = "off the page"
    CUT_AWAY = "cut away"
    SPOKEN = "for screen readers only"
    COVERED = "covered"
    NOT_DRAWN = "not drawn"
    MARKED = "marked as hidden"
    PICTURED = "invisible, over or under a picture"
    COMMENT = "a comment"
    NOTES = "speaker notes"
    STRUCK = "struck out"
    """People see it, and that it no longer holds."""
    NOT_FOLLOWED = "by a style that is not followed"
    OUT_OF_ORDER = "out of the reading order"


SMALLEST_TYPE = 3.0
"""Points: text of this size or smaller is not read by people."""
LOWEST_CONTRAST = 1.1
"""Text of less contrast to what is behind it cannot be told from it; black on white has 21."""
Rgb = tuple[float, float, float]
"""Red, green and blue from 0 to 1."""
WHITE: Rgb = (1.0, 1.0, 1.0)
BLACK: Rgb = (0.0, 0.0, 0.0)


_HEXADECIMAL = re.compile("[0-9A-Fa-f]{6}")


def rgb_of(text: str) -> Rgb | None:
    """A colour of six hexadecimal digits; None for anything else."""
    if not _HEXADECIMAL.fullmatch(text):
        return None
    red, green, blue = bytes.fromhex(text)
    return red / 255, green / 255, blue / 255


def toned(colour: Rgb, times: float, plus: float = 0.0) -> Rgb:
    """Change the lightness (HSL) of a colour, as Office tones those of a theme."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*colour)
    return colorsys.hls_to_rgb(hue, min(1.0, max(0.0, lightness * times + plus)), saturation)


def contrast(one: Rgb, other: Rgb) -> float:
    """From 1 for the same colour to 21; after WCAG 2.2, "contrast ratio"."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Rgb) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (min(1.0, max(0.0, part)) for part in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def look_alike(one: Rgb, other: Rgb) -> bool:
    """Whether two colours look alike: of equal lightness alone, red and green do not."""
    near = max(abs(a - b) for a, b in zip(one, other, strict=True)) < _NEAR
    return near and contrast(one, other) < LOWEST_CONTRAST


_NEAR = 0.12
"""Of the range of red, green or blue."""


class Verdict(NamedTuple):
    """Text is hidden in a way; what is not left out is in doubt, and read all the same."""

    way: Way
    left_out: bool = True


def verdict_on(colours: Iterable[Rgb], ground: Rgb | None) -> Verdict | None:
    """On text in such colours; in doubt where what is behind it is not known: paper is white."""
    behind = WHITE if ground is None else ground
    is_hidden = all(look_alike(colour, behind) for colour in colours)
    return Verdict(Way.COLOUR, ground is not None) if is_hidden else None


class HiddenPieces:
    """They gather hidden text in source order; what stands together is one piece."""

    def __init__(self, where: Callable[[int], str]) -> None:
        self._where = where
        self._done: list[HiddenText] = []
        self._parts: list[PlacedText] = []
        self._kind: tuple[str, bool] | None = None

    def add(self, text: PlacedText, way: str, *, left_out: bool) -> None:
        if self._kind != (way, left_out):
            self.end()
            self._kind = (way, left_out)
        self._parts.append(text)

    def end(self) -> None:
        """Text that is seen follows."""
        folded = join(self._parts).folded()
        if folded and self._kind is not None:
            way, left_out = self._kind
            place = self._where(folded.start)
            self._done.append(HiddenText(folded.text, way, place, left_out))
        self._parts, self._kind = [], None

    def all(self) -> tuple[HiddenText, ...]:
        self.end()
        return tuple(self._done)
