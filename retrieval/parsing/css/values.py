"""CSS properties have values: words, lengths, colours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import tinycss2
from tinycss2.ast import Node
from tinycss2.color4 import Color, parse_color

from retrieval.parsing.css.properties import Tokens
from retrieval.parsing.hiding import Rgb

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


def words(value: Tokens) -> frozenset[str]:
    """All of them, in lower case."""
    return frozenset(str(token.lower_value) for token in value if token.type == "ident")


def pixels(value: Tokens, size: float, whole: float = WIDE) -> float | None:
    """A length in pixels, in text of `size`; None for percentages and what is not known.

    `whole`: of what percentages are parts where lengths are calculated.
    """
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
    by_comma = groupby(token.arguments, lambda each: each.type == "literal" and each.value == ",")
    parts = [_sum(list(part), size, whole) for is_comma, part in by_comma if not is_comma]
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts):
        return None
    match token.lower_name:
        case "calc" if len(known) == 1:
            return known[0]
        case "min":
            return min(known)
        case "max":
            return max(known)
        case "clamp" if len(known) == 3:
            return max(known[0], min(known[1], known[2]))
        case _:
            return None


def _sum(tokens: Sequence[Node], size: float, whole: float) -> float | None:
    """Terms that are added or taken away, each a product of factors."""
    total, term, sign = 0.0, None, "+"
    for token in (*tokens, None):
        kind = "+" if token is None else token.type
        if kind in ("whitespace", "comment"):
            continue
        mark = "+" if token is None else token.value if kind == "literal" else ""
        if mark in ("+", "-"):
            if term is None:
                return None
            total, term, sign = total + term, None, f"{mark}"
            continue
        if mark in ("*", "/"):
            sign = mark
            continue
        number = _operand(token, size, whole)
        if number is None or (sign == "/" and number == 0):
            return None
        match sign:
            case "*" if term is not None:
                term *= number
            case "/" if term is not None:
                term /= number
            case "-":
                term = -number
            case _:
                term = number
    return total


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
    """Each function's name and arguments."""
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
