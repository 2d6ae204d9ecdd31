"""Abbreviations that a text explains itself: "paid time off (PTO)".

After Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions in
biomedical text" (2003): each letter of the short form stands in the long form before it, in order,
the first one at the beginning of a word. Of two letters both must begin one, which is not of the
article: else "organization" would be what "ON" stands for.
"""

import re
from collections.abc import Iterator

INITIALS = 2
"""Letters of a short form up to which each begins a word of the long one."""
_SHORT = re.compile(r"\(([A-Za-z][\w&./-]{1,9})\)")
_WORD = re.compile(r"[^\s()]+")
_BOUND = re.compile(r"[.;:!?]\s|[()\n]")


def long_forms(text: str) -> Iterator[tuple[str, str]]:
    """Each short form of 2 to 10 letters, two of them capitals, and its long form, as written.

    The long form has at most min(letters + 5, 2 * letters) words, in one sentence, as published.
    """
    for short, before in _in_brackets(text):
        if sum(each.isupper() for each in short) < 2:
            continue
        letters = sum(map(str.isalnum, short))
        words = list(_WORD.finditer(before))[-min(letters + 5, 2 * letters) :]
        if not words:
            continue
        long = _shortest(short, before[words[0].start() :])
        if long and short.casefold() not in long.casefold().split():
            yield short, long


def _in_brackets(text: str) -> Iterator[tuple[str, str]]:
    """What stands in brackets, and what its sentence says before; each bound is looked at once."""
    bounds, start = _BOUND.finditer(text), 0
    bound = next(bounds, None)
    for found in _SHORT.finditer(text):
        end = found.start()
        while end > start and text[end - 1].isspace():
            end -= 1
        while bound and bound.end() <= end:
            start, bound = bound.end(), next(bounds, None)
        yield found[1], text[start:end]


def _shortest(short: str, before: str) -> str:
    """From the right, letter by letter; empty where one is not there."""
    at, initials = len(before), len(short) <= INITIALS
    for n in range(len(short) - 1, -1, -1):
        letter = short[n].casefold()
        if not letter.isalnum():
            continue
        at -= 1
        while at >= 0 and not (
            before[at].casefold() == letter
            and ((n > 0 and not initials) or at == 0 or not before[at - 1].isalnum())
        ):
            at -= 1
        if at < 0:
            return ""
    return before[before.rfind(" ", 0, at + 1) + 1 :].strip(" ,/\"'“”*_")
