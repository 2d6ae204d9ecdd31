"""A number that is asked about falls into the range of one of a table's rows.

"What grade is a 72" names no row by a word; "Mark from: 70; Mark to: 84" holds it all the same.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from bot.answering.exact.amounts import measures
from retrieval.language.table_rows import Cell

_BOTH = re.compile(r"(?P<low>[\d.,]*\d) ?(?:-|–|—|to) ?(?P<high>[\d.,]*\d)(?P<unit> ?\D*)")
_AT_LEAST = re.compile(
    r"(?:≥|>=|at least|from) ?(?P<low>[\d.,]*\d)(?P<unit> ?\D*)"
    r"|(?P<low2>[\d.,]*\d) ?(?:\+|(?P<unit2>\D*?) ?(?:or|and) (?:more|over|above))",
    re.IGNORECASE,
)
_UNDER = re.compile(
    r"(?:<|under|below|less than|fewer than) ?(?P<high>[\d.,]*\d)(?P<unit> ?\D*)", re.IGNORECASE
)
_FROM = re.compile(r"\b(?:from|min(?:imum)?|at least)\b", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|max(?:imum)?|at most)\b", re.IGNORECASE)
_ENDLESS = Decimal("Infinity")


@dataclass(frozen=True, slots=True)
class Range:
    """Amounts of one unit, empty where none is known, in the base of the unit."""

    unit: str
    low: Decimal
    high: Decimal
    closed: bool = True
    """Whether the upper end is within; the lower one always is."""

    def holds(self, value: Decimal) -> bool:
        return self.low <= value and (value <= self.high if self.closed else value < self.high)

    def is_before(self, other: "Range") -> bool:
        """Whether all of it lies under the other, which does not begin lower."""
        return self.high < other.low or (not self.closed and self.high == other.low)


def rows_in_range(question: str, rows: Mapping[int, Sequence[Cell]]) -> frozenset[int]:
    """The rows of a table whose range holds a number of the question.

    Only where a column tells rows apart by it: its ranges have one unit, and no two overlap. A day
    of a month is no amount.
    """
    asked = measures(question)
    if asked.months:
        return frozenset()
    by_column: dict[str, dict[int, Range]] = {}
    for index, row in rows.items():
        for column, found in _ranges(row):
            by_column.setdefault(column, {})[index] = found
    return frozenset(
        index
        for ranges in by_column.values()
        if _tell_apart(list(ranges.values()))
        for index, found in ranges.items()
        if any(map(found.holds, asked.amounts.get(found.unit, ())))
    )


def _tell_apart(ranges: Sequence[Range]) -> bool:
    ordered = sorted(ranges, key=lambda each: (each.low, each.high))
    units = {each.unit for each in ranges}
    return (
        len(ranges) > 1
        and len(units) == 1
        and all(one.is_before(next_one) for one, next_one in pairwise(ordered))
    )


def _ranges(row: Sequence[Cell]) -> Iterator[tuple[str, Range]]:
    """By column; two columns "Mark from" and "Mark to" are one."""
    for cell in row:
        if found := _of_cell(cell.text.strip(" .")):
            yield cell.column, found
    for one, other in pairwise(row):
        name, same = _FROM.sub("", one.column), _TO.sub("", other.column)
        if one.column != name and other.column != same and name.strip() == same.strip():
            low, high = _amount(one.text), _amount(other.text)
            if low and high and low[0] == high[0]:
                yield name, Range(low[0], low[1], high[1])


def _of_cell(text: str) -> Range | None:
    if found := _BOTH.fullmatch(text):
        low, high = (_amount(f"{found[end]} {found['unit']}") for end in ("low", "high"))
        return Range(low[0], low[1], high[1]) if low and high else None
    if found := _AT_LEAST.fullmatch(text):
        number, unit = found["low"] or found["low2"], found["unit"] or found["unit2"] or ""
        least = _amount(f"{number} {unit}")
        return Range(least[0], least[1], _ENDLESS) if least else None
    if found := _UNDER.fullmatch(text):
        most = _amount(f"{found['high']} {found['unit']}")
        return Range(most[0], -_ENDLESS, most[1], closed=False) if most else None
    return None


def _amount(text: str) -> tuple[str, Decimal] | None:
    """Unit and value of the only amount that stands there."""
    found = [(unit, value) for unit, of in measures(text).amounts.items() for value in of]
    return found[0] if len(found) == 1 else None
