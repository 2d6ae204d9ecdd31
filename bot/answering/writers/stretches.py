"""Sentences that cannot be copied alone: what they lean on and what takes away from them.

"These must be submitted by May" says nothing without the sentence before it, and "Staff may
park here" is not true without "Visitors' bays are excepted" after it.
"""

import re

from bot.answering.machine_talk import speaks_to_a_machine
from bot.answering.writers.units import Unit
from retrieval.leaning import MOST_BEFORE, leans
from retrieval.types import Passage

_TAKES_AWAY = re.compile(
    r"(?:However|But|Unless|Except|Exceptions?|The (?:only )?exceptions?|Excluded|Not included"
    r"|This (?:does|do) not|These do not|It does not|Otherwise|Only)\b"
)
NEAR = 2
"""Lines between two sentences that still belong together."""


def stretch(passage: Passage, unit: Unit) -> Unit:
    """The unit with what must be copied with it."""
    first, last = unit
    start = first
    while first > max(0, start - MOST_BEFORE) and _leans(passage, first):
        first -= 1
    if last + 1 < len(passage.sentences) and _takes_away(passage, last + 1):
        last += 1
    return first, last


def _leans(passage: Passage, index: int) -> bool:
    leaning = leans(passage.sentences[index].text)
    return leaning and _follows(passage, index) and _speaks_to_people(passage, index - 1)


def _takes_away(passage: Passage, index: int) -> bool:
    takes_away = bool(_TAKES_AWAY.match(passage.sentences[index].text))
    return takes_away and _follows(passage, index) and _speaks_to_people(passage, index)


def _speaks_to_people(passage: Passage, index: int) -> bool:
    return not speaks_to_a_machine(passage.sentences[index].text)


def _follows(passage: Passage, index: int) -> bool:
    """Whether it stands right after the sentence before it, not in another place."""
    before, here = passage.sentences[index - 1], passage.sentences[index]
    if before.page != here.page:
        return False
    if before.line_end is None or here.line_start is None:
        return True
    return here.line_start - before.line_end <= NEAR
