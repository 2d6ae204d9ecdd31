"""Text of a slide that lies under what is painted later is seen by nobody.

Surely covered is what lies wholly under rectangles that let nothing through and stay where they
are. What animations move or take away, and what may reach out of its box, is read all the same.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml import parse_xml
from pptx.oxml.xmlchemy import BaseOxmlElement
from pptx.slide import Slide

from retrieval.parsing.hiding import Way
from retrieval.parsing.pptx.reach import Rectangle, reach_of
from retrieval.parsing.pptx.shapes import Placed
from retrieval.types import PageSize

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SLIDE = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_PLAIN = f"{_DRAWING}solidFill"
_FILLS = (_PLAIN, f"{_DRAWING}gradFill", f"{_DRAWING}pattFill")
_OTHER_FILLS = tuple(f"{_DRAWING}{name}" for name in ("noFill", "blipFill", "grpFill"))
_SOFTENING = tuple(f"{_DRAWING}{name}" for name in ("softEdge", "effectDag", "scene3d", "sp3d"))
_COLOURS = tuple(
    f"{_DRAWING}{name}"
    for name in ("srgbClr", "schemeClr", "sysClr", "prstClr", "hslClr", "scrgbClr")
)
_WHOLE = 100_000
"""Thousandths of a percent."""
_TOLERANCE = 1.0
"""Points by which a cover may fall short: text keeps farther from the edge of its box."""
_MOST_COVERS = 100
"""Over one shape; each costs time, and nobody lays more over what they have written."""
_MOST_PIECES = 64
"""Of what covers have left open so far; what is in more pieces counts as seen."""


@dataclass(frozen=True, slots=True)
class _Cover:
    at: int
    """In the order in which shapes are painted."""
    area: Rectangle
    stays: bool
    """Whether no animation may move it or take it away."""


class Covers:
    """They are the shapes of one slide that let nothing of what is under them be seen."""

    def __init__(self, slide: Slide, placed: Sequence[Placed], page: PageSize) -> None:
        self._placed = placed
        self._slide = 0.0, 0.0, page.width, page.height
        self._animated = _animated(slide)
        styled = _opaque_styles(slide)
        self._covers = [
            _Cover(at, area, stays=not self._moves(each))
            for at, each in enumerate(placed)
            if (area := _area(each)) and not each.is_marked and _is_opaque(each, styled)
        ]
        self._edges = np.array([each.area for each in self._covers]).reshape(-1, 4)

    def way(self, at: int) -> tuple[Way, bool] | None:
        """How a shape's text is hidden, and whether it is left out; None where it is seen."""
        here = self._placed[at]
        area = _area(here)
        if area is None:
            return None
        later = self._over(area, at)
        if not later or not _covered(self._on_slide(area), _areas(later)):
            return None
        stay = _areas(each for each in later if each.stays)
        reach = reach_of(here, area)
        surely = not self._moves(here) and _covered(self._on_slide(reach), stay)
        return Way.COVERED, surely

    def _over(self, area: Rectangle, at: int) -> list[_Cover]:
        """What is painted later and meets an area; the largest where they are many."""
        first = bisect_right(self._covers, at, key=lambda cover: cover.at)
        x0, y0, x1, y1 = self._edges[first:].T
        left, top, right, bottom = area
        meet = np.flatnonzero((x0 <= right) & (x1 >= left) & (y0 <= bottom) & (y1 >= top))
        if len(meet) > _MOST_COVERS:
            sizes = ((x1 - x0) * (y1 - y0))[meet]
            meet = meet[np.argsort(-sizes, kind="stable")[:_MOST_COVERS]]
        return [self._covers[first + int(number)] for number in meet]

    def _moves(self, placed: Placed) -> bool:
        return not self._animated.isdisjoint(placed.ids)

    def _on_slide(self, area: Rectangle) -> Rectangle:
        left, top, right, bottom = self._slide
        return max(area[0], left), max(area[1], top), min(area[2], right), min(area[3], bottom)


def _area(placed: Placed) -> Rectangle | None:
    """None where it is not known to the point: what is turned askew, or with a group around it."""
    box = placed.box
    if box is None or placed.is_turned or placed.shape.rotation % 90:
        return None
    return box.x0, box.y0, box.x1, box.y1


def _areas(covers: Iterable[_Cover]) -> Iterator[Rectangle]:
    return (each.area for each in covers)


def _covered(area: Rectangle, covers: Iterator[Rectangle]) -> bool:
    """Whether several cover all of it between them."""
    left, top, right, bottom = area
    open_pieces = [
        (
            min(left + _TOLERANCE, right),
            min(top + _TOLERANCE, bottom),
            max(right - _TOLERANCE, left),
            max(bottom - _TOLERANCE, top),
        )
    ]
    for cover in covers:
        open_pieces = [rest for piece in open_pieces for rest in _without(piece, cover)]
        if not open_pieces or len(open_pieces) > _MOST_PIECES:
            break
    return not open_pieces


def _without(piece: Rectangle, cover: Rectangle) -> Iterator[Rectangle]:
    """What a cover leaves of a piece: above and below it, and beside it."""
    left, top, right, bottom = piece
    x0, y0, x1, y1 = cover
    if x1 <= left or x0 >= right or y1 <= top or y0 >= bottom:
        inside = x0 <= left and right <= x1 and y0 <= top and bottom <= y1
        if not inside:  # of a piece without an area nothing is left either
            yield piece
        return
    if y0 > top:
        yield left, top, right, y0
    if y1 < bottom:
        yield left, y1, right, bottom
    if x0 > left:
        yield left, max(top, y0), x0, min(bottom, y1)
    if x1 < right:
        yield x1, max(top, y0), right, min(bottom, y1)


def _is_opaque(placed: Placed, styled: Sequence[bool]) -> bool:
    """Whether it is a plain rectangle of colours through which nothing is seen."""
    element = placed.shape._element  # noqa: SLF001  # fills have no public names
    own = element.find(f"{_SLIDE}spPr")
    if element.tag != f"{_SLIDE}sp" or own is None:
        return False
    form = own.find(f"{_DRAWING}prstGeom")
    if form is None or form.get("prst") != "rect" or next(own.iter(*_SOFTENING), None) is not None:
        return False
    fill = next(iter(own.iterchildren(*_FILLS, *_OTHER_FILLS)), None)
    if fill is not None:
        return fill.tag in _FILLS and _lets_nothing_through(fill)
    reference = element.find(f"{_SLIDE}style/{_DRAWING}fillRef")
    if reference is None or not _lets_nothing_through(reference):
        return False
    number = reference.get("idx", "0")
    return number.isdecimal() and 0 < int(number[:9]) <= len(styled) and styled[int(number[:9]) - 1]


def _lets_nothing_through(fill: BaseOxmlElement) -> bool:
    """Whether it has colours, and none is said to be anything but opaque."""
    has_colours = next(fill.iter(*_COLOURS), None) is not None
    thinned = (each for each in fill.iter() if str(each.tag).startswith(f"{_DRAWING}alpha"))
    return has_colours and all(_is_whole(each) for each in thinned)


def _is_whole(alpha: BaseOxmlElement) -> bool:
    value = alpha.get("val", "")
    return alpha.tag == f"{_DRAWING}alpha" and value.isdecimal() and int(value[:9]) >= _WHOLE


def _opaque_styles(slide: Slide) -> list[bool]:
    """Of the fills that a theme offers to shapes, whether each lets nothing through."""
    master: Any = slide.slide_layout.slide_master
    try:
        root = parse_xml(master.part.part_related_by(RELATIONSHIP_TYPE.THEME).blob)
    except (KeyError, ValueError, SyntaxError):
        return []
    fills = root.find(f".//{_DRAWING}fmtScheme/{_DRAWING}fillStyleLst")
    offered = () if fills is None else fills
    return [each.tag in _FILLS and _lets_nothing_through(each) for each in offered]


def _animated(slide: Slide) -> frozenset[int]:
    """Ids of the shapes that are named among a slide's animations."""
    timing = slide._element.find(f"{_SLIDE}timing")  # noqa: SLF001
    targets = () if timing is None else timing.iter(f"{_SLIDE}spTgt")
    named = (each.get("spid", "") for each in targets)
    return frozenset(int(each) for each in named if each.isdecimal())
