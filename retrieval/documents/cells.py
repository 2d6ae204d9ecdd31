"""Cells of a spreadsheet are named as people name them: `B7`, and `B7:D9` for all between.

Rows of a table in a text are named so: `table 2, row 3`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_RANGE = re.compile(r"([A-Z]{1,7})([1-9][0-9]{0,9})(?::([A-Z]{1,7})([1-9][0-9]{0,9}))?")
_LETTERS = 26
MOST_NAMED = 6
"""Cells; a reader takes in no more of them one by one."""


_ROW = re.compile(r"(.*\btable \d+), (row \d+)")


def table_row(table: int, row: int) -> str:
    """What a row is called; both count from 1."""
    return f"table {table}, row {row}"


def table_and_row(label: str) -> tuple[str, str]:
    """Of what a row is called its table and its row; of another label that, and nothing."""
    found = _ROW.fullmatch(label)
    return (found[1], found[2]) if found else (label, "")


@dataclass(frozen=True, slots=True)
class CellRange:
    """It is the smallest rectangle of cells around some; columns and rows count from 1."""

    first_column: int
    first_row: int
    last_column: int
    last_row: int

    @classmethod
    def of(cls, text: str) -> "CellRange":
        """Read `B7` or `B7:D9`; raise `ValueError` for anything else."""
        found = _RANGE.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} names no cells")
        column, row, last_column, last_row = found.groups()
        first = column_number(column), int(row)
        last = (column_number(last_column), int(last_row)) if last_column else first
        return cls(*first, *last)

    def __or__(self, other: "CellRange") -> "CellRange":
        """Around both."""
        return CellRange(
            min(self.first_column, other.first_column),
            min(self.first_row, other.first_row),
            max(self.last_column, other.last_column),
            max(self.last_row, other.last_row),
        )

    def __str__(self) -> str:
        first = reference(self.first_column, self.first_row)
        last = reference(self.last_column, self.last_row)
        return first if first == last else f"{first}:{last}"


def range_of(references: Iterable[str]) -> str:
    """The range around cells; empty for none. Raise `ValueError` for what is no reference."""
    around: CellRange | None = None
    for each in references:
        here = CellRange.of(each)
        around = here if around is None else around | here
    return "" if around is None else str(around)


def named(references: Iterable[str], whole: str) -> str:
    """Name cells meant of a range: `B7`, `A7, C7`; the range, where they are many or unclear."""
    meant = sorted({CellRange.of(each) for each in references if each}, key=_in_reading_order)
    if not meant or len(meant) > MOST_NAMED or not whole:
        return whole
    around, rows = CellRange.of(whole), {each.first_row for each in meant}
    if not all(row in rows for row in range(around.first_row, around.last_row + 1)):
        return whole
    joined = meant[:1]
    for each in meant[1:]:
        before = joined[-1]
        beside = each.first_column == before.last_column + 1
        if beside and each.first_row == before.first_row and each.last_row == before.last_row:
            joined[-1] = before | each
        else:
            joined.append(each)
    return ", ".join(map(str, joined))


def _in_reading_order(cells: CellRange) -> tuple[int, int]:
    return cells.first_row, cells.first_column


def reference(column: int, row: int) -> str:
    """Such as `B7` for column 2 and row 7."""
    letters = ""
    while column:
        column, digit = divmod(column - 1, _LETTERS)
        letters = chr(ord("A") + digit) + letters
    return f"{letters}{row}"


def column_number(letters: str) -> int:
    """Such as 2 for `B`, 27 for `AA`."""
    number = 0
    for letter in letters:
        number = number * _LETTERS + ord(letter) - ord("A") + 1
    return number
