"""The words of a page as they stand beside each other, and the columns that they make up."""

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby, pairwise, takewhile
from statistics import fmean

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.parsing.pdf.drawing import area_of, objects_of
from retrieval.parsing.pdf.pictures import is_painted
from retrieval.parsing.pdf.tables import MOST_PATHS, THIN
from retrieval.parsing.pdf.text import (
    Character,
    PageGeometry,
    Piece,
    is_running_text,
    pieces_of,
)
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
_INDEXED = re.compile(r"(?:\d+|[^\W\d]),(?: \d+,?)+$")
"""The end of an entry in an index."""
_PAGE = re.compile(r"[0-9]{1,4}")
_FEW_PAGES = 3
"""So many numbers rise by chance."""

Edge = tuple[float, float, float]
"""How far from the top something ends or is drawn across, and from where to where, in points."""


def edges_across(page: pdfium.PdfPage) -> list[Edge]:
    """Rules across a page, and the upper and lower edges of its coloured areas; white is none."""
    geometry, found, count = PageGeometry(page), [], 0
    for obj, matrix in objects_of(page):
        if raw.FPDFPageObj_GetType(obj) != raw.FPDF_PAGEOBJ_PATH:
            continue
        count += 1
        if count > MOST_PATHS:
            return []
        if is_painted(obj) and (area := area_of(obj, matrix, geometry)):
            left, top, right, bottom = area
            thin = bottom - top <= THIN
            heights = ((top + bottom) / 2,) if thin else (top, bottom)
            found += [(height, left, right) for height in heights]
    return sorted(found)


@dataclass(frozen=True, slots=True)
class Run(Piece):
    """Words on a line without a gap between them."""

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
        """With what stands to the right of it."""
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
    """What stands beside each other, from left to right."""

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
    """What is drawn between two lines."""
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
    """Whether columns are an index, a list, equations, numbered lines, contents or prose."""
    texts = [[run.text for run in column] for column in columns]
    if fmean(bool(_INDEXED.search(text[-100:])) for column in texts for text in column) > 0.5:
        return True
    if len(columns) == 2:
        marks = fmean(bool(_MARKER.fullmatch(text)) for text in texts[0])
        numbers = fmean(bool(_EQUATION.fullmatch(text)) for text in texts[1])
        if max(marks, numbers) > 0.5 or _are_lines(texts[0]):
            return True
    if _are_pages(texts[-1]):
        return True
    return is_running_text([(run.text, run.left, run.right) for run in columns[0]])


def _are_lines(texts: Sequence[str]) -> bool:
    """Whether they are the numbers of lines one after another."""
    numbers = [int(text) for text in texts if _PAGE.fullmatch(text)]
    return len(numbers) > 0.8 * len(texts) and all(
        after == before + 1 for before, after in pairwise(numbers)
    )


def _are_pages(texts: Sequence[str]) -> bool:
    """Whether they only grow, as the page numbers of contents do."""
    if not all(_PAGE.fullmatch(text) for text in texts):
        return False
    pages = [int(text) for text in texts]
    return len(pages) > _FEW_PAGES and pages == sorted(pages)
