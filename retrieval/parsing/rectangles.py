"""Places on a page or a picture: left, top, right, bottom."""

from collections.abc import Iterable

Rectangle = tuple[float, float, float, float]


def around(boxes: Iterable[Rectangle]) -> Rectangle | None:
    """The smallest that holds them all; None for none."""
    held = list(boxes)
    return spanned(*held) if held else None


def spanned(first: Rectangle, *others: Rectangle) -> Rectangle:
    """The smallest that holds them all."""
    x0, y0, x1, y1 = zip(first, *others, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def meet(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def overlap(one: Rectangle, other: Rectangle) -> Rectangle | None:
    """What both hold; None where they do not meet."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return (left, top, right, bottom) if left < right and top < bottom else None
