"""One place of a text is changed."""

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random

Other = Callable[[re.Match[str], Random], str | None]
"""What to put in a match's place; None leaves that match alone."""


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


def first_that_works(
    text: str, ways: Sequence[Callable[[str, Random], str | None]], dice: Random
) -> str | None:
    """The first change that can be made, in an order that the dice choose."""
    for way in dice.sample(ways, len(ways)):
        changed = way(text, dice)
        if changed is not None and changed != text:
            return changed
    return None


def by_table(table: Mapping[str, Sequence[str]]) -> Callable[[str, Random], str | None]:
    """A change that puts one of a row's entries in the place of its key, a whole phrase.

    Keys are lower case; a capital is followed at the start of the text, and is a name within.
    """
    longest_first = sorted(table, key=len, reverse=True)
    words = "|".join(re.escape(phrase) for phrase in longest_first)
    pattern = re.compile(rf"(?<![\w'’-])(?:{words})(?![\w'’-])|^(?i:{words})(?![\w'’-])")

    def other(match: re.Match[str], dice: Random) -> str | None:
        return dice.choice(table[match.group().lower()])

    def change(text: str, dice: Random) -> str | None:
        return change_one(text, pattern, other, dice)

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
