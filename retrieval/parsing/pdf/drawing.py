"""What a PDF page draws, object by object in order: text, what covers it, rules, pictures.

A picture is an image, or a drawing that is made of many strokes and areas: what is painted close
together is one.
"""

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import islice
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.parsing.hiding import WHITE, Rgb, look_alike
from retrieval.parsing.pdf.characters import (
    PageGeometry,
)
from retrieval.parsing.rectangles import Rectangle, overlap

_DEEPEST_FORM = 15
MOST_PAINTS = 5000
"""Pictures and painted areas of one page; one with more is a map or a drawing."""
LEAST_ALPHA = 13
"""Of 255; see `visibility.LEAST_OPACITY`."""
_OPAQUE = 255
_FILLING = frozenset({0, 2, 4, 6})
"""Text render modes, after ISO 32000-1, table 106; and those that draw outlines:"""
_STROKING = frozenset({1, 2, 5, 6})
_LONGEST_RECTANGLE = 6
"""Segments."""
_SAME = pdfium.PdfMatrix()


class Kind(Enum):
    SOLID = auto()
    """One colour, all over a rectangle: nothing shines through."""
    PICTURE = auto()
    OTHER = auto()
    """Anything else: what is seen there is not known."""


@dataclass(frozen=True, slots=True)
class Paint:
    order: int
    kind: Kind
    box: Rectangle
    rgb: Rgb | None = None


@dataclass(frozen=True, slots=True)
class Ink:
    order: int
    colours: tuple[Rgb, ...]
    """Of its areas and outlines; none where it is invisible."""
    is_known: bool
    """Whether the colours are; else a pattern may be drawn."""
    clip: Rectangle | None
    """Outside this nothing of it is drawn."""


@dataclass(slots=True)
class Drawing:
    """It has a page's text objects by their address in PDFium, and its painted areas in order."""

    inks: dict[int, Ink] = field(default_factory=dict)
    paints: list[Paint] = field(default_factory=list)


def drawing_of(page: pdfium.PdfPage) -> Drawing:
    geometry, found = PageGeometry(page), Drawing()
    for order, (obj, matrix) in enumerate(objects_of(page)):
        kind = raw.FPDFPageObj_GetType(obj)
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            found.inks[address(obj)] = _ink(obj, order, matrix, geometry)
        elif len(found.paints) <= MOST_PAINTS and kind != raw.FPDF_PAGEOBJ_FORM:
            paint = _paint(obj, kind, order, matrix, geometry)
            if paint is not None:
                found.paints.append(paint)
    return found


def address(obj: Any) -> int:
    """The same for each handle to one object."""
    return ctypes.cast(obj, ctypes.c_void_p).value or 0


def objects_of(
    parent: Any, matrix: pdfium.PdfMatrix = _SAME, depth: int = 0
) -> Iterator[tuple[Any, pdfium.PdfMatrix]]:
    """Those of a page or a form in the order of drawing, with the way to the page."""
    count, get = (
        (raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject)
        if depth
        else (raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject)
    )
    for index in range(count(parent)):
        obj = get(parent, index)
        yield obj, matrix
        if raw.FPDFPageObj_GetType(obj) == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST_FORM:
            yield from objects_of(obj, _matrix(obj).multiply(matrix), depth + 1)


def _matrix(obj: Any) -> pdfium.PdfMatrix:
    found = raw.FS_MATRIX()
    return pdfium.PdfMatrix.from_raw(found) if raw.FPDFPageObj_GetMatrix(obj, found) else _SAME


def _ink(obj: Any, order: int, matrix: pdfium.PdfMatrix, geometry: PageGeometry) -> Ink:
    mode = raw.FPDFTextObj_GetTextRenderMode(obj)
    asked = [
        read
        for modes, read in (
            (_FILLING, raw.FPDFPageObj_GetFillColor),
            (_STROKING, raw.FPDFPageObj_GetStrokeColor),
        )
        if mode in modes
    ]
    found = [colour_of(obj, read) for read in asked]
    colours = tuple(colour[0] for colour in found if colour and colour[1] > LEAST_ALPHA)
    clip = _clip(obj)
    return Ink(
        order,
        colours,
        is_known=None not in found,
        clip=None if clip is None else geometry.shown(*matrix.on_rect(*clip)),
    )


def colour_of(obj: Any, read: Any) -> tuple[Rgb, int] | None:
    """A colour and its alpha from 0 to 255."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not read(obj, red, green, blue, alpha):
        return None
    return (red.value / 255, green.value / 255, blue.value / 255), alpha.value


def _paint(
    obj: Any, kind: int, order: int, matrix: pdfium.PdfMatrix, geometry: PageGeometry
) -> Paint | None:
    """None for what paints no area."""
    if kind == raw.FPDF_PAGEOBJ_PATH and not fills_and_strokes(obj)[0]:
        return None
    box = area_of(obj, matrix, geometry)
    if box is None:
        return None
    shines_through = raw.FPDFPageObj_HasTransparency(obj)
    if kind == raw.FPDF_PAGEOBJ_IMAGE:
        return Paint(order, Kind.OTHER if shines_through else Kind.PICTURE, box)
    colour = colour_of(obj, raw.FPDFPageObj_GetFillColor)
    is_solid = colour is not None and colour[1] == _OPAQUE and not shines_through
    if colour and is_solid and kind == raw.FPDF_PAGEOBJ_PATH and _is_rectangle(obj):
        return Paint(order, Kind.SOLID, box, colour[0])
    return Paint(order, Kind.OTHER, box)


def area_of(obj: Any, matrix: pdfium.PdfMatrix, geometry: PageGeometry) -> Rectangle | None:
    """Where it is drawn on the page as it is shown, as far as no clip cuts it; None for nowhere."""
    bounds, clip = _bounds(obj), _clip(obj)
    if bounds is not None and clip is not None:
        bounds = overlap(bounds, clip)
    return None if bounds is None else geometry.shown(*matrix.on_rect(*bounds))


def _bounds(obj: Any) -> Rectangle | None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not raw.FPDFPageObj_GetBounds(obj, left, bottom, right, top):
        return None
    return left.value, bottom.value, right.value, top.value


def fills_and_strokes(path: Any) -> tuple[bool, bool]:
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    if not raw.FPDFPath_GetDrawMode(path, mode, stroke):
        return False, False
    return mode.value != 0, stroke.value != 0


def _is_rectangle(path: Any) -> bool:
    count = raw.FPDFPath_CountSegments(path)
    if not 4 <= count <= _LONGEST_RECTANGLE:
        return False
    matrix = _matrix(path)
    segments = [raw.FPDFPath_GetPathSegment(path, index) for index in range(count)]
    if raw.FPDF_SEGMENT_BEZIERTO in map(raw.FPDFPathSegment_GetType, segments):
        return False
    points = [matrix.on_point(*_point(segment)) for segment in segments]
    xs, ys = ({round(value, 1) for value in values} for values in zip(*points, strict=True))
    return len(xs) == 2 and len(ys) == 2 and len({(round(x), round(y)) for x, y in points}) == 4


def _point(segment: Any) -> tuple[float, float]:
    x, y = ctypes.c_float(), ctypes.c_float()
    raw.FPDFPathSegment_GetPoint(segment, x, y)
    return x.value, y.value


def _clip(obj: Any) -> Rectangle | None:
    """Around what is left of all that is drawn of an object; None where nothing is cut."""
    clip = raw.FPDFPageObj_GetClipPath(obj)
    left: Rectangle | None = None
    for path in range(max(0, raw.FPDFClipPath_CountPaths(clip)) if clip else 0):
        points = [
            _point(raw.FPDFClipPath_GetPathSegment(clip, path, index))
            for index in range(raw.FPDFClipPath_CountPathSegments(clip, path))
        ]
        if not points:
            continue
        xs, ys = zip(*points, strict=True)
        around = min(xs), min(ys), max(xs), max(ys)
        left = around if left is None else overlap(left, around) or (0.0, 0.0, 0.0, 0.0)
    return left


MOST_MARKS, _MOST_APART = 20_000, 500
"""On a page, and what of them is apart; the pictures of one with more are not looked for."""
_MOST_COMPARED = 500 * MOST_MARKS
"""Marks with what is around others, over and over; more take seconds."""
_NEAR = 6.0
"""Points: what is no farther apart is one picture."""
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
    marks = list(islice(_marks(page, captions, tables), MOST_MARKS + 1))
    return [
        (left, top, right, bottom)
        for left, top, right, bottom in (_together(marks) if len(marks) <= MOST_MARKS else ())
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
    colour = colour_of(obj, read)
    return colour is not None and (colour[1] <= LEAST_ALPHA or look_alike(colour[0], WHITE))


def _holds(outer: Rectangle, inner: Rectangle) -> bool:
    return (
        outer[0] - _EDGE <= inner[0]
        and outer[1] - _EDGE <= inner[1]
        and inner[2] <= outer[2] + _EDGE
        and inner[3] <= outer[3] + _EDGE
    )


def _together(boxes: Sequence[Rectangle]) -> list[Rectangle]:
    """Around those that are near each other, or within what is around these; none for too many."""
    left, found, compared = np.array(boxes).reshape(-1, 4), list[Rectangle](), 0
    while len(left):
        near, count = np.arange(len(left)) == 0, 0
        while near.sum() > count:
            count = near.sum()
            compared += len(left)
            if compared > _MOST_COMPARED or len(found) == _MOST_APART:
                return []
            x0, y0 = left[near, :2].min(axis=0) - _NEAR
            x1, y1 = left[near, 2:].max(axis=0) + _NEAR
            is_level = (left[:, 1] <= y1) & (left[:, 3] >= y0)
            near = (left[:, 0] <= x1) & (left[:, 2] >= x0) & is_level
        x0, y0, x1, y1 = float(x0) + _NEAR, float(y0) + _NEAR, float(x1) - _NEAR, float(y1) - _NEAR
        found.append((x0, y0, x1, y1))
        left = left[~near]
    return found


Edge = tuple[float, float, float]
"""How far from the top something ends or is drawn across, and from where to where, in points."""


def edges_across(page: pdfium.PdfPage) -> list[Edge]:
    """Rules across a page, and the upper and lower edges of its coloured areas; white is none."""
    geometry, found, count = PageGeometry(page), [], 0
    for obj, matrix in objects_of(page):
        if raw.FPDFPageObj_GetType(obj) != raw.FPDF_PAGEOBJ_PATH:
            continue
        count += 1
        if count > MOST_PATHS:
            return []
        if is_painted(obj) and (area := area_of(obj, matrix, geometry)):
            left, top, right, bottom = area
            thin = bottom - top <= THIN
            heights = ((top + bottom) / 2,) if thin else (top, bottom)
            found += [(height, left, right) for height in heights]
    return sorted(found)


_MOST_DOTS = 500
"""On a page: more are a chart or a pattern."""
_LARGEST_DOT = 8.0
"""Points."""


def dots_on(page: pdfium.PdfPage) -> Sequence[Rectangle]:
    """Bullets that are drawn and not written, as browsers print those of lists.

    Small areas as wide as they are high, where they stand on the page as it is shown.
    """
    geometry, found = PageGeometry(page), []
    for path in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=1):
        left, top, right, bottom = geometry.shown(*path.get_bounds())
        width, height = right - left, bottom - top
        if 0 < height <= _LARGEST_DOT and abs(width - height) < 0.1 * _LARGEST_DOT:
            found.append((left, top, right, bottom))
            if len(found) > _MOST_DOTS:
                return ()
    return found


THIN = 3.0
"""Points: a path no thicker is a line."""
MOST_PATHS = 5000
"""A page with more is a map or a drawing, on which a search for tables takes minutes."""
