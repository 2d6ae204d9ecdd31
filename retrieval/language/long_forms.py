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


def long_forms(text: str) -> Iterator[tuple[str, str]]:
    """Each short form of 2 to 10 letters, two of them capitals, and its long form, as written.

    The long form has at most min(letters + 5, 2 * letters) words, in one sentence, as published.
    """
    for found in _SHORT.finditer(text):
        short = found[1]
        if sum(each.isupper() for each in short) < 2:
            continue
        letters = sum(map(str.isalnum, short))
        before = re.split(r"[.;:!?]\s|[()\n]", text[: found.start()].rstrip())[-1]
        words = list(_WORD.finditer(before))[-min(letters + 5, 2 * letters) :]
        if not words:
            continue
        long = _shortest(short, before[words[0].start() :])
        if long and short.casefold() not in long.casefold().split():
            yield short, long


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
