"""CSS properties and values, and which of them are understood.

A property is understood, or is known to hide nothing, or leaves it in doubt whether text is seen,
as one that browsers learn tomorrow does.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite

import tinycss2
from tinycss2.ast import Node
from tinycss2.color4 import Color, parse_color

from retrieval.errors import shortened
from retrieval.parsing.hiding import Rgb

Tokens = tuple[Node, ...]
LENGTHS = frozenset(
    "bottom font-size height inset left letter-spacing line-height margin margin-left margin-top "  # noqa: SIM905
    "max-height max-width padding padding-left right text-indent top translate "
    "width".split()
)
OTHERS = frozenset(
    "all animation animation-name background background-color background-image clip "  # noqa: SIM905
    "clip-path color contain content-visibility display filter font opacity overflow position "
    "rotate scale text-decoration text-decoration-line text-shadow transform visibility "
    "zoom".split()
)
_SAME = {
    **dict.fromkeys((f"overflow-{axis}" for axis in ("x", "y", "block", "inline")), "overflow"),
    "text-fill-color": "color",
}
WEIGHT = "font-weight"
"""It hides nothing, and says what stands out."""
SETTING = "vertical-align"
"""Nor does this: it says what is set above or below the line."""
HARMLESS = re.compile(
    r"(?:accent|align|animation-|appearance|aspect|backface|background-|block-step|border|box|break"
    r"|caption|caret|clear|color-scheme|column|contain-intrinsic|container|counter|cursor"
    r"|dominant|empty|fill|flex|float|flow|font-(?!size)|forced|gap|grid|hanging|highlight|hyphen"
    r"|image|initial-letter|interpolate|isolation|justify|kerning|line-break|list-style"
    r"|margin-(?:bottom|right|trim)|marker|min-|mso-|nav|object|order|orphans|outline|overflow-"
    r"|overscroll|padding-(?:bottom|right|top)|page|paint|perspective|place|pointer|print|quotes|resize|row-gap|ruby"
    r"|scroll|shape|size$|speak|src$|stroke|table|tab-size|tap-highlight|text-(?:align|anchor|box"
    r"|combine|decoration-|emphasis|justify|orientation|overflow|rendering|size-adjust|spacing"
    r"|stroke|transform|underline|wrap)|touch|transform-(?:box|origin|style)|transition|unicode-range|user-"
    r"|vertical-align|view-transition|white-space|widows|will-change|word-(?:break|wrap)"
    r"|writing-mode|z-index|direction$|behavior$|osx-|font-smoothing|overflow-scrolling)"
)
"""Beginnings of the names of properties that hide no text by themselves, without a maker's prefix;
the margins and paddings among them stand behind the text."""
_ALIAS = re.compile(r"^-(?:webkit|moz)-")
_IGNORED = re.compile(r"-(?:ms|o|khtml|apple|epub)-|_|mso-")
"""Of makers whose prefixes no browser of today knows."""


def plain(name: str) -> str:
    """A property by the name that it has without a maker's prefix."""
    name = _ALIAS.sub("", name)
    return _SAME.get(name, name)


def split_on_commas(tokens: Iterable[Node]) -> list[list[Node]]:
    """What stands between commas, without comments and the white space around."""
    parts: list[list[Node]] = [[]]
    for each in tokens:
        if each == ",":
            parts.append([])
        elif each.type != "comment" and (parts[-1] or each.type != "whitespace"):
            parts[-1].append(each)
    for part in parts:
        while part and part[-1].type == "whitespace":
            part.pop()
    return parts


def bears_on_seeing(name: str) -> bool:
    """Whether a property can have to do with what is seen, as far as is known."""
    if _IGNORED.match(name):
        return False
    name = plain(name)
    may_be_empty = name.startswith("grid")
    is_followed = name in LENGTHS or name in OTHERS or name in (WEIGHT, SETTING)
    return is_followed or may_be_empty or not HARMLESS.match(name)


_LENGTH_WORDS = (
    "none auto normal content min-content max-content fit-content stretch -webkit-fill-available "
    "-moz-available thin medium thick smaller larger xx-small x-small small large x-large xx-large "
    "xxx-large hanging each-line"
)
_WORDS: Mapping[str, frozenset[str]] = {
    name: frozenset(f"{words} inherit initial unset revert revert-layer".split())
    for name, words in {
        **dict.fromkeys(LENGTHS, _LENGTH_WORDS),
        **dict.fromkeys(("opacity", "zoom", "scale"), "none normal reset"),
        **dict.fromkeys(("transform", "filter", "clip"), "none auto"),
        "display": "none block inline inline-block list-item contents flow flow-root table "
        "inline-table table-row-group table-header-group table-footer-group table-row table-cell "
        "table-column-group table-column table-caption flex inline-flex grid inline-grid box "
        "inline-box ruby ruby-base ruby-text math -webkit-box -webkit-inline-box -webkit-flex "
        "-webkit-inline-flex -moz-box -moz-inline-box",
        "visibility": "visible hidden collapse",
        "position": "static relative absolute fixed sticky -webkit-sticky",
        "overflow": "visible hidden clip scroll auto overlay",
        "content-visibility": "visible hidden auto",
        WEIGHT: "normal bold bolder lighter",
    }.items()
}
_NUMBERS = frozenset({"opacity", "zoom", "scale", "line-height", WEIGHT})


def is_taken(name: str, value: Tokens) -> bool:
    """Whether browsers take a value; what they do not take leaves what was stated before."""
    return name not in _WORDS or (bool(value) and all(_is_taken(name, token) for token in value))


def _is_taken(name: str, token: Node) -> bool:
    match token.type:
        case "ident":
            return token.lower_value in _WORDS[name]
        case "number":
            return name in _NUMBERS or (name in LENGTHS and token.value == 0)
        case "percentage":
            return name in LENGTHS or name in _NUMBERS
        case "dimension":
            return name in LENGTHS
        case kind:
            return bool(kind in ("function", "url"))


WIDE, HIGH = 1280.0, 800.0
"""Pixels of the screen, and of what is as large as it."""
_PIXELS: Mapping[str, float] = {
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "in": 96.0,
    "cm": 96 / 2.54,
    "mm": 9.6 / 2.54,
    "q": 2.4 / 2.54,
    "rem": 16.0,
    "vw": 12.8,
    "vh": 8.0,
    "vmin": 8.0,
    "vmax": 12.8,
    "rlh": 19.2,
    **dict.fromkeys(("vi", "svw", "lvw", "dvw", "cqw", "cqi"), WIDE / 100),
    **dict.fromkeys(("vb", "svh", "lvh", "dvh", "cqh", "cqb"), HIGH / 100),
}
_EMS: Mapping[str, float] = {"em": 1.0, "ex": 0.5, "ch": 0.5, "lh": 1.2, "ic": 1.0, "cap": 0.7}


@dataclass(frozen=True, slots=True)
class Colour:
    """It is a colour and how much it covers, from 0 to 1."""

    rgb: Rgb
    alpha: float = 1.0

    def over(self, ground: Rgb) -> Rgb:
        mixed = [
            self.alpha * own + (1 - self.alpha) * behind
            for own, behind in zip(self.rgb, ground, strict=True)
        ]
        return mixed[0], mixed[1], mixed[2]


def word(value: Tokens) -> str:
    """The first word in lower case, or nothing."""
    return str(value[0].lower_value) if value and value[0].type == "ident" else ""


_BOLD = 600


def is_bold(weight: Tokens, usual: bool) -> bool:
    """By what is declared for it; as is usual where that is nothing, or is not known."""
    if weight and weight[0].type == "number":
        return bool(weight[0].value >= _BOLD)
    match word(weight):
        case "bold" | "bolder":
            return True
        case "normal" | "lighter" | "initial":
            return False
        case _:
            return usual


def pixels(value: Tokens, size: float, whole: float = WIDE) -> float | None:
    """In text of `size`, percentages in `calc()` being of `whole`; None for what is not known."""
    return token_pixels(value[0], size, whole) if value else None


def token_pixels(token: Node, size: float, whole: float = WIDE) -> float | None:
    if token.type == "number":
        return 0.0 if token.value == 0 else None
    if token.type == "function":
        try:
            return _calculated(token, size, whole)
        except RecursionError:
            return None
    if token.type != "dimension":
        return None
    unit = token.lower_unit
    if unit in _EMS:
        return float(token.value * _EMS[unit] * size)
    return float(token.value * _PIXELS[unit]) if unit in _PIXELS else None


def _calculated(token: Node, size: float, whole: float) -> float | None:
    """What `calc()` and its like come to."""
    parts = [_sum(part, size, whole) for part in split_on_commas(token.arguments)]
    match token.lower_name, [part for part in parts if part is not None]:
        case _, known if len(known) < len(parts):
            return None
        case "calc", [one]:
            return one
        case "min", known:
            return min(known)
        case "max", known:
            return max(known)
        case "clamp", [least, wanted, most]:
            return max(least, min(wanted, most))
        case _:
            return None


def _sum(tokens: Iterable[Node], size: float, whole: float) -> float | None:
    """Terms that are added or taken away, each a product of factors."""
    held = [each for each in tokens if each.type not in ("whitespace", "comment")]
    numbers = [_operand(each, size, whole) for each in held[::2]]
    total, term = 0.0, numbers[0] if len(held) % 2 else None
    for sign, number in zip(held[1::2], numbers[1:], strict=False):
        if term is None or number is None:
            return None
        if sign == "*":
            term *= number
        elif sign == "/" and number:
            term /= number
        elif sign in ("+", "-"):
            total, term = total + term, number if sign == "+" else -number
        else:
            return None
    return total + term if term is not None and isfinite(total + term) else None


def _operand(token: Node, size: float, whole: float) -> float | None:
    if token.type == "number":
        return float(token.value)
    if token.type == "percentage":
        return float(token.value) * whole / 100
    if token.type == "() block":
        return _sum(token.content, size, whole)
    return token_pixels(token, size, whole)


def percent(value: Tokens) -> float | None:
    return float(value[0].value) if value and value[0].type == "percentage" else None


def share(value: Tokens) -> float | None:
    """A number, or a percentage as one: 50 % is 0.5."""
    if value and value[0].type == "number":
        return float(value[0].value)
    found = percent(value)
    return None if found is None else found / 100


def functions(value: Tokens) -> Iterator[tuple[str, Tokens]]:
    for token in value:
        if token.type == "function":
            held = (t for t in token.arguments if t.type not in ("whitespace", "comment"))
            commas = (t for t in held if not (t.type == "literal" and t.value == ","))
            yield token.lower_name, tuple(commas)


def colour(value: Tokens) -> Colour | None:
    """None where it is not known."""
    return token_colour(value[0]) if len(value) == 1 else None


def token_colour(token: Node) -> Colour | None:
    found = parse_color(token)
    if not isinstance(found, Color):
        return None
    if found.space in ("srgb", "hsl", "hwb"):
        red, green, blue = (part or 0.0 for part in found.to("srgb").coordinates)
        return Colour((red, green, blue), found.alpha)
    if found.space in ("oklab", "oklch"):
        return Colour(_of_xyz(*found.to("xyz-d65").coordinates), found.alpha)
    if found.space in ("lab", "lch"):
        x, y, z = found.to("xyz-d50").coordinates
        return Colour(_of_xyz(x * 0.9505 / 0.9642, y, z * 1.089 / 0.8251), found.alpha)
    return None


def _of_xyz(x: float, y: float, z: float) -> Rgb:
    """From CIE XYZ under daylight to sRGB, after CSS Color 4, section 18."""
    linear = (
        3.2409699 * x - 1.5373832 * y - 0.4986108 * z,
        -0.9692436 * x + 1.8759675 * y + 0.0415551 * z,
        0.0556301 * x - 0.2039770 * y + 1.0569715 * z,
    )
    red, green, blue = (
        12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
        for part in (min(1.0, max(0.0, part)) for part in linear)
    )
    return red, green, blue


def attribute_colour(text: str) -> Tokens:
    """The value of an attribute such as `bgcolor`; old pages leave the `#` out."""
    for written in (text.strip(), f"#{text.strip()}"):
        tokens = tuple(tinycss2.parse_component_value_list(written))
        if colour(tokens) is not None:
            return tokens
    return ()


_ANY_SIZE = 16.0
_NOTHING = frozenset(
    "none normal auto initial inherit unset revert revert-layer baseline visible border-box "  # noqa: SIM905
    "padding-box content-box running add".split()
)
"""Words that leave things as they are, whatever the property."""
_FOLLOWED: Mapping[str, frozenset[str]] = {
    "background-image": frozenset({"*"}),
    "clip": frozenset({"rect"}),
    "clip-path": frozenset({"circle", "ellipse", "inset", "polygon"}),
    "color": frozenset({"*"}),
    "background-color": frozenset({"*"}),
    "filter": frozenset({"*"}),
    "text-decoration-line": frozenset({"*"}),
    "text-shadow": frozenset({"*"}),
    "transform": frozenset(
        "rotate rotatez scale scale3d scalex scaley scalez skew skewx skewy translate "  # noqa: SIM905
        "translate3d translatex translatey translatez".split()
    ),
}
"""Functions that are followed, by property, beside lengths; `*` for all."""
_EMPTIED = frozenset({"size", "strict", "block-size"})
"""Ways to be contained in which a box is as high as if it held nothing."""
_BLURS = frozenset({"blur", "brightness", "contrast", "invert", "url"})
"""Filters that may make text unreadable; what else is known does not, or is followed."""
_UNITS = frozenset({*_PIXELS, *_EMS, *"fr deg rad grad turn s ms dpi dpcm dppx x".split()})  # noqa: SIM905


def not_understood(values: Mapping[str, Tokens]) -> str:
    """A declaration that may hide text, nobody knows whether; empty for none."""
    found = (each for each in values.items() if not _is_understood(*each))
    name, value = next(found, ("", ()))
    return shortened(f"{name}: {' '.join(t.serialize() for t in value)}") if name else ""


def _is_understood(name: str, value: Tokens) -> bool:
    if not value or all(t.type == "ident" and t.lower_value in _NOTHING for t in value):
        return True
    if name not in LENGTHS and name not in OTHERS:
        has_room = not any(
            t.type == "dimension" and t.lower_unit == "fr" and not t.value for t in value
        )
        return bool(HARMLESS.match(name)) and has_room
    if name == "color" and len(value) == 1:
        return parse_color(value[0]) is not None
    if name == "rotate" and len(value) > 1:
        return False  # about an axis along the page
    return all(_is_followed(name, token) for token in value)


def _is_followed(name: str, token: Node) -> bool:
    if name == "contain":
        return getattr(token, "lower_value", "") not in _EMPTIED
    if token.type == "dimension":
        return token.lower_unit in _UNITS
    if name == "filter":
        return (getattr(token, "lower_name", "") or token.type) not in _BLURS
    if token.type not in ("function", "url"):
        return True
    if name in LENGTHS:
        return token_pixels(token, _ANY_SIZE) is not None
    followed = _FOLLOWED.get(name, frozenset())
    return "*" in followed or getattr(token, "lower_name", "") in followed
