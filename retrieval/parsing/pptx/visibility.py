"""Whether text of a slide is seen: told from what is behind it, and not covered.

Surely covered is what lies wholly under rectangles that let nothing through and stay where they
are; what animations move, and what may reach out of its box, is read all the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import nlargest
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml import parse_xml
from pptx.oxml.xmlchemy import BaseOxmlElement
from pptx.slide import Slide

from retrieval.parsing.hiding import (
    SMALLEST_TYPE,
    WHITE,
    Rgb,
    Verdict,
    Way,
    rgb_of,
    toned,
    verdict_on,
)
from retrieval.parsing.office import related, theme_colours
from retrieval.parsing.pptx.shapes import Placed, reach_of, shapes_of
from retrieval.parsing.rectangles import Rectangle
from retrieval.types import PageSize

_SMALLEST_SIZE = int(SMALLEST_TYPE * 100)
"""Hundredths of a point."""
_UNSTRUCK = "noStrike"
_LEAST_OPAQUE = 5_000
"""Thousandths of a percent: text of less is not seen."""
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SLIDE = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_PLAIN, _NO_FILL = f"{_DRAWING}solidFill", f"{_DRAWING}noFill"
_COVERING_FILLS = (_PLAIN, f"{_DRAWING}gradFill", f"{_DRAWING}pattFill")
_FILLS = (*_COVERING_FILLS, f"{_DRAWING}blipFill", f"{_DRAWING}grpFill", _NO_FILL)
_OF_STYLE = f"{_SLIDE}style/{_DRAWING}fontRef"
"""What a shape's style says of the colour of its text."""


class Looks:
    def __init__(self, slide: Slide, placed: Sequence[Placed]) -> None:
        self._placed = placed
        layout = slide.slide_layout
        master = layout.slide_master
        self._layers = (slide, layout, master)
        self._colours = _theme(master)
        self._ground = cache(self._ground_of)
        self._under = [
            each
            for layer in (master, layout)
            for each in shapes_of(iter(layer.shapes), 0)
            if not each.shape.is_placeholder and _paints(each)
        ]

    def way(
        self, run: BaseOxmlElement, at: int, cell: BaseOxmlElement | None = None
    ) -> Verdict | None:
        """How a run in a shape is hidden; `at`: the shape's place in the order of painting."""
        stated = list(_stated_of(run))
        size = next((size for each in stated if (size := each.get("sz", ""))), "")
        if size.isdecimal() and int(size) <= _SMALLEST_SIZE:
            return Verdict(Way.TINY)
        strike = next((strike for each in stated if (strike := each.get("strike"))), _UNSTRUCK)
        if strike != _UNSTRUCK:
            return Verdict(Way.STRUCK)
        fill = next(filter(lambda fill: fill is not None, map(_fill_of, stated)), None)
        if fill is not None and (fill.tag == _NO_FILL or _is_clear(fill)):
            return Verdict(Way.TRANSPARENT)
        is_own = fill is not None and fill.getparent().getparent() is run
        if fill is None and cell is None:
            fill = self._placed[at].shape._element.find(_OF_STYLE)  # noqa: SLF001
        colours = [] if fill is None else self._colours_of(fill)
        if not colours:
            return None
        filled = None if cell is None else cell.find(f"{_DRAWING}tcPr/{_DRAWING}solidFill")
        of_cell = None if filled is None else self._colour(filled)
        ground = self._ground(at) if cell is None else of_cell
        if ground is None and not is_own:
            return None  # white by its style, as on every shape that is filled by one
        return verdict_on(colours, ground)

    def _colours_of(self, fill: BaseOxmlElement) -> list[Rgb]:
        """All of a plain fill or of one that changes; none where one of them is not known."""
        stops = list(fill.iterfind(f"{_DRAWING}gsLst/{_DRAWING}gs"))
        colours = [self._colour(each) for each in stops or [fill]]
        known = [each for each in colours if each is not None]
        return known if len(known) == len(colours) else []

    def _ground_of(self, at: int) -> Rgb | None:
        """What is behind the text of a shape; None where it is not known."""
        here = self._placed[at]
        fill = _fill_of(_properties_of(here))
        if fill is not None and fill.tag != _NO_FILL:
            return self._colour(fill) if fill.tag == _PLAIN else None
        if fill is None and (here.shape.is_placeholder or _is_styled(here)):
            base = _inherited(here)
            if base is None or _paints(base):
                return None
        below = [*self._under, *(each for each in self._placed[:at] if _paints(each))]
        return None if any(map(here.meets, below)) else self._background()

    def _background(self) -> Rgb | None:
        for layer in self._layers:
            found = layer._element.find(f"{_SLIDE}cSld/{_SLIDE}bg")  # noqa: SLF001
            if found is None:
                continue
            plain = found.find(f"{_SLIDE}bgPr/{_DRAWING}solidFill")
            by_theme = found.find(f"{_SLIDE}bgRef[@idx='1001']")
            stated = plain if plain is not None else by_theme
            return None if stated is None else self._colour(stated)
        return WHITE

    def _colour(self, fill: BaseOxmlElement) -> Rgb | None:
        """None where it is not known; lightness that is changed is followed, nothing else is."""
        for each in fill:
            colour: Rgb | None = None
            if each.tag == f"{_DRAWING}srgbClr":
                colour = rgb_of(each.get("val", ""))
            if each.tag == f"{_DRAWING}schemeClr":
                colour = rgb_of(self._colours.get(each.get("val", ""), ""))
            for change in each:
                colour = None if colour is None else _changed(colour, change)
            return colour
        return None


def _stated_of(run: BaseOxmlElement) -> Iterator[BaseOxmlElement]:
    """What is said of how a run looks, the nearest first: by itself, and by its shape's styles."""
    own = run.find(f"{_DRAWING}rPr")
    if own is not None:
        yield own
    paragraph = run.getparent()
    properties = paragraph.find(f"{_DRAWING}pPr")
    level = properties.get("lvl", "0") if properties is not None else "0"
    name = f"lvl{int(level) + 1}pPr" if level.isdecimal() else "lvl1pPr"
    for each in (name, "defPPr"):
        yield from paragraph.getparent().iterfind(
            f"{_DRAWING}lstStyle/{_DRAWING}{each}/{_DRAWING}defRPr"
        )


def _theme(master: Any) -> Mapping[str, str]:
    """Colours by the names that slides use for them, in hexadecimal."""
    found = theme_colours(related(master.part, RELATIONSHIP_TYPE.THEME, parse_xml))
    mapped = master._element.find(f"{_SLIDE}clrMap")  # noqa: SLF001
    return found | {
        name: found.get(str(other), "")
        for name, other in ({} if mapped is None else mapped.attrib).items()
    }


def _inherited(placed: Placed) -> Placed | None:
    """The shape of the layout that a placeholder follows; itself for any other shape."""
    if not placed.shape.is_placeholder:
        return placed
    base = placed.shape._base_placeholder  # noqa: SLF001
    return None if base is None else Placed(base, None, is_marked=False)


def _properties_of(placed: Placed) -> BaseOxmlElement | None:
    return placed.shape._element.find(f"{_SLIDE}spPr")  # noqa: SLF001  # fills have no public names


def _fill_of(properties: BaseOxmlElement | None) -> BaseOxmlElement | None:
    return None if properties is None else next(properties.iterchildren(*_FILLS), None)


def _paints(placed: Placed) -> bool:
    """Whether it may hide or colour what is under its text."""
    own = _properties_of(placed)
    if own is None or own.getparent().tag == f"{_SLIDE}pic":
        return True  # a table, a chart, a picture
    fill = _fill_of(own)
    return _is_styled(placed) if fill is None else bool(fill.tag != _NO_FILL)


def _style_of(placed: Placed) -> BaseOxmlElement | None:
    return placed.shape._element.find(f"{_SLIDE}style/{_DRAWING}fillRef")  # noqa: SLF001


def _is_styled(placed: Placed) -> bool:
    reference = _style_of(placed)
    return reference is not None and reference.get("idx", "0") != "0"


def _is_clear(fill: BaseOxmlElement) -> bool:
    if fill.tag != _PLAIN:
        return False
    values = (alpha.get("val", "") for alpha in fill.iter(f"{_DRAWING}alpha"))
    return any(value.isdecimal() and int(value[:9]) <= _LEAST_OPAQUE for value in values)


def _changed(colour: Rgb, change: BaseOxmlElement) -> Rgb | None:
    """By one of what ECMA-376, part 1, 20.1.2.3 lists, in thousandths of a percent."""
    if change.tag == f"{_DRAWING}alpha":
        return colour
    value = change.get("val", "")
    if not value.removeprefix("-").isdecimal():
        return None
    if change.tag == f"{_DRAWING}lumMod":
        return toned(colour, int(value[:9]) / 100_000)
    if change.tag == f"{_DRAWING}lumOff":
        return toned(colour, 1.0, int(value[:9]) / 100_000)
    return None


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

    def way(self, at: int) -> Verdict | None:
        """How a shape's text is hidden, and whether it is left out; None where it is seen."""
        here = self._placed[at]
        area = _area(here)
        if area is None:
            return None
        later = self._over(area, at)
        if not later or not _covered(self._on_slide(area), [each.area for each in later]):
            return None
        stay = [each.area for each in later if each.stays]
        reach = self._on_slide(reach_of(here, area))
        return Verdict(Way.COVERED, not self._moves(here) and _covered(reach, stay))

    def _over(self, area: Rectangle, at: int) -> list[_Cover]:
        """What is painted later and meets an area; the largest where they are many."""
        later = (each for each in self._covers if each.at > at and _touch(each.area, area))
        return nlargest(_MOST_COVERS, later, key=lambda each: _size(each.area))

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


def _touch(one: Rectangle, other: Rectangle) -> bool:
    across = one[0] <= other[2] and one[2] >= other[0]
    return across and one[1] <= other[3] and one[3] >= other[1]


def _size(area: Rectangle) -> float:
    return (area[2] - area[0]) * (area[3] - area[1])


def _covered(area: Rectangle, covers: Sequence[Rectangle]) -> bool:
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
    own = _properties_of(placed)
    if own is None or own.getparent().tag != f"{_SLIDE}sp":
        return False
    form = own.find(f"{_DRAWING}prstGeom")
    if form is None or form.get("prst") != "rect" or next(own.iter(*_SOFTENING), None) is not None:
        return False
    fill = _fill_of(own)
    if fill is not None:
        return fill.tag in _COVERING_FILLS and _lets_nothing_through(fill)
    reference = _style_of(placed)
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
    theme = related(master.part, RELATIONSHIP_TYPE.THEME, parse_xml)
    path = f".//{_DRAWING}fmtScheme/{_DRAWING}fillStyleLst"
    fills = None if theme is None else theme.find(path)
    offered = () if fills is None else fills
    return [each.tag in _COVERING_FILLS and _lets_nothing_through(each) for each in offered]


def _animated(slide: Slide) -> frozenset[int]:
    """Ids of the shapes that are named among a slide's animations."""
    timing = slide._element.find(f"{_SLIDE}timing")  # noqa: SLF001
    targets = () if timing is None else timing.iter(f"{_SLIDE}spTgt")
    named = (each.get("spid", "") for each in targets)
    return frozenset(int(each) for each in named if each.isdecimal())
