"""How an element's text is seen; what is not known is taken as seen, and said to be in doubt."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, prod
from types import MappingProxyType

import tinycss2

from retrieval.parsing.css.selectors import Attributes
from retrieval.parsing.css.sheets import Variables, declared
from retrieval.parsing.css.values import (
    HIGH,
    WIDE,
    Colour,
    Tokens,
    attribute_colour,
    colour,
    functions,
    not_understood,
    percent,
    pixels,
    share,
    token_pixels,
    word,
)
from retrieval.parsing.hiding import BLACK, SMALLEST_TYPE, WHITE, Rgb, Verdict, Way, look_alike

_FAR = 1000.0
"""Pixels to the left of the page, or above it."""
_NOT_NEAR = 200.0
"""Pixels: less is the way of drop caps, pictures and menus."""
_VERY_FAR = 4000.0
"""Pixels to the right, or below what is fixed to the screen."""
_SLIT = 1.0
"""Pixels: a box no wider or higher shows no text."""
_PART_OF_A_LINE = 0.3
"""Of the text's size: a box no higher shows no letters."""
_MOST_APART, _LEAST_APART = 10.0, -0.4
"""Of the text's size, between letters: what is farther apart, or nearer, is not read."""
_LOWEST_LINES = 0.1
Values = Mapping[str, Tokens]


def away_or_cut(values: Values, size: float) -> Way | None:
    """`size` is that of the element's text, which lengths may count in."""
    if _is_away(values, size):
        return Way.AWAY
    apart = pixels(values.get("letter-spacing", ()), size) or 0.0
    if apart and not _LEAST_APART * size < apart < _MOST_APART * size:
        return Way.TINY if apart < 0 else Way.AWAY
    return Way.CUT_AWAY if _is_cut(values, size) else None


def perhaps_away(values: Values, size: float) -> str:
    """A declaration that moves text out of sight where it is short, or near the page's edge."""
    moved = word(values.get("position", ())) not in ("", "static")
    names = ("left", "top", "right", "bottom") if moved else ()
    names = ("text-indent", "margin-left", "margin-top", *names)
    far = (name for name in names if min(_lengths(values, (name,), size)) <= -_NOT_NEAR)
    name = next(far, "")
    return f"{name}: {values[name][0].serialize()}" if name else ""


def scaled(values: Values) -> float:
    """How large an element is drawn, in the direction in which it is smaller."""
    scales = [
        share((token,))
        for name, arguments in functions(values.get("transform", ()))
        if name in ("scale", "scalex", "scaley", "scale3d")
        for token in arguments[:2]
    ]
    scales += [share((token,)) for token in values.get("scale", ())[:2]]
    zoom = share(values.get("zoom", ()))
    return min((abs(each) for each in scales if each is not None), default=1.0) * (
        1.0 if zoom is None else zoom
    )


def _is_away(values: Values, size: float) -> bool:
    position = word(values.get("position", ()))
    reach = dict(_IN_FLOW)
    if position not in ("", "static"):
        reach |= _FIXED if position == "fixed" else _MOVED
        if min(_share_of_box(values, side) for side in ("left", "top")) <= -1:
            return True
        if position == "fixed" and max(_share_of_box(values, side) for side in _FIXED) >= 1:
            return True
    if _share_of_box(values, "text-indent") >= 1 and _cuts_overflow(values):
        return True
    lengths = zip(reach.values(), _lengths(values, reach, size), strict=True)
    is_beyond = any(not least < length < most for (least, most), length in lengths)
    return is_beyond or _is_shifted_away(values, size)


def _is_shifted_away(values: Values, size: float) -> bool:
    tokens = [
        token
        for name, arguments in functions(values.get("transform", ()))
        if name.startswith("translate")
        for token in arguments
    ]
    tokens += values.get("translate", ())
    lengths = [token_pixels(token, size) for token in tokens]
    return any(each is not None and not -_FAR < each < _VERY_FAR for each in lengths) or any(
        abs(percent((token,)) or 0.0) >= _FAR for token in tokens
    )


_ACROSS, _DOWN = (-_FAR, _VERY_FAR), (-_FAR, inf)
_IN_FLOW = {
    "text-indent": _ACROSS,
    "margin-left": _ACROSS,
    "margin-top": _DOWN,
    "padding-left": (-inf, _VERY_FAR),
}
"""So far text may be moved either way, and be seen."""
_MOVED = {"left": _ACROSS, "right": _ACROSS, "bottom": _ACROSS, "top": _DOWN}
_FIXED = {
    "left": (-_FAR, WIDE),
    "right": (-_FAR, WIDE),
    "top": (-_FAR, HIGH),
    "bottom": (-_FAR, HIGH),
}


def _lengths(values: Values, names: Iterable[str], size: float) -> Iterator[float]:
    return (pixels(values.get(name, ()), size) or 0.0 for name in names)


def _share_of_box(values: Values, name: str) -> float:
    return (percent(values.get(name, ())) or 0.0) / 100


def _is_cut(values: Values, size: float) -> bool:
    if _cuts_overflow(values) and (_has_low_lines(values, size) or _has_slit(values, size)):
        return True
    in_front = word(values.get("position", ())) in ("absolute", "fixed")
    return (in_front and _clips(values.get("clip", ()), size)) or _clips_path(
        values.get("clip-path", ()), size
    )


def _cuts_overflow(values: Values) -> bool:
    return word(values.get("overflow", ())) in ("hidden", "clip")


def _has_slit(values: Values, size: float) -> bool:
    least = max(_SLIT, size * _PART_OF_A_LINE)
    sides = [values.get(f"{most}{side}", ()) for most in ("", "max-") for side in _BOX]
    lengths = (pixels(side, size) for side in sides)
    return any(percent(side) == 0 for side in sides) or any(
        length is not None and length <= least for length in lengths
    )


_BOX = ("width", "height")


def _has_low_lines(values: Values, size: float) -> bool:
    value = values.get("line-height", ())
    if (of_size := share(value)) is not None:
        return of_size <= _LOWEST_LINES
    length = pixels(value, size)
    return length is not None and length <= _LOWEST_LINES * size


def _clips(value: Tokens, size: float) -> bool:
    """`rect(top right bottom left)`, of which hardly anything is left."""
    for name, arguments in functions(value):
        edges = [token_pixels(token, size) for token in arguments]
        if name == "rect" and len(edges) == 4:
            sides = (edges[0], edges[2]), (edges[3], edges[1])
            return any(a is not None and b is not None and b - a <= _SLIT for a, b in sides)
    return False


def _clips_path(value: Tokens, size: float) -> bool:
    for name, arguments in functions(value):
        parts = [percent((token,)) for token in arguments]
        if name == "inset" and parts and all(part is not None for part in parts):
            edges = [part or 0.0 for part in parts]
            return edges[0] + edges[2 % len(edges)] >= 100
        lengths = [token_pixels(token, size) for token in arguments]
        is_nothing = all(a == 0 or b == 0 for a, b in zip(parts, lengths, strict=True))
        if name == "polygon" and parts and is_nothing:
            return True
        if name in ("circle", "ellipse") and parts and 0 in (parts[0], lengths[0]):
            return True
    return False


LEAST_OPACITY = 0.05
LARGEST_UNSEEN = SMALLEST_TYPE * 4 / 3
FOR_SCREEN_READERS = frozenset(
    "sr-only usa-sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only "  # noqa: SIM905
    "element-invisible".split()
)
"""Classes that hide by custom, also where their style sheet is not in the file."""
_NO_VARIABLES: Variables = MappingProxyType({})
_BODY_SIZE = 16.0
_BLACK_TEXT = Colour(BLACK)


@dataclass(frozen=True)
class Visibility:
    """An element hands it on to what stands in it."""

    gone: Way | None = None
    """Why nothing within is seen."""
    is_visible: bool = True
    """By `visibility`, which what is within may take back."""
    colour: Colour | None = _BLACK_TEXT
    ground: Rgb = WHITE
    ground_is_sure: bool = True
    """Else a picture or a style sheet of another file may be behind the text."""
    opacity: float = 1.0
    size: float = _BODY_SIZE
    scale: float = 1.0
    doubt: str = ""
    """A style of it, or of what it stands in, that may hide it, nobody knows whether."""
    variables: Variables = field(default_factory=lambda: _NO_VARIABLES)

    @cached_property
    def way(self) -> Way | None:
        """How the element's own text is hidden, or may be."""
        if self.gone is not None:
            return self.gone
        if not self.is_visible:
            return Way.INVISIBLE
        if self.size * self.scale <= LARGEST_UNSEEN:
            return Way.TINY
        return self._way_of_colours() or (Way.NOT_FOLLOWED if self.doubt else None)

    @property
    def is_doubtful(self) -> bool:
        """Whether the text may be seen after all: what hides it, or is behind it, is not known."""
        return self.way is Way.NOT_FOLLOWED or (
            self.way in (Way.COLOUR, Way.TRANSPARENT)
            and not (self.gone is not None or self.ground_is_sure)
        )

    def _way_of_colours(self) -> Way | None:
        if self.colour is None or not look_alike(self.colour.over(self.ground), self.ground):
            return None
        return Way.TRANSPARENT if self.colour.alpha <= LEAST_OPACITY else Way.COLOUR


def below(
    above: Visibility, attributes: Attributes, values: Values, variables: Variables = _NO_VARIABLES
) -> Visibility:
    """How an element within another is seen, by what is declared for it."""
    size = _size(values.get("font-size", ()), above.size)
    scale = above.scale * scaled(values)
    opacity = above.opacity * _opacity(values)
    visibility = replace(
        above,
        gone=above.gone or _gone(attributes, values, size, opacity),
        is_visible=_is_visible(values, above),
        size=size,
        scale=scale,
        doubt=above.doubt or not_understood(values) or perhaps_away(values, size),
        opacity=opacity,
        variables=variables,
        colour=_colour(values, above),
    )
    return _on_its_ground(visibility, values)


def _gone(attributes: Attributes, values: Values, size: float, opacity: float) -> Way | None:
    if word(values.get("display", ())) == "none":
        return Way.NOT_DISPLAYED
    if word(values.get("content-visibility", ())) == "hidden":
        return Way.INVISIBLE
    if opacity <= LEAST_OPACITY:
        return Way.TRANSPARENT
    if any(word((t,)) == "line-through" for t in values.get("text-decoration-line", ())):
        return Way.STRUCK
    if FOR_SCREEN_READERS.intersection((attributes.get("class") or "").split()):
        return Way.SPOKEN
    return away_or_cut(values, size)


def _opacity(values: Values) -> float:
    filters = functions(values.get("filter", ()))
    by_filters = (share(arguments) for name, arguments in filters if name == "opacity")
    stated = share(values.get("opacity", ())), *by_filters
    return prod(min(1.0, max(0.0, part)) for part in stated if part is not None)


def _is_visible(values: Values, above: Visibility) -> bool:
    said = word(values.get("visibility", ()))
    takes_back = said in ("visible", "initial")
    return takes_back or (above.is_visible and said not in ("hidden", "collapse"))


def _size(value: Tokens, above: float) -> float:
    """A named size such as `small` is the body's: all are large enough to see."""
    if (found := pixels(value, above, above)) is not None:
        return found
    if (part := percent(value)) is not None:
        return above * part / 100
    name = word(value)
    return _BODY_SIZE if name and name not in ("inherit", "unset", "larger", "smaller") else above


def _on_its_ground(seen: Visibility, values: Values) -> Visibility:
    """As one that is seen on what is behind all around it; others may stand there, too."""
    ground, is_sure = seen.ground, seen.ground_is_sure
    if "background-color" in values:
        ground, is_sure = _ground(values["background-color"], seen)
    in_front = word(values.get("position", ())) in ("absolute", "fixed")
    drawn = (values.get(name, ()) for name in ("background-image", "text-shadow"))
    if (in_front and ground is seen.ground) or any(v and word(v) != "none" for v in drawn):
        is_sure = False
    return replace(seen, ground=ground, ground_is_sure=is_sure)


def _ground(value: Tokens, above: Visibility) -> tuple[Rgb, bool]:
    found = colour(value)
    if found is None:
        return above.ground, above.ground_is_sure and word(value) in ("inherit", "initial", "unset")
    if found.alpha == 0:
        return above.ground, above.ground_is_sure
    return found.over(above.ground), found.alpha == 1 or above.ground_is_sure


def _colour(values: Values, above: Visibility) -> Colour | None:
    value = values.get("color")
    if value is None or word(value) in ("inherit", "unset", "currentcolor", "revert"):
        return above.colour
    return _BLACK_TEXT if word(value) == "initial" else colour(value)


def verdict_of(style: str) -> Verdict | None:
    """On what stands in an element, in nothing else, of such declarations."""
    values, _ = declared({"style": style}, (), {}, lambda _: None)
    way = below(Visibility(), {}, values).way
    return Verdict(way, way is not Way.NOT_FOLLOWED) if way else None


_NONE: Tokens = tuple(tinycss2.parse_component_value_list("none"))
_PAINTED = frozenset({"body", "table", "thead", "tbody", "tfoot", "tr", "td", "th"})


def hints(name: str, attributes: Attributes) -> dict[str, Tokens]:
    """What attributes other than `style` say of how an element is seen; styles override it."""
    found: dict[str, Tokens] = {}
    is_closed = name == "dialog" and "open" not in attributes
    if is_closed or not attributes.keys().isdisjoint(("hidden", "popover")):
        found["display"] = _NONE
    if name in _PAINTED and "bgcolor" in attributes:
        found["background-color"] = attribute_colour(attributes["bgcolor"] or "")
    if name in _PAINTED and attributes.get("background"):
        found["background-image"] = _PICTURE
    written = {"font": "color", "body": "text"}.get(name, "")
    if written in attributes:
        found["color"] = attribute_colour(attributes[written] or "")
    if name == "img" and all(attributes.get(side) in ("0", "1") for side in ("width", "height")):
        found["display"] = _NONE
    return found


_PICTURE: Tokens = tuple(tinycss2.parse_component_value_list("url(picture)"))
