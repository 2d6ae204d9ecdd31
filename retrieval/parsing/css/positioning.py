"""Styles may put an element off the page, or cut all of it away."""

from collections.abc import Mapping

from retrieval.parsing.css.sheets import Tokens
from retrieval.parsing.css.values import functions, percent, pixels, share, token_pixels, word
from retrieval.parsing.hiding import Way

_FAR = 1000.0
"""Pixels to the left of the page, or above it."""
_VERY_FAR = 4000.0
"""Pixels from its right edge or its bottom, to the other side."""
_SLIT = 1.0
"""Pixels: a box no wider or higher shows no text."""
Values = Mapping[str, Tokens]


def away_or_cut(values: Values, size: float) -> Way | None:
    """`size` is that of the element's text, which lengths may count in."""
    if _is_away(values, size):
        return Way.AWAY
    if _is_scaled_away(values):
        return Way.TINY
    return Way.CUT_AWAY if _is_cut(values, size) else None


def _is_away(values: Values, size: float) -> bool:
    if any(_far(values, name, size) for name in ("text-indent", "margin-left", "margin-top")):
        return True
    if _share_of_box(values, "text-indent") >= 1 and _cuts_overflow(values):
        return True
    moved = word(values.get("position", ())) not in ("", "static")
    return (moved and _is_moved_away(values, size)) or _is_shifted_away(values, size)


def _is_moved_away(values: Values, size: float) -> bool:
    if any(_far(values, side, size) for side in ("left", "top")):
        return True
    if any(_share_of_box(values, side) <= -1 for side in ("left", "top")):
        return True
    return any((pixels(values.get(s, ()), size) or 0) >= _VERY_FAR for s in ("right", "bottom"))


def _is_shifted_away(values: Values, size: float) -> bool:
    lengths = [
        token_pixels(token, size)
        for name, arguments in functions(values.get("transform", ()))
        if name.startswith("translate")
        for token in arguments
    ]
    lengths += [token_pixels(token, size) for token in values.get("translate", ())]
    return any(length is not None and length <= -_FAR for length in lengths)


def _far(values: Values, name: str, size: float) -> bool:
    length = pixels(values.get(name, ()), size)
    return length is not None and length <= -_FAR


def _share_of_box(values: Values, name: str) -> float:
    return (percent(values.get(name, ())) or 0.0) / 100


def _is_scaled_away(values: Values) -> bool:
    scales = [
        share((token,))
        for name, arguments in functions(values.get("transform", ()))
        if name in ("scale", "scalex", "scaley", "scale3d")
        for token in arguments[:2]
    ]
    scales += [share((token,)) for token in values.get("scale", ())[:2]]
    return any(scale is not None and abs(scale) < 0.01 for scale in scales)


def _is_cut(values: Values, size: float) -> bool:
    if _cuts_overflow(values) and any(
        _is_slit(values.get(side, ()), size)
        for side in ("width", "height", "max-width", "max-height")
    ):
        return True
    in_front = word(values.get("position", ())) in ("absolute", "fixed")
    return (in_front and _clips(values.get("clip", ()), size)) or _clips_path(
        values.get("clip-path", ()), size
    )


def _cuts_overflow(values: Values) -> bool:
    return word(values.get("overflow", ())) in ("hidden", "clip")


def _is_slit(value: Tokens, size: float) -> bool:
    length = pixels(value, size)
    return (length is not None and length <= _SLIT) or percent(value) == 0


def _clips(value: Tokens, size: float) -> bool:
    """`rect(top right bottom left)`, of which hardly anything is left."""
    for name, arguments in functions(value):
        edges = [token_pixels(token, size) for token in arguments]
        if name == "rect" and len(edges) == 4:
            top, right, bottom, left = edges
            return _none_between(left, right) or _none_between(top, bottom)
    return False


def _none_between(first: float | None, last: float | None) -> bool:
    return first is not None and last is not None and last - first <= _SLIT


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
