"""Small digits above the line of a PDF page are written as such, and their line is whole again.

PDFium tells sizes and places alone: a raised 1 behind 30 comes as 301, and often ends the line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from retrieval.parsing.pdf.text import Character
from retrieval.parsing.raised import as_set, is_exponent
from retrieval.parsing.rectangles import Rectangle

_SMALL = (0.45, 0.9)
"""Heights of raised digits, by that of the line: what is smaller yet stands beside an initial."""
_ABOVE = 0.15
"""In heights of the line: smaller type that stands on it ends above it, too, but by less."""
_NEAR = 0.5
"""In heights of the line, between digits and what they are raised beside."""
_ALIKE = 0.1
_MAY_BE = frozenset("0123456789-+\u2212\u2013,)")


class _Glyph(NamedTuple):
    """A character that shows, with its place among those of the page."""

    at: int
    box: Rectangle
    text: str
    line: int

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]


def with_raised(characters: Sequence[Character]) -> list[Character]:
    """A page's characters, those that are raised with line and style of what they stand beside."""
    found = list(characters)
    seen = [
        _Glyph(at, each.box, each.text, each.line)
        for at, each in enumerate(characters)
        if each.box and not each.text.isspace()
    ]
    lines: dict[int, int] = {}
    for first, last in _runs(seen):
        run = seen[first:last]
        before = seen[first - 1] if first else None
        after = seen[last] if last < len(seen) else None
        beside = _beside(before, run, after)
        if beside is before and before and _have_space(characters[before.at : run[0].at]):
            continue
        text = "".join(each.text for each in run)
        if beside is None or not is_exponent(text) or not any(map(str.isdigit, text)):
            continue  # a hyphen may be of another font
        if after and _is_alike(run[-1], after) and _gap(run[-1], after) < _NEAR:
            continue  # small type goes on
        line = lines.get(beside.line, beside.line)
        lines[run[0].line] = line
        for each, sign in zip(run, as_set("super", text, "", in_cell=True), strict=True):
            x0, top, x1, _ = each.box
            box = x0, top, x1, beside.box[3]
            style = characters[beside.at].style
            found[each.at] = replace(found[each.at], text=sign, box=box, style=style)
        if after and after.line != run[-1].line and _is_on(beside, after, run[-1]):
            lines[after.line] = line
    return [replace(each, line=lines[each.line]) if each.line in lines else each for each in found]


def _runs(seen: Sequence[_Glyph]) -> Iterator[tuple[int, int]]:
    """Digits and signs that stand beside each other, of one height: the first, behind the last."""
    first = 0
    while first < len(seen):
        last = first + 1
        if seen[first].text in _MAY_BE:
            while last < len(seen) and _goes_on(seen[last - 1], seen[last]):
                last += 1
            yield first, last
        first = last


def _goes_on(one: _Glyph, other: _Glyph) -> bool:
    may_be = other.text in _MAY_BE and one.line == other.line
    return may_be and _is_alike(one, other) and _gap(one, other) < _NEAR


def _is_alike(one: _Glyph, other: _Glyph) -> bool:
    """Whether both are of one height, and stand on one line."""
    least = _ALIKE * one.height
    return abs(one.box[3] - other.box[3]) < least and abs(one.box[1] - other.box[1]) < least


def _have_space(between: Sequence[Character]) -> bool:
    return any(each.text.isspace() for each in between)


def _beside(before: _Glyph | None, run: Sequence[_Glyph], after: _Glyph | None) -> _Glyph | None:
    """What a run is raised beside: what it stands behind, or before where it begins a line."""
    if before and _is_raised(before, run[0]) and _gap(before, run[0]) < _NEAR:
        return before
    begins = before is None or before.line != run[0].line
    if begins and after and _is_raised(after, run[-1]) and _gap(run[-1], after) < _NEAR:
        return after
    return None


def _is_raised(beside: _Glyph, one: _Glyph) -> bool:
    least, most = (share * beside.height for share in _SMALL)
    above = beside.box[3] - one.box[3]
    return least < one.height < most and _ABOVE * beside.height < above < beside.height


def _is_on(beside: _Glyph, after: _Glyph, last: _Glyph) -> bool:
    """Whether the line goes on behind what was raised."""
    level = abs(after.box[3] - beside.box[3]) < _ALIKE * beside.height
    return level and _gap(last, after) < 1


def _gap(one: _Glyph, other: _Glyph) -> float:
    """How far the other stands behind the one, in heights of the higher; endless for before it."""
    gap = (other.box[0] - one.box[2]) / max(one.height, other.height, 1.0)
    return gap if gap > -_NEAR else float("inf")
