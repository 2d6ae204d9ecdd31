"""PDFium gives the characters of a PDF page, with their places; columns are set in reading order.

Places count in points from the top left corner of the page as it is shown: cropped and turned.
PDFium counts from the bottom left of the page as it was drawn.

Most programs draw a column after the other, and their order is kept. Some draw line by line over
the whole page, or the right column first. The order is changed only where that is sure: between
columns of running text that nothing crosses, and whose lines are drawn in turns or backwards. A
table that is drawn row by row has short texts in its columns, and stays as it is.
"""

import ctypes
import math
import re
from bisect import bisect, bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, zip_longest
from statistics import fmean

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.parsing.limits import MOST_CHARACTERS_A_PAGE, require_at_most
from retrieval.parsing.rectangles import Rectangle, spanned

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


_GAP = 0.8
"""In font sizes: what is farther apart on a line may be two columns. A gutter is no narrower."""
_BAND_GAP = 3.0
"""In font sizes: so much white across all columns parts what is above from what is below."""
_CROSSING = 0.25
"""Of a page's lines, which may cross a gutter, as titles do."""
_LEAST_LINES = 4
"""Of each column; fewer are no columns for sure."""
_LEAST_WORDS = 3.5
"""On a line of running text, on average over a column; cells of a table have fewer."""
_LEAST_FILLED = 0.6
"""Of a column's width by its lines, on average: running text fills its column."""
_LEAST_GOING_ON = 0.4
"""Of a column's lines that begin in lower case: sentences go on from line to line, where cells
that hold a sentence each do not."""
_LEAST_SHARE = 0.2
"""Of a page's lines on each side of a gutter."""
_TURNS = 0.5
"""Of the lines, after which the drawing goes on in another column: it is drawn across them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters that are drawn one after another on a line, no gap as wide as a gutter between."""

    first: int
    """Among the page's characters, from 0; `last` is exclusive."""
    last: int
    line: int
    left: float
    right: float
    top: float
    bottom: float
    size: float


def in_reading_order(characters: Sequence[Character]) -> Sequence[Character]:
    """A page's characters, those of columns that were drawn across each other set in order."""
    pieces = list(pieces_of(characters))
    gutters = _gutters(pieces)
    if not gutters:
        return characters
    ordered = list(range(len(characters)))
    for band in _bands(pieces, gutters):
        _set_in_order(ordered, characters, band, gutters)
    return [
        character if at == place else replace(character, index=characters[place].index)
        for place, at in enumerate(ordered)
        for character in (characters[at],)
    ]


def pieces_of(characters: Sequence[Character]) -> Iterator[Piece]:
    """A space that PDFium adds goes with what stands before it."""
    start, last = 0, None
    for place, character in enumerate(characters):
        if character.box is None:
            continue
        if last is not None and _parts(last, character):
            yield from _piece(characters, start, place)
            start = place
        if not character.text.isspace():
            last = character
    yield from _piece(characters, start, len(characters))


def _parts(before: Character, after: Character) -> bool:
    if before.box is None or after.box is None or after.text.isspace():
        return False
    size = max(before.style.size, after.style.size, 1.0)
    gap = after.box[0] - before.box[2]
    return before.line != after.line or not -size < gap < _GAP * size


def _piece(characters: Sequence[Character], first: int, last: int) -> Iterator[Piece]:
    shown = [each for each in characters[first:last] if each.box and not each.text.isspace()]
    boxes = [each.box for each in shown if each.box]
    if boxes:
        left, top, right, bottom = spanned(*boxes)
        size = max(each.style.size for each in shown)
        yield Piece(first, last, shown[0].line, left, right, top, bottom, max(size, 1.0))


def _gutters(pieces: Sequence[Piece]) -> list[float]:
    """The middles of upright strips that hardly anything crosses, text on both sides of them."""
    if len(pieces) < 2 * _LEAST_LINES:
        return []
    size = Counter(piece.size for piece in pieces).most_common(1)[0][0]
    lefts = sorted(piece.left for piece in pieces)
    rights = sorted(piece.right for piece in pieces)
    most, least = _CROSSING * len(pieces), _LEAST_SHARE * len(pieces)
    found = []
    for left, right in _strips(lefts, rights, most):
        before, after = bisect(rights, left), len(lefts) - bisect_left(lefts, right)
        if right - left >= _GAP * size and min(before, after) >= least:
            found.append((left + right) / 2)
    return found


def _strips(
    lefts: Sequence[float], rights: Sequence[float], most: float
) -> Iterator[tuple[float, float]]:
    """From where to where no more pieces than so many stand; both kinds of edges in order."""
    crossing, begun = 0, None
    edges = sorted([*((x, 1) for x in lefts), *((x, -1) for x in rights)])
    for x, change in edges:
        crossing += change
        if crossing <= most and begun is None:
            begun = x
        elif crossing > most and begun is not None:
            yield begun, x
            begun = None


def _bands(pieces: Sequence[Piece], gutters: Sequence[float]) -> Iterator[list[Piece]]:
    """Pieces between titles that cross a gutter, or white that does, top to bottom."""
    band: list[Piece] = []
    for piece in sorted(pieces, key=lambda each: each.bottom):
        crosses = bisect(gutters, piece.left) != bisect(gutters, piece.right)
        if crosses or (band and piece.bottom - band[-1].bottom > _BAND_GAP * piece.size):
            yield band
            band = []
        if not crosses:
            band.append(piece)
    yield band


def _set_in_order(
    ordered: list[int],
    characters: Sequence[Character],
    band: Sequence[Piece],
    gutters: Sequence[float],
) -> None:
    """Put a band's characters in the places that they take, column by column."""
    drawn = sorted(band, key=lambda piece: piece.first)
    lines = [
        (column, list(group))
        for (column, _), group in groupby(
            drawn, key=lambda piece: (bisect(gutters, piece.left), piece.line)
        )
    ]
    if not _is_sure(lines, characters, len(gutters) + 1):
        return
    places = [place for piece in drawn for place in range(piece.first, piece.last)]
    lines.sort(key=lambda line: (line[0], line[1][0].bottom))
    moved = [
        place for _, line in lines for piece in line for place in range(piece.first, piece.last)
    ]
    for place, at in zip(places, moved, strict=True):
        ordered[place] = at


def _is_sure(
    lines: Sequence[tuple[int, list[Piece]]], characters: Sequence[Character], count: int
) -> bool:
    """Whether columns of running text are drawn in turns, or the other way round."""
    columns = [[line for at, line in lines if at == column] for column in range(count)]
    for column in columns:
        texts = [
            "".join(each.text for piece in line for each in characters[piece.first : piece.last])
            for line in column
        ]
        if not is_running_text(
            [(text, line[0].left, line[-1].right) for text, line in zip(texts, column, strict=True)]
        ):
            return False
    order = [column for column, _ in lines]
    turns = sum(one != other for one, other in pairwise(order))
    runs = [column for column, _ in groupby(order)]
    is_backwards = len(runs) == count and runs != sorted(runs)
    return is_backwards or turns >= _TURNS * len(order)


def is_running_text(lines: Sequence[tuple[str, float, float]]) -> bool:
    """Whether lines, each with where it begins and ends, are those of sentences in a column."""
    if len(lines) < _LEAST_LINES:
        return False
    texts, lefts, rights = zip(*lines, strict=True)
    wide = fmean(right - left for left, right in zip(lefts, rights, strict=True))
    filled = wide / max(1.0, max(rights) - min(lefts))
    words = fmean(len(text.split()) for text in texts)
    lower = fmean(text.lstrip()[:1].islower() for text in texts)
    return words >= _LEAST_WORDS and filled >= _LEAST_FILLED and lower >= _LEAST_GOING_ON
