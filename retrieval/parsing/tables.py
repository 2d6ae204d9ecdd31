"""A table row is read as these words, and which rows at its top name the columns.

A row is understood only with the names of its columns, so its text carries them:
"Direct reports: 5; Hours: 16-20 hours".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress, zip_longest
from types import MappingProxyType

from retrieval.language.sentences import sentence_spans
from retrieval.parsing.limits import (
    LONGEST_COLUMN_NAME,
    LONGEST_SENTENCE,
    MOST_PLACES,
    require_at_most,
)
from retrieval.types import Box
from retrieval.types import Cell as PlacedCell

_NUMBER = re.compile(r"[^\w]*\d[\d.,:/%\s-]*[^\W\d]{0,3}[^\w]*")
_YEAR = re.compile(r"(?:19|20)\d\d(?: ?[/\u2013-] ?(?:\d\d|(?:19|20)\d\d))?")
"""A calendar year or an academic one, such as 2026/27: the name of a column as often as a value."""
_MARKS = re.compile(r"[^A-Za-z9%€$£:/-]")
"""Of notes, and what else says nothing of the kind of a number."""
_DIGITS = re.compile(r"\d[\d.,]*")
_NO_BOXES: Mapping[int, Box] = MappingProxyType({})
_LONGEST_NUMBER = 100
"""Characters: the pattern takes quadratic time."""
LONGEST_NAME = 8
"""Words: a longer cell is a text, not the name of a column."""


@dataclass(frozen=True, slots=True)
class Cell:
    """It is a cell as people read it, and takes so many columns and rows."""

    text: str
    is_header: bool = False
    columns: int = 1
    rows: int = 1
    is_bold: bool = False

    @property
    def stands_out(self) -> bool:
        return self.is_bold or self.is_header


@dataclass(frozen=True, slots=True)
class CellText:
    """A cell's value stands at [start, end) of what its row reads as."""

    start: int
    end: int
    name: str
    """Of its column; empty where it has none."""
    column: int
    """Of the grid, from 0; the first one of a cell that spans several."""


@dataclass(frozen=True, slots=True)
class RowText:
    """A row reads so, and its cells stand there."""

    text: str = ""
    cells: tuple[CellText, ...] = ()
    is_line: bool = False
    """It stands below the rows, and is none of them."""

    @property
    def is_prose(self) -> bool:
        """Whether it is read cell by cell, as paragraphs: a line, or too long for a sentence."""
        return self.is_line or len(self.text) > LONGEST_SENTENCE

    def under(self, group: str) -> "RowText":
        """Behind what names a group of rows, itself among them; nothing for no group."""
        if not group or not self.text:
            return self
        head = f"{group.rstrip(' :')}: "
        moved = (
            replace(each, start=each.start + len(head), end=each.end + len(head))
            for each in self.cells
        )
        return replace(self, text=head + self.text, cells=(*moved,))

    def alone(self, *, is_line: bool = False) -> "RowText":
        """Its first cell, in no column."""
        first = self.cells[0]
        text = self.text[first.start : first.end]
        return RowText(text, (CellText(0, len(text), "", first.column),), is_line)

    def placed(self, boxes: Mapping[int, Box] = _NO_BOXES) -> tuple[PlacedCell, ...]:
        """The cells of a sentence of this text; `boxes` by column, where they are known."""
        return tuple(
            PlacedCell(cell.start, cell.end, cell.name, box=boxes.get(cell.column))
            for cell in self.cells
        )


def column_names(header_rows: Sequence[Sequence[Cell]]) -> list[str]:
    """The name of each column; where headers stand in several rows, all that are above it."""
    names: list[dict[str, None]] = []
    for row in filled(header_rows, sideways=True):
        names.extend({} for _ in range(len(row) - len(names)))
        for column, text in enumerate(row):
            if text:
                names[column][text] = None
    return [" ".join(parts).rstrip(" :") for parts in names]


def are_names(names: Sequence[str]) -> bool:
    """Whether columns can be called so; else the rows at the top are rows like the others."""
    return all(len(name) <= LONGEST_COLUMN_NAME for name in names)


def heads_and_names(rows: Sequence[Sequence[Cell]], heads: int) -> tuple[int, list[str]]:
    """How many rows at the top name the columns, at the most so many, and the names."""
    names = column_names(rows[:heads])
    return (heads, names) if are_names(names) else (0, [])


def may_name(texts: Sequence[str]) -> bool:
    """Whether what stands in a row could name columns: no number but years does."""
    return not any(is_number(text) and not _YEAR.fullmatch(text) for text in texts)


def row_texts(rows: Sequence[Sequence[Cell]], names: Sequence[str] = ()) -> Iterator[RowText]:
    """What each row reads as; empty for a row without text.

    A cell that spans rows is read with each of them, one that spans columns under all their names;
    a row that names the columns anew is none.
    Raise `UnreadableDocument` for a table of more places than are read.
    """
    laid = list(_laid_out(rows))
    grid = [_texts_at(places) for places in laid]
    for number, (cells, texts) in enumerate(zip(rows, grid, strict=True)):
        held = [(column, text) for column, text in enumerate(texts) if text]
        are_heads = len(held) > 1 and all(cell.is_header for cell in cells if cell.text)
        if not any(cell.text for cell in cells):
            yield RowText()
            continue
        if names and _is_named_anew(names, grid, number, are_heads=are_heads):
            names = texts
            yield RowText()
            continue
        if are_heads and may_name([text for _, text in held]):
            names = ()
        if names or are_heads or len(held) < 2:
            yield _joined(held, _names_over(laid[number], names))
        elif are_labels(texts[::2]) and not are_labels(texts[1::2]):
            yield labelled(texts)
        elif _leads(cells):
            yield _led(held)
        else:
            yield _joined(held, names)


def _leads(cells: Sequence[Cell]) -> bool:
    """Whether the first of a row that nothing names is set apart from the others."""
    first, *others = cells
    is_bold = first.is_bold and not any(cell.text and cell.is_bold for cell in others)
    is_led = first.is_header or is_bold or are_labels([first.text])
    return bool(first.text.rstrip(" :")) and is_led


def _names_over(places: Mapping[int, Cell], names: Sequence[str]) -> Sequence[str]:
    """By where cells begin, the names of all columns under them; none where that is too long."""
    over = list(names)
    for at, cell in places.items():
        if cell.columns > 1 and at < len(names):
            said = ", ".join(dict.fromkeys(filter(None, names[at : at + cell.columns])))
            over[at] = said if are_names([said]) else ""
    return over


def _is_named_anew(
    names: Sequence[str], grid: Sequence[Sequence[str]], number: int, *, are_heads: bool
) -> bool:
    """Whether a row below the heads has one of them again in its place, and new ones beside it.

    New ones are header cells, or stand between numbers.
    """
    texts = grid[number]
    places = {at for at, text in enumerate(texts) if text}
    if places != {at for at, name in enumerate(names) if name} or len(places) < 2:
        return False
    new = [at for at in places if texts[at].casefold() != names[at].casefold()]
    if len(new) == len(places) or not may_name(texts) or not are_names(texts):
        return False
    beside = (*grid[max(number - 1, 0) : number], *grid[number + 1 : number + 2])
    values = [row[at] if at < len(row) else "" for row in beside for at in new]
    return are_heads or all(map(is_number, values))


def labelled(texts: Sequence[str]) -> RowText:
    """A row reads so where each label stands before its value."""
    names = [texts[at - 1].rstrip(" :") if at % 2 else "" for at in range(len(texts))]
    held = [
        (at, text)
        for at, text in enumerate(texts)
        if text and (at % 2 or not any(texts[at + 1 : at + 2]))
    ]
    return _joined(held, names)


def _led(held: Sequence[tuple[int, str]]) -> RowText:
    """A header at the row's start leads the other cells."""
    (column, leading), *others = held
    head = CellText(0, len(leading.rstrip(" :")), "", column)
    rest = _joined(others, (), after=f"{leading.rstrip(' :')}: ")
    return RowText(rest.text, (head, *rest.cells))


def _joined(held: Sequence[tuple[int, str]], names: Sequence[str], after: str = "") -> RowText:
    parts, cells, end = [after], [], len(after)
    for number, (column, text) in enumerate(held):
        name = names[column] if column < len(names) else ""
        between = "; " if number else ""
        before = between + (f"{name}: " if name and name != text else "")
        start = end + len(before)
        end = start + len(text)
        parts += [before, text]
        cells.append(CellText(start, end, name, column))
    return RowText("".join(parts), tuple(cells))


def filled(rows: Sequence[Sequence[Cell]], *, sideways: bool = False) -> Iterator[list[str]]:
    """The text at each place of the grid; `sideways` repeats a cell over its columns."""
    return (_texts_at(places, sideways=sideways) for places in _laid_out(rows))


def _texts_at(places: Mapping[int, Cell], *, sideways: bool = False) -> list[str]:
    texts = [""] * max((at + cell.columns for at, cell in places.items()), default=0)
    for at, cell in places.items():
        beside = cell.text if sideways else ""
        texts[at : at + cell.columns] = [cell.text, *[beside] * (cell.columns - 1)]
    return texts


def _laid_out(rows: Sequence[Sequence[Cell]]) -> Iterator[dict[int, Cell]]:
    """The cells of each row by where they begin; one that reaches down is in all its rows."""
    above: dict[int, tuple[Cell, int]] = {}
    count = 0
    for cells in rows:
        places = {at: cell for at, (cell, _) in above.items()}
        count += sum(cell.columns for cell in (*places.values(), *cells))
        require_at_most(count, MOST_PLACES, "places in a table")
        taken = {at + n for at, cell in places.items() for n in range(cell.columns)}
        above = {at: (cell, left - 1) for at, (cell, left) in above.items() if left > 1}
        column = 0
        for cell in cells:
            while column in taken:
                column += 1
            places[column] = cell
            if cell.rows > 1:
                above[column] = (cell, cell.rows - 1)
            column += cell.columns
        yield places


def looks_like_header(rows: Sequence[Sequence[str]], stands_out: bool) -> bool:
    """Whether the first row names the columns, in formats that do not say so.

    `stands_out`: it is set in another style than the rest. Calling a row of data a
    header would put false words beside every cell, so without such a sign there must be
    three short names, or numbers below that the first row lacks. Years are names where
    something else is beside them, or an empty corner over words, and no year below.
    """
    if len(rows) < 2:
        return False
    first, rest = rows[0], rows[1:]
    named = [text for text in first if text]
    if len(named) < max(2, len(first) - 1) or len(set(named)) < len(named):
        return False
    if len(first) == len(named) == 2 and are_labels([row[0] for row in rows if row]):
        return False
    years = [text for text in named if _YEAR.fullmatch(text)]
    has_corner = not first[0] and not any(is_number(row[0]) for row in rest if row)
    are_all = len(years) == len(named) and not has_corner
    if years and (are_all or any(_YEAR.fullmatch(text) for row in rest for text in row)):
        return False
    others = (text for text in named if text not in years)
    if any(is_number(text) or len(text.split()) > LONGEST_NAME for text in others):
        return False
    if not are_names(named):
        return False
    if stands_out or len(first) > 2:
        return True
    several = [row for row in rest if len(row) - row.count("") > 1]
    return any(map(_are_alike, by_column(several if several[1:] else rest)))


def are_labels(texts: Sequence[str]) -> bool:
    """Whether each is the name of what stands beside it: "Owner:"."""
    return all(text.endswith(":") and text.strip(" :") for text in texts)


def _are_alike(texts: Sequence[str]) -> bool:
    """Whether most are numbers written one way, and none is anything else.

    A date and a count are of two labels each.
    """
    said = [text for text in texts if text]
    kinds = {_MARKS.sub("", _DIGITS.sub("9", text)).strip("-") for text in said}
    return 2 * len(said) > len(texts) and all(map(is_number, said)) and len(kinds) == 1


def by_column(rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    width = max(map(len, rows), default=0)
    require_at_most(len(rows) * width, MOST_PLACES, "places in a table")
    return list(zip_longest(*rows, fillvalue=""))


def have_numbers(texts: Sequence[Sequence[str]]) -> bool:
    """Whether a column of them is one of numbers."""
    return any(map(are_numbers, by_column(texts)))


def are_numbers(texts: Sequence[str]) -> bool:
    """Whether all are, but for dashes and the like; some must be."""
    said = [text for text in texts if any(map(str.isalnum, text))]
    return bool(said) and all(map(is_number, said))


def is_number(text: str) -> bool:
    """Whether it is a number, with a unit of three letters at the most."""
    return len(text) <= _LONGEST_NUMBER and bool(_NUMBER.fullmatch(text))


def are_boxes(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether cells are boxes on a page: beside each other in one row, of sentences.

    What else stands above and below that row is a band of its own.
    """
    beside = [row for row in rows if sum(bool(cell.text) for cell in row) > 1]
    return (
        len(beside) <= 1
        and not any(cell.text and cell.rows > 1 for row in rows[:-1] for cell in row)
        and any(len(sentence_spans(cell.text)) > 1 for row in beside or rows for cell in row)
        and not any(are_labels([cell.text]) for row in beside for cell in row if cell.text)
    )


def spread_groups(first: Sequence[Cell], texts: Sequence[Sequence[str]]) -> list[str]:
    """The first row, of two that name columns, with each name over all its columns.

    It is over those that it is merged over; where none is, over the empty cells to its
    right as well, but not where a cell below it is empty: it names that column alone.
    """
    if _are_merged(first):
        return [cell.text for cell in first for _ in range(cell.columns)]
    spread: list[str] = []
    group = ""
    for above, below in zip(*texts[:2], strict=True):
        if above or not below:
            group = above if below else ""
        spread.append(above or group)
    return spread


def _are_merged(cells: Sequence[Cell]) -> bool:
    return any(cell.columns > 1 for cell in cells)


def name_in_two_rows(
    first: Sequence[Cell], texts: Sequence[Sequence[str]], *, stand_out: bool
) -> bool:
    """Whether groups of columns have names, and each of their columns one of its own below.

    `texts` stand by column, what is merged at its first place; `first` are the cells of the first
    row. So it is where what stands below the groups names columns, some by the same name, and where
    all that stands below that in such columns is numbers. Else each column of a group must have a
    name and numbers below it, and the column at the left no two names. Where names are merged over
    columns, or both rows stand out, one of these is enough if no column aside has two names. Where
    a name that several groups have below them stands under none, nobody can tell what is over it.
    """
    if len(texts) < 3 or not any(map(any, texts)):
        return False
    is_merged = _are_merged(first)
    if stand_out and is_merged:
        return True
    columns = by_column(texts)
    used = [any(column) for column in columns]
    over = list(compress(spread_groups(first, texts), used))
    above, below, *rest = zip(*compress(columns, used), strict=True)
    if not may_name([*filter(None, above), *filter(None, below)]):
        return False
    counted = [are_numbers(values) for values in zip(*rest, strict=True)]
    named = [at for at, name in enumerate(below) if name]
    is_led = _are_merged(first) or not any(
        name and not over[at] and below.count(name) > 1 for at, name in enumerate(below)
    )
    if not is_led:
        return False
    is_repeated = not all(above) and len({below[at] for at in named}) < len(named)
    if is_repeated and any(above[at] for at in named) and all(counted[at] for at in named):
        return True
    shared = {at for at, group in enumerate(over) if group and not above[at]}
    grouped = shared | {at - 1 for at in shared}
    if not shared or not all(below[at] for at in grouped):
        return False
    has_numbers = all(counted[at] for at in grouped)
    if has_numbers and not (above[0] and below[0]):
        return True
    return (
        (is_merged or stand_out)
        and (has_numbers or not below[0])
        and not any(above[at] for at in named if at not in grouped)
    )


def has_units_below(texts: Sequence[Sequence[str]]) -> bool:
    """Whether the second row says more of columns of numbers, and is no row of data.

    `texts` stand by column; nothing is in its first, where the others have their names.
    """
    if len(texts) < 3 or texts[1][0] or not texts[0][0] or not all(row[0] for row in texts[2:]):
        return False
    said = [at for at, text in enumerate(texts[1]) if text]
    return bool(said) and all(
        not is_number(texts[1][at]) and are_numbers([row[at] for row in texts[2:]]) for at in said
    )


def heads_where_merged(
    rows: Sequence[Sequence[Cell]], texts: Sequence[Sequence[str]], *, stand_out: bool = False
) -> int:
    """How many rows name the columns if the first does: two where a name is merged over several.

    `texts` as above.
    """
    first = rows[0] if rows else ()
    is_two = _are_merged(first) and name_in_two_rows(first, texts, stand_out=stand_out)
    return 2 if is_two else 1


def go_on_below(rows: Sequence[Sequence[Cell]], rest: Sequence[Sequence[str]]) -> bool:
    """Whether a cell of the rows goes on below them, so that they name no columns.

    Numbers in a column of the rest say that they do.
    """
    goes_on = any(at + cell.rows > len(rows) for at, row in enumerate(rows) for cell in row)
    return goes_on and not have_numbers(rest)
