"""The characters of a page become its lines, and the rows of its tables."""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby, pairwise

from retrieval.parsing.pdf.characters import Character, Style
from retrieval.parsing.pdf.reading_order import in_reading_order
from retrieval.parsing.pdf.ruled_tables import Grid
from retrieval.parsing.rectangles import Rectangle, around, meet
from retrieval.parsing.tables import is_number

_SAME_BASELINE = 0.3
"""Of the font size: pieces whose bottoms differ less stand on one line."""
_WIDEST_GAP = 4.0
"""In font sizes: pieces of one line farther apart are columns, and lines of their own."""


_BAND = 20.0
"""Points: cells are looked for among those at the same height."""
_ALL_ROWS = 0.7
"""Of a table's height: a grid that is lower is of its coloured areas."""
_NOWHERE = (math.nan,) * 4
_WIDEST_SPACE = 200
"""Characters in program text; a page may be as wide as it says."""

Place = tuple[int, tuple[int, int]]
"""The number of a table on its page, and a cell's row and column."""


class Line:
    """It is a visual line; `page`, `number` and `start` are set when the source is put together.

    It keeps no `Character`: a book of them would take gigabytes.
    """

    def __init__(self, characters: Sequence[Character] = ()) -> None:
        self.index = characters[0].index if characters else 0
        """Of its first character, in the order in which the page draws."""
        self.page = 0
        self.number = 0
        """1-based on its page, which is as well."""
        self.start = 0
        """Where its text begins in the source."""
        self.has_dot = False
        """Whether a bullet is drawn before it."""
        self.code = 0
        """The run of program text on its page that it is of, from 1; 0 for none."""
        self.is_bold = all(c.style.bold for c in characters if not c.text.isspace())
        self.parts = [character.text for character in characters]
        self.boxes = array("d", chain.from_iterable(c.box or _NOWHERE for c in characters))
        """Four for each character; not a number for one without a place."""
        self.styles = Counter(character.style for character in characters)
        self.last_style = characters[-1].style if characters else None
        self.around = around(c.box for c in characters if c.box is not None)

    def append(self, piece: "Line", between: str) -> None:
        """Set a piece beside it, a character between them that stands nowhere."""
        self.__dict__.pop("text", None)
        if self.last_style is None:
            self.index = piece.index
        else:
            self.parts.append(between)
            self.boxes.extend(_NOWHERE)
            self.styles[self.last_style] += 1
        self.parts += piece.parts
        self.boxes += piece.boxes
        self.styles.update(piece.styles)
        self.last_style = piece.last_style
        self.around = around(box for box in (self.around, piece.around) if box)
        self.is_bold = self.is_bold and piece.is_bold

    def set_in_columns(self, left: float, pitch: float) -> None:
        """Indent it and part its words as far as it is printed, from `left` on.

        PDFium tells the white space before a line by its place alone, and within it as one space.
        """
        parts: list[str] = []
        boxes = array("d")
        is_apart = True
        for place, part in enumerate(self.parts):
            box = self.boxes[4 * place : 4 * place + 4]
            if part.isspace():
                is_apart = True
                continue
            if is_apart:
                least = int(bool(parts))
                column = 0 if math.isnan(box[0]) else round((box[0] - left) / pitch)
                width = min(max(column - len(parts), least), _WIDEST_SPACE)
                parts += " " * width
                boxes.extend(_NOWHERE * width)
            parts.append(part)
            boxes += box
            is_apart = False
        self.__dict__.pop("text", None)
        self.parts, self.boxes = parts, boxes

    @cached_property
    def text(self) -> str:
        return "".join(self.parts)

    @property
    def box(self) -> Rectangle:
        """Around all of it; nothing at all for a line without places."""
        return self.around or (0.0, 0.0, 0.0, 0.0)

    @property
    def style(self) -> Style:
        """The one that most of its characters have."""
        return self.styles.most_common(1)[0][0]

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def box_of(self, first: int, last: int) -> Rectangle | None:
        """Around the characters [first, last), as far as it has them."""
        flat = self.boxes[4 * max(first, 0) : 4 * last]
        boxes = zip(flat[::4], flat[1::4], flat[2::4], flat[3::4], strict=True)
        return around(box for box in boxes if not math.isnan(box[0]))


@dataclass(frozen=True)
class TableCell:
    box: Rectangle
    lines: tuple[Line, ...]
    is_shaded: bool = False

    @property
    def stands_out(self) -> bool:
        """Whether it is set as labels are: on a coloured area, or in bold."""
        return self.is_shaded or all(line.is_bold for line in self.lines)


@dataclass(frozen=True)
class TableRow:
    """It has cells by column, None where one above reaches down, and visual lines."""

    cells: tuple[TableCell | None, ...]
    lines: tuple[Line, ...]

    def styles(self) -> set[Style]:
        return {line.style for cell in self.cells if cell for line in cell.lines}


@dataclass(frozen=True)
class Table:
    """It is a table on one page; `edges` are the left edges of its columns.

    `rights` are their right edges, where it has no lines: there numbers are aligned to these.
    """

    edges: tuple[float, ...]
    rows: tuple[TableRow, ...]
    rights: tuple[float, ...] = ()
    header_rows: int | None = None
    """At its top, which name the columns; None where that is not told by lines."""

    def reach(self, column: int, cell: TableCell) -> int:
        """How many columns a cell takes that begins at one."""
        return 1 + sum(edge < cell.box[2] - 1 for edge in self.edges[column + 1 :])

    @property
    def box(self) -> Rectangle:
        """Around its cells."""
        cells = (cell.box for row in self.rows for cell in row.cells if cell)
        return around(cells) or (0.0, 0.0, 0.0, 0.0)


def lines_in(block: Line | Table) -> Iterator[Line]:
    if isinstance(block, Line):
        yield block
    else:
        for row in block.rows:
            yield from row.lines


def page_blocks(characters: Sequence[Character], grids: Sequence[Grid]) -> list[Line | Table]:
    """A page's lines and tables in the order in which they are drawn.

    A table whose labels are drawn first stands where its values are.
    """
    held: dict[Place, list[Character]] = {}
    free: list[Character] = []
    bands = _bands([(n, at, box) for n, grid in enumerate(grids) for at, box in grid.cells.items()])
    owner: Place | None = None
    for character in characters:
        if character.box is not None:
            owner = _cell_at(character.box, bands)
        (free if owner is None else held.setdefault(owner, [])).append(character)
    blocks: list[tuple[int, Line | Table]] = [
        (line.index, line) for line in _lines(in_reading_order(free))
    ]
    for number, table in enumerate(grids):
        own = {place: chars for (owned, place), chars in held.items() if owned == number}
        if own:
            made = _table(table, own)
            sides = [
                [chars[0].index for (_, column), chars in own.items() if bool(column) == is_value]
                for is_value in (False, True)
            ]
            are_labels = all(row.cells[0] and row.cells[0].stands_out for row in made.rows)
            first = (max if are_labels else min)(min(side) for side in sides if side)
            blocks.append((first, made))
    return [block for _, block in sorted(blocks, key=lambda placed: placed[0])]


def preferred(ruled: Sequence[Grid], aligned: Sequence[Grid]) -> list[Grid]:
    """One of two at a place: lines tell it, but where they are round some of its rows alone."""
    whole = [
        r
        for r in ruled
        if not any(len(r.edges) <= len(a.edges) and _is_part(r.box, a.box) for a in aligned)
    ]
    return [*whole, *(a for a in aligned if not any(meet(a.box, r.box) for r in whole))]


def _is_part(inner: Rectangle, outer: Rectangle) -> bool:
    share = (inner[3] - inner[1]) / max(outer[3] - outer[1], 1.0)
    return share < _ALL_ROWS and meet(inner, outer)


_Cells = Sequence[tuple[int, tuple[int, int], Rectangle]]


def _bands(cells: _Cells) -> Mapping[int, _Cells]:
    bands: dict[int, list[tuple[int, tuple[int, int], Rectangle]]] = defaultdict(list)
    for cell in cells:
        _, top, _, bottom = cell[2]
        for band in range(int(top // _BAND), int(bottom // _BAND) + 1):
            bands[band].append(cell)
    return bands


def _cell_at(box: Rectangle, bands: Mapping[int, _Cells]) -> Place | None:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    for number, place, (x0, y0, x1, y1) in bands.get(int(y // _BAND), ()):
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
            lines[-1].append(line, " ")
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
    joined = Line()
    for piece in pieces:
        joined.append(piece, between)
    return joined


def _table(grid: Grid, held: dict[tuple[int, int], list[Character]]) -> Table:
    rows = []
    for row in range(grid.row_count):
        cells: list[TableCell | None] = []
        for column in range(len(grid.edges)):
            box = grid.cells.get((row, column))
            lines = sorted(_lines(held.get((row, column), [])), key=lambda line: line.box[1])
            is_shaded = (row, column) in grid.shaded
            cells.append(None if box is None else TableCell(box, tuple(lines), is_shaded))
        for part in _rows_within(cells):
            pieces = [line for cell in part if cell for line in cell.lines]
            rows.append(TableRow(tuple(part), tuple(_visual_lines(pieces))))
    return Table(grid.edges, tuple(rows), grid.rights, grid.header_rows)


def _rows_within(cells: list[TableCell | None]) -> list[list[TableCell | None]]:
    """The rows that rules hold together: numbers below each other, with as many lines beside."""
    held = [cell for cell in cells if cell]
    counts = {len(cell.lines) for cell in held}
    if len(held) < max(2, len(cells)) or len(counts) != 1 or counts <= {0, 1}:
        return [cells]
    lines = list(zip(*(cell.lines for cell in held), strict=True))
    level = all(
        abs(line.box[3] - row[0].box[3]) < _SAME_BASELINE * max(line.style.size, 1.0)
        for row in lines
        for line in row
    )
    if not level or not any(all(is_number(each.text) for each in c.lines) for c in held):
        return [cells]
    middles = [
        (max(one.box[3] for one in above) + min(one.box[1] for one in below)) / 2
        for above, below in pairwise(lines)
    ]
    heights = pairwise([held[0].box[1], *middles, held[0].box[3]])
    return [
        [
            TableCell((cell.box[0], top, cell.box[2], bottom), (line,))
            for cell, line in zip(held, row, strict=True)
        ]
        for row, (top, bottom) in zip(lines, heights, strict=True)
    ]


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
