"""The words of a page as they stand beside each other, and the columns that they make up."""

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby, pairwise, takewhile
from statistics import fmean

from retrieval.parsing.pdf.characters import Character
from retrieval.parsing.pdf.drawing import Edge
from retrieval.parsing.pdf.reading_order import Piece, is_running_text, pieces_of
from retrieval.parsing.tables import may_name

SAME_ROW = 0.95
"""In font sizes: lines nearer than they are high are of cells that stand beside each other."""
_BESIDE = 0.8
"""In font sizes: what is nearer on a line is of one cell."""
ASKEW = 0.6
"""In font sizes: so far from the middle or an edge of a column it may stand."""
_NEXT_FLOW = 8.0
"""In font sizes: drawing that goes on so much higher is at the top of another column."""
_TALLEST = 200
"""Lines of the cells of a row, beside which it is looked for."""
_FARTHEST = 2.8
"""In font sizes from line to line: what is farther apart is no table, but for a rule between."""
_LEAST_ACROSS = 0.5
"""Of the table's width by a rule."""
UNDER = 0.6
"""In font sizes above or below a line's foot: what is drawn there is drawn under its words."""
SPACE = 0.25
"""In font sizes: a gap between two words."""
_LEAST_LETTERS = 3
"""Of a word in a typewriter's font; digits are as wide as each other in any."""
_SAME_WIDTH = 0.02
"""Of the font size: letters whose widths differ less are those of a typewriter."""
_MARKER = re.compile(
    r"[•‣◦▪●○■□·∙*–—-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|\d+(?:\.\d+)+\.?|\[[\w+-]{1,8}\]"
)
_EQUATION = re.compile(r"\(\d+(?:\.\d+)?[a-z]?\)")
_PAGE = re.compile(r"[0-9]{1,4}")
_FEW_PAGES = 3
"""So many numbers rise by chance."""


@dataclass(frozen=True, slots=True)
class Run(Piece):
    text: str
    word: float
    """How wide its first word is, in points."""
    is_typed: bool
    """Whether all its letters are as wide, as on a typewriter."""
    words: tuple[tuple[float, float, str], ...]
    """From where to where each reaches, and its text."""
    is_bold: bool
    reach: tuple[float, float] | None = None
    """From where to where something is drawn right under it, and under nothing else of its line."""

    def cut(self, start: int, end: int) -> "Run":
        words = self.words[start:end]
        return replace(
            self,
            text=" ".join(text for _, _, text in words),
            left=words[0][0],
            right=words[-1][1],
            word=words[0][1] - words[0][0],
            words=words,
            reach=None,
        )

    def joined(self, other: "Run") -> "Run":
        return replace(
            self,
            text=f"{self.text} {other.text}",
            words=(*self.words, *other.words),
            top=min(self.top, other.top),
            right=other.right,
            bottom=max(self.bottom, other.bottom),
            size=max(self.size, other.size),
            is_typed=self.is_typed and other.is_typed,
            is_bold=self.is_bold and other.is_bold,
        )


@dataclass(frozen=True, slots=True)
class TextLine:
    runs: tuple[Run, ...]

    @property
    def size(self) -> float:
        return max(run.size for run in self.runs)

    @property
    def bottom(self) -> float:
        return max(run.bottom for run in self.runs)

    @property
    def top(self) -> float:
        return min(run.top for run in self.runs)

    @property
    def is_bold(self) -> bool:
        return all(run.is_bold for run in self.runs)

    def over(self, edges: Sequence[Edge]) -> "TextLine":
        """Its runs with what is drawn right under each of them alone."""
        first = bisect_left(edges, self.bottom - UNDER * self.size, key=lambda edge: edge[0])
        last = bisect_left(edges, self.bottom + UNDER * self.size, key=lambda edge: edge[0])
        runs = []
        for run in self.runs:
            reaches = [
                (right - left, (left, right))
                for _, left, right in (edges[first:last] if may_name((run.text,)) else ())
                if left <= run.left + 1
                and run.right <= right + 1
                and not any(left < r.right and r.left < right for r in self.runs if r is not run)
            ]
            runs.append(replace(run, reach=max(reaches)[1]) if reaches else run)
        return TextLine(tuple(runs))


def flows(characters: Sequence[Character]) -> list[list[Run]]:
    """What is drawn from top to bottom: columns are drawn one after another, rows are not.

    A row goes on at its top behind a tall cell, and the next one below that.
    """
    flows: list[list[Run]] = []
    lowest = math.inf
    runs = list(_runs(characters))
    for at, run in enumerate(runs):
        is_higher = lowest - run.bottom > _NEXT_FLOW * run.size
        if not flows or (
            is_higher and not _goes_on_row(flows[-1], runs[at : at + _TALLEST], lowest)
        ):
            flows.append([])
            lowest = 0.0
        flows[-1].append(run)
        lowest = max(lowest, run.bottom)
    return flows


def _goes_on_row(drawn: Sequence[Run], runs: Sequence[Run], lowest: float) -> bool:
    """Whether runs go on to the right of several cells, and then below the lowest of them."""
    run = runs[0]
    level = [
        each
        for each in drawn[-_TALLEST:]
        if abs(each.bottom - run.bottom) < SAME_ROW * run.size / 2
    ]
    below = next((after for each, after in pairwise(runs) if after.left < each.left - 1), None)
    is_beside = len(level) > 1 and all(each.right < run.left for each in level)
    return is_beside and below is not None and below.bottom > lowest


def lines_of(runs: Iterable[Run]) -> list[TextLine]:
    """What stands at about one height; lines of cells that are set to their middle, too."""
    lines: list[list[Run]] = []
    for run in sorted(runs, key=lambda each: each.bottom):
        near = bool(lines) and run.bottom - lines[-1][0].bottom < SAME_ROW * run.size
        if near and all(run.right < each.left or each.right < run.left for each in lines[-1]):
            lines[-1].append(run)
        else:
            lines.append([run])
    return [TextLine(tuple(_beside(sorted(line, key=lambda each: each.left)))) for line in lines]


def _runs(characters: Sequence[Character]) -> Iterator[Run]:
    for piece in pieces_of(characters):
        held = characters[piece.first : piece.last]
        shown = [each.box for each in held if each.box]
        word = takewhile(lambda each: each.box and not each.text.isspace(), held)
        widths = [box[2] - box[0] for box in shown]
        yield Run(
            **asdict(piece),
            text="".join(each.text for each in held).strip(),
            word=max((each.box[2] for each in word if each.box), default=piece.right) - piece.left,
            words=tuple(_words(held)),
            is_typed=sum(each.text.isalpha() for each in held) >= _LEAST_LETTERS
            and max(widths) - min(widths) <= _SAME_WIDTH * piece.size,
            is_bold=all(each.style.bold for each in held if not each.text.isspace()),
        )


def _words(held: Sequence[Character]) -> Iterator[tuple[float, float, str]]:
    for is_word, some in groupby(held, lambda each: bool(each.box) and not each.text.isspace()):
        if is_word:
            word = [(each.box, each.text) for each in some]
            boxes = [box for box, _ in word if box]
            yield boxes[0][0], max(box[2] for box in boxes), "".join(text for _, text in word)


def _beside(runs: Sequence[Run]) -> Iterator[Run]:
    """A raised number goes with the word before it."""
    held = runs[0]
    for run in runs[1:]:
        if run.left - held.right < _BESIDE * max(held.size, run.size):
            held = held.joined(run)
        else:
            yield held
            held = run
    yield held


def edge_between(line: TextLine, below: TextLine, edges: Sequence[Edge]) -> bool:
    """Whether something is drawn between two lines, over half of the longer one."""
    runs = (*line.runs, *below.runs)
    left, right = min(run.left for run in runs), max(run.right for run in runs)
    covered, reached = 0.0, left
    for start, end in sorted((start, end) for _, start, end in edges_of(line, below, edges)):
        covered += max(0.0, min(end, right) - max(start, reached))
        reached = max(reached, min(end, right))
    return covered >= _LEAST_ACROSS * (right - left)


def edges_of(line: TextLine, below: TextLine, edges: Sequence[Edge]) -> Sequence[Edge]:
    give = 0.25 * below.size
    first = bisect_left(edges, line.bottom - give, key=lambda edge: edge[0])
    last = bisect_left(edges, below.top + give, key=lambda edge: edge[0])
    return edges[first:last]


def is_near(line: TextLine, below: TextLine, edges: Sequence[Edge]) -> bool:
    size = max(line.size, below.size)
    farthest = _FARTHEST * (1.5 if edge_between(line, below, edges) else 1.0)
    return below.bottom - line.bottom <= farthest * size


def comes_before(column: Sequence[Run], other: Sequence[Run]) -> bool:
    """Whether all of it is drawn first, as columns of text are and those of tables are not."""
    return max(run.first for run in column) < min(run.first for run in other)


def is_drawn_by_row(columns: Sequence[Sequence[Run]]) -> bool:
    return not all(comes_before(one, other) for one, other in pairwise(columns))


def is_other_text(columns: Sequence[Sequence[Run]]) -> bool:
    """Whether columns are a list, equations, contents or prose."""
    texts = [[run.text for run in column] for column in columns]
    if len(columns) == 2:
        marks = fmean(bool(_MARKER.fullmatch(text)) for text in texts[0])
        numbers = fmean(bool(_EQUATION.fullmatch(text)) for text in texts[1])
        if max(marks, numbers) > 0.5:
            return True
    if _are_pages(texts[-1]):
        return True
    return is_running_text([(run.text, run.left, run.right) for run in columns[0]])


def _are_pages(texts: Sequence[str]) -> bool:
    """Whether they only grow, as the page numbers of contents do."""
    if not all(_PAGE.fullmatch(text) for text in texts):
        return False
    pages = [int(text) for text in texts]
    return len(pages) > _FEW_PAGES and pages == sorted(pages)


_LEAST_PARTS = 4
"""Of a line, with the runs that it was: a prose line's words stand under few columns by chance."""
_WIDER = 1.15
"""Times the least gap between words of a run: no wider one parts two cells."""
_SAME_MIDDLE = 1.5
"""Points between the middle of a table and of what is set there, over all its columns."""
_SAME_LEFT = 0.75
"""Points by which what stands in one column may begin elsewhere."""


@dataclass(slots=True)
class Columns:
    """From where to where each reaches, from left to right."""

    spans: list[tuple[float, float]] = field(default_factory=list)

    def under(self, line: TextLine) -> list[range]:
        """The columns that each run of a line is over, all for one in the middle of them."""
        if len(line.runs) == 1 and self._is_in_middle(line.runs[0]):
            return [range(len(self.spans))]
        return [self._over(run) for run in line.runs]

    def _over(self, run: Run) -> range:
        if run.reach:
            first, last = (bisect_left(self.spans, x, key=fmean) for x in run.reach)
            if 0 < last - first < len(self.spans):
                return range(first, last)
        first = bisect_left(self.spans, run.left, key=lambda span: span[1])
        last = bisect_left(self.spans, run.right, key=lambda span: span[0])
        return range(first, max(first, last))

    def _is_in_middle(self, run: Run) -> bool:
        edges = [edge for n in self._over(run) for edge in self.spans[n]]
        if len(self.spans) < 3 or not edges:
            return False
        aside = run.left + run.right - self.spans[0][0] - self.spans[-1][1]
        is_at_edge = any(abs(x - e) <= _SAME_LEFT for x in (run.left, run.right) for e in edges)
        return abs(aside) / 2 <= _SAME_MIDDLE and not is_at_edge

    def held(self, line: TextLine) -> dict[int, Run]:
        """What stands in each column, and spans no other."""
        over = zip(self.under(line), line.runs, strict=True)
        return {each[0]: run for each, run in over if len(each) == 1}

    def filled(self, lines: Sequence[TextLine]) -> list[list[Run]]:
        held = [self.held(line) for line in lines]
        return [[each[n] for each in held if n in each] for n in range(len(self.spans))]

    def join_names(self, names: Sequence[TextLine], below: Sequence[TextLine]) -> None:
        """Make one of two where one has names alone, and what is beside it values alone.

        They are set to other sides of their column. An empty corner names nothing.
        """
        held = zip(self.filled(names), self.filled(below), strict=True)
        kinds = [bool(named) - bool(valued) for named, valued in held]
        start = 0
        while start < len(kinds):
            end = start + 1
            while end < len(kinds) and kinds[end] == -kinds[end - 1] != 0:
                end += 1
            count = (end - start) // 2
            if (end - start) % 2 == 0 or (start == 0 and kinds[0] < 0):
                for at in range(end - 2 * count, end - count):
                    self.spans[at : at + 2] = [(self.spans[at][0], self.spans[at + 1][1])]
                    kinds[at : at + 2] = [0]
                end -= count
            start = end

    def parted(self, line: TextLine) -> TextLine:
        """The line with a run cut where its words begin as columns do: a full cell leaves no gap.

        All that a cut leaves must begin so, and a line that is one run must leave four.
        """
        runs = [part for run in line.runs for part in self._parts(run)]
        is_enough = len(runs) > len(line.runs) and len(runs) > _LEAST_PARTS - len(line.runs)
        return TextLine(tuple(runs)) if is_enough else line

    def _parts(self, run: Run) -> list[Run]:
        lefts = [self.spans[n][0] for n in self._over(run)]
        gaps = [word[0] - before[1] for before, word in pairwise(run.words)]
        space = min(gaps) if len(gaps) > 1 else SPACE * run.size
        at = [
            number
            for number, (left, _, _) in enumerate(run.words)
            if any(abs(left - each) <= _SAME_LEFT for each in lefts)
            and (number == 0 or gaps[number - 1] > _WIDER * space)
        ]
        if len(at) < 2 or at[0] != 0:
            return [run]
        ends = [*at[1:], len(run.words)]
        return [run.cut(start, end) for start, end in zip(at, ends, strict=True)]

    def are_spanned(self, line: TextLine) -> bool:
        """Whether each run over several columns stands as what names them together does."""
        for run, over in zip(line.runs, self.under(line), strict=True):
            if len(over) > 1:
                span = self.spans[over[0]][0], self.spans[over[-1]][1]
                inside = span[0] <= run.left + run.size and run.right <= span[1] + run.size
                if not run.reach and not (inside and is_aligned(run, span, run.size)):
                    return False
        return True

    def take(self, line: TextLine) -> None:
        """Reach as far as a line's runs, each over one column or none."""
        others = []
        for run, over in zip(line.runs, self.under(line), strict=True):
            if len(over) == 1:
                left, right = self.spans[over[0]]
                self.spans[over[0]] = min(left, run.left), max(right, run.right)
            elif not over:
                others.append((run.left, run.right))
        self.spans = sorted([*self.spans, *others])


def is_aligned(run: Run, span: tuple[float, float], give: float) -> bool:
    left, right = run.left - span[0], run.right - span[1]
    return min(abs(left), abs(right), abs(left + right) / 2) <= give
