"""Of a table's rows a question means the one that it names, by a word or by a number.

All rows of a table are about as near to a question as the one that answers it, since their
columns have the same names: "when is the second instalment due" is as near to the first's.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from bot.answering.writers.number_ranges import rows_in_range, rows_out_of_range
from retrieval.language.dates import days_meant, written_days
from retrieval.language.table_rows import Cell, names_of, tables_of
from retrieval.language.words import SUBJECTLESS, stems, words_of
from retrieval.types import Passage

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
