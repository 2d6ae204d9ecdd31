"""By their form some sentences and questions say nothing without the one before them.

"These must be submitted by May" refers to what "these" are; "This is how to apply" and "It is
best to ask" only look so.
"""

import re

from retrieval.language.question_parts import parts_of
from retrieval.language.words import SUBJECTLESS, words_of

_ANAPHORIC = re.compile(
    r"(?:(?:This|That|These|Those|Such|They|He|She|Its|Their|Both|Neither"
    r"|The (?:same|latter|former))\b(?! (?:is|are) (?:how|why|what|where)\b)"
    r"|It\b(?! (?:is|was|may be|can be|takes?|costs?|depends)\b.*\b(?:to|that|whether)\b)"
    r"|(?:However|But|Otherwise|Instead|Then|Also|Therefore|Thus|Hence|So|And|Or)\b"
    r"|(?:In|For) (?:this|that|these|those|such|both|either|all (?:these|other)) "
    r"|If (?:so|not|this|that|they|these|those)\b)"
)
MOST_BEFORE = 2
"""Sentences that are brought in for what is referred to."""
_PRONOUN = re.compile(r"(?:It|They|This|That|These|Those|He|She|Both|Its|Their)\b")
_CONTINUES = re.compile(r"(and|also|but|or|so|then|what about|how about)\b", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"(for|about|in|on|at|with|without|if|after|before|during|as|to|from|until|since|than)\b",
    re.IGNORECASE,
)
_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|will|would|must|may|should|has|have)"
_REFERS = re.compile(
    rf"\b{_AUXILIARY} (?:it|they|he|she|that|this|these|those)\b"  # who is it, when does it
    r"|\b(?:it|them|him|her|that|this|those|these|ones?|there)\s*(?:[?.!,]|$)"  # who pays for it
    r"|\b(?:for|of|about|with|to|on|in|by|from) (?:it|them|him|her|that|those|these)\b"
    r"|\b(?:they|them|he|she|him|her|its|these|those|same|that way)\b"
    r"|\bthis (?!week|month|year|term|semester|summer|winter|spring|autumn|fall)\w",
    re.IGNORECASE,
)
_PLEONASTIC = re.compile(
    r"\bit (?:costs?|takes?)\b.*?\bto\b"  # does it take long to ...
    rf"|\b{_AUXILIARY} it (?:possible|allowed|permitted|ok|okay|necessary|required|compulsory|"
    r"mandatory|enough|true|too late)(?: \w+){2,}"
    rf"|\b{_AUXILIARY} (?:this|that) (?:week|month|year|term|semester)\b",
    re.IGNORECASE,
)
"""The "it" of "is it possible to ..." stands for what follows."""
SHORT = 6
"""Words of a continuation that changes one thing: "and for part-timers?"."""


def is_anaphoric(sentence: str) -> bool:
    return bool(_ANAPHORIC.match(sentence))


def begins_with_pronoun(sentence: str) -> bool:
    """Whether it begins with what stands for something else: it may be about anything."""
    return bool(_PRONOUN.match(sentence))


def refers_to_what_was_asked(question: str) -> bool:
    """Whether the question's first part does; later parts refer to the first."""
    first = parts_of(question)[0].strip()
    if _CONTINUES.match(first) or not subjects_of(first):
        return True
    if _PREPOSITION.match(first) and len(first.split()) < SHORT:
        return True
    return bool(_REFERS.search(_PLEONASTIC.sub(" ", first)))


def is_short_continuation(question: str) -> bool:
    """Whether it changes one thing in what was asked before: "and for part-timers?"."""
    starts = _CONTINUES.match(question.strip()) or _PREPOSITION.match(question.strip())
    return bool(starts) and len(question.split()) <= SHORT


def subjects_of(question: str) -> list[str]:
    """The words that name what it is about."""
    return [word for word in words_of(question) if word not in SUBJECTLESS and len(word) > 1]
