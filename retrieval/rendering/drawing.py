"""Pages of a PDF, and lines of other documents, are drawn; what is cited is highlighted.

This is the program of the limited process that `renderer` starts (`python -m`): nothing else draws.

Places are in points from the top left corner of the page as it is shown: cropped and turned.
"""

import ctypes
import io
import math
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from retrieval.errors import NoPicture
from retrieval.ingest.limited import serve
from retrieval.parsing.pdf.characters import PageGeometry, page_with_values
from retrieval.parsing.rectangles import Rectangle
from retrieval.types import Box


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    """A picture of a page, of a part of it, or of some lines."""

    png: bytes
    width: int
    """In pixels, as is `height`."""
    height: int
    scale: float = 1.0
    """Pixels to a point."""
    left: float = 0.0
    """Where on the page its left edge is, in points from the page's, as is `top`."""
    top: float = 0.0


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line of a document that has no pages of its own to be drawn."""

    label: str
    """Beside it: its number, or those of the lines that it spans; may be empty."""
    text: str
    is_cited: bool


MARKER = (255, 232, 92)
"""Multiplied with what is below, so that black stays black: its contrast to black is 17:1."""
OUTLINE = (150, 92, 0)
"""At least 3:1 both to white and to the marker (WCAG 2.2, 1.4.11)."""


def highlighted(image: Image.Image, boxes: Sequence[Rectangle], outline: int = 1) -> Image.Image:
    """Mark boxes, in pixels; where they meet they are one shape with an outline so wide."""
    shape = Image.new("L", image.size, 0)
    draw = ImageDraw.Draw(shape)
    for box in boxes:
        left, top, right, bottom = (round(edge) for edge in box)
        if left < image.width and top < image.height and right >= 0 and bottom >= 0:
            draw.rectangle((left, top, max(left, right), max(top, bottom)), fill=255)
    marked = ImageChops.multiply(image, Image.new("RGB", image.size, MARKER))
    marked = Image.composite(marked, image, shape)
    inner = shape.filter(ImageFilter.MinFilter(2 * outline + 1))
    edge = ImageChops.subtract(shape, inner)
    return Image.composite(Image.new("RGB", image.size, OUTLINE), marked, edge)


SCALE = 2.0
"""Pixels to a point: 144 to an inch, so that small print is legible where it is enlarged."""
MOST_PIXELS = 4_000_000
LONGEST_SIDE = 6_000
"""Pixels; a larger page is drawn smaller."""
_PADDING = 1.0
"""Points of colour around a box."""
_LINE = 1.3
"""In heights of a line: from one to the next."""
_LEAST_LINE, _MOST_LINE = 6.0, 30.0
"""Points that a line is taken to be high, at the least and the most."""
_MARGIN = 12.0
"""Points of paper beside the text."""
_COLUMN = 0.3
"""Of a page's width: what is narrower is no column but a cell, and its row is shown."""
_MOST_RECTANGLES = 5_000
"""Pieces of text on a page that are looked at; a page with more is shown in its whole width."""
Drawn = tuple[bytes, int, int, float, float, float]
"""What `DrawnPicture` holds, in its order."""


def draw(content: bytes, number: int, boxes: Sequence[Box], context: int | None) -> Drawn | int:
    """Draw page `number` (from 1) of a PDF, those of the boxes that stand on it highlighted.

    `context`: how many lines above and below the boxes are shown; None for the whole page.
    Only the number of its pages where it has no such page. Raise `NoPicture` for what is no
    readable PDF.
    """
    document = _opened(content)
    try:
        if not 1 <= number <= len(document):
            return len(document)
        return _draw(
            page_with_values(document, number - 1), [b for b in boxes if b.page == number], context
        )
    except pdfium.PdfiumError as error:
        raise NoPicture("The page is damaged and cannot be drawn.") from error
    finally:
        document.close()


def _opened(content: bytes) -> pdfium.PdfDocument:
    try:
        return pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        raise NoPicture(
            "The document is damaged, protected or no PDF, and has no pages."
        ) from error


def _draw(page: pdfium.PdfPage, boxes: Sequence[Box], context: int | None) -> Drawn:
    width, height = page.get_size()
    whole = (0.0, 0.0, width, height)
    area = whole if context is None or not boxes else _around(page, boxes, context, whole)
    left, top, right, bottom = area
    scale = _scale(right - left, bottom - top)
    bitmap = page.render(scale=scale, crop=(left, height - bottom, width - right, top))
    image = bitmap.to_pil().convert("RGB")
    marked = highlighted(
        image,
        [
            (
                (box.x0 - left - _PADDING) * scale,
                (box.y0 - top - _PADDING) * scale,
                (box.x1 - left + _PADDING) * scale,
                (box.y1 - top + _PADDING) * scale,
            )
            for box in boxes
        ],
        outline=max(1, round(scale / 2)),
    )
    return as_png(marked), image.width, image.height, scale, left, top


def _scale(width: float, height: float) -> float:
    by_area = math.sqrt(MOST_PIXELS / (width * height))
    return min(SCALE, by_area, LONGEST_SIDE / max(width, height))


def as_png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _around(
    page: pdfium.PdfPage, boxes: Sequence[Box], context: int, whole: Rectangle
) -> Rectangle:
    """The boxes with some lines above and below, as wide as the column that they stand in."""
    heights = sorted(box.y1 - box.y0 for box in boxes)
    line = min(max(heights[(len(heights) - 1) // 2], _LEAST_LINE), _MOST_LINE) * _LINE
    top = max(0.0, min(box.y0 for box in boxes) - context * line - line / 2)
    bottom = min(whole[3], max(box.y1 for box in boxes) + context * line + line / 2)
    left, right = _column(page, boxes, top, bottom)
    left, right = max(0.0, left - _MARGIN), min(whole[2], right + _MARGIN)
    if left < right and top < bottom:
        return left, top, right, bottom
    return whole  # the boxes stand beside the page


def _column(
    page: pdfium.PdfPage, boxes: Sequence[Box], top: float, bottom: float
) -> tuple[float, float]:
    """Left and right edge of the text around the boxes.

    Text that stands above or below what is found so far widens it, until none does: beside a
    column stays what a gutter parts from it.
    """
    cited = min(box.x0 for box in boxes), max(box.x1 for box in boxes)
    beside = [(x0, x1) for x0, y0, x1, y1 in _text(page) if y0 < bottom and y1 > top]
    left, right = cited
    while wider := [piece for piece in beside if piece[0] < right and piece[1] > left]:
        edges = min(left, *(x0 for x0, _ in wider)), max(right, *(x1 for _, x1 in wider))
        if edges == (left, right):
            break
        left, right = edges
    if right - left >= _COLUMN * page.get_width() or not beside:
        return left, right
    return min(left, *(x0 for x0, _ in beside)), max(right, *(x1 for _, x1 in beside))


def _text(page: pdfium.PdfPage) -> list[Rectangle]:
    """Where the pieces of text on a page stand, about a line each."""
    geometry, text = PageGeometry(page), page.get_textpage()
    count = raw.FPDFText_CountRects(text, 0, -1)
    if count > _MOST_RECTANGLES:
        return [(0.0, 0.0, *page.get_size())]
    return [geometry.shown(*text.get_rect(index)) for index in range(count)]


_NOWHERE = "\U0010ffff"
"""A character that no font has: what is drawn of it stands for each that is missing."""


@cache
def sans(size: int) -> ImageFont.FreeTypeFont:
    """PDFium's font without serifs, of a size in pixels. Raise `NoPicture` where it brings none."""
    return ImageFont.truetype(
        io.BytesIO(_font_program()), size, layout_engine=ImageFont.Layout.BASIC
    )


@cache
def is_drawn(character: str) -> bool:
    """Whether the font has a shape for a character; white space needs none."""
    font = sans(32)
    return character.isspace() or bytes(font.getmask(character)) != bytes(font.getmask(_NOWHERE))


@cache
def _font_program() -> bytes:
    document = pdfium.PdfDocument.new()
    try:
        font, size = raw.FPDFText_LoadStandardFont(document, b"Helvetica"), ctypes.c_size_t()
        raw.FPDFFont_GetFontData(font, None, 0, size)
        content = (ctypes.c_uint8 * size.value)()
        if not size.value or not raw.FPDFFont_GetFontData(font, content, size.value, size):
            raise NoPicture("This PDFium brings no font.")
        return bytes(content)
    finally:
        document.close()


WIDTH = 960
"""Pixels; few wide characters stand in a line, for Slack shows a picture in a narrow window."""
_SIZE, _LABEL_SIZE, _ROW = 36, 28, 50
"""Pixels of the text, of the numbers, and from one row to the next."""
_EDGE, _GAP = 24, 20
"""Pixels around all of it, and between two lines."""
MOST_ROWS = 48
"""A picture with more is no longer looked at."""
CONTEXT_ROWS = 3
"""Of a line that is not cited, those next to what is."""
_INK, _PALE = (17, 17, 17), (89, 89, 89)
"""17:1 and 7:1 to white (WCAG 2.2, 1.4.3 asks 4.5:1)."""
_LONGEST = 20_000
"""Characters of one line."""


def draw_lines(lines: Sequence[DrawnLine]) -> Drawn:
    """Raise `NoPicture` for what the font has no shapes for, and for what is too long."""
    beside = max((sans(_LABEL_SIZE).getlength(_shown(line.label)) for line in lines), default=0)
    left = _EDGE + (round(beside) + _GAP if beside else 0)
    rows = [_rows(lines, at, WIDTH - _EDGE - left) for at in range(len(lines))]
    count = sum(map(len, rows))
    if not count or count > MOST_ROWS:
        raise NoPicture("The lines are too many for a picture.")
    height = 2 * _EDGE + count * _ROW + _GAP * (len(lines) - 1)
    image = Image.new("RGB", (WIDTH, height), "white")
    draw = ImageDraw.Draw(image)
    cited: list[Rectangle] = []
    y = _EDGE
    for line, own in zip(lines, rows, strict=True):
        label, middle = _shown(line.label), (_SIZE - _LABEL_SIZE) * 2 // 3
        draw.text((_EDGE, y + middle), label, _PALE, sans(_LABEL_SIZE))
        if line.is_cited:
            cited.append((left - _GAP / 2, y - 6, WIDTH - _EDGE / 2, y + len(own) * _ROW - 4))
        for row in own:
            draw.text((left, y), row, _INK if line.is_cited else _PALE, sans(_SIZE))
            y += _ROW
        y += _GAP
    return as_png(highlighted(image, cited, outline=2)), WIDTH, height, 1.0, 0.0, 0.0


def _rows(lines: Sequence[DrawnLine], at: int, width: int) -> list[str]:
    """A line's text in rows; of one that is not cited, only what stands next to the cited ones."""
    rows = list(_wrapped(_shown(lines[at].text), width))
    if lines[at].is_cited or len(rows) <= CONTEXT_ROWS:
        return rows
    if any(line.is_cited for line in lines[at:]):
        first, *others = rows[-CONTEXT_ROWS:]
        return [f"… {first.partition(' ')[2]}", *others]
    *others, last = rows[:CONTEXT_ROWS]
    return [*others, f"{last.rpartition(' ')[0]} …"]


def _wrapped(text: str, width: int) -> Iterator[str]:
    font, row = sans(_SIZE), ""
    for word in text.split():
        longer = f"{row} {word}" if row else word
        if font.getlength(longer) <= width:
            row = longer
            continue
        if row:
            yield row
        row = word
        while font.getlength(row) > width:  # an address, say: broken where the row ends
            fits = next(n for n in range(len(row) - 1, 0, -1) if font.getlength(row[:n]) <= width)
            yield row[:fits]
            row = row[fits:]
    if row:
        yield row


def _shown(text: str) -> str:
    """As it is drawn: composed, without what is not seen; raise `NoPicture`."""
    if len(text) > _LONGEST:
        raise NoPicture("The lines are too long for a picture.")
    composed = unicodedata.normalize("NFC", text)
    seen = "".join(each for each in composed if unicodedata.category(each) != "Cf")
    missing = next((each for each in seen if not is_drawn(each)), "")
    if missing:
        raise NoPicture(f"The font has no shape for U+{ord(missing):04X}.")
    return seen


def drawn(request: tuple[object, ...]) -> Drawn | int:
    """What is asked for: a page as `draw` takes it, or lines, each as its three values."""
    match request:
        case (bytes(content), int(number), tuple(boxes), context):
            marked = [box for box in boxes if isinstance(box, Box)]
            return draw(content, number, marked, context if isinstance(context, int) else None)
        case (tuple(lines),):
            return draw_lines(
                [DrawnLine(str(label), str(text), bool(on)) for label, text, on in lines]
            )
    raise TypeError("neither a page nor lines")


if __name__ == "__main__":
    serve(drawn, NoPicture, *map(int, sys.argv[1:]))
