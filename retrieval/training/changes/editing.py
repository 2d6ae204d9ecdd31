"""One place of a text is changed; names and conditions of its own source are put there."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

Other = Callable[[re.Match[str], Random], str | None]
"""What to put in a match's place; None leaves that match alone."""
Way = Callable[[str, Random], str | None]
"""The text changed; None where it finds nothing to change."""


WORDS_FILE = Path(__file__).parent / "words.json"
_WORDS: Mapping[str, Any] = json.loads(WORDS_FILE.read_bytes())


def phrases(name: str) -> Any:
    """Of the file of words: phrases, or by phrase what may stand in its place."""
    return _WORDS[name]


def change_one(text: str, pattern: re.Pattern[str], other: Other, dice: Random) -> str | None:
    """The text with one match changed, any of them alike; None where none can be."""
    matches = list(pattern.finditer(text))
    dice.shuffle(matches)
    for match in matches:
        new = other(match, dice)
        if new is not None:
            changed = text[: match.start()] + cased_like(match.group(), new) + text[match.end() :]
            if changed != text:
                return changed
    return None


def changing(pattern: re.Pattern[str]) -> Callable[[Other], Way]:
    """What is put in a match's place becomes a way to change a text, one match of it."""

    def of(other: Other) -> Way:
        return lambda text, dice: change_one(text, pattern, other, dice)

    return of


def first_that_works(text: str, ways: Sequence[Way], dice: Random) -> str | None:
    """The first change that can be made, in an order that the dice choose."""
    for way in dice.sample(ways, len(ways)):
        changed = way(text, dice)
        if changed is not None and changed != text:
            return changed
    return None


def by_table(table: Mapping[str, Sequence[str]]) -> Way:
    """A change of whole phrases; keys are lower case, a capital is followed at the start."""
    longest_first = sorted(table, key=len, reverse=True)
    words = "|".join(re.escape(phrase) for phrase in longest_first)
    pattern = re.compile(rf"(?<![\w'’-])(?:{words})(?![\w'’-])|^(?i:{words})(?![\w'’-])")

    @changing(pattern)
    def change(match: re.Match[str], dice: Random) -> str | None:
        return dice.choice(table[match.group().lower()])

    return change


def cased_like(old: str, new: str) -> str:
    return capitalised(new) if old[:1].isupper() else new


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def ended(text: str, tail: str) -> str:
    """The sentence with words added before its full stop."""
    body = text.rstrip()
    if body.endswith((".", "!")):
        return f"{body[:-1].rstrip()}{tail}{body[-1]}"
    return f"{body}{tail}"


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


_LEADING = re.compile(r"^[A-Z][\w&-]+(?: [A-Z][\w&-]+)*")
_roles = by_table(phrases("roles"))


def change_name(text: str, dice: Random, stock: Stock) -> str | None:
    """One name made another of the same source, or one role another."""

    def names(text: str, dice: Random) -> str | None:
        return _swapped(text, dice, stock)

    found = names(text, dice) if dice.random() < 0.8 else None
    return found or first_that_works(text, [names, _roles], dice)


def _swapped(text: str, dice: Random, stock: Stock) -> str | None:
    known = set(stock.names)

    def other(match: re.Match[str], dice: Random) -> str | None:
        name = match.group()
        if name.split(" ")[0] in NO_NAMES or (match.start() == 0 and name not in known):
            return None
        choices = [each for each in stock.names if _of_a_kind(name, each) and each not in text]
        return dice.choice(choices) if choices else None

    pattern = NAME if dice.random() < 0.7 else _LEADING
    other_pattern = _LEADING if pattern is NAME else NAME
    return change_one(text, pattern, other, dice) or change_one(text, other_pattern, other, dice)


def _of_a_kind(name: str, other: str) -> bool:
    """Both abbreviations or both not, and neither a part of the other ("Slack", "Slack app")."""
    same_case = name.isupper() == other.isupper()
    folded, other_folded = name.lower(), other.lower()
    return same_case and folded not in other_folded and other_folded not in folded
