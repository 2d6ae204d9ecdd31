"""What stands under a condition of a style sheet is in force, or not, or nobody knows.

It is asked as a browser at rest does on a screen of 1280 by 800.
"""

from collections.abc import Mapping, Sequence

from tinycss2.ast import Node

from retrieval.parsing.css.selectors import split_on_commas

CONDITIONS = frozenset({"media", "supports", "layer", "container", "scope", "starting-style"})
"""Rules of a sheet that hold others."""


def condition_holds(name: str, prelude: Sequence[Node]) -> bool | None:
    """Whether what stands under the condition is in force; None where that is not known."""
    queries = [[t for t in query if t.type != "whitespace"] for query in split_on_commas(prelude)]
    match name:
        case "layer":
            return True
        case "supports":  # features that browsers of today have, as most are that are asked
            plain = all(token.type in ("() block", "ident") for token in queries[0])
            return None if not plain or any(_is_word([t], "not") for t in queries[0]) else True
        case "media":
            held = [_query_holds(query) for query in queries]
            return True if True in held else None if None in held else False
        case _:
            return None


def _query_holds(query: list[Node]) -> bool | None:
    """Whether a media query holds; None where it asks for a feature that is not known."""
    negated = _is_word(query[:1], "not")
    if negated or _is_word(query[:1], "only"):
        query = query[1:]
    held = [_part_holds(token) for token in query if not _is_word([token], "and")]
    holds = False if False in held else None if None in held else True
    return None if holds is None else holds != negated


def _is_word(tokens: Sequence[Node], word: str) -> bool:
    return bool(tokens) and tokens[0].type == "ident" and tokens[0].lower_value == word


def _part_holds(token: Node) -> bool | None:
    if token.type == "ident":
        return token.lower_value in ("all", "screen")
    held = [t for t in getattr(token, "content", ()) if t.type not in ("whitespace", "comment")]
    if token.type != "() block" or len(held) < 3 or held[0].type != "ident":
        return None
    comparison = "".join(str(getattr(t, "value", "?")) for t in held[1:-1])
    return _feature_holds(held[0].lower_value, comparison, held[-1])


_OF_THE_SCREEN: Mapping[str, str] = {
    "orientation": "landscape",
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
    "hover": "hover",
    "any-hover": "hover",
    "pointer": "fine",
    "any-pointer": "fine",
    "scripting": "enabled",
    "prefers-contrast": "no-preference",
    "prefers-reduced-transparency": "no-preference",
    "forced-colors": "none",
    "inverted-colors": "none",
    "display-mode": "browser",
    "color-gamut": "srgb",
    "update": "fast",
}
_SIZES: Mapping[str, float] = {"width": 1280.0, "height": 800.0}
_EM = 16.0


def _feature_holds(name: str, comparison: str, value: Node) -> bool | None:
    if value.type == "ident":
        known = _OF_THE_SCREEN.get(name)
        return None if known is None or comparison != ":" else known == value.lower_value
    size = _SIZES.get(name.removeprefix("min-").removeprefix("max-"))
    if value.type not in ("number", "dimension") or size is None:
        return None
    pixels = value.value * (_EM if getattr(value, "lower_unit", "px") in ("em", "rem") else 1.0)
    if comparison in (">", ">=") or (comparison, name[:4]) == (":", "min-"):
        return bool(size >= pixels)
    if comparison in ("<", "<=") or (comparison, name[:4]) == (":", "max-"):
        return bool(size <= pixels)
    return None
