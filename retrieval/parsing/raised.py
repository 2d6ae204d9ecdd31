"""Digits and signs that are set above or below the line belong to no number before them.

Written on the line, 30 with a raised 1 behind it would be 301.
"""

import re
from collections.abc import Mapping

from retrieval.language.words import RAISED_DIGITS

_SIGNS = "-+\u2212\u2013"
_EXPONENT = re.compile(rf"[{_SIGNS}]?\d{{0,4}}\)?|\d{{1,2}}(?:,\s?\d{{1,2}})+|[a-e]", re.ASCII)
_DIGITS = f"0123456789{_SIGNS}"
_WRITTEN: Mapping[str, tuple[dict[int, int], re.Pattern[str]]] = {
    "super": (
        str.maketrans(_DIGITS, f"{RAISED_DIGITS}⁻⁺⁻⁻"),
        re.compile(
            rf"(?:^|[\s\d.!?⁻⁺{RAISED_DIGITS}])$|(?<![^\W_])(?:[b-hj-zA-HJ-Zµ]|[kcdmµ]m|ft|in)$"
        ),
    ),
    "sub": (str.maketrans(_DIGITS, "₀₁₂₃₄₅₆₇₈₉₋₊₋₋"), re.compile(r"[\d₋₊]$")),
}
"""What is written in place of digits and signs, and behind what: a number, above the line also a
unit of length, a variable, a sentence or nothing. Behind any other word a raised number is the mark
of a note, written as one in a cell, and a lowered one part of a name that people type on the line:
CO2."""
LONGEST_TAIL = 4
"""Characters before such a text that are looked at."""


def is_exponent(text: str) -> bool:
    """Whether a text is a short number, a sign, or marks of notes, as is set above a line."""
    return bool(text) and _EXPONENT.fullmatch(text) is not None


def as_set(how: str, text: str, before: str, *, in_cell: bool) -> str:
    """A text that is set above the line ("super", as in CSS) or below it ("sub"), as it is seen.

    A letter that is the mark of a note stands in brackets.
    """
    if how not in _WRITTEN or not is_exponent(text):
        return text
    written, follows = _WRITTEN[how]
    is_mark = how == "super" and in_cell
    if text.isalpha():
        return f"({text})" if is_mark else text
    is_apart = text[0] in _SIGNS or is_mark or follows.search(before[-LONGEST_TAIL:])
    return text.translate(written) if is_apart else text
