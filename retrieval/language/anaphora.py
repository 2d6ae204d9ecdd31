"""By their form some sentences and questions say nothing without the one before them.

"These must be submitted by May" refers to what "these" are; "This is how to apply" and "It is
best to ask" only look so.
"""

import re

from retrieval.language.asking import asks, opens_a_question, says_something
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
_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|will|would|must|may|should|has|have)"
_REFERS = re.compile(
    rf"\b{_AUXILIARY} (?:it|they|he|she|that|this|these|those)\b"  # who is it, when does it
    r"|\b(?:it|them|him|her|that|this|those|these|ones?|there)\s*(?:[?.!,]|$)"  # who pays for it
    r"|\b(?:for|of|about|with|to|on|in|by|from) (?:it|them|him|her|that|those|these)\b"
    r"|\b(?:they|them|he|she|him|her|its|these|those|that way)\b"
    r"|^same\b|\bthe same\b(?= (?:appl|go|hold|for|true|rule)|\s*(?:[?.!,]|$))"
    r"|\bthis (?!week|month|year|term|semester|summer|winter|spring|autumn|fall)\w",
    re.IGNORECASE,
)
_PLEONASTIC = re.compile(
    r"\bit (?:costs?|takes?)\b.*?\bto\b"  # does it take long to ...
    rf"|\b{_AUXILIARY} it (?:possible|allowed|permitted|ok|okay|necessary|required|compulsory|"
    r"mandatory|enough|true|too late)(?: \w+){2,}"
    rf"|\b{_AUXILIARY} (?:this|that) (?:week|month|year|term|semester)\b"
    r"|\bit (?:(?:going to )?be )?(?:rain|snow|sunny|cloudy|windy|cold|hot|warm)\w*"
    r"|\bwhat (?:time|day|date|month|year) is it(?= now| today|\s*(?:[?.!,]|$))",
    re.IGNORECASE,
)
"""The "it" of "is it possible to ..." stands for what follows, that of the weather for nothing."""
_ASKS_ON = rf"\b(?:how|what|where|why|who|which|{_AUXILIARY} (?:i|we|you|the|an?|my|our|some))\b"
_CLAUSE_BEGINS = re.compile(
    rf"[,.;:!?()]|\b(?:if|when|because|since|and|but|so|while|after|before|that)\b|{_ASKS_ON}",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:an?|my|our|your|his|her|every|each|any|some|another) \w", re.IGNORECASE)
_TOLD = re.compile(
    r"\b(?:some|any|every)(?:one|body)\b|\bpeople\b"
    r"|\b(?!does|has|was|this|his|its|yes|always|thanks|hers|theirs)[a-z]{2,}[^\Wsui]s\b"
    rf"|\bthe \w+(?: \w+)? (?:{_AUXILIARY}|got|says?|[a-z]+ed)\b"
    r"|(?:^|\b(?:if|when) )(?:i|we) (?!see\b|know\b|think\b|mean\b|guess\b|understand\b)\w+ \w",
    re.IGNORECASE,
)
"""What else "they" and "it" after it may stand for. "The form" alone may be an earlier one; a
plural, "if I hand in late" and "the printer is broken" tell something new."""
_DEMONSTRATIVE = re.compile(r"\b(?:that|this|those|these|same|ones?|there)\b", re.IGNORECASE)
SHORT = 6
"""Words of a continuation that changes one thing: "and for part-timers?"."""


def is_anaphoric(sentence: str) -> bool:
    return bool(_ANAPHORIC.match(sentence))


def begins_with_pronoun(sentence: str) -> bool:
    """Whether it begins with what stands for something else: it may be about anything."""
    return bool(_PRONOUN.match(sentence))


def refers_to_what_was_asked(question: str) -> bool:
    """Whether the question's first part does; later parts refer to the first.

    Not where it says nothing ("a"), and not where it names itself what its pronouns stand for:
    "a student got 49, do we bump them up".
    """
    first = parts_of(question)[0].strip()
    if not says_something(first):
        return False
    if _continues(first) or not subjects_of(first):
        return True
    literal = _PLEONASTIC.sub(" ", first)
    pronoun = _REFERS.search(literal)
    return pronoun is not None and not _is_named_before(literal, pronoun)


def stands_alone(question: str) -> bool:
    """Whether it asks of several things that it names, and refers to no earlier question."""
    return (
        asks(question) and len(subjects_of(question)) > 1 and not refers_to_what_was_asked(question)
    )


def _continues(question: str) -> bool:
    """Whether it begins as what goes on does, and is no whole question of its own after that.

    "And for part-timers?" goes on, "And how often are lifts inspected?" does not.
    """
    led = _CONTINUES.match(question)
    if led is None:
        return False
    own = question[led.end() :].lstrip(" ,")
    is_whole = opens_a_question(own) and len(subjects_of(own)) > 1
    return not is_whole or _CONTINUES.match(own) is not None


def _is_named_before(question: str, pronoun: re.Match[str]) -> bool:
    """Whether a clause before the pronoun's own names something."""
    before = question[: pronoun.start()]
    begins = list(_CLAUSE_BEGINS.finditer(before))
    asks_on = begins and re.match(_ASKS_ON, begins[-1][0], re.IGNORECASE)
    inverted = re.match(_AUXILIARY, pronoun[0], re.IGNORECASE) and not asks_on
    told = before if inverted else before[: begins[-1].start() if begins else 0]
    if _NAMED.search(told):
        return True
    return bool(_TOLD.search(told)) and not _DEMONSTRATIVE.search(pronoun[0])


def is_short_continuation(question: str) -> bool:
    """Whether it changes one thing in what was asked before: "and for part-timers?"."""
    return _continues(question.strip()) and len(question.split()) <= SHORT


def subjects_of(question: str) -> list[str]:
    """The words that name what it is about."""
    return [word for word in words_of(question) if word not in SUBJECTLESS and len(word) > 1]
