"""A source offers its names and its conditions, to be put into its own sentences.

A name of the same source is the likeliest mistake of a writer, and the hardest to see.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

NAME = re.compile(r"(?<=[a-z,;] )[A-Z][\w&'’-]+(?: [A-Z][\w&-]+)*")
"""Capitals within a sentence; its first word is left alone, as it may be any word."""
_CONDITION = re.compile(
    r"\b(?:only if|only when|if|unless|except|until|within|provided that|as long as)"
    r" [^,.;:()?!\n]{10,60}(?=\.(?:\s|$))"
)
_CALENDAR = (
    "January February March April May June July August September October November December "
    "Jan Feb Mar Apr Jun Jul Aug Sep Oct Nov Dec "
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
)
NO_NAMES = frozenset(
    f"I I'm I'll I'd I've OK The This That These Those If When You We Our Your It A An And "
    f"{_CALENDAR} {_CALENDAR.replace('day', 'days')}".split()
)


@dataclass(frozen=True, slots=True)
class Stock:
    """Its words stand in order of first appearance, each once."""

    names: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()


Change = Callable[[str, Random, Stock], str | None]


def stock_of(texts: Iterable[str]) -> Stock:
    texts = list(texts)
    names = (found for text in texts for found in NAME.findall(text))
    return Stock(
        tuple(dict.fromkeys(name for name in names if name.split(" ")[0] not in NO_NAMES)),
        tuple(dict.fromkeys(found for text in texts for found in _CONDITION.findall(text))),
    )
