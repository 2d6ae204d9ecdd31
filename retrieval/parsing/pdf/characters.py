"""PDFium gives the characters of a PDF page, with their places.

Places count in points from the top left corner of the page as it is shown: cropped and turned.
PDFium counts from the bottom left of the page as it was drawn.

PDFium tells sizes and places alone: a raised 1 behind 30 comes as 301, and often ends the line. So
small digits above a line are written as such, and their line is whole again. What people filled in
on a form stands beside its pages, and is drawn on them as its readers see it; whether a box is
ticked is drawn, and not read.
"""

import ctypes
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.parsing.limits import MOST_CHARACTERS_A_PAGE, require_at_most
from retrieval.parsing.notes import as_set, is_exponent
from retrieval.parsing.rectangles import Rectangle

_BOLD_NAME = re.compile(r"bold|black|heavy|demi", re.IGNORECASE)
_BOLD_WEIGHT = 600
_LONGEST_NAME = 256
_HYPHENS = frozenset({0x02, 0xFFFE})
"""What PDFium gives for a hyphen at a line's end that parts a word."""
_SOFT_HYPHEN = "\u00ad"
"""One at a line's end, nothing within a line: Chromium has it within the letters of a ligature."""
_LATEX_BULLET = 0x88
"""Where LaTeX's companion font has it: a control character elsewhere, which nobody prints."""
_SPACE = 0.12
"""In heights of a character, between two words."""
_NEXT_LINE = 0.5
"""In heights of a character: what is farther below is on another line."""


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
    ends = is_first = False
    for index, text in _units(text_page):
        if text in "\r\n":
            ends = ends or text == "\n"
            new_word = True
            continue
        box = _box(text_page, index, geometry)
        before = found[-1].box if found else None
        if ends and is_first and (between := _between(before, box)) is not None:
            found += [Character(index, " ", None, style, line)] * between
        elif ends or _breaks(before, box):
            line += 1
            new_word = True
        is_first, ends = ends or not found, False
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


def _between(before: Rectangle | None, box: Rectangle | None) -> int | None:
    """How many spaces; None where no line goes on, as PDFium ends one behind each letter of some.

    It does so on a page with few words.
    """
    if before is None or box is None:
        return None
    height, gap = before[3] - before[1], box[0] - before[2]
    goes_on = abs(box[3] - before[3]) < 0.1 * height and abs(gap) < height / 2
    return int(gap > _SPACE * height) if goes_on else None


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


_SMALL = (0.45, 0.9)
"""Heights of raised digits, by that of the line: what is smaller yet stands beside an initial."""
_ABOVE = 0.15
"""In heights of the line: smaller type that stands on it ends above it, too, but by less."""
_NEAR = 0.5
"""In heights of the line, between digits and what they are raised beside."""
_ALIKE = 0.1
_MAY_BE = frozenset("0123456789-+\u2212\u2013,)")


class _Glyph(NamedTuple):
    """A character that shows, with its place among those of the page."""

    at: int
    box: Rectangle
    text: str
    line: int

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]


def with_raised(characters: Sequence[Character]) -> list[Character]:
    """A page's characters, those that are raised with line and style of what they stand beside."""
    found = list(characters)
    seen = [
        _Glyph(at, each.box, each.text, each.line)
        for at, each in enumerate(characters)
        if each.box and not each.text.isspace()
    ]
    lines: dict[int, int] = {}
    for first, last in _raised_runs(seen):
        run = seen[first:last]
        before = seen[first - 1] if first else None
        after = seen[last] if last < len(seen) else None
        beside = _raised_beside(before, run, after)
        if beside is before and before and _have_space(characters[before.at : run[0].at]):
            continue
        text = "".join(each.text for each in run)
        if beside is None or not is_exponent(text) or not any(map(str.isdigit, text)):
            continue  # a hyphen may be of another font
        if after and _is_alike(run[-1], after) and _gap(run[-1], after) < _NEAR:
            continue  # small type goes on
        line = lines.get(beside.line, beside.line)
        lines[run[0].line] = line
        for each, sign in zip(run, as_set("super", text, "", in_cell=True), strict=True):
            x0, top, x1, _ = each.box
            box = x0, top, x1, beside.box[3]
            style = characters[beside.at].style
            found[each.at] = replace(found[each.at], text=sign, box=box, style=style)
        if after and after.line != run[-1].line and _is_on(beside, after, run[-1]):
            lines[after.line] = line
    return [replace(each, line=lines[each.line]) if each.line in lines else each for each in found]


def _raised_runs(seen: Sequence[_Glyph]) -> Iterator[tuple[int, int]]:
    """Digits and signs that stand beside each other, of one height: the first, behind the last."""
    first = 0
    while first < len(seen):
        last = first + 1
        if seen[first].text in _MAY_BE:
            while last < len(seen) and _goes_on_raised(seen[last - 1], seen[last]):
                last += 1
            yield first, last
        first = last


def _goes_on_raised(one: _Glyph, other: _Glyph) -> bool:
    may_be = other.text in _MAY_BE and one.line == other.line
    return may_be and _is_alike(one, other) and _gap(one, other) < _NEAR


def _is_alike(one: _Glyph, other: _Glyph) -> bool:
    """Whether both are of one height, and stand on one line."""
    least = _ALIKE * one.height
    return abs(one.box[3] - other.box[3]) < least and abs(one.box[1] - other.box[1]) < least


def _have_space(between: Sequence[Character]) -> bool:
    return any(each.text.isspace() for each in between)


def _raised_beside(
    before: _Glyph | None, run: Sequence[_Glyph], after: _Glyph | None
) -> _Glyph | None:
    """What a run is raised beside: what it stands behind, or before where it begins a line."""
    if before and _is_raised(before, run[0]) and _gap(before, run[0]) < _NEAR:
        return before
    begins = before is None or before.line != run[0].line
    if begins and after and _is_raised(after, run[-1]) and _gap(run[-1], after) < _NEAR:
        return after
    return None


def _is_raised(beside: _Glyph, one: _Glyph) -> bool:
    least, most = (share * beside.height for share in _SMALL)
    above = beside.box[3] - one.box[3]
    return least < one.height < most and _ABOVE * beside.height < above < beside.height


def _is_on(beside: _Glyph, after: _Glyph, last: _Glyph) -> bool:
    """Whether the line goes on behind what was raised."""
    level = abs(after.box[3] - beside.box[3]) < _ALIKE * beside.height
    return level and _gap(last, after) < 1


def _gap(one: _Glyph, other: _Glyph) -> float:
    """How far the other stands behind the one, in heights of the higher; endless for before it."""
    gap = (other.box[0] - one.box[2]) / max(one.height, other.height, 1.0)
    return gap if gap > -_NEAR else float("inf")


_FILLED_IN = (
    raw.FPDF_FORMFIELD_TEXTFIELD,
    raw.FPDF_FORMFIELD_CHECKBOX,
    raw.FPDF_FORMFIELD_RADIOBUTTON,
    raw.FPDF_FORMFIELD_COMBOBOX,
    raw.FPDF_FORMFIELD_LISTBOX,
)
"""A button and a signature are on pages of any kind."""


def page_with_values(document: pdfium.PdfDocument, number: int) -> pdfium.PdfPage:
    """A page, counted from 0, with the values of its fields drawn on it, as they are shown.

    Raise `PdfiumError` for a damaged one.
    """
    if not _has_fields(document):
        return document[number]
    page = document[number]
    page.flatten()
    page.close()
    return document[number]


def page_without_values(document: pdfium.PdfDocument, number: int) -> tuple[bool, int]:
    """Whether people fill a page in, and how many characters it has itself, which come first.

    Asked before it is opened with its values; 0 where no page has any.
    """
    if not _has_fields(document):
        return False, 0
    page = document[number]
    kinds = [_kind_of_field(document, page, at) for at in range(raw.FPDFPage_GetAnnotCount(page))]
    text_page = page.get_textpage()
    count: int = text_page.count_chars()
    text_page.close()
    page.close()
    return not set(_FILLED_IN).isdisjoint(kinds), count


def _has_fields(document: pdfium.PdfDocument) -> bool:
    if document.get_formtype() == raw.FORMTYPE_NONE:
        return False
    if document.formenv is None:
        document.init_forms()
    return True


def _kind_of_field(document: pdfium.PdfDocument, page: pdfium.PdfPage, at: int) -> int:
    annotation = raw.FPDFPage_GetAnnot(page, at)
    kind: int = raw.FPDFAnnot_GetFormFieldType(document.formenv, annotation)
    raw.FPDFPage_CloseAnnot(annotation)
    return kind
