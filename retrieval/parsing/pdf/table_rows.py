"""The rows of a PDF's tables as they are read, over a page's end, too."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from retrieval.parsing.pdf.layout import Role
from retrieval.parsing.pdf.lines import Table, TableRow
from retrieval.parsing.tables import (
    Cell,
    are_names,
    column_names,
    filled,
    looks_like_header,
    may_name,
)

_SAME_EDGE = 3.0
"""Points by which columns of a table may differ from page to page, beside how far all are moved."""
_MOVED = 40.0
"""Points by which all of them may be, as margins are on facing pages."""
_LONGEST_NOTE = 60
"""Words of all that may stand between the parts of a table on two pages: notes, not a text."""


@dataclass(frozen=True, slots=True)
class TableBefore:
    """It ended the page before, and its columns have these names."""

    table: Table
    header: list[str]
    texts: list[list[str]]
    words_between: int = 0

    def above(self, role: Role, text: str) -> "TableBefore | None":
        """The same with a note below it; None where more than notes parts it from what follows."""
        words = self.words_between + len(text.split())
        is_note = role not in (Role.HEADING, Role.CODE) and words <= _LONGEST_NOTE
        return replace(self, words_between=words) if is_note else None

    def has_columns_of(self, table: Table) -> bool:
        """Whether a table at the top of the next page has the same columns, and so goes on."""
        above, count = self.table, len(table.edges)
        if len(above.edges) != count or len(above.rights) != len(table.rights):
            return False
        moved = table.edges[0] - above.edges[0]
        sides = [(above.edges, table.edges), (above.rights, table.rights)]
        return abs(moved) <= _MOVED and all(
            any(abs(one[n] + moved - other[n]) < _SAME_EDGE for one, other in sides if one)
            for n in range(count)
        )

    def repeats(self, texts: Sequence[list[str]]) -> bool:
        """Whether a table begins with the same row, which so names the columns."""
        is_same = len(texts) > 1 and texts[0] == self.texts[0]
        return is_same and all(texts[0]) and may_name(texts[0])

    def lead(self, row: list[str]) -> None:
        """Say what leads a row that was cut in two by the page's end, and goes on in the middle."""
        if not row[0] and any(text[:1].islower() for text in row):
            row[0] = next((text[0] for text in reversed(self.texts) if any(text)), "")


def are_labelled(table: Table) -> bool:
    """Whether every other cell is set as a label of the next, or ends as one, in each row."""
    held = [
        (column, cell)
        for row in table.rows
        for column, cell in enumerate(row.cells)
        if cell and cell.lines
    ]
    is_even = len(table.edges) % 2 == 0 and len(table.rows) > 1
    told = (
        [(column, cell.stands_out) for column, cell in held],
        [(column, cell.lines[-1].text.endswith(":")) for column, cell in held],
    )
    return is_even and any(all(is_label == (n % 2 == 0) for n, is_label in way) for way in told)


def header_of(table: Table, texts: Sequence[Sequence[str]]) -> tuple[int, list[str]]:
    """How many rows at the top name the columns, and the names."""
    count = table.header_rows
    if count is None or not all(may_name(row) for row in texts[:count]):
        first = [(n, cell) for n, cell in enumerate(table.rows[0].cells) if cell and cell.lines]
        spans = len(first) > 1 and any(table.reach(n, cell) > 1 for n, cell in first)
        is_led = spans and all(may_name(row) for row in texts[:2]) and _is_filled_in(table, texts)
        count = 2 if is_led else int(looks_like_header(texts, first_row_stands_out(table.rows)))
    heads = cells_of(table, texts)[:count]
    if count == 2:
        heads[0] = [*map(Cell, _over_all(*filled(heads, sideways=True)))]
    names = column_names(heads)
    return (count, names) if count < len(texts) and are_names(names) else (0, [])


def _over_all(above: Sequence[str], below: Sequence[str]) -> Iterator[str]:
    """The names of groups over all their columns: a column that is called as another is in one."""
    group = ""
    for name, own in zip_longest(above, below, fillvalue=""):
        group = name or (group if own and below.count(own) > 1 else "")
        yield group


def cells_of(table: Table, texts: Sequence[Sequence[str]]) -> list[list[Cell]]:
    """The cells of each row, which take so many columns; `texts` stand by column."""
    return [
        [
            Cell(
                text,
                columns=table.reach(n, cell) if cell else 1,
                is_bold=cell is not None and cell.stands_out,
            )
            for n, (text, cell) in enumerate(zip(read, row.cells, strict=True))
            if cell or text or not _is_reached(table, row, n)
        ]
        for read, row in zip(texts, table.rows, strict=True)
    ]


def _is_filled_in(table: Table, texts: Sequence[Sequence[str]]) -> bool:
    """Whether the second row has names below what spans columns, and there alone."""
    above = [(n, cell) for n, cell in enumerate(table.rows[0].cells) if cell and cell.lines]
    return len(texts) > 2 and all(
        all(texts[1][n : n + table.reach(n, cell)])
        if table.reach(n, cell) > 1
        else texts[1][n] in ("", texts[0][n])
        for n, cell in above
    )


def _is_reached(table: Table, row: TableRow, column: int) -> bool:
    """Whether a cell to the left spans a column too."""
    before = [(n, cell) for n, cell in enumerate(row.cells[:column]) if cell]
    return bool(before) and before[-1][0] + table.reach(*before[-1]) > column


def first_row_stands_out(rows: Sequence[TableRow]) -> bool:
    """Whether the first row is set in styles that the second does not use."""
    if len(rows) < 2:
        return False
    first, second = rows[0].styles(), rows[1].styles()
    return bool(first and second) and not first & second
