"""From the characters of a page to its lines, and to the rows of its ruled tables."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from retrieval.parsing.pdf_tables import RuledTable
from retrieval.parsing.pdf_text import Character, Rectangle, Style

_SAME_BASELINE = 0.3
"""Of the font size: pieces whose bottoms differ less stand on one line."""
_WIDEST_GAP = 4.0
"""In font sizes: pieces of one line farther apart are columns, and lines of their own."""


@dataclass
class Line:
    """A visual line; `number` and `start` are set when the source is put together."""

    characters: list[Character]
    number: int = 0
    """1-based on its page."""
    start: int = 0
    """Where its text begins in the source."""

    @cached_property
    def text(self) -> str:
        return "".join(character.text for character in self.characters)

    @cached_property
    def box(self) -> Rectangle:
        """Around all of it; nothing at all for a line without places."""
        return self.box_of(0, len(self.characters)) or (0.0, 0.0, 0.0, 0.0)

    @cached_property
    def style(self) -> Style:
        """The one that most of its characters have."""
        return Counter(character.style for character in self.characters).most_common(1)[0][0]

    @cached_property
    def is_bold(self) -> bool:
        return all(c.style.bold for c in self.characters if not c.text.isspace())

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def box_of(self, first: int, last: int) -> Rectangle | None:
        """Around the characters [first, last)."""
        boxes = [c.box for c in self.characters[first:last] if c.box is not None]
        if not boxes:
            return None
        x0, y0, x1, y1 = zip(*boxes, strict=True)
        return min(x0), min(y0), max(x1), max(y1)


@dataclass(frozen=True)
class TableCell:
    """A cell of a ruled table and its lines, top to bottom."""

    box: Rectangle
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class TableRow:
    """A row: its cells by column, None where a cell above reaches down; its visual lines."""

    cells: tuple[TableCell | None, ...]
    lines: tuple[Line, ...]

    def styles(self) -> set[Style]:
        return {line.style for cell in self.cells if cell for line in cell.lines}


@dataclass(frozen=True)
class Table:
    """A ruled table on one page; `edges` are the left edges of its columns."""

    edges: tuple[float, ...]
    rows: tuple[TableRow, ...]


def page_blocks(characters: Sequence[Character], ruled: Sequence[RuledTable]) -> list[Line | Table]:
    """A page's lines and tables in the order in which they are drawn."""
    cells = [
        (number, place, box)
        for number, table in enumerate(ruled)
        for place, box in table.cells.items()
    ]
    held: dict[tuple[int, tuple[int, int]], list[Character]] = {}
    free: list[Character] = []
    owner: tuple[int, tuple[int, int]] | None = None
    for character in characters:
        if character.box is not None:
            owner = _cell_at(character.box, cells)
        (free if owner is None else held.setdefault(owner, [])).append(character)
    blocks: list[tuple[int, Line | Table]] = [
        (line.characters[0].index, line) for line in _lines(free)
    ]
    for number, table in enumerate(ruled):
        own = {place: chars for (owned, place), chars in held.items() if owned == number}
        if own:
            first = min(chars[0].index for chars in own.values())
            blocks.append((first, _table(table, own)))
    return [block for _, block in sorted(blocks, key=lambda placed: placed[0])]


def _cell_at(
    box: Rectangle, cells: Iterable[tuple[int, tuple[int, int], Rectangle]]
) -> tuple[int, tuple[int, int]] | None:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    for number, place, (x0, y0, x1, y1) in cells:
        if x0 <= x <= x1 and y0 <= y <= y1:
            return number, place
    return None


def _lines(characters: Iterable[Character]) -> list[Line]:
    """Visual lines: what PDFium sees as one, and pieces that stand side by side."""
    lines: list[Line] = []
    for _, piece in groupby(characters, key=lambda character: character.line):
        line = _trimmed(list(piece))
        if line is None:
            continue
        if lines and _continues(lines[-1], line):
            lines[-1] = _side_by_side([lines[-1], line], " ")
        else:
            lines.append(line)
    return lines


def _trimmed(characters: list[Character]) -> Line | None:
    shown = [i for i, character in enumerate(characters) if not character.text.isspace()]
    return Line(characters[shown[0] : shown[-1] + 1]) if shown else None


def _continues(line: Line, piece: Line) -> bool:
    size = max(line.style.size, piece.style.size, 1.0)
    gap = piece.box[0] - line.box[2]
    on_baseline = abs(line.box[3] - piece.box[3]) < _SAME_BASELINE * size
    return on_baseline and -0.5 * size < gap < _WIDEST_GAP * size


def _side_by_side(pieces: Sequence[Line], between: str) -> Line:
    joined: list[Character] = []
    for piece in pieces:
        if joined:
            last = joined[-1]
            joined.append(Character(last.index, between, None, last.style, last.line))
        joined.extend(piece.characters)
    return Line(joined)


def _table(ruled: RuledTable, held: dict[tuple[int, int], list[Character]]) -> Table:
    rows = []
    for row in range(ruled.row_count):
        cells: list[TableCell | None] = []
        for column in range(len(ruled.edges)):
            box = ruled.cells.get((row, column))
            lines = sorted(_lines(held.get((row, column), [])), key=lambda line: line.box[1])
            cells.append(None if box is None else TableCell(box, tuple(lines)))
        pieces = [line for cell in cells if cell for line in cell.lines]
        rows.append(TableRow(tuple(cells), tuple(_visual_lines(pieces))))
    return Table(ruled.edges, tuple(rows))


def _visual_lines(pieces: list[Line]) -> list[Line]:
    """Lines across the cells of a row, a tab between cells."""
    clusters: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda line: line.box[3]):
        size = max(piece.style.size, 1.0)
        if clusters and piece.box[3] - clusters[-1][0].box[3] < _SAME_BASELINE * size:
            clusters[-1].append(piece)
        else:
            clusters.append([piece])
    return [
        _side_by_side(sorted(cluster, key=lambda line: line.box[0]), "\t") for cluster in clusters
    ]
