"""Where a page shows pictures; one right above or below a caption is a figure with it.

A picture is an image, or a drawing that is made of many strokes and areas: what is painted close
together is one. That is told on a grid over the page, so that a map of thousands of strokes costs
little more than a photograph.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.language.sentences import names_picture
from retrieval.parsing.hiding import WHITE, look_alike
from retrieval.parsing.pdf.drawing import (
    LEAST_ALPHA,
    area_of,
    colour_of,
    fills_and_strokes,
    objects_of,
)
from retrieval.parsing.pdf.layout import Block, Role
from retrieval.parsing.pdf.lines import Line, Table
from retrieval.parsing.pdf.text import PageGeometry
from retrieval.parsing.rectangles import Rectangle, around, overlap, spanned

MOST_MARKS = 20_000
"""On a page; the pictures of one with more are not told apart."""
_CELL = 6.0
"""Points: the side of the grid's cells. What is no farther apart is one picture."""
_MOST_CELLS = 200
"""Along a side of the page: on a larger one cells are larger."""
_SMALLEST = 24.0
"""Points: what is narrower or lower is a rule or an ornament."""
_EDGE = 3.0
"""Points by which the rules of a table may stand beside it."""


def pictures_on(
    page: pdfium.PdfPage, captions: Sequence[Rectangle], tables: Sequence[Rectangle]
) -> list[Rectangle]:
    """The places of pictures on a page as it is shown.

    No picture is what is behind a caption, such as a frame, or within a table.
    """
    found = list(islice(_marks(page, captions, tables), MOST_MARKS + 1))
    if len(found) > MOST_MARKS:
        return []
    return [
        (left, top, right, bottom)
        for left, top, right, bottom in _together(found, page.get_size())
        if right - left >= _SMALLEST and bottom - top >= _SMALLEST
    ]


def _marks(
    page: pdfium.PdfPage, captions: Sequence[Rectangle], tables: Sequence[Rectangle]
) -> Iterator[Rectangle]:
    """Whatever is painted and is no text, as far as it stands on the page."""
    geometry, (width, height) = PageGeometry(page), page.get_size()
    for obj, matrix in objects_of(page):
        area = area_of(obj, matrix, geometry) if is_painted(obj) else None
        box = overlap((0.0, 0.0, width, height), area) if area else None
        is_behind = box is not None and any(_holds(box, caption) for caption in captions)
        if box is not None and not is_behind and not any(_holds(each, box) for each in tables):
            yield box


def is_painted(obj: Any) -> bool:
    """Whether it is no text, and leaves more on the paper than white."""
    kind = raw.FPDFPageObj_GetType(obj)
    if kind != raw.FPDF_PAGEOBJ_PATH:
        return kind in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)
    fills, strokes = fills_and_strokes(obj)
    return (fills and not _is_paper(obj, raw.FPDFPageObj_GetFillColor)) or (
        strokes and not _is_paper(obj, raw.FPDFPageObj_GetStrokeColor)
    )


def _is_paper(obj: Any, read: Any) -> bool:
    """Whether it is white or clear; a colour that is not known is neither."""
    colour = colour_of(obj, read)
    return colour is not None and (colour[1] <= LEAST_ALPHA or look_alike(colour[0], WHITE))


def _holds(outer: Rectangle, inner: Rectangle) -> bool:
    return (
        outer[0] - _EDGE <= inner[0]
        and outer[1] - _EDGE <= inner[1]
        and inner[2] <= outer[2] + _EDGE
        and inner[3] <= outer[3] + _EDGE
    )


def _together(boxes: Sequence[Rectangle], size: tuple[float, float]) -> list[Rectangle]:
    side = max(_CELL, max(size) / _MOST_CELLS)
    grid = np.zeros([int(length / side) + 1 for length in reversed(size)], np.bool_)
    places = [_cells(box, side) for box in boxes]
    for place in places:
        grid[place] = True
    patches = _patches(grid)
    found: dict[int, list[Rectangle]] = defaultdict(list)
    for box, (rows, columns) in zip(boxes, places, strict=True):
        found[int(patches[rows.start, columns.start])].append(box)
    return [whole for held in found.values() if (whole := around(held))]


def _cells(box: Rectangle, side: float) -> tuple[slice, slice]:
    left, top, right, bottom = (int(edge / side) for edge in box)
    return slice(top, bottom + 1), slice(left, right + 1)


def _patches(grid: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """The number of the patch that each cell is of; cells that touch by a corner are of one."""
    numbers = np.zeros(grid.shape, np.int32)
    same = [0]
    """A smaller number of the same patch for each number, itself for the smallest."""
    for row, filled in enumerate(grid):
        edges = np.flatnonzero(np.diff(filled.astype(np.int8), prepend=0, append=0))
        for start, end in edges.reshape(-1, 2):
            above = numbers[row - 1, max(0, start - 1) : end + 1] if row else numbers[0, :0]
            met = {_first(same, int(number)) for number in np.unique(above) if number}
            own = min(met, default=len(same))
            if own == len(same):
                same.append(own)
            for number in met:
                same[number] = own
            numbers[row, start:end] = own
    return np.array([_first(same, number) for number in range(len(same))], np.int32)[numbers]


def _first(same: Sequence[int], number: int) -> int:
    while same[number] != number:
        number = same[number]
    return number


_NEAR = 3.0
"""In font sizes: a picture that is farther from a caption has nothing to do with it."""
_LABELS, _LABEL = 2, 1.5
"""Lines between them, such as those of an axis, and the height of one in font sizes."""
_FARTHEST = _NEAR + _LABELS * _LABEL
_INTO = 0.5
"""In font sizes: how far a caption may reach into its picture, as white of a picture does."""
_FEW_WORDS = 4
"""On a line between a picture and its caption, such as those of an axis; more are prose."""
_MOST_CAPTIONS = 50
"""On a page: more are a list of figures."""
_SAME_HEIGHT = 0.5
"""Of the lower one: what stands beside each other are pictures of one figure."""


def captions_in(blocks: Sequence[Line | Table]) -> list[Rectangle]:
    """Where lines stand that may begin the caption of a picture."""
    lines = [block for block in blocks if isinstance(block, Line) and names_picture(block.text)]
    return [line.box for line in lines] if len(lines) <= _MOST_CAPTIONS else []


def with_pictures(
    blocks: Sequence[Block | Table], pictures: Sequence[Rectangle], lines: Sequence[Line]
) -> list[Block | Table]:
    """A page's blocks; its captions know the pictures next to them, each of one caption.

    `lines` are all of the page's own.
    """
    found: dict[int, Rectangle] = {}
    taken: set[Rectangle] = set()
    for _, number, picture in sorted(_offers(blocks, pictures, lines)):
        held = found.get(number)
        if picture not in taken and (held is None or _are_beside(held, picture)):
            found[number] = spanned(picture, *([held] if held else ()))
            taken.add(picture)
    return [
        replace(block, picture=found.get(number)) if isinstance(block, Block) else block
        for number, block in enumerate(blocks)
    ]


def _offers(
    blocks: Sequence[Block | Table], pictures: Sequence[Rectangle], lines: Sequence[Line]
) -> Iterator[tuple[float, int, Rectangle]]:
    """How far from which block which picture stands."""
    for number, block in enumerate(blocks):
        if not isinstance(block, Block) or block.role is not Role.CAPTION:
            continue
        if not names_picture(block.lines[0].text):
            continue
        caption = spanned(*(line.box for line in block.lines))
        size = max(block.lines[0].style.size, 1.0)
        for picture in pictures:
            gap = _gap(caption, picture)
            if -_INTO * size <= gap <= _FARTHEST * size:
                between = [line for line in lines if _is_between(line, caption, picture)]
                if gap <= _nearest(between) * size:
                    yield gap, number, picture


def _nearest(between: Sequence[Line]) -> float:
    """In font sizes, how far a picture may be from a caption that these lines part it from."""
    if any(len(line.text.split()) > _FEW_WORDS for line in between):
        return -math.inf
    return _NEAR + _LABEL * min(_LABELS, len({round(line.box[3]) for line in between}))


def _gap(caption: Rectangle, picture: Rectangle) -> float:
    """How much white is between them; infinite where neither is above the other."""
    if min(caption[2], picture[2]) <= max(caption[0], picture[0]):
        return math.inf
    return max(caption[1] - picture[3], picture[1] - caption[3])


def _is_between(line: Line, caption: Rectangle, picture: Rectangle) -> bool:
    middle = (line.box[1] + line.box[3]) / 2
    above, below = sorted((caption, picture), key=lambda box: box[1])
    around = spanned(caption, picture)
    beside = line.box[2] <= around[0] or around[2] <= line.box[0]
    return not beside and above[3] < middle < below[1]


def _are_beside(one: Rectangle, other: Rectangle) -> bool:
    shared = min(one[3], other[3]) - max(one[1], other[1])
    return shared >= _SAME_HEIGHT * min(one[3] - one[1], other[3] - other[1])
