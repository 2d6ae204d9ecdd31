"""Sentences that cannot be copied alone: what they lean on and what takes away from them.

"These must be submitted by May" says nothing without the sentence before it, and "Staff may
park here" is not true without "Visitors' bays are excepted" after it.
"""

from bot.answering.surroundings import refers_back, takes_away
from bot.answering.writers.answer_spans import AnswerSpan
from retrieval.language.anaphora import MOST_BEFORE
from retrieval.types import Passage


def whole_span(passage: Passage, span: AnswerSpan) -> AnswerSpan:
    """The span with what must be copied with it."""
    first, last = span
    start = first
    while first > max(0, start - MOST_BEFORE) and refers_back(passage, first):
        first -= 1
    return first, last + takes_away(passage, last + 1)
