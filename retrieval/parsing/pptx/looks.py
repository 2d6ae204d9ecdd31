"""Whether text of a slide can be told from what is behind it.

Colours and sizes that a run or its shape states are followed, not those that lists of styles in
layouts give.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml import parse_xml
from pptx.oxml.xmlchemy import BaseOxmlElement
from pptx.slide import Slide

from retrieval.parsing.hiding import SMALLEST_TYPE, WHITE, Rgb, Way, cannot_be_told, toned
from retrieval.parsing.pptx.shapes import Placed, shapes_of

_SMALLEST_SIZE = int(SMALLEST_TYPE * 100)
"""Hundredths of a point."""
_UNSTRUCK = "noStrike"
_LEAST_OPAQUE = 5_000
"""Thousandths of a percent: text of less is not seen."""
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SLIDE = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_FILLS = tuple(
    f"{_DRAWING}{name}" for name in ("solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
)
_NO_FILL = f"{_DRAWING}noFill"
_OF_STYLE = f"{_SLIDE}style/{_DRAWING}fontRef"
"""What a shape's style says of the colour of its text."""


class Looks:
    """It looks at the text of one slide."""

    def __init__(self, slide: Slide, placed: Sequence[Placed]) -> None:
        self._placed = placed
        layout = slide.slide_layout
        master = layout.slide_master
        self._layers = (slide, layout, master)
        self._colours = _theme(master)
        self._grounds: dict[int, Rgb | None] = {}
        self._under = [
            each
            for layer in (master, layout)
            for each in shapes_of(iter(layer.shapes), 0)
            if not each.shape.is_placeholder and _paints(each)
        ]

    def way(
        self, run: BaseOxmlElement, at: int, cell: BaseOxmlElement | None = None
    ) -> tuple[Way, bool] | None:
        """How a run is hidden, and whether it is left out; `at`: its shape's, in order painted.

        `cell`: of a table, that it stands in.
        """
        stated = list(_stated_of(run))
        size = next((size for each in stated if (size := each.get("sz", ""))), "")
        if size.isdecimal() and int(size) <= _SMALLEST_SIZE:
            return Way.TINY, True
        if (
            next((strike for each in stated if (strike := each.get("strike"))), _UNSTRUCK)
            != _UNSTRUCK
        ):
            return Way.STRUCK, True
        fills = (fill for each in stated for fill in each.iterchildren(_NO_FILL, *_FILLS))
        fill = next(fills, None)
        if fill is not None and (fill.tag == _NO_FILL or _is_clear(fill)):
            return Way.TRANSPARENT, True
        is_own = fill is not None and fill.getparent().getparent() is run
        if fill is None and cell is None:
            fill = self._placed[at].shape._element.find(_OF_STYLE)  # noqa: SLF001
        colours = [] if fill is None else self._colours_of(fill)
        if not colours:
            return None
        ground = self._of_cell(cell) if cell is not None else self._ground(at)
        if ground is None and not is_own:
            return None  # white by its style, as on every shape that is filled by one
        behind = WHITE if ground is None else ground
        is_hidden = all(cannot_be_told(colour, behind) for colour in colours)
        return (Way.COLOUR, ground is not None) if is_hidden else None

    def _colours_of(self, fill: BaseOxmlElement) -> list[Rgb]:
        """All of a plain fill or of one that changes; none where one of them is not known."""
        stops = list(fill.iterfind(f"{_DRAWING}gsLst/{_DRAWING}gs"))
        colours = [self._colour(each) for each in stops or [fill]]
        known = [each for each in colours if each is not None]
        return known if len(known) == len(colours) else []

    def _ground(self, at: int) -> Rgb | None:
        """What is behind the text of a shape; None where it is not known."""
        if at not in self._grounds:
            self._grounds[at] = self._found(at)
        return self._grounds[at]

    def _found(self, at: int) -> Rgb | None:
        here = self._placed[at]
        own = here.shape._element.find(f"{_SLIDE}spPr")  # noqa: SLF001
        fill = None if own is None else next(iter(own.iterchildren(*_FILLS)), None)
        if fill is not None:
            return self._colour(fill) if fill.tag == _FILLS[0] else None
        is_clear = own is not None and own.find(_NO_FILL) is not None
        if not is_clear and (here.shape.is_placeholder or _is_styled(here)):
            base = _inherited(here)
            if base is None or _paints(base):
                return None
        below = [*self._under, *(each for each in self._placed[:at] if _paints(each))]
        return None if any(map(here.meets, below)) else self._background()

    def _of_cell(self, cell: BaseOxmlElement) -> Rgb | None:
        fill = cell.find(f"{_DRAWING}tcPr/{_DRAWING}solidFill")
        return None if fill is None else self._colour(fill)

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
                colour = _rgb(each.get("val", ""))
            if each.tag == f"{_DRAWING}schemeClr":
                colour = _rgb(self._colours.get(each.get("val", ""), ""))
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
    try:
        root = parse_xml(master.part.part_related_by(RELATIONSHIP_TYPE.THEME).blob)
    except (KeyError, ValueError, SyntaxError):
        return {}
    found: dict[str, str] = {}
    scheme = root.find(f".//{_DRAWING}clrScheme")
    for colour in () if scheme is None else scheme:
        for value in colour:
            named = str(colour.tag).removeprefix(_DRAWING)
            found[named] = value.get("lastClr") or value.get("val") or ""
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


def _paints(placed: Placed) -> bool:
    """Whether it may hide or colour what is under its text."""
    element = placed.shape._element  # noqa: SLF001
    own = element.find(f"{_SLIDE}spPr")
    if own is None:
        return True  # a table, a chart
    if own.find(_NO_FILL) is not None:
        return bool(element.tag == f"{_SLIDE}pic")
    filled = next(iter(own.iterchildren(*_FILLS)), None) is not None
    return filled or bool(element.tag == f"{_SLIDE}pic") or _is_styled(placed)


def _is_styled(placed: Placed) -> bool:
    reference = placed.shape._element.find(f"{_SLIDE}style/{_DRAWING}fillRef")  # noqa: SLF001
    return reference is not None and reference.get("idx", "0") != "0"


def _is_clear(fill: BaseOxmlElement) -> bool:
    if fill.tag != _FILLS[0]:
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


def _rgb(text: str) -> Rgb | None:
    """Of six hexadecimal digits."""
    try:
        number = int(text, 16) if len(text) == 6 else None
    except ValueError:
        return None
    if number is None:
        return None
    return (number >> 16) / 255, (number >> 8 & 255) / 255, (number & 255) / 255
