"""Which values of properties are understood; what is not may hide text."""

from collections.abc import Mapping

from tinycss2.ast import Node
from tinycss2.color4 import parse_color

from retrieval.errors import shortened
from retrieval.parsing.css.properties import HARMLESS, LENGTHS, OTHERS, Tokens
from retrieval.parsing.css.values import token_pixels

_ANY_SIZE = 16.0
_NOTHING = frozenset(
    "none normal auto initial inherit unset revert revert-layer baseline visible border-box "  # noqa: SIM905
    "padding-box content-box running add".split()
)
"""Words that leave things as they are, whatever the property."""
_FOLLOWED: Mapping[str, frozenset[str]] = {
    "background-image": frozenset({"*"}),
    "animation": frozenset({"*"}),
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
_UNITS = frozenset(
    "px pt pc in cm mm q rem em ex ch lh rlh ic cap vw vh vmin vmax vi vb svw svh lvw lvh dvw dvh "  # noqa: SIM905
    "cqw cqh cqi cqb fr deg rad grad turn s ms dpi dpcm dppx x".split()
)


def not_understood(values: Mapping[str, Tokens]) -> str:
    """A declaration that may hide text, nobody knows whether; empty for none."""
    found = (each for each in values.items() if not _is_understood(*each))
    name, value = next(found, ("", ()))
    return shortened(f"{name}: {' '.join(t.serialize() for t in value)}") if name else ""


def _is_understood(name: str, value: Tokens) -> bool:
    if not value or all(t.type == "ident" and t.lower_value in _NOTHING for t in value):
        return True
    if name not in LENGTHS and name not in OTHERS:
        return bool(HARMLESS.match(name)) and not any(map(_is_no_share, value))
    if name == "color" and len(value) == 1:
        return parse_color(value[0]) is not None
    if name == "rotate" and len(value) > 1:
        return False  # about an axis along the page
    return all(_is_followed(name, token) for token in value)


def _is_no_share(token: Node) -> bool:
    """Whether a row or a column of a grid has no room."""
    return bool(token.type == "dimension" and token.lower_unit == "fr" and token.value == 0)


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
