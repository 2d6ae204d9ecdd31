"""Sentences that cannot be copied alone: what they lean on and what takes away from them.

"These must be submitted by May" says nothing without the sentence before it, and "Staff may
park here" is not true without "Visitors' bays are excepted" after it.
"""

from bot.answering.surroundings import leans_back, takes_away
from bot.answering.writers.answer_spans import Unit
from retrieval.language.anaphora import MOST_BEFORE
from retrieval.types import Passage


def stretch(passage: Passage, unit: Unit) -> Unit:
    """The unit with what must be copied with it."""
    first, last = unit
    start = first
    while first > max(0, start - MOST_BEFORE) and leans_back(passage, first):
        first -= 1
    return first, last + takes_away(passage, last + 1)
