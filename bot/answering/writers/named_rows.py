"""Of a table's rows a question means the one that it names, by a word or by a number.

All are about as near to it, since their columns have the same names.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

from bot.answering.exact.amounts import measures
from bot.answering.exact.writing import in_digits
from retrieval.language.dates import days_meant, written_days
from retrieval.language.table_rows import Cell, names_of, tables_of
from retrieval.language.words import FUNCTION_WORDS, SUBJECTLESS, stems, words_of
from retrieval.types import Passage

Amount = tuple[str, Decimal]
"""A unit, empty where none is known, and how many of its base."""
Range = tuple[str, Decimal, Decimal]
"""A unit and both ends, which are within."""

_NUMBER = r"[$£€]?[0-9][0-9,]*(?:\.[0-9]+)?"
_RANGE = re.compile(
    r"(?:(?P<over>over|above|more than|longer than|at least|from|>=?|≥)"
    r"|(?P<up_to>up to|at most|within|no more than|under|below|less than|fewer than|<=?|≤))? ?"
    rf"(?P<low>{_NUMBER})(?: ?(?:-|–|—|to) ?(?P<high>{_NUMBER}))?(?P<unit>[^\d+]*?)"
    r"(?P<more>\+| (?:or|and) (?:more|over|above))?(?P<less> or (?:less|fewer|under|below))?",
    re.IGNORECASE,
)
_FROM = re.compile(r"\b(?:from|min(?:imum)?)\b", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|max(?:imum)?)\b", re.IGNORECASE)
_ASKED = re.compile(rf"(?<![\w.,/-]){_NUMBER}(?![\w/-]|\.\w)")
"""A number that stands alone: no part of "GS-13", "24/7" or "9-5"."""
_COME_TOGETHER = re.compile(r"\b(?:after|with|been|here|worked)\W+$", re.IGNORECASE)
"""Before an amount; "for 2 years" is as often one that is asked for."""
_LISTED = re.compile(r",? (?:and |or )?")
_ENDS = re.compile(r"[ ?.!]*$|,? (?:and|or)\b")
"""After a number that counts nothing: "what grade is a 72"."""
_LONGEST_UNIT = 30
_ENDLESS = Decimal("Infinity")


def rows_in_range(question: str, rows: Mapping[int, Sequence[Cell]]) -> frozenset[int]:
    """The rows of a table whose range holds a number of the question.

    Of ranges within each other the smallest is meant: 40 hours of "up to 48" and "up to 72 hours"
    keep to the first. Only a number that is said of the column counts: any other may number or
    count something else.
    """
    return frozenset(
        index
        for ranges, amounts in _asked_of(question, rows)
        for amount in amounts
        for index in _holding(amount, ranges)
    )


def rows_out_of_range(question: str, rows: Mapping[int, Sequence[Cell]]) -> frozenset[int]:
    """The rows of a table of which an amount is asked that none of their ranges holds."""
    return frozenset(
        index
        for ranges, amounts in _asked_of(question, rows)
        if amounts and all(unit and not _holding((unit, n), ranges) for unit, n in amounts)
        for index in ranges
    )


def _asked_of(
    question: str, rows: Mapping[int, Sequence[Cell]]
) -> Iterator[tuple[Mapping[int, Range], list[Amount]]]:
    """By column that has several ranges, these and the question's numbers that are said of it."""
    by_column: dict[str, dict[int, Range]] = {}
    for index, row in rows.items():
        for column, found in _ranges(row):
            by_column.setdefault(column, {})[index] = found
    for column, ranges in by_column.items():
        if len(ranges) > 1:
            yield ranges, list(_said_of(column, question))


def _holding(amount: Amount, ranges: Mapping[int, Range]) -> list[int]:
    unit, value = amount
    holding = {
        index: (low, high)
        for index, (of, low, high) in ranges.items()
        if _may_be_the_same(unit, of) and low <= value <= high
    }
    return [
        index
        for index, (low, high) in holding.items()
        if not any(low <= a and b <= high and (low, high) != (a, b) for a, b in holding.values())
    ]


def _may_be_the_same(unit: str, other: str) -> bool:
    return unit == other or (not (unit and other) and not {unit, other} & {"seconds", "months"})


def _said_of(column: str, question: str) -> Iterator[Amount]:
    """The numbers that a question says of a column.

    With a unit one must have a word of the column's name somewhere, or the unit be in that name;
    without, such a word must stand beside it ("a mark of 72 or 61"), or it count nothing ("a 72").
    """
    asked, text = measures(question), in_digits(question)
    if asked.months:  # a day of a month is no amount
        return
    names = {word for word in words_of(column) if word not in FUNCTION_WORDS}
    units = {word for word in names if _unit(word)}
    named, said = stems(names - units), stems(words_of(asked.rest))
    end, told = 0, False
    for found in _ASKED.finditer(text):
        before, after = text[: found.start()], text[found.end() :]
        goes_on = told and _LISTED.fullmatch(text[end : found.start()])
        end = found.end()
        if not (amount := _amount(text[found.start() : found.end() + _LONGEST_UNIT])):
            continue
        if amount[0]:
            in_name = bool(named & said) or amount[0] in stems(units)
            of_column = in_name or bool(_COME_TOGETHER.search(before))
        else:
            beside = stems((*words_of(before)[-2:], *words_of(after)[:1]))
            counts_nothing = before.endswith((" a ", " an ")) and _ENDS.match(after)
            of_column = bool(named & beside) or bool(counts_nothing)
        if told := of_column or bool(goes_on):
            yield amount


def _ranges(row: Sequence[Cell]) -> Iterator[tuple[str, Range]]:
    """By column; two columns "Mark from" and "Mark to" are one."""
    for cell in row:
        found = _RANGE.fullmatch(cell.text.strip(" ."))
        low, high = (
            _amount(f"{found[end]} {found['unit']}", cell.column) if found and found[end] else None
            for end in ("low", "high")
        )
        if found and low:
            if high:
                yield cell.column, (*low, high[1])
            elif found["over"] or found["more"]:
                yield cell.column, (*low, _ENDLESS)
            elif found["up_to"] or found["less"]:
                yield cell.column, (low[0], Decimal(0), low[1])
    for one, other in pairwise(row):
        name = " ".join(_FROM.sub("", one.column).split())
        if name != one.column and name == " ".join(_TO.sub("", other.column).split()):
            low, high = _amount(one.text, name), _amount(other.text, name)
            if low and high:
                yield name, (*low, high[1])


def _amount(text: str, column: str = "") -> Amount | None:
    found = next(((unit, next(iter(of))) for unit, of in measures(text).amounts.items()), None)
    if not found or found[0]:
        return found
    of_column = (_amount(f"{found[1]} {word}") for word in words_of(column))
    return next((each for each in of_column if each and each[0]), found)


def _unit(word: str) -> str:
    amount = _amount(f"1 {word}")
    return amount[0] if amount else ""


_DAYS = stems("date day night week".split())  # noqa: SIM905
_BEGINNING = stems("beginning commencing of the".split())  # noqa: SIM905
_WEEK = stems(["week"])


def rows_not_meant(question: str, passage: Passage, on: date) -> frozenset[int]:
    """The sentences that are rows, beside which the question names another one by more words.

    Nor are those of other days than it asks about, `on` the day of asking.
    Only words that set rows apart name one: what stands in all of them does not. A number counts
    as a word of the row whose range holds it; where none does, no row is meant.
    """
    asked = stems(word for word in words_of(question) if word not in SUBJECTLESS)
    return frozenset(
        index
        for rows in tables_of(passage.sentences)
        for index in (
            *_not_meant(asked, rows, rows_in_range(question, rows)),
            *rows_out_of_range(question, rows),
            *_of_other_days(days_meant(question, on), rows),
        )
    )


def _of_other_days(
    meant: tuple[date, date] | None, rows: Mapping[int, Sequence[Cell]]
) -> Iterator[int]:
    """Of a rota, whose first column tells the days: "this week" means no row of another one."""
    for index, (first, *_) in rows.items() if meant else ():
        named = stems(words_of(first.column))
        found = written_days(first.text) if named & _DAYS and named <= _DAYS | _BEGINNING else []
        if meant and len(found) == 1 and found[0][1:] == (0, len(first.text)) and found[0][0]:
            begins = found[0][0]
            ends = begins + timedelta(days=6 if named & _WEEK else 0)
            if ends < meant[0] or meant[1] < begins:
                yield index


def _not_meant(
    asked: frozenset[str], rows: Mapping[int, Sequence[Cell]], in_range: frozenset[int]
) -> list[int]:
    words = {index: names_of(row) for index, row in rows.items()}
    shared = Counter(word for each in words.values() for word in each)
    named = {
        index: sum(shared[word] < len(rows) for word in asked & each) + (index in in_range)
        for index, each in words.items()
    }
    most = max(named.values(), default=0)
    return [index for index, number in named.items() if number < most]
