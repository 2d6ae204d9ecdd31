"""Which lines of pages are running heads, page numbers, contents or watermarks: no text of theirs.

What is left out nobody can ask for: what may be text is text.
"""

import math
import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from statistics import median

from retrieval.parsing.pdf.characters import Character
from retrieval.parsing.pdf.layout import Body
from retrieval.parsing.pdf.lines import Line, Table, lines_in
from retrieval.parsing.rectangles import Rectangle
from retrieval.types import FragmentKind

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:page |p\. ?|[-–] ?)?"
    r"(?:\d{1,4}|(?P<roman>(?=[ivxlc])c{0,3}(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})))"
    r"(?: ?(?:of|/) ?\d{1,4}| ?[-–])?",
    re.IGNORECASE,
)
_SAYS_PAGE = re.compile(r"\bpage \d|^\d+ (?:of|/) \d+$|^[-–] ?\d+ ?[-–]$", re.IGNORECASE)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_SIGN_BEFORE, _SIGN_BEHIND = re.compile(r"\s[|–—·•/-]\s$|\n$"), re.compile(r"\s[|–—·•/-]\s|\n")
"""What sets a number apart from the words beside it."""
_Key = str | tuple[str, int, str]
_LEADER = re.compile(r"(?:\. ?){5,}\d*$")
"""The dots of a table of contents, which repeats headings."""
_LONGEST_LEADER = 200
"""Characters at a line's end in which they are looked for."""
_LONGEST, _MOST_NUMBERS, _MOST_DIGITS = 200, 8, 4
"""Of a line in which a number may be the page's: its characters, its numbers, their digits."""
_MOST_AHEAD = 50
"""Pages before a document's first, as of a chapter printed alone; a higher number is another."""
_LARGER = 1.3
"""Times the body's size: what is so large is a title, though its numbers rise."""
_SMALLER = 0.95
"""Times the body's size: so small are running heads, and notes."""
_WIDE = 2.0
"""In sizes of the body: a number so far from the words of its line is none of theirs."""
_ROOM = 0.95
"""In sizes of the body: with less white below it, a line with a number that rises is text."""
_MARGIN = 0.15
"""Of a page's height, at its top and bottom: where running heads and page numbers stand."""
_TOUCHING = 2.0
"""Points by which boxes of lines below each other overlap at the most."""
_SAME_HEIGHT = 6.0
"""Points by which a running head may move from page to page."""


def lines_left_out(
    pages: Sequence[tuple[Sequence[Line | Table], float]], body: Body
) -> Mapping[int, FragmentKind]:
    """By their ids the lines and tables that are no text of the document, and what they are.

    Each page comes with its height. A running head stands on three pages (on two of a short
    document) at the same height, no text between it and the page's edge, and reads the same; or it
    differs in the page's number, on two pages where it says so. Where more differs, that number is
    the line's first or last word.
    """
    found: dict[int, FragmentKind] = {}
    for block in (each for blocks, _ in pages for each in blocks):
        if isinstance(block, Line) and _LEADER.search(block.text[-_LONGEST_LEADER:]):
            found[id(block)] = FragmentKind.CONTENTS
    may_be, rising = _repeated(pages, found, body)
    for blocks, height in pages:
        own = [block for block in blocks if id(block) not in found]
        for spans in (
            {id(each): (each.box[1], each.box[3]) for each in own},
            {id(each): (height - each.box[3], height - each.box[1]) for each in own},
        ):
            left = _at_edge(spans, may_be, rising, _ROOM * body.size)
            found.update((each, FragmentKind.RUNNING) for each in left)
    return found


def _repeated(
    pages: Sequence[tuple[Sequence[Line | Table], float]], others: Mapping[int, object], body: Body
) -> tuple[set[int], set[int]]:
    """By their ids, lines in the margins that may be no text, and those of them in doubt.

    A number that rises from page to page is the page's where it stands alone, or says so; beside
    words, which may be text, where a sign or a gap parts it from them or they are small and always
    the same. On a page that has another number, it is none. Of what always reads the same, the
    first is in doubt, as is what rises.
    """
    groups: dict[tuple[_Key, int], set[tuple[int, int]]] = defaultdict(set)
    bare, sure = dict[int, int](), set[int]()
    for page, (blocks, height) in enumerate(pages):
        for block in blocks:
            if id(block) in others or not _is_in_margin(block, height):
                continue
            text = "\n".join(line.text for line in lines_in(block))
            alone = _PAGE_NUMBER.fullmatch(text)
            if alone:
                bare[id(block)] = _number(alone) - page
            # as a single letter, or in capitals, it may be a mark or the number of a part
            roman = (alone and alone["roman"]) or ""
            if _SAYS_PAGE.search(text) or (len(roman) > 1 and roman.islower()):
                sure.add(id(block))
            for key in (text, *_counted(block, text, page, body.size)):
                for shift in (-0.5, 0.5):
                    place = round(block.box[3] / _SAME_HEIGHT + shift)
                    groups[key, place].add((page, id(block)))
    needed = 2 if len(pages) < 4 else 3
    repeated = [
        (key, group)
        for (key, _), group in groups.items()
        if len({page for page, _ in group}) >= needed
    ]
    firsts = {min(group)[1] for key, group in repeated if isinstance(key, str)}
    same = {block for key, group in repeated if isinstance(key, str) for _, block in group} - firsts
    risen = [(key[1], group) for key, group in repeated if isinstance(key, tuple)]
    numbered = {page: at for at, group in risen for page, block in group if block in bare}
    rising = {
        block
        for at, group in risen
        for page, block in group
        if block in bare.keys() | sure or (len(group) > 2 and numbered.get(page, at) == at)
    }
    pages_own = {1, *numbered.values()}
    lone = {block for block, at in bare.items() if at in pages_own or block in sure}
    return same | firsts | rising | lone, (firsts | (rising - bare.keys())) - same - sure


def _number(alone: re.Match[str]) -> int:
    if alone["roman"] is None:
        return int(_DIGITS.findall(alone[0])[0])
    values = [_ROMAN[digit] for digit in alone["roman"].lower()]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < after else value for value, after in pairs)


def _counted(block: Line | Table, text: str, page: int, usual: float) -> Iterator[_Key]:
    """What a block reads as where one of its numbers, so far from `page`, may be the page's own."""
    size = max((line.style.size for line in lines_in(block)), default=0.0)
    if len(text) > _LONGEST or size > _LARGER * usual:
        return
    if alone := _PAGE_NUMBER.fullmatch(text):
        yield "", _number(alone) - page, ""
    for match in islice(_DIGITS.finditer(text), _MOST_NUMBERS):
        start, end = match.span()
        ahead = int(match[0]) - page if end - start <= _MOST_DIGITS else _MOST_AHEAD + 1
        if ahead > _MOST_AHEAD:
            continue
        is_parted = _SAYS_PAGE.search(text) or _is_parted(block, text, match, _WIDE * usual)
        is_at_end = start == 0 or end == len(text)
        if is_parted or (is_at_end and size < _SMALLER * usual):
            yield text[:start], ahead, text[end:]
        if is_parted and is_at_end:
            yield "", ahead, "first" if start == 0 else "last"


def _is_parted(block: Line | Table, text: str, number: re.Match[str], wide: float) -> bool:
    """Whether a sign, a cell's edge or a gap is between a number and the words beside it."""
    before, behind = text[: number.start()], text[number.end() :]
    if _SIGN_BEFORE.search(before) or _SIGN_BEHIND.match(behind):
        return True
    if isinstance(block, Table) or (own := block.box_of(*number.span())) is None:
        return False
    left = block.box_of(0, len(before.rstrip()))
    right = block.box_of(len(text) - len(behind.lstrip()), len(text))
    gaps = own[0] - left[2] if left else 0.0, right[0] - own[2] if right else 0.0
    return max(gaps) > wide


def _is_in_margin(block: Line | Table, height: float) -> bool:
    _, top, _, bottom = block.box
    last = bottom if isinstance(block, Line) else top
    return bottom / height <= _MARGIN or last / height >= 1 - _MARGIN


def _at_edge(
    spans: Mapping[int, tuple[float, float]], may_be: set[int], doubtful: set[int], room: float
) -> set[int]:
    """By their ids, those that stand between a page's edge and its text, with room if in doubt.

    `spans`: from where to where each block reaches, from that edge.
    """
    held = spans.keys() & may_be
    while held:
        texts = [span for each, span in spans.items() if each not in held]
        first = min((end for _, end in texts), default=math.inf)
        beyond = {each for each in held if spans[each][0] > first - _TOUCHING}
        starts = [*sorted(start for start, _ in texts), math.inf]
        near = {
            each
            for each in held & doubtful
            if starts[bisect(starts, spans[each][1] - _TOUCHING)] < spans[each][1] + room
        }
        if not beyond | near:
            break
        held -= beyond | near
    return held


_MARK_LARGER = 2.0
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
    large = [each for each in shown if each.style.size >= _MARK_LARGER * usual]
    others = [each.box for each in shown if each.style.size < _MARK_LARGER * usual and each.box]
    lines = list(_mark_lines(large, characters))
    marks = [line for line in lines if _crosses(line, others)] if len(lines) <= _MOST_MARKS else []
    taken = {each.index for line in marks for each in line}
    left = [each for each in characters if each.index not in taken]
    return left, [Line(line) for line in marks]


def _mark_lines(
    large: Sequence[Character], every: Sequence[Character]
) -> Iterator[list[Character]]:
    wanted = {(each.style, each.line) for each in large}
    for key, group in groupby(every, key=lambda each: (each.style, each.line)):
        if key in wanted:
            yield list(group)


def _crosses(line: Sequence[Character], others: Sequence[Rectangle]) -> bool:
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
