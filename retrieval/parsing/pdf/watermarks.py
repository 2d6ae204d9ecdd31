"""Large text that stands across a page, as "DRAFT" does, is no part of the text that it crosses."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import median

from retrieval.parsing.pdf.lines import Line
from retrieval.parsing.pdf.text import Character
from retrieval.parsing.rectangles import Rectangle

_LARGER = 2.0
"""Times the usual size on the page."""
_PALE = 150
"""Of 255: the least of its red, green and blue."""
_CLIMBING = 2.0
"""In font sizes: how high a line is that is set askew or upright."""
_MOST_LETTERS = 50
_LEAST_CROSSED = 3
"""Letters of other text in the middle of a line's own; what only touches it is a line beside."""
_MOST_MARKS = 200
"""On a page: more are no watermarks, as on a poster."""


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
    lines = list(_lines(large, characters))
    marks = [line for line in lines if _crosses(line, others)] if len(lines) <= _MOST_MARKS else []
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
    if not others or not 1 < len(boxes) <= _MOST_LETTERS:
        return False
    top, bottom = min(box[1] for box in boxes), max(box[3] for box in boxes)
    if bottom - top > _CLIMBING * style.size:
        return True
    beside = [box for box in others if top < box[3] and box[1] < bottom]
    crossed = sum(any(_is_amid(box, own) for own in boxes) for box in beside)
    return min(style.colour) >= _PALE and crossed >= _LEAST_CROSSED


def _is_amid(box: Rectangle, own: Rectangle) -> bool:
    """Whether the middle of a letter stands in the middle half of another's height."""
    across, down = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    edge = (own[3] - own[1]) / 4
    return own[0] <= across <= own[2] and own[1] + edge <= down <= own[3] - edge
