"""People see an element's text after its styles, and those of all that it stands in.

What is not known (calculated lengths, colours of pictures) is taken as seen; where text may
be hidden, it says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import tinycss2

from retrieval.parsing.css.cascade import Variables
from retrieval.parsing.css.doubts import not_understood
from retrieval.parsing.css.positioning import away_or_cut, perhaps_away, scaled
from retrieval.parsing.css.properties import Tokens
from retrieval.parsing.css.selectors import Attributes
from retrieval.parsing.css.values import (
    Colour,
    attribute_colour,
    colour,
    functions,
    percent,
    pixels,
    share,
    word,
    words,
)
from retrieval.parsing.hiding import BLACK, SMALLEST_TYPE, WHITE, Rgb, Way, cannot_be_told

LEAST_OPACITY = 0.05
LARGEST_UNSEEN = SMALLEST_TYPE * 4 / 3
"""Pixels."""
FOR_SCREEN_READERS = frozenset(
    "sr-only usa-sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only "  # noqa: SIM905
    "element-invisible".split()
)
"""Classes that hide by custom, also where their style sheet is not in the file."""
_NO_VARIABLES: Variables = MappingProxyType({})
_BODY_SIZE = 16.0
_BLACK_TEXT = Colour(BLACK)


@dataclass(frozen=True, slots=True)
class Visibility:
    """An element hands it on to what stands in it."""

    gone: Way | None = None
    """Why nothing within is seen."""
    is_visible: bool = True
    """By `visibility`, which what is within may take back."""
    colour: Colour | None = _BLACK_TEXT
    """None where it is not known."""
    ground: Rgb = WHITE
    ground_is_sure: bool = True
    """Else a picture or a style sheet of another file may be behind the text."""
    opacity: float = 1.0
    size: float = _BODY_SIZE
    """Of text, in pixels."""
    scale: float = 1.0
    """That it is drawn at."""
    doubt: str = ""
    """A style of it, or of what it stands in, that may hide it, nobody knows whether."""
    variables: Variables = field(default_factory=lambda: _NO_VARIABLES)

    @property
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
        if self.colour is None or not cannot_be_told(self.colour.over(self.ground), self.ground):
            return None
        return Way.TRANSPARENT if self.colour.alpha <= LEAST_OPACITY else Way.COLOUR


def below(above: Visibility, attributes: Attributes, values: Mapping[str, Tokens]) -> Visibility:
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
    )
    return _coloured(visibility, above, values)


def _gone(
    attributes: Attributes, values: Mapping[str, Tokens], size: float, opacity: float
) -> Way | None:
    if word(values.get("display", ())) == "none":
        return Way.NOT_DISPLAYED
    if word(values.get("content-visibility", ())) == "hidden":
        return Way.INVISIBLE
    if opacity <= LEAST_OPACITY:
        return Way.TRANSPARENT
    if "line-through" in words(values.get("text-decoration-line", ())):
        return Way.STRUCK
    if FOR_SCREEN_READERS.intersection((attributes.get("class") or "").split()):
        return Way.SPOKEN
    return away_or_cut(values, size)


def _opacity(values: Mapping[str, Tokens]) -> float:
    stated = share(values.get("opacity", ()))
    found = 1.0 if stated is None else min(1.0, max(0.0, stated))
    for name, arguments in functions(values.get("filter", ())):
        part = share(arguments) if name == "opacity" else None
        found *= 1.0 if part is None else min(1.0, max(0.0, part))
    return found


def _is_visible(values: Mapping[str, Tokens], above: Visibility) -> bool:
    match word(values.get("visibility", ())):
        case "hidden" | "collapse":
            return False
        case "visible" | "initial":
            return True
        case _:
            return above.is_visible


def _size(value: Tokens, above: float) -> float:
    """A named size such as `small` is the body's: all are large enough to see."""
    if (found := pixels(value, above, above)) is not None:
        return found
    if (part := percent(value)) is not None:
        return above * part / 100
    name = word(value)
    return _BODY_SIZE if name and name not in ("inherit", "unset", "larger", "smaller") else above


def _coloured(
    visibility: Visibility, above: Visibility, values: Mapping[str, Tokens]
) -> Visibility:
    ground, is_sure = above.ground, above.ground_is_sure
    if "background-color" in values:
        ground, is_sure = _ground(values["background-color"], above)
    pictured = values.get("background-image", ())
    in_front = word(values.get("position", ())) in ("absolute", "fixed")
    if (pictured and word(pictured) != "none") or (in_front and ground is above.ground):
        is_sure = False
    shadow = values.get("text-shadow", ())
    if shadow and word(shadow) != "none":
        is_sure = False
    return replace(visibility, colour=_colour(values, above), ground=ground, ground_is_sure=is_sure)


def _ground(value: Tokens, above: Visibility) -> tuple[Rgb, bool]:
    found = colour(value)
    if found is None:
        return above.ground, above.ground_is_sure and word(value) in ("inherit", "initial", "unset")
    if found.alpha == 0:
        return above.ground, above.ground_is_sure
    return found.over(above.ground), found.alpha == 1 or above.ground_is_sure


def _colour(values: Mapping[str, Tokens], above: Visibility) -> Colour | None:
    value = values.get("color")
    if value is None or word(value) in ("inherit", "unset", "currentcolor", "revert"):
        return above.colour
    return _BLACK_TEXT if word(value) == "initial" else colour(value)


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
