"""Tables without lines around their cells are told by how their words stand.

Rows are read from the bottom up, for what spans columns stands at the top: the pieces of a row
that stand over those below are their columns. Whatever is in doubt stays prose.
"""

from collections.abc import Sequence
from itertools import chain, pairwise, permutations, takewhile

from retrieval.parsing.pdf.aligned_table import LARGER, AlignedTable
from retrieval.parsing.pdf.alignment import (
    Edge,
    Run,
    TextLine,
    comes_before,
    edge_between,
    flows,
    is_drawn_by_row,
    is_near,
    lines_of,
)
from retrieval.parsing.pdf.columns import Columns, is_aligned
from retrieval.parsing.pdf.tables import Grid
from retrieval.parsing.pdf.text import Character
from retrieval.parsing.rectangles import meet

_MOST_RUNS, _MOST_LINES, _MOST_COLUMNS = 5_000, 300, 40
"""Of a column of text: with more it is a drawing, on which a search would take minutes."""
_MOST_ALONE = 3
"""Lines one after another in one column alone: more are a text beside another, or a tall cell."""
_LEAST_GOING_ON = 3
"""Columns: what stands in two does so by chance."""
_MOST_ABOVE = 3
"""Lines of a page's head."""
_SAME_EDGE = 2.0
"""Points by which what goes on in a column may stand elsewhere."""
_MOST_SPANNING = 2
"""Lines at the top over several columns."""


def aligned_tables(
    characters: Sequence[Character], edges: Sequence[Edge], before: Grid | None = None
) -> list[Grid]:
    """The tables on a page, those of each column of text together.

    `before` ended the page before; at the top, a row or two in its columns go on with it.
    """
    found: list[Grid] = []
    for number, runs in enumerate(flows(characters)):
        lines = lines_of(runs) if len(runs) <= _MOST_RUNS else []
        if len(lines) > _MOST_LINES:
            continue
        lines = [line.over(edges) for line in lines]
        tables = _tables(lines, edges)
        rest = _rest(lines, edges, before) if before and number == 0 else None
        if rest and not any(meet(rest.box, each.box) for each in tables):
            found.append(rest)
        found += tables
    return found


def _rest(lines: Sequence[TextLine], edges: Sequence[Edge], before: Grid) -> Grid | None:
    columns = Columns(list(zip(before.edges, before.rights, strict=False)))
    if len(columns.spans) < _LEAST_GOING_ON:
        return None

    def is_row(line: TextLine) -> bool:
        held = columns.held(line)
        return (
            0 in held
            and 1 < len(held) == len(line.runs)
            and all(is_aligned(run, columns.spans[n], _SAME_EDGE) for n, run in held.items())
        )

    above = sum(1 for _ in takewhile(lambda line: len(line.runs) == 1, lines))
    rows = list(takewhile(is_row, lines[above:])) if above <= _MOST_ABOVE else []
    if not rows:
        return None
    for row in rows:
        columns.take(row)
    table = AlignedTable(rows, columns, edges)
    for line in lines[above + len(rows) :]:
        if not table.takes(line):
            break
    return table.grid()


def _tables(lines: Sequence[TextLine], edges: Sequence[Edge]) -> list[Grid]:
    found: list[Grid] = []
    end = free = len(lines)
    while end > 0:
        if 1 < len(lines[end - 1].runs) <= _MOST_COLUMNS:
            first, columns = _grown(lines, end, edges)
            if beside := _drawn_beside(lines[first:end], columns):
                runs = [run for line in lines for run in line.runs]
                left = [run for run in runs if run.first < beside]
                right = [run for run in runs if run.first >= beside]
                return [*_tables(lines_of(left), edges), *_tables(lines_of(right), edges)]
            table = AlignedTable(lines[first:end], columns, edges)
            if table.is_other():
                end = first
                continue
            if table.is_sure():
                for line in lines[end:free]:
                    if not table.takes(line):
                        break
                while first > 0 and table.is_begun_by(lines[first - 1]):
                    first -= 1
                found.append(table.grid())
                end = free = first
                continue
        end -= 1
    return found


def _grown(lines: Sequence[TextLine], end: int, edges: Sequence[Edge]) -> tuple[int, Columns]:
    """From which line on those before `end` may be a table, and its columns."""
    columns = Columns()
    columns.take(lines[end - 1])
    first, spanned = end - 1, 0
    alone: list[range] = []
    is_ruled = end < len(lines) and edge_between(lines[end - 1], lines[end], edges)
    for number in range(end - 2, -1, -1):
        line, below = columns.parted(lines[number]), lines[number + 1]
        if len(line.runs) + len(columns.spans) > 2 * _MOST_COLUMNS:
            break
        if not is_near(line, below, edges):
            break
        if line.is_bold and not below.is_bold and (names := _names(lines[: number + 1], edges)):
            columns.take(names)
        is_ruled = is_ruled or edge_between(line, below, edges)
        over = columns.under(line)
        crosses = any(len(each) > 1 for each in over)
        if any(one and other and one[-1] >= other[0] for one, other in pairwise(over)):
            break
        if len(line.runs) == 1:
            alone += over
            is_tall = (is_ruled or len(columns.spans) > 2) and _are_of_one_cell(alone)
            most = 1 if crosses else len(lines) if is_tall else _MOST_ALONE
            if len(alone) > most or line.size > LARGER * below.size:
                break
            continue
        if crosses and (spanned == _MOST_SPANNING or not columns.are_spanned(line)):
            break
        if spanned and not crosses:
            break
        spanned += crosses
        columns.take(line)
        first, alone = number, []
    return first, columns


def _stand_beside(left: Sequence[Run], right: Sequence[Run]) -> bool:
    """Whether each, of several lines, begins above the middle of the other."""
    heights = [sorted({run.bottom for run in side}) for side in (left, right)]
    return all(
        len(own) > 1 and own[0] <= other[len(other) // 2] for own, other in permutations(heights)
    )


def _names(lines: Sequence[TextLine], edges: Sequence[Edge]) -> TextLine | None:
    """Of the bold lines at the end, which may be names of several lines, one that has the most.

    None where each is one text, as headings are.
    """
    found = [lines[-1]]
    for line, above in pairwise(reversed(lines)):
        if not above.is_bold or not is_near(above, line, edges):
            break
        found.append(above)
    fullest = max(found, key=lambda each: len(each.runs))
    return fullest if len(fullest.runs) > 1 else None


def _are_of_one_cell(alone: Sequence[range]) -> bool:
    """Whether lines that stand alone are all over one column, and not the first."""
    return all(len(over) == 1 and over == alone[0] and over[0] > 0 for over in alone)


def _drawn_beside(lines: Sequence[TextLine], columns: Columns) -> int:
    """Where the drawing of what stands to the right of a table, or left of it, begins; else 0.

    The columns of one table are drawn row by row.
    """
    held = columns.filled(lines)
    for count in range(1, len(held)) if len(held) > 2 and all(held) else ():
        sides = held[:count], held[count:]
        left, right = (list(chain(*side)) for side in sides)
        has_rows = any(map(is_drawn_by_row, sides))
        if comes_before(left, right) and has_rows and _stand_beside(left, right):
            return min(run.first for run in right)
    return 0
