"""Tables in plain text whose columns are drawn: framed with bars, or a line below each head."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from retrieval.parsing.row_groups import told_rows
from retrieval.parsing.tables import Cell, RowText, heads_and_names, looks_like_header

_DRAWN = re.compile(r"[\s|+\u2500-\u256c=-]*")
_STROKE = re.compile(r"[─━═=-]{3,}")
_COUNT = re.compile(r"\s*\(\d+ rows?\)\s*")
"""What psql prints below a table."""
_BAR = re.compile("[|│║]")
_GAP = re.compile(r"\S(?: {2,}|\t)\S")

DrawnRow = tuple[Sequence[int], RowText]
"""The lines on which it stands, by index, and what it reads as."""


def drawn_rows(lines: Sequence[str]) -> list[DrawnRow]:
    """The rows of a table below that which names its columns; none where it is no such table."""
    drawn = drawn_cells(lines)
    cells = [list(map(Cell, texts)) for _, texts in drawn]
    heads, names = heads_and_names(cells, 1)
    read = told_rows(cells[heads:], names)
    return [
        (numbers, text) for (numbers, _), text in zip(drawn[heads:], read, strict=True) if heads
    ]


def drawn_cells(lines: Sequence[str]) -> list[tuple[Sequence[int], list[str]]]:
    """The cells of each row, and on which lines it stands; none where it is no such table.

    Each line is a row, but what lacks its first cell and another one goes on the line above, as
    does all that stands between two drawn lines of several, and what has a first cell alone, in
    small letters. That the first row names the columns is sure where "=" is drawn below it, or one
    line alone and several rows.
    """
    drawn = [
        n
        for n, line in enumerate(lines)
        if (_DRAWN.fullmatch(line) and _STROKE.search(line)) or _COUNT.fullmatch(line)
    ]
    cells = _cells(lines, drawn)
    widths = {len(each) for each in cells.values()}
    if len(cells) < 2 or len(widths) != 1 or not all(widths):
        return []
    blocks: list[list[int]] = [[min(cells)]]
    for before, number in pairwise(sorted(cells)):
        if number - before > 1:
            blocks.append([])
        blocks[-1].append(number)
    parted = [_rows(block, cells, is_ruled=len(blocks) > 2) for block in blocks]
    rows = [row for each in parted for row in each] if all(parted) else []
    texts = [_joined([cells[number] for number in row]) for row in rows]
    if len(blocks) < 2 or not rows or rows[0] != blocks[0]:
        return []
    below = lines[blocks[0][-1] + 1]
    is_sure = "=" in below or "═" in below or (len(blocks) == 2 and len(rows) > 2)
    return list(zip(rows, texts, strict=True)) if looks_like_header(texts, is_sure) else []


def _cells(lines: Sequence[str], drawn: Sequence[int]) -> dict[int, list[str]]:
    """By line, of those that are not drawn; empty where some line stands in no columns."""
    apart = frozenset(drawn)
    written = {n: line for n, line in enumerate(lines) if n not in apart}
    if not drawn or not written or min(written) > max(drawn):
        return {}
    if all(_BAR.search(line) for line in written.values()):
        return _between_bars(written)
    starts = [stroke.start() for stroke in _STROKE.finditer(lines[drawn[0]].expandtabs())]
    if len(starts) < 2 or any(_BAR.search(line) for line in lines):
        return {}
    return {n: _below(starts, line.expandtabs()) for n, line in written.items()}


def _between_bars(lines: Mapping[int, str]) -> dict[int, list[str]]:
    """A bar that ends every line frames the table; one that ends some stands before no value."""
    cells = {n: [cell.strip() for cell in _BAR.split(line)] for n, line in lines.items()}
    first = int(not any(each[0] for each in cells.values()))
    last = None if any(each[-1] for each in cells.values()) else -1
    return {n: each[first:last] for n, each in cells.items()}


def _below(starts: Sequence[int], line: str) -> list[str]:
    """Nothing at all where what it says does not keep to the columns."""
    crosses = any(line[at - 1 : at].strip() for at in starts[1:])
    pairs = zip(starts, [*starts[1:], len(line)], strict=True)
    cells = [line[start:end].strip() for start, end in pairs]
    is_astray = crosses or line[: starts[0]].strip() or any(map(_GAP.search, cells))
    return [] if is_astray else cells


def _rows(
    block: Sequence[int], cells: Mapping[int, list[str]], *, is_ruled: bool
) -> list[list[int]]:
    """The lines of each row; none where it is not sure to which one a line belongs."""
    led = sum(bool(cells[number][0]) for number in block)
    if is_ruled and cells[block[0]][0] and led == 1:
        return [list(block)]
    if is_ruled and sum(all(cells[number]) for number in block) <= 1:
        return []
    rows: list[list[int]] = []
    is_small = any(cells[n][0][:1].islower() and any(cells[n][1:]) for n in block)
    for number in block:
        first, *others = cells[number]
        if first and (any(others) or not rows or is_small or not first[0].islower()):
            rows.append([number])
        elif rows and not all(others):
            rows[-1].append(number)
        else:
            return []
    return rows


def _joined(lines: Sequence[list[str]]) -> list[str]:
    return [" ".join(filter(None, parts)) for parts in zip(*lines, strict=True)]
