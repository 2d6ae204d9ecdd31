"""PDFium gives the characters of a PDF page, with their places.

Places count in points from the top left corner of the page as it is shown: cropped and
turned. PDFium counts from the bottom left of the page as it was drawn.
"""

import ctypes
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.parsing.limits import MOST_CHARACTERS_A_PAGE, require_at_most

_BOLD_NAME = re.compile(r"bold|black|heavy|demi", re.IGNORECASE)
_BOLD_WEIGHT = 600
_LONGEST_NAME = 256
_HYPHENS = frozenset({0x02, 0xFFFE})
"""What PDFium gives for a hyphen at a line's end that parts a word."""
_SOFT_HYPHEN = "\u00ad"
"""One at a line's end, nothing within a line: Chromium has it within the letters of a ligature."""
_LATEX_BULLET = 0x88
"""Where LaTeX's companion font has it: a control character elsewhere, which nobody prints."""
_NEXT_LINE = 0.5
"""In heights of a character: what is farther below is on another line."""

Rectangle = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Style:
    """A word is set in a style; `size` is in points, as shown."""

    font: str
    size: float
    bold: bool
    colour: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Character:
    """A space that PDFium adds between words is a character without a place of its own."""

    index: int
    """In the order in which the page draws."""
    text: str
    box: Rectangle | None
    style: Style
    line: int
    """Characters of one line of the page, as PDFium sees it, have the same number."""


class PageGeometry:
    """It turns PDFium's coordinates into those of the page as it is shown."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        self._left, self._bottom, self._right, self._top = page.get_bbox()
        self._rotation = page.get_rotation()
        self._media = page.get_mediabox()

    def shown(self, left: float, bottom: float, right: float, top: float) -> Rectangle:
        x0, y0 = self._point(left, bottom)
        x1, y1 = self._point(right, top)
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    def media_offset(self) -> tuple[float, float]:
        """Where the corner of the uncropped page is, which pdfplumber counts from."""
        x0, y0, _, _ = self.shown(*self._media)
        return x0, y0

    def _point(self, x: float, y: float) -> tuple[float, float]:
        match self._rotation:
            case 90:
                return y - self._bottom, x - self._left
            case 180:
                return self._right - x, y - self._bottom
            case 270:
                return self._top - y, self._right - x
            case _:
                return x - self._left, self._top - y


def characters(page: pdfium.PdfPage) -> list[Character]:
    """All characters of a page in the order of drawing, without line ends."""
    geometry = PageGeometry(page)
    text_page = page.get_textpage()
    require_at_most(text_page.count_chars(), MOST_CHARACTERS_A_PAGE, "characters on a page")
    found: list[Character] = []
    style, line, new_word = Style("", 0.0, False, (0, 0, 0)), 0, True
    for index, text in _units(text_page):
        if text in "\r\n":
            line += text == "\n"
            new_word = True
            continue
        box = _box(text_page, index, geometry)
        if _breaks(found[-1].box if found else None, box):
            line += 1
        if new_word and box is not None and not text.isspace():
            style = _style(text_page, index)
        new_word = text.isspace()
        found.append(Character(index, text, box, style, line))
    text_page.close()
    return list(_without_soft_hyphens(found))


def _without_soft_hyphens(found: Sequence[Character]) -> Iterator[Character]:
    for character, after in zip_longest(found, found[1:]):
        if character.text != _SOFT_HYPHEN:
            yield character
        elif after is None or after.line != character.line or after.text.isspace():
            yield replace(character, text="-")


def _breaks(before: Rectangle | None, box: Rectangle | None) -> bool:
    """Whether a line ends between two characters; PDFium says nothing after a hyphen."""
    if before is None or box is None:
        return False
    height = before[3] - before[1]
    return box[0] < before[0] and abs(box[3] - before[3]) > _NEXT_LINE * height


def _units(text_page: pdfium.PdfTextPage) -> Iterator[tuple[int, str]]:
    """Index and character; a pair of surrogates is one, what is no character is left out."""
    high = 0
    for index in range(text_page.count_chars()):
        code = raw.FPDFText_GetUnicode(text_page, index)
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((high - 0xD800) << 10) + code - 0xDC00 if high else 0
        high = 0
        if code in _HYPHENS:
            yield index, "-"
        elif code == _LATEX_BULLET:
            yield index, "\N{BULLET}"
        elif code >= 0x20 or chr(code) in "\t\r\n":
            yield index, chr(code)


def _box(text_page: pdfium.PdfTextPage, index: int, geometry: PageGeometry) -> Rectangle | None:
    """The character's box with the font's full height, or None for an added space."""
    if raw.FPDFText_IsGenerated(text_page, index) == 1:
        return None
    box = raw.FS_RECTF()
    if not raw.FPDFText_GetLooseCharBox(text_page, index, box):
        return None
    return geometry.shown(box.left, box.bottom, box.right, box.top)


def _style(text_page: pdfium.PdfTextPage, index: int) -> Style:
    name = ctypes.create_string_buffer(_LONGEST_NAME)
    raw.FPDFText_GetFontInfo(text_page, index, name, _LONGEST_NAME, ctypes.c_int())
    font = name.value.decode("utf-8", "replace")
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(text_page, index, matrix)
    # The font size counts before the text's matrix scales it.
    size = raw.FPDFText_GetFontSize(text_page, index) * math.hypot(matrix.c, matrix.d)
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    raw.FPDFText_GetFillColor(text_page, index, red, green, blue, alpha)
    weight = raw.FPDFText_GetFontWeight(text_page, index)
    return Style(
        font=font,
        size=round(size * 2) / 2,
        bold=weight >= _BOLD_WEIGHT or bool(_BOLD_NAME.search(font)),
        colour=(red.value, green.value, blue.value),
    )
