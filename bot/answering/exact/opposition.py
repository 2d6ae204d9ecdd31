"""Two sentences of different documents that cannot both hold.

Only what can be compared letter by letter counts: amounts of one unit, times and days, and a
"not" in what is otherwise the same. What contradicts in other ways goes unnoticed.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from bot.answering.exact.amounts import Measures, measures
from bot.answering.exact.names import missing_names
from bot.answering.exact.near_copies import content, denies

ALIKE = 0.8
"""Share of the content words of the shorter sentence that both have: they speak of one thing."""
ALIKE_IN_RULES = 0.5
"""The same where retrieval found already that one passage's rule overrides the other's."""
NEAR_COPY = 0.8
"""Of the longer one: nearly the same words, so that bare numbers and a "not" count too."""
FEWEST = 2
"""Content words that both must have."""
Value = TypeVar("Value")


def opposed(one: str, other: str, alike: float = ALIKE) -> tuple[str, ...]:
    """What stands against what, such as "14 days / 10 days"; empty where nothing does."""
    mine, theirs = measures(one), measures(other)
    first, second = content(mine.rest), content(theirs.rest)
    shared = len(first & second)
    if shared < FEWEST or shared < alike * min(len(first), len(second)):
        return ()
    near_copy = shared >= NEAR_COPY * max(len(first), len(second))
    if different := tuple(_different(mine, theirs, near_copy=near_copy)):
        return different
    return ("not",) if near_copy and denies(one) != denies(other) else ()


def of_one_subject(one: str, other: str) -> bool:
    """Whether neither names somebody or something that the other does not."""
    first, second = measures(one).rest, measures(other).rest
    return not missing_names(first, second) and not missing_names(second, first)


def _different(one: Measures, other: Measures, *, near_copy: bool) -> Iterable[str]:
    for unit in sorted(one.amounts.keys() & other.amounts.keys()):
        if unit or near_copy:
            yield from _apart(one.amounts[unit], other.amounts[unit])
    yield from _apart(one.times, other.times)
    yield from _apart(one.days, other.days)


def _apart(mine: Mapping[Value, str], theirs: Mapping[Value, str]) -> list[str]:
    """The first of each, where both measure something and never the same."""
    if not mine or not theirs or mine.keys() & theirs.keys():
        return []
    return [f"{next(iter(mine.values()))} / {next(iter(theirs.values()))}"]
