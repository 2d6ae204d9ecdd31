"""Tables in plain text whose columns are drawn: framed with bars, or a line below each head."""

import re
from collections.abc import Sequence
from itertools import pairwise

from retrieval.parsing.tables import Cell, RowText, heads_and_names, row_texts

_DRAWN = re.compile(r"[\s|+\u2500-\u256c=-]*")
_STROKE = re.compile(r"[─━═=-]{3,}")
_BAR = re.compile(r"[|│║]")

DrawnRow = tuple[Sequence[int], RowText]
"""The lines on which it stands, by index, and what it reads as."""


def drawn_rows(lines: Sequence[str]) -> list[DrawnRow]:
    """The rows of a table below those that name its columns; none where it is no such table.

    What is drawn right below the first row says that it does. A row whose first cell is empty goes
    on the one above; where lines are drawn between rows, so does all between two of them.
    """
    drawn = [n for n, line in enumerate(lines) if _DRAWN.fullmatch(line) and _STROKE.search(line)]
    cells = _cells(lines, drawn)
    if len(cells) < 2 or len({len(each) for each in cells.values()}) != 1:
        return []
    rows = _rows(cells, drawn)
    read = [_joined([cells[number] for number in row]) for row in rows]
    heads = sum(1 for row in rows if row[-1] < next(n for n in drawn if n > min(cells)))
    if heads != 1 or len(rows) < 2:
        return []
    heads, names = heads_and_names(read, 1)
    texts = row_texts(read[heads:], names)
    return list(zip(rows[heads:], texts, strict=True)) if heads else []


def _cells(lines: Sequence[str], drawn: Sequence[int]) -> dict[int, list[str]]:
    """By line, of those that are not drawn; empty where some line has none."""
    written = {n: line for n, line in enumerate(lines) if n not in drawn}
    if not drawn or not written or min(written) > max(drawn):
        return {}
    if all(_BAR.search(line) for line in written.values()):
        return {n: _between_bars(line) for n, line in written.items()}
    starts = [stroke.start() for stroke in _STROKE.finditer(lines[drawn[0]].expandtabs())]
    if len(starts) < 2 or any(_BAR.search(line) for line in lines):
        return {}
    return {n: _below(starts, line.expandtabs()) for n, line in written.items()}


def _between_bars(line: str) -> list[str]:
    first, *others = (cell.strip() for cell in _BAR.split(line.strip()))
    cells = [first, *others]
    inner = cells[1:] if not first else cells
    return inner[:-1] if line.rstrip()[-1:] in "|│║" else inner


def _below(starts: Sequence[int], line: str) -> list[str]:
    """Nothing at all where a word crosses the beginning of a column."""
    crosses = any(line[at - 1 : at].strip() and line[at : at + 1].strip() for at in starts[1:])
    ends = [*starts[1:], len(line)]
    pairs = zip([0, *starts[1:]], ends, strict=True)
    return [] if crosses else [line[start:end].strip() for start, end in pairs]


def _rows(cells: dict[int, list[str]], drawn: Sequence[int]) -> list[list[int]]:
    below_heads = [n for n in drawn if min(cells) < n < max(cells)]
    is_parted = len(below_heads) > 1
    rows: list[list[int]] = [[min(cells)]]
    for before, number in pairwise(sorted(cells)):
        is_ruled = any(before < n < number for n in drawn)
        if not is_ruled and (is_parted or not cells[number][0]):
            rows[-1].append(number)
        else:
            rows.append([number])
    return rows


def _joined(lines: Sequence[list[str]]) -> list[Cell]:
    return [Cell(" ".join(filter(None, parts))) for parts in zip(*lines, strict=True)]
