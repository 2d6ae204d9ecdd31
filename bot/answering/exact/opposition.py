"""Two sentences of different documents are opposed if they cannot both hold.

Only what can be compared letter by letter counts: amounts of one unit, times and months, and a
"not" in what is otherwise the same. A false alarm withholds an answer, so nearly all words
must be shared: what contradicts in other words goes unnoticed.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from bot.answering.exact.amounts import Measures, measures
from bot.answering.exact.names import missing_names
from bot.answering.exact.near_copies import content, denies
from retrieval.language.questions import begins_with_pronoun
from retrieval.language.table_rows import cells_of

ONE_SUBJECT = 0.8
"""Share, 0 to 1, of the longer sentence's content words that both have, from which they speak of
one thing. Not measured; chosen so that neither may speak of a special case of it, since a false
alarm withholds an answer."""
FEWEST = 3
"""Content words that both must have: "It opens at 9" may be about anything."""
ONE_SUBJECT_IN_RULES = 0.5
"""Share, 0 to 1, of the shorter one's, where retrieval found already that one passage's rule
overrides the other's. Not measured; chosen lower, as the subject is known."""
FEWEST_IN_RULES = 2
"""Content words that both must have there."""
Value = TypeVar("Value")


def opposed(one: str, other: str, *, of_one_rule: bool = False) -> tuple[str, ...]:
    """What stands against what, such as "14 days / 10 days"; empty where nothing does."""
    if _of_other_rows(one, other):
        return ()
    mine, theirs = measures(one), measures(other)
    if not _of_one_subject(one, mine, other, theirs, of_one_rule=of_one_rule):
        return ()
    alike = _alike(mine, theirs) >= ONE_SUBJECT
    if different := tuple(_different(mine, theirs, bare=alike)):
        return different
    return ("not",) if alike and denies(one) != denies(other) else ()


def _of_other_rows(one: str, other: str) -> bool:
    """Whether both are rows of tables, and of other things: the first cell names a row's."""
    first, second = cells_of(one)[:1], cells_of(other)[:1]
    return bool(first and second) and first[0].text.casefold() != second[0].text.casefold()


def measures_otherwise(one: str, other: str) -> bool:
    """Whether both say a time or an amount of one unit, and not the same."""
    return any(_different(measures(one), measures(other), bare=False))


def _of_one_subject(
    one: str, mine: Measures, other: str, theirs: Measures, *, of_one_rule: bool
) -> bool:
    first, second = content(mine.rest), content(theirs.rest)
    shared = len(first & second)
    if mine.weekdays and theirs.weekdays and not mine.weekdays.keys() & theirs.weekdays.keys():
        return False
    if of_one_rule:
        shorter = min(len(first), len(second))
        return shared >= FEWEST_IN_RULES and shared >= ONE_SUBJECT_IN_RULES * shorter
    if begins_with_pronoun(one) or begins_with_pronoun(other) or shared < FEWEST:
        return False
    named = missing_names(mine.rest, theirs.rest) or missing_names(theirs.rest, mine.rest)
    return not named and _alike(mine, theirs) >= ONE_SUBJECT


def _alike(mine: Measures, theirs: Measures) -> float:
    first, second = content(mine.rest), content(theirs.rest)
    return len(first & second) / max(1, len(first), len(second))


def _different(one: Measures, other: Measures, *, bare: bool) -> Iterable[str]:
    """`bare`: whether numbers without a unit count."""
    for unit in sorted(one.amounts.keys() & other.amounts.keys()):
        if unit or bare:
            yield from _apart(one.amounts[unit], other.amounts[unit])
    yield from _apart(one.times, other.times)
    yield from _apart(one.months, other.months)


def _apart(mine: Mapping[Value, str], theirs: Mapping[Value, str]) -> list[str]:
    """The first of each, where both measure something and never the same."""
    if not mine or not theirs or mine.keys() & theirs.keys():
        return []
    return [f"{next(iter(mine.values()))} / {next(iter(theirs.values()))}"]
