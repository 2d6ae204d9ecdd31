"""A picture right above or below a caption is a figure with it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.language.sentences import names_picture
from retrieval.parsing.pdf.layout import Block, Role
from retrieval.parsing.pdf.lines import Line, Table, spanned
from retrieval.parsing.pdf.text import Rectangle

_NEAR = 3.0
"""In font sizes: a picture that is farther from a caption has nothing to do with it."""
_LABELS, _LABEL = 2, 1.5
"""Lines between them, such as those of an axis, and the height of one in font sizes."""
_FARTHEST = _NEAR + _LABELS * _LABEL
_INTO = 0.5
"""In font sizes: how far a caption may reach into its picture, as white of a picture does."""
_FEW_WORDS = 4
"""On a line between a picture and its caption, such as those of an axis; more are prose."""
_MOST_CAPTIONS = 50
"""On a page: more are a list of figures."""
_SAME_HEIGHT = 0.5
"""Of the lower one: what stands beside each other are pictures of one figure."""


def captions_in(blocks: Sequence[Line | Table]) -> list[Rectangle]:
    """Where lines stand that may begin the caption of a picture."""
    lines = [block for block in blocks if isinstance(block, Line) and names_picture(block.text)]
    return [line.box for line in lines] if len(lines) <= _MOST_CAPTIONS else []


def with_pictures(
    blocks: Sequence[Block | Table], pictures: Sequence[Rectangle], lines: Sequence[Line]
) -> list[Block | Table]:
    """A page's blocks; its captions know the pictures next to them, each of one caption.

    `lines` are all of the page's own.
    """
    found: dict[int, Rectangle] = {}
    taken: set[Rectangle] = set()
    for _, number, picture in sorted(_offers(blocks, pictures, lines)):
        held = found.get(number)
        if picture not in taken and (held is None or _are_beside(held, picture)):
            found[number] = spanned(picture, *([held] if held else ()))
            taken.add(picture)
    return [
        replace(block, picture=found.get(number)) if isinstance(block, Block) else block
        for number, block in enumerate(blocks)
    ]


def _offers(
    blocks: Sequence[Block | Table], pictures: Sequence[Rectangle], lines: Sequence[Line]
) -> Iterator[tuple[float, int, Rectangle]]:
    """How far from which block which picture stands."""
    for number, block in enumerate(blocks):
        if not isinstance(block, Block) or not _is_of_picture(block):
            continue
        caption = spanned(*(line.box for line in block.lines))
        size = max(block.lines[0].style.size, 1.0)
        for picture in pictures:
            gap = _gap(caption, picture)
            if -_INTO * size <= gap <= _FARTHEST * size:
                between = [line for line in lines if _is_between(line, caption, picture)]
                if gap <= _nearest(between) * size:
                    yield gap, number, picture


def _nearest(between: Sequence[Line]) -> float:
    """In font sizes, how far a picture may be from a caption that these lines part it from."""
    if any(len(line.text.split()) > _FEW_WORDS for line in between):
        return -math.inf
    return _NEAR + _LABEL * min(_LABELS, len({round(line.box[3]) for line in between}))


def _is_of_picture(block: Block) -> bool:
    return block.role is Role.CAPTION and names_picture(block.lines[0].text)


def _gap(caption: Rectangle, picture: Rectangle) -> float:
    """How much white is between them; infinite where neither is above the other."""
    if min(caption[2], picture[2]) <= max(caption[0], picture[0]):
        return math.inf
    return max(caption[1] - picture[3], picture[1] - caption[3])


def _is_between(line: Line, caption: Rectangle, picture: Rectangle) -> bool:
    middle = (line.box[1] + line.box[3]) / 2
    above, below = sorted((caption, picture), key=lambda box: box[1])
    around = spanned(caption, picture)
    beside = line.box[2] <= around[0] or around[2] <= line.box[0]
    return not beside and above[3] < middle < below[1]


def _are_beside(one: Rectangle, other: Rectangle) -> bool:
    shared = min(one[3], other[3]) - max(one[1], other[1])
    return shared >= _SAME_HEIGHT * min(one[3] - one[1], other[3] - other[1])
