"""Sums of the rows of a table, by the values that the columns hold."""

import re
from collections import Counter
from collections.abc import Mapping

from retrieval.parsing.tables import is_number

_DIGITS = re.compile(r"\d+")
FEWEST_ADDED = 3
"""Rows, but by the last one: the sum of two may be a value by chance."""


class Sums:
    """Of the values in each column of some rows."""

    def __init__(self) -> None:
        self.rows = 0
        self._by_column: Counter[int] = Counter()

    def add(self, values: Mapping[int, int]) -> None:
        self.rows += bool(values)
        self._by_column.update(values)

    def is_told_by(self, values: Mapping[int, int], fewest: int) -> bool:
        """Whether most values of a row are these sums, of so many rows at the least."""
        same = sum(self._by_column[column] == value for column, value in values.items())
        return self.rows >= fewest and 2 * same > len(values)


def number_in(text: str) -> int | None:
    """The digits of a number, which are in sums as in what they add; None for a text."""
    if not is_number(text):
        return None
    value = int("".join(_DIGITS.findall(text)))
    return -value if text.startswith(("(", "-", "\u2212")) else value
