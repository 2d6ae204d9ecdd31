"""PDFium draws a page of a PDF, or the part around what is cited; only in a limited process.

Places are in points from the top left corner of the page as it is shown: cropped and turned.
"""

import io
import math
from collections.abc import Sequence

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from PIL import Image

from retrieval.errors import NoPicture
from retrieval.parsing.pdf.text import PageGeometry
from retrieval.rendering.highlighting import highlighted
from retrieval.types import Box

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

Rectangle = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Drawn = tuple[bytes, int, int, float, float, float]
"""What `Picture` holds, in its order."""


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
        return _draw(document[number - 1], [b for b in boxes if b.page == number], context)
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
