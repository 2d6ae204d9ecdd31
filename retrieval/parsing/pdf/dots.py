"""Bullets that are drawn and not written, as browsers print those of lists."""

from collections.abc import Iterable, Sequence

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.parsing.pdf.lines import Line
from retrieval.parsing.pdf.text import PageGeometry, Rectangle

_MOST = 500
"""On a page: more are a chart or a pattern."""
_LARGEST = 8.0
"""Points."""
_SHARE = (0.15, 0.6)
"""Of the font size: how high a bullet is."""
_FARTHEST = 2.5
"""In font sizes before a line."""


def dots_on(page: pdfium.PdfPage) -> Sequence[Rectangle]:
    """Small areas as wide as they are high, where they stand on the page as it is shown."""
    geometry, found = PageGeometry(page), []
    for path in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=1):
        left, top, right, bottom = geometry.shown(*path.get_bounds())
        width, height = right - left, bottom - top
        if 0 < height <= _LARGEST and abs(width - height) < 0.1 * _LARGEST:
            found.append((left, top, right, bottom))
            if len(found) > _MOST:
                return ()
    return found


def mark_items(lines: Iterable[Line], dots: Sequence[Rectangle]) -> None:
    """Say of each line whether such a bullet stands before it."""
    for line in lines if dots else ():
        size = max(line.style.size, 1.0)
        line.has_dot = any(_stands_before(dot, line.box, size) for dot in dots)


def _stands_before(dot: Rectangle, box: Rectangle, size: float) -> bool:
    least, most = (share * size for share in _SHARE)
    middle = (dot[1] + dot[3]) / 2
    return (
        least <= dot[3] - dot[1] <= most
        and box[1] < middle < box[3]
        and dot[2] < box[0]
        and box[0] - dot[0] <= _FARTHEST * size
    )
