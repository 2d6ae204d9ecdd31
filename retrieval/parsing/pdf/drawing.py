"""A PDF page draws its text, what may cover it and what is behind, object by object in order."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.parsing.hiding import Rgb
from retrieval.parsing.pdf.text import PageGeometry
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
    """An area is painted with one of these."""

    SOLID = auto()
    """One colour, all over a rectangle: nothing shines through."""
    PICTURE = auto()
    OTHER = auto()
    """Anything else: what is seen there is not known."""


@dataclass(frozen=True, slots=True)
class Paint:
    """It is an area, its place on the page as it is shown."""

    order: int
    kind: Kind
    box: Rectangle
    rgb: Rgb | None = None


@dataclass(frozen=True, slots=True)
class Ink:
    """A piece of text is drawn with it."""

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
    images: list[Rectangle] = field(default_factory=list)
    """Where pictures are, whether or not something shines through."""


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
                if kind == raw.FPDF_PAGEOBJ_IMAGE:
                    found.images.append(paint.box)
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
    """Whether it is one, its sides along the page's."""
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
