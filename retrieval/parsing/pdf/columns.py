"""The columns that the words of a page make up, where no lines tell them."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean

from retrieval.parsing.pdf.alignment import ASKEW, SPACE, Run, TextLine

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
        """The columns that each run of a line is over.

        Of a line that does not fill them all, what stands in the middle over several is over them.
        """
        if len(line.runs) == 1 and self._is_in_middle(line.runs[0]):
            return [range(len(self.spans))]
        plain = [self._over(run) for run in line.runs]
        fills = len(line.runs) >= len(self.spans)
        over = plain if fills else [self._centred(run) for run in line.runs]
        return over if all(one.stop <= other.start for one, other in pairwise(over)) else plain

    def _over(self, run: Run) -> range:
        if run.reach:
            first, last = (bisect_left(self.spans, x, key=fmean) for x in run.reach)
            if 0 < last - first < len(self.spans):
                return range(first, last)
        first = bisect_left(self.spans, run.left, key=lambda span: span[1])
        last = bisect_left(self.spans, run.right, key=lambda span: span[0])
        return range(first, max(first, last))

    def _is_in_middle(self, run: Run) -> bool:
        """Whether it stands in the middle of all columns, and at no edge of those under it."""
        edges = [edge for n in self._over(run) for edge in self.spans[n]]
        if len(self.spans) < 3 or not edges:
            return False
        aside = run.left + run.right - self.spans[0][0] - self.spans[-1][1]
        is_at_edge = any(abs(x - e) <= _SAME_LEFT for x in (run.left, run.right) for e in edges)
        return abs(aside) / 2 <= _SAME_MIDDLE and not is_at_edge

    def _centred(self, run: Run) -> range:
        over, give = self._over(run), ASKEW * run.size
        if len(over) > 1 or any(is_aligned(run, self.spans[n], give) for n in over):
            return over
        for first in reversed(range(1, len(self.spans))):
            left = self.spans[first][0]
            mirrored = run.left + run.right - left
            last = bisect_left(self.spans, mirrored - 2 * give, key=lambda span: span[1])
            if left <= run.left and first < last < len(self.spans):
                right = self.spans[last][1]
                if run.right <= right <= mirrored + 2 * give:
                    return range(first, last + 1)
        return over

    def held(self, line: TextLine) -> dict[int, Run]:
        """What stands in each column, and spans no other."""
        over = zip(self.under(line), line.runs, strict=True)
        return {each[0]: run for each, run in over if len(each) == 1}

    def filled(self, lines: Sequence[TextLine]) -> list[list[Run]]:
        """What so stands in each of them, top to bottom."""
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
