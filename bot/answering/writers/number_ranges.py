"""A number that is asked about falls into the range of one of a table's rows.

"What grade is a 72" names no row by a word; "Mark from: 70; Mark to: 84" holds it all the same.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from bot.answering.exact.amounts import Measures, in_digits, measures
from retrieval.language.table_rows import Cell
from retrieval.language.words import FUNCTION_WORDS, stems, words_of

_BOTH = re.compile(r"(?P<low>[\d.,]*\d) ?(?:-|–|—|to) ?(?P<high>[\d.,]*\d)(?P<unit> ?\D*)")
_AT_LEAST = re.compile(
    r"(?:≥|>=|at least|from) ?(?P<low>[\d.,]*\d)(?P<unit> ?\D*)"
    r"|(?P<low2>[\d.,]*\d) ?(?:\+|(?P<unit2>\D*?) ?(?:or|and) (?:more|over|above))",
    re.IGNORECASE,
)
_MORE_THAN = re.compile(
    r"(?:>|more than|over|above|longer than) ?(?P<low>[\d.,]*\d)(?P<unit> ?\D*)", re.IGNORECASE
)
_UP_TO = re.compile(
    r"(?:≤|<=|up to|at most|no more than|within) ?(?P<high>[\d.,]*\d)(?P<unit> ?\D*)"
    r"|(?P<high2>[\d.,]*\d) ?(?P<unit2>\D*?) ?(?:or|and) (?:less|fewer|under|below)",
    re.IGNORECASE,
)
_UNDER = re.compile(
    r"(?:<|under|below|less than|fewer than) ?(?P<high>[\d.,]*\d)(?P<unit> ?\D*)", re.IGNORECASE
)
_FROM = re.compile(r"\b(?:from|min(?:imum)?|at least)\b", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|max(?:imum)?|at most)\b", re.IGNORECASE)
_ENDS = ("low", "high")
_ENDLESS = Decimal("Infinity")

_BARE = re.compile(r"(?<!\S)(?!(?:19|20)\d\d\b)[\d,]*\d(?:\.\d+)?(?=[,;.?!)]*(?:\s|$))")
"""A number that stands alone: no year, and no part of "GS-13", "24/7" or "9-5"."""
_LISTED = re.compile(r",? (?:and |or )?")
_NEXT = re.compile(r" ([^\W_]+)")
_ASKS_ABOUT = re.compile(
    r"\b(?:an?|is|are|for|with|(?<!\bam )(?<!\bare )(?:i|we) \w+) $", re.IGNORECASE
)
"""Any other word before a number may be what it numbers: "building 7", "course 85"."""
_COUNTS_NOTHING = re.compile(r"[^\w\s]|\s*$| (?:and|or|people|of them)\b", re.IGNORECASE)
"""A number is no count of what the column does not name: "with 2 colleagues"."""
_HOW_LONG = re.compile(r"\b(?:after|with|been|been here|worked) $", re.IGNORECASE)
"""An amount that has come together; "for 2 years" is as often one that is asked for."""


@dataclass(frozen=True, slots=True)
class Range:
    """Amounts of one unit, empty where none is known, in the base of the unit."""

    unit: str
    low: Decimal
    high: Decimal
    closed: bool = True
    """Whether the upper end is within."""
    above: bool = False
    """Whether the lower end is not."""

    def holds(self, value: Decimal) -> bool:
        reached = self.low < value if self.above else self.low <= value
        return reached and (value <= self.high if self.closed else value < self.high)

    def is_before(self, other: "Range") -> bool:
        """Whether all of it lies under the other, which does not begin lower."""
        meet = self.closed and not other.above
        return self.high < other.low or (not meet and self.high == other.low)


def rows_in_range(question: str, rows: Mapping[int, Sequence[Cell]]) -> frozenset[int]:
    """The rows of a table whose range holds a number of the question.

    Only where a column tells rows apart by it: its ranges have one unit, and no two overlap. A day
    of a month is no amount. What may number or count something else falls into no range: the right
    row would be left out for it.
    """
    return frozenset(index for index, _, _ in _held(question, rows))


def rows_out_of_range(question: str, rows: Mapping[int, Sequence[Cell]]) -> frozenset[int]:
    """The rows of a table of which a number of the question is asked, and none holds it.

    "An extension of 20 days" is neither in "up to 3 days" nor in "4 to 10 days".
    """
    return frozenset(
        index
        for _, ranges, values in _asked_of(question, rows)
        if values and not any(each.holds(value) for each in ranges.values() for value in values)
        for index in ranges
    )


def _held(question: str, rows: Mapping[int, Sequence[Cell]]) -> Iterator[tuple[int, str, Decimal]]:
    """The rows whose range in a column holds a number of the question."""
    for column, ranges, values in _asked_of(question, rows):
        for index, found in ranges.items():
            yield from ((index, column, value) for value in values if found.holds(value))


def _asked_of(
    question: str, rows: Mapping[int, Sequence[Cell]]
) -> Iterator[tuple[str, Mapping[int, Range], list[Decimal]]]:
    """The columns that tell rows apart by ranges, and the question's numbers that are theirs."""
    asked = measures(question)
    if asked.months:
        return
    columns = frozenset().union(*(_named(cell.column) for row in rows.values() for cell in row))
    by_column: dict[str, dict[int, Range]] = {}
    for index, row in rows.items():
        for column, found in _ranges(row):
            by_column.setdefault(column, {})[index] = found
    text = in_digits(question)
    for column, each in by_column.items():
        ranges = _in_steps(each)
        if _tell_apart(list(ranges.values())):
            unit = next(iter(ranges.values())).unit
            yield column, ranges, _asked(text, asked, unit, column, columns)


def _in_steps(ranges: Mapping[int, Range]) -> dict[int, Range]:
    """With each that is only up to an end from that of the one before: up to 24, up to 48 hours."""
    ends = sorted({each.high for each in ranges.values() if each.low == -_ENDLESS})
    begins = {end: before for before, end in pairwise(ends)}
    return {
        index: replace(each, low=begins[each.high], above=True)
        if each.low == -_ENDLESS and each.high in begins
        else each
        for index, each in ranges.items()
    }


def _asked(
    text: str, asked: Measures, unit: str, column: str, columns: frozenset[str]
) -> list[Decimal]:
    """The amounts of the question that are the column's; `columns` are names of all of them."""
    amounts = asked.amounts.get(unit, {})
    if not unit:
        return [value for value in _bare(text, _named(column)) if value in amounts]
    said = _named(asked.rest)
    if said & _named(column):
        return list(amounts)
    before = {value: text.partition(written)[0] for value, written in amounts.items()}
    return [value for value in amounts if said & columns and _HOW_LONG.search(before[value])]


def _bare(text: str, column: frozenset[str]) -> Iterator[Decimal]:
    """Numbers that are asked about, or that the column's name stands beside."""
    end, is_named, is_asked = 0, False, False
    for found in _BARE.finditer(text):
        before, end, after = text[end : found.start()], found.end(), _NEXT.match(text, found.end())
        if not _LISTED.fullmatch(before):
            is_named = bool(column & stems(words_of(before.removesuffix("of "))[-1:]))
            is_asked = bool(_ASKS_ABOUT.search(before))
        counted = bool(after and column & stems([after[1].casefold()]))
        if is_named or counted or (is_asked and _COUNTS_NOTHING.match(text, end)):
            yield Decimal(found.group().replace(",", ""))


def _named(text: str) -> frozenset[str]:
    return stems(word for word in words_of(text) if word not in FUNCTION_WORDS)


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
        if found := range_of(cell):
            yield cell.column, found
    for one, other in pairwise(row):
        name, same = _FROM.sub("", one.column), _TO.sub("", other.column)
        if one.column != name and other.column != same and name.strip() == same.strip():
            low, high = _amount(one.text, name), _amount(other.text, name)
            if low and high and low[0] == high[0]:
                yield name, Range(low[0], low[1], high[1])


def range_of(cell: Cell) -> Range | None:
    """None where it holds anything else. Its unit may stand in the column: "Years of service"."""
    text = cell.text.strip(" .")
    if found := _BOTH.fullmatch(text):
        low, high = (_amount(f"{found[end]} {found['unit']}", cell.column) for end in _ENDS)
        return Range(low[0], low[1], high[1]) if low and high else None
    if found := _AT_LEAST.fullmatch(text):
        number, unit = found["low"] or found["low2"], found["unit"] or found["unit2"] or ""
        least = _amount(f"{number} {unit}", cell.column)
        return Range(least[0], least[1], _ENDLESS) if least else None
    if found := _MORE_THAN.fullmatch(text):
        over = _amount(f"{found['low']} {found['unit']}", cell.column)
        return Range(over[0], over[1], _ENDLESS, above=True) if over else None
    if found := _UP_TO.fullmatch(text):
        number, unit = found["high"] or found["high2"], found["unit"] or found["unit2"] or ""
        most = _amount(f"{number} {unit}", cell.column)
        return Range(most[0], -_ENDLESS, most[1]) if most else None
    if found := _UNDER.fullmatch(text):
        most = _amount(f"{found['high']} {found['unit']}", cell.column)
        return Range(most[0], -_ENDLESS, most[1], closed=False) if most else None
    return None


def _amount(text: str, column: str = "") -> tuple[str, Decimal] | None:
    """Unit and value of the only amount that stands there."""
    found = [(unit, value) for unit, of in measures(text).amounts.items() for value in of]
    if len(found) != 1:
        return None
    units = (word for word in words_of(column) if word.endswith("s"))
    of_column = (_amount(f"{found[0][1]} {word}") for word in units)
    return next((each for each in of_column if each and each[0] and not found[0][0]), found[0])
