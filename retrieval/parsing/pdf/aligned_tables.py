"""Tables without lines around their cells are told by how their words stand.

Rows are read from the bottom up, for what spans columns stands at the top: the pieces of a row
that stand over those below are their columns. Whatever is in doubt stays prose.

A table has several rows with several pieces each, no piece reaches from column to column, and the
columns are no running text. Rules across and the edges of coloured areas part rows; so do
distances; and a line whose first word would have had room on the line above begins a row of its
own.
"""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise, permutations, takewhile
from statistics import fmean, median

from retrieval.language.words import FUNCTION_WORDS
from retrieval.parsing.pdf.aligned_lines import (
    ASKEW,
    SAME_ROW,
    SPACE,
    Columns,
    Run,
    TextLine,
    comes_before,
    edge_between,
    edges_of,
    flows,
    is_aligned,
    is_drawn_by_row,
    is_near,
    is_other_text,
    lines_of,
)
from retrieval.parsing.pdf.characters import Character
from retrieval.parsing.pdf.drawing import Edge
from retrieval.parsing.pdf.ruled_tables import Grid
from retrieval.parsing.rectangles import Rectangle, meet
from retrieval.parsing.tables import is_number, may_name

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
    table = _AlignedTable(rows, columns, edges)
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
            table = _AlignedTable(lines[first:end], columns, edges)
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
            if len(alone) > most or line.size > _LARGER * below.size:
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


_WRAPPED = 1.4
"""In font sizes from line to line: the lines of one cell are no farther apart."""
_FULL = 0.25
"""Of near lines that both fill all columns: with more, near lines are rows."""
_FARTHER = 1.2
"""Times the least distance of lines: what is farther apart is in different rows."""
_LEAST_ROWS = 3
_LEAST_RULED_ROWS = 2
"""Where a rule across tells that there is a table."""
_LARGER = 1.15
"""Times the letters below: what is set so is a heading."""
_MOST_NAME_LINES = 5
_LEAST_NAME_ROWS, _MOST_NAME_ROWS = 2, 4
"""Above a rule; with more, names over several columns."""
_LEAST_HELD = 0.3
"""Of the rows, which have something in each column."""
_LEADER = re.compile(r"(?:\. ?){5,}")
_TYPED = 0.5
"""Of what stands beside the first column: more is program text, which is read as it is set."""
_ALIGNED = 0.7
"""Of what stands in a column, to one of its edges or its middle."""
_CROSSING = 0.7
"""Of a table's width: what names some of its rows is no longer."""


def _may_be_names(lines: Sequence[TextLine]) -> bool:
    return len(lines) <= _MOST_NAME_LINES and may_name(
        [r.text for each in lines for r in each.runs]
    )


class _AlignedTable:
    """Lines that may be a table; each of its rows is a run of them."""

    def __init__(self, lines: Sequence[TextLine], columns: Columns, edges: Sequence[Edge]) -> None:
        self._columns = columns
        self._lines = [columns.parted(line) for line in lines]
        for line in self._lines:
            if [len(over) for over in columns.under(line)] == [1]:
                columns.take(line)
        self._edges = edges
        self._ruled = [edge_between(line, below, edges) for line, below in pairwise(lines)]
        names = self._bold_names() or self._ruled_names()
        columns.join_names(self._lines[:names], self._lines[names:])

    def _held(self, line: TextLine) -> dict[int, Run]:
        return self._columns.held(line)

    def _bold_names(self) -> int:
        """How many lines at the top are names, bold as what is below is not; a group's is none."""
        bold = list(takewhile(lambda line: line.is_bold, self._lines))
        alone = sum(1 for _ in takewhile(lambda line: len(line.runs) == 1, reversed(bold)))
        for count in range(min(alone, len(bold) - 1), 0, -1):
            if bold[-count].bottom - bold[-count - 1].bottom > _WRAPPED * bold[-count].size:
                del bold[-count:]
                break
        while bold and len(bold[-1].runs) == 1 and self._columns.under(bold[-1])[0].start == 0:
            bold.pop()
        is_other = len(bold) < len(self._lines) and _may_be_names(bold)
        return len(bold) if is_other else 0

    def _ruled_names(self) -> int:
        """How many stand above the first rule, if they may be names."""
        count = self._ruled.index(True) + 1 if True in self._ruled else 0
        return count if _may_be_names(self._lines[:count]) else 0

    def is_sure(self) -> bool:
        held = [self._held(line) for line in self._lines]
        several = [each for each in held if len(each) > 1]
        count = len(self._columns.spans)
        least = _LEAST_RULED_ROWS if any(self._ruled) else _LEAST_ROWS
        if count < 2 or len(several) < least or len(self._rows(self._apart())) < least:
            return False
        columns = self._columns.filled(self._lines)
        if any(len(column) < _LEAST_HELD * len(several) for column in columns):
            return False
        return all(
            fmean(is_aligned(run, span, ASKEW * run.size) for run in column) >= _ALIGNED
            for column, span in zip(columns, self._columns.spans, strict=True)
        )

    def is_other(self) -> bool:
        """Whether it is program text, a list, contents, equations, or text beside text."""
        if any(_LEADER.search(run.text[-200:]) for line in self._lines for run in line.runs):
            return True
        columns = self._columns.filled(self._lines)
        if len(columns) < 2 or not all(columns) or len(columns[0]) < _LEAST_RULED_ROWS:
            return False
        if not is_drawn_by_row(columns) and not self._are_labels(columns):
            return True
        typed = fmean(run.is_typed for column in columns[1:] for run in column)
        return typed > _TYPED or self._is_crossed() or is_other_text(columns)

    def _are_labels(self, columns: Sequence[Sequence[Run]]) -> bool:
        """Whether the first column is bold alone, with a value beside each of it."""
        bold = [all(run.is_bold for run in column) for column in columns]
        beside = (self._held(line).keys() for line in self._lines)
        return bold == [True, False] and all(1 in held for held in beside if 0 in held)

    def _is_crossed(self) -> bool:
        """Whether lines of a text run through it."""
        wide = self._columns.spans[-1][1] - self._columns.spans[0][0]
        return any(
            len(line.runs) == 1 and line.runs[0].right - line.runs[0].left > _CROSSING * wide
            for line in self._lines[1:]
        )

    def takes(self, line: TextLine) -> bool:
        """Whether a line below is of the last row, or one more that no gaps part; it is then."""
        apart, parted = self._apart(), self._columns.parted(line)
        is_ruled = edge_between(self._lines[-1], line, self._edges)
        if parted is not line and is_near(self._lines[-1], line, self._edges):
            self._columns.take(parted)
            self._add(len(self._lines), parted, is_ruled=is_ruled)
            return True
        if is_ruled or len(self._held(line)) < len(line.runs):
            return False
        self._add(len(self._lines), line)
        if len(self._rows(apart)[-1]) > 1:
            return True
        del self._lines[-1], self._ruled[-1]
        return False

    def _add(self, at: int, line: TextLine, *, is_ruled: bool = False) -> None:
        self._lines.insert(at, line)
        self._ruled.insert(at, is_ruled)

    def is_begun_by(self, line: TextLine) -> bool:
        """Whether a line above begins cells of the first row, which it then does."""
        line, below, apart = self._columns.parted(line), self._lines[0], self._apart()
        if edge_between(line, below, self._edges) or line.size > _LARGER * below.size:
            return False
        is_name = self._begins_names(line)
        self._add(0, line)
        first = self._blocks(apart)[0]
        if is_name or (apart and len(first) > 1 and self._is_one_row(first)):
            self._columns.take(line)
            return True
        del self._lines[0], self._ruled[0]
        return False

    def _begins_names(self, line: TextLine) -> bool:
        """Whether it has more of the names, which are bold; over the first alone, it is a title."""
        below, over = self._lines[0], self._columns.under(line)
        return (
            bool(self._bold_names())
            and line.is_bold
            and below.bottom - line.bottom <= _WRAPPED * line.size
            and all(len(each) == 1 for each in over)
            and over != [range(1)]
        )

    def _rows(self, apart: float) -> list[list[int]]:
        """The numbers of the lines of each row."""
        blocks = self._blocks(apart)
        are_rows = self._are_ruled_rows(blocks)
        rows: list[list[int]] = []
        for block in blocks:
            if len(blocks) > 1 and (self._is_one_row(block) or (are_rows and self._is_cut(block))):
                rows.append(block)
                continue
            rows.append(block[:1])
            for number in block[1:]:
                if self._goes_on(rows[-1], number, apart):
                    rows[-1].append(number)
                else:
                    rows.append([number])
        return rows

    def _blocks(self, apart: float) -> list[list[int]]:
        """The numbers of lines that neither a rule nor a distance parts."""
        blocks = [[0]]
        for number, (above, line) in enumerate(pairwise(self._lines), 1):
            distance = line.bottom - above.bottom
            farthest = min(_WRAPPED * line.size, 0.95 * apart or math.inf)
            if self._ruled[number - 1] or distance > farthest:
                blocks.append([])
            blocks[-1].append(number)
        return blocks

    def _are_ruled_rows(self, blocks: Sequence[Sequence[int]]) -> bool:
        """Whether rules part each row: some of what they part is one row beyond doubt."""
        surely = sum(len(block) > 1 and self._is_one_row(block) for block in blocks)
        return surely > 1 and all(self._ruled[block[-1]] for block in blocks[:-1])

    def _is_cut(self, block: Sequence[int]) -> bool:
        """Whether a cell goes on in its next line, by its words: "Students with a" / "child"."""
        last: dict[int, str] = {}
        for number in block:
            held = {column: run.text for column, run in self._held(self._lines[number]).items()}
            for column in held.keys() & last.keys():
                *several, ends = ("", *last[column].split())
                if ends in FUNCTION_WORDS or (several[1:] and held[column][:1].islower()):
                    return True
            last |= held
        return False

    def _is_one_row(self, block: Sequence[int]) -> bool:
        """Whether each cell only goes on from line to line, at whatever height the others stand.

        One line at most fills all columns. What stands alone at the left leads the lines below it,
        unless they go on in small letters.
        """
        last: dict[int, Run] = {}
        filled = 0
        for number in block:
            line = self._lines[number]
            held = self._held(line)
            filled += len(held) == len(self._columns.spans)
            if len(held) < len(line.runs) or filled > 1:
                return False
            begins = 0 in held and not held[0].text[:1].islower()
            if (begins and [*last] == [0]) or any(
                column in last and not self._had_no_room(last[column], run, column)
                for column, run in held.items()
            ):
                return False
            last |= held
        return True

    def _apart(self) -> float:
        """The least distance in points of lines of two rows, where those of one are nearer; else 0.

        Where near lines fill all columns, they are rows, and what is farther are groups of them.
        The rule below the names alone tells nothing of rows.
        """
        size = median(line.size for line in self._lines)
        held = [len(self._held(line)) for line in self._lines]
        distances = [
            (below.bottom - line.bottom, min(pair), is_ruled)
            for (line, below), pair, is_ruled in zip(
                pairwise(self._lines), pairwise(held), self._ruled, strict=True
            )
            if below.bottom - line.bottom >= SAME_ROW * size
        ]
        least = min((each for each, _, is_ruled in distances if not is_ruled), default=0.0)
        near = [
            both for each, both, is_ruled in distances if each <= _FARTHER * least and not is_ruled
        ]
        is_told = sum(self._ruled) > 1
        farther = [
            each
            for each, _, is_ruled in distances
            if each > _FARTHER * least and (is_told or not is_ruled)
        ]
        full = sum(both == len(self._columns.spans) for both in near)
        is_wrapped = 0 < least <= _WRAPPED * size and full <= _FULL * len(near)
        return min(farther) if farther and is_wrapped else 0.0

    def _goes_on(self, row: Sequence[int], number: int, apart: float) -> bool:
        """Whether a line belongs to the row above it."""
        line, above = self._lines[number], self._lines[number - 1]
        distance = line.bottom - above.bottom
        if self._ruled[number - 1] or distance > _WRAPPED * line.size:
            return False
        held = self._held(line)
        if len(held) < len(line.runs) or (apart and distance >= 0.95 * apart):
            return False
        fills = len(held) == len(self._columns.spans)
        last = {column: run for n in row for column, run in self._held(self._lines[n]).items()}
        begins = 0 in held and not held[0].text[:1].islower()
        if (begins and (not apart or [*last] == [0])) or (fills and not apart):
            return False
        return all(
            self._had_no_room(last[column], run, column) if column in last else apart > 0
            for column, run in held.items()
        )

    def _had_no_room(self, above: Run, run: Run, column: int) -> bool:
        """Whether its first word would not have fitted on the line above."""
        amounts = any(len(each.words) == 1 and is_number(each.text) for each in (above, run))
        if amounts or above.text.endswith(":"):
            return False
        return above.right + run.word + SPACE * run.size > self._columns.spans[column][1]

    def grid(self) -> Grid:
        """Its rows and columns share out the room that it takes."""
        rows = self._rows(self._apart())
        held = [[self._lines[n] for n in row] for row in rows]
        heights = _shared_out(
            [
                (min(line.top for line in lines), max(line.bottom for line in lines))
                for lines in held
            ]
        )
        widths = _shared_out(self._columns.spans)
        cells: dict[tuple[int, int], Rectangle] = {}
        for row, lines in enumerate(held):
            for reach in self._cells(lines):
                left, right = widths[reach[0]][0], widths[reach[-1]][1]
                cells[row, reach[0]] = left, heights[row][0], right, heights[row][1]
        lefts, rights = zip(*self._columns.spans, strict=True)
        return Grid(lefts, len(rows), cells, rights, self._header_rows(rows))

    def _cells(self, lines: Sequence[TextLine]) -> Iterator[range]:
        """The columns of each cell of a row, from left to right."""
        joined = {n for line in lines for over in self._columns.under(line) for n in over[:-1]}
        start = 0
        for column in range(len(self._columns.spans)):
            if column not in joined:
                yield range(start, column + 1)
                start = column + 1

    def _header_rows(self, rows: Sequence[Sequence[int]]) -> int | None:
        """How many rows name the columns, where their letters or a rule below them tell it."""
        names = self._bold_names()
        count = sum(row[-1] < names for row in rows)
        if count > 1 and rows[count][0] == names:
            return count
        ends = [n for n, row in enumerate(rows[:-1], 1) if self._parts_all(row[-1])]
        first = self._cells([self._lines[n] for n in rows[0]])
        most = _MOST_NAME_ROWS if any(len(cell) > 1 for cell in first) else _LEAST_NAME_ROWS
        return ends[0] if ends and ends[0] <= most and len(ends) * 2 < len(rows) else None

    def _parts_all(self, number: int) -> bool:
        """Whether a rule below a line is no rule under what names some of the columns."""
        middle = fmean(self._columns.spans[0])
        drawn = edges_of(self._lines[number], self._lines[number + 1], self._edges)
        return self._ruled[number] and any(left <= middle <= right for _, left, right in drawn)


def _shared_out(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Each reaches to the middle between it and the next."""
    middles = [(one[1] + other[0]) / 2 for one, other in pairwise(spans)]
    return list(zip([spans[0][0], *middles], [*middles, spans[-1][1]], strict=True))
