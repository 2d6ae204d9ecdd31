"""The characters of a page in the order in which people read them.

Most programs draw a column after the other, and their order is kept. Some draw line by line over
the whole page, or the right column first. The order is changed only where that is sure: between
columns of running text that nothing crosses, and whose lines are drawn in turns or backwards. A
table that is drawn row by row has short texts in its columns, and stays as it is. The values of a
form are drawn last, and go to what they belong to.
"""

from bisect import bisect, bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import fmean

from retrieval.parsing.pdf.characters import Character
from retrieval.parsing.rectangles import spanned

_GAP = 0.8
"""In font sizes: what is farther apart on a line may be two columns. A gutter is no narrower."""
_BAND_GAP = 3.0
"""In font sizes: so much white across all columns parts what is above from what is below."""
_CROSSING = 0.25
"""Of a page's lines, which may cross a gutter, as titles do."""
_LEAST_LINES = 4
"""Of each column; fewer are no columns for sure."""
_LEAST_WORDS = 3.5
"""On a line of running text, on average over a column; cells of a table have fewer."""
_LEAST_FILLED = 0.6
"""Of a column's width by its lines, on average: running text fills its column."""
_LEAST_GOING_ON = 0.4
"""Of a column's lines that begin in lower case: sentences go on from line to line, where cells
that hold a sentence each do not."""
_LEAST_SHARE = 0.2
"""Of a page's lines on each side of a gutter."""
_TURNS = 0.5
"""Of the lines, after which the drawing goes on in another column: it is drawn across them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters that are drawn one after another on a line, no gap as wide as a gutter between."""

    first: int
    """Among the page's characters, from 0; `last` is exclusive."""
    last: int
    line: int
    left: float
    right: float
    top: float
    bottom: float
    size: float


def in_reading_order(characters: Sequence[Character]) -> Sequence[Character]:
    """A page's characters, those of columns that were drawn across each other set in order."""
    pieces = list(pieces_of(characters))
    gutters = _gutters(pieces)
    if not gutters:
        return characters
    ordered = list(range(len(characters)))
    for band in _bands(pieces, gutters):
        _set_in_order(ordered, characters, band, gutters)
    return [
        character if at == place else replace(character, index=characters[place].index)
        for place, at in enumerate(ordered)
        for character in (characters[at],)
    ]


def pieces_of(characters: Sequence[Character]) -> Iterator[Piece]:
    """A space that PDFium adds goes with what stands before it."""
    start, last = 0, None
    for place, character in enumerate(characters):
        if character.box is None:
            continue
        if last is not None and _parts(last, character):
            yield from _piece(characters, start, place)
            start = place
        if not character.text.isspace():
            last = character
    yield from _piece(characters, start, len(characters))


def _parts(before: Character, after: Character) -> bool:
    if before.box is None or after.box is None or after.text.isspace():
        return False
    size = max(before.style.size, after.style.size, 1.0)
    gap = after.box[0] - before.box[2]
    return before.line != after.line or not -size < gap < _GAP * size


def _piece(characters: Sequence[Character], first: int, last: int) -> Iterator[Piece]:
    shown = [each for each in characters[first:last] if each.box and not each.text.isspace()]
    boxes = [each.box for each in shown if each.box]
    if boxes:
        left, top, right, bottom = spanned(*boxes)
        size = max(each.style.size for each in shown)
        yield Piece(first, last, shown[0].line, left, right, top, bottom, max(size, 1.0))


def _gutters(pieces: Sequence[Piece]) -> list[float]:
    """The middles of upright strips that hardly anything crosses, text on both sides of them."""
    if len(pieces) < 2 * _LEAST_LINES:
        return []
    size = Counter(piece.size for piece in pieces).most_common(1)[0][0]
    lefts = sorted(piece.left for piece in pieces)
    rights = sorted(piece.right for piece in pieces)
    most, least = _CROSSING * len(pieces), _LEAST_SHARE * len(pieces)
    found = []
    for left, right in _strips(lefts, rights, most):
        before, after = bisect(rights, left), len(lefts) - bisect_left(lefts, right)
        if right - left >= _GAP * size and min(before, after) >= least:
            found.append((left + right) / 2)
    return found


def _strips(
    lefts: Sequence[float], rights: Sequence[float], most: float
) -> Iterator[tuple[float, float]]:
    """From where to where no more pieces than so many stand; both kinds of edges in order."""
    crossing, begun = 0, None
    edges = sorted([*((x, 1) for x in lefts), *((x, -1) for x in rights)])
    for x, change in edges:
        crossing += change
        if crossing <= most and begun is None:
            begun = x
        elif crossing > most and begun is not None:
            yield begun, x
            begun = None


def _bands(pieces: Sequence[Piece], gutters: Sequence[float]) -> Iterator[list[Piece]]:
    """Pieces between titles that cross a gutter, or white that does, top to bottom."""
    band: list[Piece] = []
    for piece in sorted(pieces, key=lambda each: each.bottom):
        crosses = bisect(gutters, piece.left) != bisect(gutters, piece.right)
        if crosses or (band and piece.bottom - band[-1].bottom > _BAND_GAP * piece.size):
            yield band
            band = []
        if not crosses:
            band.append(piece)
    yield band


def _set_in_order(
    ordered: list[int],
    characters: Sequence[Character],
    band: Sequence[Piece],
    gutters: Sequence[float],
) -> None:
    drawn = sorted(band, key=lambda piece: piece.first)
    lines = [
        (column, list(group))
        for (column, _), group in groupby(
            drawn, key=lambda piece: (bisect(gutters, piece.left), piece.line)
        )
    ]
    if not _is_sure(lines, characters, len(gutters) + 1):
        return
    places = [place for piece in drawn for place in range(piece.first, piece.last)]
    lines.sort(key=lambda line: (line[0], line[1][0].bottom))
    moved = [
        place for _, line in lines for piece in line for place in range(piece.first, piece.last)
    ]
    for place, at in zip(places, moved, strict=True):
        ordered[place] = at


def _is_sure(
    lines: Sequence[tuple[int, list[Piece]]], characters: Sequence[Character], count: int
) -> bool:
    """Whether columns of running text are drawn in turns, or the other way round."""
    columns = [[line for at, line in lines if at == column] for column in range(count)]
    for column in columns:
        texts = [
            "".join(each.text for piece in line for each in characters[piece.first : piece.last])
            for line in column
        ]
        if not is_running_text(
            [(text, line[0].left, line[-1].right) for text, line in zip(texts, column, strict=True)]
        ):
            return False
    order = [column for column, _ in lines]
    turns = sum(one != other for one, other in pairwise(order))
    runs = [column for column, _ in groupby(order)]
    is_backwards = len(runs) == count and runs != sorted(runs)
    return is_backwards or turns >= _TURNS * len(order)


def is_running_text(lines: Sequence[tuple[str, float, float]]) -> bool:
    """Whether lines, each with where it begins and ends, are those of sentences in a column."""
    if len(lines) < _LEAST_LINES:
        return False
    texts, lefts, rights = zip(*lines, strict=True)
    wide = fmean(right - left for left, right in zip(lefts, rights, strict=True))
    filled = wide / max(1.0, max(rights) - min(lefts))
    words = fmean(len(text.split()) for text in texts)
    lower = fmean(text.lstrip()[:1].islower() for text in texts)
    return words >= _LEAST_WORDS and filled >= _LEAST_FILLED and lower >= _LEAST_GOING_ON


_SAME_LINE = 0.8
"""Of the font size: a value's foot is no farther from that of its label."""
_BELOW = 3.0
"""In font sizes: a value stands no farther below its label."""


def beside_labels(characters: list[Character], first: int) -> list[Character]:
    """With the values, which are drawn from the index `first` on, behind what they belong to.

    That is what stands before them on their line, else what stands right above. They are as large
    as it: in a larger font, which programs choose for them, they name no section.
    """
    own = [each for each in characters if each.index < first]
    values = [each for each in characters if each.index >= first]
    labels = list(pieces_of(own))
    placed: dict[int, list[Character]] = defaultdict(list)
    for number, piece in enumerate(pieces_of(values), start=1):
        value = values[piece.first : piece.last]
        before = [each for each in labels if _stands_before(each, piece)]
        above = [each for each in labels if _stands_above(each, piece)]
        if before:
            label = max(before, key=lambda each: each.right)
            space = Character(0, " ", None, value[0].style, label.line)
            placed[label.last] += [space, *_sized(value, own[: label.last], label.line), space]
        else:
            at = max(above, key=lambda each: each.bottom).last if above else len(own)
            placed[at] += _sized(value, own[:at], -number)
    ordered = [
        character for at in range(len(own) + 1) for character in (*placed[at], *own[at : at + 1])
    ]
    return [replace(each, index=index) for index, each in enumerate(ordered)]


def _sized(
    value: Sequence[Character], before: Sequence[Character], line: int
) -> Iterator[Character]:
    size = before[-1].style.size if before else value[0].style.size
    return (replace(each, line=line, style=replace(each.style, size=size)) for each in value)


def _stands_before(label: Piece, value: Piece) -> bool:
    is_level = abs(label.bottom - value.bottom) < _SAME_LINE * value.size
    return is_level and label.right <= value.left + 1


def _stands_above(label: Piece, value: Piece) -> bool:
    is_over = label.left < value.right and value.left < label.right
    return is_over and -1 <= value.top - label.bottom < _BELOW * value.size
