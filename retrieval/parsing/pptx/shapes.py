"""The shapes of a slide, out of their groups, with where they stand on it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pptx.oxml.xmlchemy import BaseOxmlElement
from pptx.shapes.base import BaseShape
from pptx.shapes.group import GroupShape

from retrieval.types import Box

EMU = 12_700
"""English metric units in a point."""
_ON = ("1", "true")
_MARKUP = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
Turn = Callable[[float, float], tuple[float, float]]
"""From a place in a group's own units to one on the slide, in points."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A shape with text or pictures, in the order in which it is painted."""

    shape: BaseShape
    box: Box | None
    """None where neither it nor its layout says where it stands."""
    is_marked: bool
    """Whether it, or a group around it, is marked as hidden."""
    groups: tuple[GroupShape, ...] = ()
    """Those around it."""

    @property
    def ids(self) -> frozenset[int]:
        """Its own and those of the groups around it, as animations name them."""
        return frozenset(each.shape_id for each in (self.shape, *self.groups))

    @property
    def is_turned(self) -> bool:
        """Whether a group around it is turned or mirrored: `box` does not say where it then is."""
        return any(map(_is_turned, self.groups))

    def meets(self, other: "Placed") -> bool:
        """Whether they share a place; what is not known may."""
        one, two = self.box, other.box
        if one is None or two is None:
            return True
        beside = one.x1 <= two.x0 or two.x1 <= one.x0
        return not beside and not (one.y1 <= two.y0 or two.y1 <= one.y0)


def choose_alternatives(slide: BaseOxmlElement) -> None:
    """Put what PowerPoint shows in place of what it offers to programs of several ages.

    Text boxes with an equation stand so in a file; python-pptx sees none of them.
    """
    for offered in list(slide.iter(f"{_MARKUP}AlternateContent")):
        choice = offered.find(f"{_MARKUP}Choice")
        for shape in () if choice is None else list(choice):
            offered.addprevious(shape)
        offered.getparent().remove(offered)


def shapes_of(
    shapes: Iterator[BaseShape],
    page: int,
    turn: Turn | None = None,
    *,
    is_marked: bool = False,
    groups: tuple[GroupShape, ...] = (),
) -> Iterator[Placed]:
    """All of a slide, or of a group; groups themselves are none."""
    turned = turn or _in_points
    for shape in shapes:
        marked = is_marked or _is_marked(shape)
        if isinstance(shape, GroupShape):
            within, around = _within(shape, turned), (*groups, shape)
            yield from shapes_of(shape.shapes, page, within, is_marked=marked, groups=around)
        else:
            yield Placed(shape, _box(shape, page, turned), marked, groups)


def _is_marked(shape: BaseShape) -> bool:
    named = shape._element._nvXxPr.cNvPr  # noqa: SLF001  # hidden has no public name
    return named.get("hidden", "0") in _ON


def _is_turned(group: GroupShape) -> bool:
    frame = group._element.grpSpPr.find(_name("xfrm"))  # noqa: SLF001
    turning = () if frame is None else (frame.get(name, "0") for name in ("rot", "flipH", "flipV"))
    return any(each not in ("0", "false") for each in turning)


def _in_points(x: float, y: float) -> tuple[float, float]:
    return x / EMU, y / EMU


def _within(group: GroupShape, turn: Turn) -> Turn:
    """Of what stands in a group, which has units of its own."""
    frame: BaseOxmlElement | None = group._element.grpSpPr.find(_name("xfrm"))  # noqa: SLF001
    if frame is None:
        return turn
    x, y, width, height = _rectangle(frame, "off", "ext")
    inner_x, inner_y, inner_width, inner_height = _rectangle(frame, "chOff", "chExt")

    def placed(left: float, top: float) -> tuple[float, float]:
        across = (left - inner_x) * (width / inner_width if inner_width else 1)
        down = (top - inner_y) * (height / inner_height if inner_height else 1)
        return turn(x + across, y + down)

    return placed


def _rectangle(frame: BaseOxmlElement, at: str, size: str) -> tuple[float, float, float, float]:
    first, extent = frame.find(_name(at)), frame.find(_name(size))
    x, y = (0, 0) if first is None else (int(first.get("x", 0)), int(first.get("y", 0)))
    if extent is None:
        return x, y, 0, 0
    return x, y, int(extent.get("cx", 0)), int(extent.get("cy", 0))


def _name(tag: str) -> str:
    return f"{{http://schemas.openxmlformats.org/drawingml/2006/main}}{tag}"


def _box(shape: BaseShape, page: int, turn: Turn) -> Box | None:
    edges = shape.left, shape.top, shape.width, shape.height
    if any(edge is None for edge in edges):
        return None
    left, top, width, height = edges
    x0, y0 = turn(left, top)
    x1, y1 = turn(left + width, top + height)
    if round(shape.rotation / 90) % 2:  # stands on its side: around the same middle
        middle, half = ((x0 + x1) / 2, (y0 + y1) / 2), ((x1 - x0) / 2, (y1 - y0) / 2)
        x0, x1 = middle[0] - half[1], middle[0] + half[1]
        y0, y1 = middle[1] - half[0], middle[1] + half[0]
    return Box(
        page, *(round(edge, 2) for edge in (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
    )
