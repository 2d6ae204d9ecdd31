"""The shapes of a slide, out of their groups: where they, their cells and their text stand."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import ceil

from pptx.oxml.xmlchemy import BaseOxmlElement
from pptx.shapes.base import BaseShape
from pptx.shapes.group import GroupShape
from pptx.table import Table

from retrieval.language.sentences import names_picture
from retrieval.parsing.office import DRAWN, GRAPHIC
from retrieval.parsing.rectangles import Rectangle
from retrieval.types import Box

EMU = 12_700
"""English metric units in a point."""
_ON = ("1", "true")
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_MARKUP = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
Turn = Callable[[float, float], tuple[float, float]]
"""From a place in a group's own units to one on the slide, in points."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A shape with text or pictures, in the order in which it is painted."""

    shape: BaseShape
    box: Box | None
    is_marked: bool
    """Whether it, or a group around it, is marked as hidden."""
    groups: tuple[GroupShape, ...] = ()

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
    """Put what PowerPoint shows in place of what it offers to older programs."""
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
    turned = turn or (lambda x, y: (x / EMU, y / EMU))
    for shape in shapes:
        named = shape._element._nvXxPr.cNvPr  # noqa: SLF001  # hidden has no public name
        marked = is_marked or named.get("hidden", "0") in _ON
        if isinstance(shape, GroupShape):
            within, around = _within(shape, turned), (*groups, shape)
            yield from shapes_of(shape.shapes, page, within, is_marked=marked, groups=around)
        else:
            yield Placed(shape, _box(shape, page, turned), marked, groups)


def _is_turned(group: GroupShape) -> bool:
    frame = group._element.grpSpPr.find(f"{_DRAWING}xfrm")  # noqa: SLF001
    turning = () if frame is None else (frame.get(name, "0") for name in ("rot", "flipH", "flipV"))
    return any(each not in ("0", "false") for each in turning)


def _within(group: GroupShape, turn: Turn) -> Turn:
    """Of what stands in a group, which has units of its own."""
    frame: BaseOxmlElement | None = group._element.grpSpPr.find(f"{_DRAWING}xfrm")  # noqa: SLF001
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
    first, extent = frame.find(_DRAWING + at), frame.find(_DRAWING + size)
    x, y = (0, 0) if first is None else (int(first.get("x", 0)), int(first.get("y", 0)))
    if extent is None:
        return x, y, 0, 0
    return x, y, int(extent.get("cx", 0)), int(extent.get("cy", 0))


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


class TablePlaces:
    """By the sizes that a table states; a row that needs more room is drawn taller."""

    def __init__(self, table: Table, box: Box | None) -> None:
        self._box = box
        self._columns = list(_edges([column.width / EMU for column in table.columns]))
        self._rows = list(_edges([row.height / EMU for row in table.rows]))

    def row(self, number: int) -> Box | None:
        box = self._box
        if box is None:
            return None
        first, last = (min(box.y0 + self._rows[n], box.y1) for n in (number, number + 1))
        return Box(box.page, box.x0, first, box.x1, last)

    def cells(self, number: int) -> dict[int, Box]:
        """By column, from 0."""
        row = self.row(number)
        if row is None:
            return {}
        lefts = [min(row.x0 + edge, row.x1) for edge in self._columns]
        return {
            column: Box(row.page, lefts[column], row.y0, lefts[column + 1], row.y1)
            for column in range(len(lefts) - 1)
        }


def _edges(sizes: Sequence[float]) -> Iterator[float]:
    edge = 0.0
    yield edge
    for size in sizes:
        edge += size
        yield round(edge, 2)


_LETTER, _SQUARE, _HIGH = 0.65, 1.05, 1.3
"""Of letters, of signs as wide as high, and of lines, as shares of the size of the text: most are
less."""
_FIRST_SQUARE = "\u2e80"
_INSETS = 14.4
"""Left and right together, as PowerPoint has them."""
_LEAST = 1.0
"""Points: a box of less has no room for a letter."""
_SIZE, _SIZE_OF_PLACEHOLDER = 18.0, 44.0
"""Where nothing says another, as in python-pptx's and PowerPoint's own templates."""


def reach_of(placed: Placed, box: Rectangle) -> Rectangle:
    """Where some of a shape's text may be painted: the box at the least, rather too far."""
    shape = placed.shape
    if getattr(shape, "has_table", False):
        table = shape.table._tbl  # noqa: SLF001
        widths = [int(each.get("w", 0)) / EMU for each in table.iterfind(f".//{_DRAWING}gridCol")]
        rows = table.iterfind(f"{_DRAWING}tr")
        return _below(box, sum(_row_height(row, widths) for row in rows))
    if not shape.has_text_frame:
        return box
    body = shape._element.txBody  # noqa: SLF001
    size = _size(body, _SIZE_OF_PLACEHOLDER if shape.is_placeholder else _SIZE)
    longest = max(map(_width, _lines(body)), default=0.0) * size + _INSETS
    height = _height(body, box[2] - box[0], size)
    properties = body.find(f"{_DRAWING}bodyPr")
    stated = {} if properties is None else properties.attrib
    if stated.get("vert", "horz") != "horz" or stated.get("rot", "0") != "0":
        most = max(height, _height(body, box[3] - box[1], size))
        return _around(box, max(most, longest), max(most, longest))
    if stated.get("wrap") == "none":
        return _around(box, longest, _height(body, longest, size))
    if shape.is_placeholder or stated.get("anchor", "t") != "t":
        return _around(box, 0.0, height)
    return _below(box, height)


def _around(box: Rectangle, width: float, height: float) -> Rectangle:
    """At least so wide and high whichever edge it is aligned to."""
    across, down = (max(0.0, size) for size in (width - box[2] + box[0], height - box[3] + box[1]))
    return box[0] - across, box[1] - down, box[2] + across, box[3] + down


def _below(box: Rectangle, height: float) -> Rectangle:
    return box[0], box[1], box[2], max(box[3], box[1] + height)


def _height(body: BaseOxmlElement, width: float, size: float) -> float:
    fits = max(1.0, (width - _INSETS) / size)
    rows = sum(max(1, ceil(_width(line) / fits)) for line in _lines(body))
    return rows * size * _HIGH + _INSETS / 2


def _width(line: str) -> float:
    """In sizes of the text."""
    squares = sum(each >= _FIRST_SQUARE for each in line)
    return squares * _SQUARE + (len(line) - squares) * _LETTER


def _lines(body: BaseOxmlElement) -> Iterator[str]:
    """Paragraphs, and what breaks part in them."""
    for paragraph in body.iterfind(f"{_DRAWING}p"):
        line = ""
        for each in paragraph.iter(f"{_DRAWING}t", f"{_DRAWING}br"):
            if each.tag == f"{_DRAWING}br":
                yield line
                line = ""
            else:
                line += each.text or ""
        yield line


def _size(body: BaseOxmlElement, otherwise: float) -> float:
    """The largest that is stated; `otherwise` where a run states none and it is larger."""
    runs = [each.find(f"{_DRAWING}rPr") for each in body.iter(f"{_DRAWING}r", f"{_DRAWING}fld")]
    all_state = all(run is not None and "sz" in run.attrib for run in runs)
    stated = (each.get("sz", "") for each in body.iter())
    sizes = [int(each[:9]) / 100 for each in stated if each.isdecimal()]
    return max(sizes if runs and all_state else [*sizes, otherwise])


def is_squeezed(placed: Placed) -> bool:
    """Whether a box has no width to write in, or cuts off what is too high; some show it."""
    shape, box = placed.shape, placed.box
    if box is None or not shape.has_text_frame:
        return False
    properties = shape._element.txBody.find(f"{_DRAWING}bodyPr")  # noqa: SLF001
    stated = {} if properties is None else properties.attrib
    narrow, low = box.x1 - box.x0 < _LEAST, box.y1 - box.y0 < _LEAST
    is_cut = stated.get("vertOverflow", "overflow") != "overflow"
    return (narrow and stated.get("wrap", "square") != "none") or (low and is_cut)


def _row_height(row: BaseOxmlElement, widths: list[float]) -> float:
    cells = zip_longest(row.iterfind(f"{_DRAWING}tc"), widths, fillvalue=None)
    heights = [
        _height(body, width or 0.0, _size(body, _SIZE))
        for cell, width in cells
        if cell is not None and (body := cell.find(f"{_DRAWING}txBody")) is not None
    ]
    return max([int(row.get("h", 0)) / EMU, *heights])


_NEAR = 24.0
"""Points between a picture and its caption; and by which they may share a place:"""
_INTO = 12.0


def is_picture(placed: Placed) -> bool:
    """Whether a shape is one, also where a layout left a place for it."""
    element = placed.shape._element  # noqa: SLF001
    is_image = str(element.tag).endswith("}pic")
    return is_image or any(each.get("uri") in DRAWN for each in element.iter(GRAPHIC))


def picture_of(text: str, box: Box | None, pictures: Sequence[Box]) -> Box | None:
    """The nearest picture that a text in a box is the caption of; None for none."""
    if box is None or not names_picture(text):
        return None
    near = [(gap, at) for at, each in enumerate(pictures) if (gap := _gap(box, each)) <= _NEAR]
    return pictures[min(near)[1]] if near else None


def _gap(caption: Box, picture: Box) -> float:
    beside = caption.x1 <= picture.x0 or picture.x1 <= caption.x0
    gap = max(caption.y0 - picture.y1, picture.y0 - caption.y1)
    return float("inf") if beside or gap < -_INTO else gap
