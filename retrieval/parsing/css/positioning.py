"""Styles may put an element off the page, or cut all of it away."""

from collections.abc import Mapping

from retrieval.parsing.css.properties import Tokens
from retrieval.parsing.css.values import (
    HIGH,
    WIDE,
    functions,
    percent,
    pixels,
    share,
    token_pixels,
    word,
)
from retrieval.parsing.hiding import Way

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
    far = (
        name
        for name in ("text-indent", "margin-left", "margin-top", *names)
        if (pixels(values.get(name, ()), size) or 0.0) <= -_NOT_NEAR
    )
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
    if any(_far(values, name, size) for name in ("text-indent", "margin-left", "margin-top")):
        return True
    if any(_far_right(values, name, size) for name in ("text-indent", "margin-left")):
        return True
    if _far_right(values, "padding-left", size):
        return True
    if _share_of_box(values, "text-indent") >= 1 and _cuts_overflow(values):
        return True
    position = word(values.get("position", ()))
    moved = position not in ("", "static")
    if moved and _is_moved_away(values, size, is_fixed=position == "fixed"):
        return True
    return _is_shifted_away(values, size)


def _is_moved_away(values: Values, size: float, *, is_fixed: bool) -> bool:
    if any(_far(values, side, size) for side in ("left", "top", "right", "bottom")):
        return True
    if any(_share_of_box(values, side) <= -1 for side in ("left", "top")):
        return True
    sides = ("left", "right", "top", "bottom") if is_fixed else ("left", "right", "bottom")
    if any(_far_right(values, side, size) for side in sides):
        return True
    return is_fixed and any(
        (pixels(values.get(side, ()), size) or 0) >= most or _share_of_box(values, side) >= 1
        for side, most in (("left", WIDE), ("right", WIDE), ("top", HIGH), ("bottom", HIGH))
    )


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


def _far(values: Values, name: str, size: float) -> bool:
    length = pixels(values.get(name, ()), size)
    return length is not None and length <= -_FAR


def _far_right(values: Values, name: str, size: float) -> bool:
    return (pixels(values.get(name, ()), size) or 0.0) >= _VERY_FAR


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
    of_size = share(value) if value and value[0].type != "dimension" else None
    length = pixels(value, size)
    lines = of_size if of_size is not None else None if length is None else length / size
    return lines is not None and lines <= _LOWEST_LINES


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
