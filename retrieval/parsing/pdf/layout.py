"""A PDF says how text looks, not what it is: what its lines are is found out here.

Sizes and distances are compared with those of the document's own body text, never with fixed
points.

Program text is set in a typewriter font, line by line, and stands as it is printed. Whether a font
is one is told by its letters: an `i` takes as much room as an `m`. Names of fonts and what fonts
say of themselves are missing too often. A picture right above or below a caption is a figure with
it.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise
from statistics import fmean, quantiles

import numpy as np

from retrieval.language.sentences import CAPTION, names_picture
from retrieval.parsing.limits import (
    LONGEST_HEADING,
)
from retrieval.parsing.pdf.lines import Line, Table
from retrieval.parsing.rectangles import Rectangle, spanned

_ITEM = re.compile(r"(?:[•‣◦▪●○■□·∙*–—-]|\(?\d{1,3}[.)]|\(?[a-z][.)]|\(?[ivx]{1,5}[.)])\s+(?=\S)")
HYPHEN = "\u2010"
"""As Chromium sets it at a line's end; others set the sign of the keyboard."""
_SECTION_NUMBER = re.compile(r"\d+(\.\d+)*\.?\s")
_LETTER = re.compile(r"[^\W\d_]")
_SENTENCE_END = (".", "!", "?", ":", ";", ".”", '."')
_LARGER = 1.1
"""Times the body's size: text this large is a heading."""
_LONGEST_HEADING = 25
"""Words; and of one that is only bold:"""
_LONGEST_BOLD_HEADING = 14
_USUAL_LEADING = 1.25
"""From line to line in font sizes, for a document too short to tell."""
_NEW_PARAGRAPH = 1.22
"""Times the usual distance of lines: a larger one starts a paragraph."""


@dataclass(frozen=True, slots=True)
class Body:
    size: float
    is_bold: bool
    leading: float
    """The distance of lines in font sizes."""
    words: frozenset[str]
    """All words in lower case: they tell where a hyphen belongs to a word."""


class Role(Enum):
    HEADING = auto()
    ITEM = auto()
    PARAGRAPH = auto()
    CAPTION = auto()
    CODE = auto()


@dataclass(frozen=True, slots=True)
class Block:
    """A block has lines that belong together; `rank` orders headings, the outermost first."""

    role: Role
    lines: tuple[Line, ...]
    rank: tuple[float, bool, int] = (0.0, False, 0)
    marker: int = 0
    """Characters that a list item's bullet or number takes."""
    picture: Rectangle | None = None
    """That a caption is of, where it stands."""


def body_of(lines: Sequence[Line]) -> Body:
    sizes: Counter[float] = Counter()
    weights: Counter[bool] = Counter()
    for line in lines:
        sizes[line.style.size] += len(line.text)
        weights[line.is_bold] += len(line.text)
    distances = [
        (below.box[1] - above.box[1]) / above.style.size
        for above, below in pairwise(lines)
        if above.style.size and above.style.size == below.style.size
    ]
    usual = [distance for distance in distances if 0.8 < distance < 2.5]
    texts = (line.text.replace(HYPHEN, "-").lower() for line in lines)
    words = frozenset(word for text in texts for word in re.findall(r"[\w-]+", text))
    return Body(
        size=sizes.most_common(1)[0][0],
        is_bold=weights.most_common(1)[0][0],
        leading=quantiles(usual)[0] if len(usual) > 3 else _USUAL_LEADING,
        words=words,
    )


def blocks_of(lines: Iterable[Line], body: Body, *, above_table: bool = False) -> list[Block]:
    """The headings, list items and paragraphs that a run of lines makes up.

    `above_table`: whether a table follows, which the last of them may be the heading of.
    """
    groups: list[list[Line]] = []
    for line in lines:
        if groups and _goes_on(groups[-1], line, body):
            groups[-1].append(line)
        else:
            groups.append([line])
    blocks = []
    for number, group in enumerate(groups):
        below = groups[number + 1][0] if number + 1 < len(groups) else None
        blocks.append(_block(group, below, body, above_table=above_table))
    return blocks


def _goes_on(group: Sequence[Line], line: Line, body: Body) -> bool:
    above, first = group[-1], group[0]
    if above.code or line.code:
        return above.code == line.code
    size = max(above.style.size, 1.0)
    if abs(above.style.size - line.style.size) > 0.6 or above.is_bold != line.is_bold:
        return False
    if _is_item(line):
        return False
    # A raised number makes its line higher at the top, a lowered one at the bottom.
    distance = min(line.box[1] - above.box[1], line.box[3] - above.box[3]) / size
    ended = above.text.rstrip().endswith(_SENTENCE_END)
    if distance < 0:  # at the top of the next column
        return not ended and line.text[:1].islower()
    if distance > max(body.leading, 1.0) * _NEW_PARAGRAPH:
        return False
    if _is_item(first) and line.box[0] < first.box[0] + 0.2 * size:
        return not ended
    return not (ended and line.box[0] > above.box[0] + 0.8 * size and len(group) > 1)


def _is_item(line: Line) -> bool:
    return line.has_dot or _ITEM.match(line.text) is not None


def _block(group: list[Line], below: Line | None, body: Body, *, above_table: bool) -> Block:
    lines = tuple(group)
    if lines[0].code:
        return Block(Role.CODE, lines)
    if _is_heading(lines, below, body, above_table=above_table):
        style, number = lines[0].style, _SECTION_NUMBER.match(lines[0].text)
        depth = number[0].strip().strip(".").count(".") + 1 if number else 1
        return Block(Role.HEADING, lines, rank=(-style.size, not lines[0].is_bold, depth))
    if _is_item(lines[0]):
        marker = _ITEM.match(lines[0].text)
        return Block(Role.ITEM, lines, marker=marker.end() if marker else 0)
    is_caption = CAPTION.match(lines[0].text) is not None
    return Block(Role.CAPTION if is_caption else Role.PARAGRAPH, lines)


def _is_heading(
    lines: Sequence[Line], below: Line | None, body: Body, *, above_table: bool
) -> bool:
    """Above a table only what is larger: what is merely bold may be its caption."""
    text = " ".join(line.text for line in lines)
    length = len(text.split())
    has_more_below = below is not None or above_table
    if not _LETTER.search(text) or not has_more_below or len(text) > LONGEST_HEADING:
        return False
    if lines[0].style.size >= body.size * _LARGER:
        return length <= _LONGEST_HEADING
    return (
        below is not None
        and lines[0].is_bold
        and not body.is_bold
        and not below.is_bold
        and lines[0].style.size > body.size * 0.9
        and length <= _LONGEST_BOLD_HEADING
        and not text.endswith((".", ",", ";", ":"))
    )


_NARROW = re.compile(r"[fijlrtI.,:;'|!()\[\]]")
_WIDE = re.compile(r"[abdeghkmnopquvwxyzA-HK-Z0-9]")
"""In any other font, of Latin letters, wider than those."""
_SAME_WIDTH = 0.02
"""Of the font size: widths that differ less are the same."""
_LEAST_FILLED = 0.9
"""Of a line by its characters, set side by side; of text that climbs the page all are as wide."""
_LEAST_PROSE = 0.2
"""Of a document's characters in other fonts; with fewer it is a typescript."""
_BLANK_LINES = 4.0
"""In font sizes from line to line: a blank line or two do not end program text."""
_CLOSE = 1.5
"""In font sizes from line to line: so near one goes on with the other."""
_FULL, _WORDS = 0.85, 5.0
"""Of the widest line, and words: on average, lines of wrapped prose have as much."""
_SAME_SIZE = 0.6
_CLOSING = (".", "!", "?", ":", ";")


def mark_code(
    pages: Sequence[Sequence[Line | Table]], body: Body, left_out: Mapping[int, object]
) -> None:
    """Say of each line of which run of program text on its page it is, and set it as printed.

    `left_out` has the ids of lines that are no text of the document.
    """
    lines = [block for blocks in pages for block in blocks if isinstance(block, Line)]
    fonts = _typewriter_fonts(lines, body)
    if not fonts:
        return
    for blocks in pages:
        for number, run in enumerate(_code_runs(blocks, fonts, left_out), start=1):
            left = min(line.box[0] for line in run)
            for line in run:
                line.code = number
                line.set_in_columns(left, _pitch(line) or line.style.size)


def _typewriter_fonts(lines: Sequence[Line], body: Body) -> frozenset[str]:
    """None of a document that is set in them as a whole."""
    fonts = frozenset(
        style.font
        for line in lines
        if line.style.size < body.size * _LARGER and _NARROW.search(line.text)
        if _WIDE.search(line.text) and _pitch(line) is not None
        for style in line.styles
    )
    every = sum(len(line.text) for line in lines)
    others = sum(len(line.text) for line in lines if not _fonts(line) <= fonts)
    return fonts if others >= _LEAST_PROSE * every else frozenset()


def _fonts(line: Line) -> set[str]:
    return {style.font for style in line.styles}


def _pitch(line: Line) -> float | None:
    """How wide each of its characters is, in points; None where they differ."""
    boxes = np.frombuffer(line.boxes).reshape(-1, 4)
    boxes = boxes[~np.isnan(boxes[:, 0])]
    if not len(boxes):
        return None
    widths = boxes[:, 2] - boxes[:, 0]
    pitch = float(widths.mean())
    across = float(boxes[:, 2].max() - boxes[:, 0].min())
    is_even = np.ptp(widths) <= _SAME_WIDTH * line.style.size
    return pitch if pitch > 0 and is_even and across >= _LEAST_FILLED * len(boxes) * pitch else None


def _code_runs(
    blocks: Sequence[Line | Table], fonts: frozenset[str], left_out: Mapping[int, object]
) -> Iterator[list[Line]]:
    run: list[Line] = []
    above: Line | None = None
    """Of the run."""
    before: Line | None = None
    for block in [*blocks, None]:
        line = block if isinstance(block, Line) and id(block) not in left_out else None
        is_code = line is not None and _may_be_code(line, fonts)
        if run and not (line and is_code and _stands_below(run[-1], line)):
            if _is_program(run, above):
                yield run
            run = []
        if line and is_code:
            above = above if run else before
            run.append(line)
        before = line


def _may_be_code(line: Line, fonts: frozenset[str]) -> bool:
    told = _fonts(line) <= fonts and _pitch(line) is not None
    return told and CAPTION.match(line.text) is None


def _stands_below(above: Line, line: Line) -> bool:
    size = max(above.style.size, 1.0)
    distance = (line.box[1] - above.box[1]) / size
    same_size = abs(above.style.size - line.style.size) <= _SAME_SIZE
    return same_size and not line.has_dot and -_SAME_SIZE < distance <= _BLANK_LINES


def _is_program(run: Sequence[Line], above: Line | None) -> bool:
    """Whether it has several lines, which are no prose and go on with none."""
    first = run[0]
    several = run[-1].box[1] - first.box[1] > 0.5 * first.style.size
    return several and not _is_prose(run) and not (above and _leads_into(above, first))


def _is_prose(run: Sequence[Line]) -> bool:
    widest = max(line.box[2] - line.box[0] for line in run)
    filled = fmean((line.box[2] - line.box[0]) / max(widest, 1.0) for line in run[:-1])
    words = fmean(len(line.text.split()) for line in run)
    return filled >= _FULL and words >= _WORDS


def _leads_into(above: Line, line: Line) -> bool:
    """Whether a paragraph goes on, with words such as those of a long path."""
    size = max(above.style.size, 1.0)
    near = 0 < line.box[1] - above.box[1] < _CLOSE * size
    alike = abs(above.style.size - line.style.size) <= _SAME_SIZE and not above.is_bold
    is_closed = CAPTION.match(above.text) or above.text.rstrip().endswith(_CLOSING)
    return near and alike and not is_closed


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
        if not isinstance(block, Block) or block.role is not Role.CAPTION:
            continue
        if not names_picture(block.lines[0].text):
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


_SHARE_OF_LETTER = (0.15, 0.6)
"""Of the font size: how high a bullet is."""
_FARTHEST_DOT = 2.5
"""In font sizes before a line."""


def mark_items(lines: Iterable[Line], dots: Sequence[Rectangle]) -> None:
    for line in lines if dots else ():
        size = max(line.style.size, 1.0)
        line.has_dot = any(_stands_before(dot, line.box, size) for dot in dots)


def _stands_before(dot: Rectangle, box: Rectangle, size: float) -> bool:
    least, most = (share * size for share in _SHARE_OF_LETTER)
    middle = (dot[1] + dot[3]) / 2
    return (
        least <= dot[3] - dot[1] <= most
        and box[1] < middle < box[3]
        and dot[2] < box[0]
        and box[0] - dot[0] <= _FARTHEST_DOT * size
    )
