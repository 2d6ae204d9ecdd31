"""Of a table's rows a question means the one that it names, by a word or by an amount.

All rows of a table are about as near to a question as the one that answers it, since their
columns have the same names: "when is the second instalment due" is as near to the first's.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from bot.answering.exact.amounts import measures
from retrieval.language.anaphora import subjects_of
from retrieval.language.table_rows import Cell, cells_of
from retrieval.language.words import stems, words_of
from retrieval.types import Passage

_UP_TO = re.compile(
    r"(?:(?P<low>\d[\d.,]*) ?(?:-|–|to) ?|(?:up to|at most|within|no more than|≤|<=) ?)"
    r"(?P<high>\d[\d.,]*)(?P<unit> ?\D+)",
    re.IGNORECASE,
)
_ENDS = ("low", "high")


def rows_not_meant(question: str, passage: Passage) -> frozenset[int]:
    """The sentences that are rows, beside which the question names another one by more words.

    Only words that set rows apart name one: what stands in all of them does not. An amount counts
    as a word of the row of which it is the next limit: 50 hours of "up to 48" and "up to 72 hours".
    """
    asked = stems(subjects_of(question))
    tables: dict[str, dict[int, Sequence[Cell]]] = {}
    for index, sentence in enumerate(passage.sentences):
        if cells := cells_of(sentence.text):
            tables.setdefault(cells[0].column, {})[index] = cells
    return frozenset(
        index
        for rows in tables.values()
        for index in _not_meant(asked, rows, _limiting(question, asked, rows))
    )


def _limiting(
    question: str, asked: frozenset[str], rows: Mapping[int, Sequence[Cell]]
) -> int | None:
    """The row with the lowest limit that an amount of the question keeps to.

    Only where the question has a word of the column's name: it may measure something else.
    """
    amounts = measures(question).amounts
    held = []
    for index, row in rows.items():
        found = _UP_TO.fullmatch(row[0].text.strip(" ."))
        if found and asked & stems(words_of(row[0].column)):
            low, high = (measures(f"{found[end] or 0}{found['unit']}").amounts for end in _ENDS)
            held += [
                (limit, index)
                for unit, limits in high.items()
                for limit in limits
                if any(min(low.get(unit, [0])) <= each <= limit for each in amounts.get(unit, ()))
            ]
    return min(held)[1] if held else None


def _not_meant(
    asked: frozenset[str], rows: Mapping[int, Sequence[Cell]], limiting: int | None
) -> list[int]:
    words = {index: _names(row) for index, row in rows.items()}
    shared = Counter(word for each in words.values() for word in each)
    named = {
        index: sum(shared[word] < len(rows) for word in asked & each) + (index == limiting)
        for index, each in words.items()
    }
    most = max(named.values(), default=0)
    return [index for index, number in named.items() if number < most]


def _names(row: Sequence[Cell]) -> frozenset[str]:
    """The first cell says what a row is about; elsewhere a bare number is a value, no name."""
    first, *others = (words_of(cell.text) for cell in row)
    return stems((*first, *(word for words in others for word in words if not word.isdigit())))
