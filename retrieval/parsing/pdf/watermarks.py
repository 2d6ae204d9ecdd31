"""Large text that stands across a page, as "DRAFT" does, is no part of the text that it crosses."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import median

from retrieval.parsing.pdf.lines import Line
from retrieval.parsing.pdf.text import Character, Rectangle

_LARGER = 2.0
"""Times the usual size on the page."""
_PALE = 150
"""Of 255: the least of its red, green and blue."""
_CLIMBING = 2.0
"""In font sizes: how high a line is that is set askew or upright."""
_MOST_WORDS = 6


def without_watermarks(
    characters: list[Character],
) -> tuple[list[Character], list[Line]]:
    """The characters of a page without them, and their lines."""
    shown = [each for each in characters if each.box and not each.text.isspace()]
    if not shown:
        return characters, []
    usual = median(each.style.size for each in shown)
    large = [each for each in shown if each.style.size >= _LARGER * usual]
    others = [each.box for each in shown if each.style.size < _LARGER * usual and each.box]
    marks = [line for line in _lines(large, characters) if _crosses(line, others)]
    taken = {each.index for line in marks for each in line}
    left = [each for each in characters if each.index not in taken]
    return left, [Line(line) for line in marks]


def _lines(large: Sequence[Character], every: Sequence[Character]) -> Iterator[list[Character]]:
    """Each with the spaces between its words."""
    wanted = {(each.style, each.line) for each in large}
    for key, group in groupby(every, key=lambda each: (each.style, each.line)):
        if key in wanted:
            yield list(group)


def _crosses(line: Sequence[Character], others: Sequence[Rectangle]) -> bool:
    """Whether it is set askew, or pale and under other text."""
    boxes = [each.box for each in line if each.box]
    style = line[0].style
    left, top, right, bottom = (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
    if not others or len("".join(each.text for each in line).split()) > _MOST_WORDS:
        return False
    if bottom - top > _CLIMBING * style.size and len(boxes) > 1:
        return True
    is_crossed = any(
        box[0] < right and left < box[2] and box[1] < bottom and top < box[3] for box in others
    )
    return min(style.colour) >= _PALE and is_crossed
