"""Making a follow-up understood with the questions before it, without a language model.

Both mistakes are bad, but not equally: a follow-up that is searched alone is refused, a new
question that is dragged back to the old one is answered wrongly and with confidence. So first
only what leans by its form counts, any other follow-up only where nothing is found for it alone,
and what a short one adds must be in the evidence.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from bot.answering.parts import parts_of
from retrieval.language.asking import asks, says_something
from retrieval.ranking import first_of_each_text
from retrieval.types import Evidence, Passage

_CONTINUES = re.compile(r"(and|also|but|or|so|then|what about|how about)\b", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"(for|about|in|on|at|with|without|if|after|before|during|as|to|from|until|since|than)\b",
    re.IGNORECASE,
)
_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|will|would|must|may|should|has|have)"
_POINTS = re.compile(
    rf"\b{_AUXILIARY} (?:it|they|he|she|that|this|these|those)\b"  # who is it, when does it
    r"|\b(?:it|them|him|her|that|this|those|these|ones?|there)\s*(?:[?.!,]|$)"  # who pays for it
    r"|\b(?:for|of|about|with|to|on|in|by|from) (?:it|them|him|her|that|those|these)\b"
    r"|\b(?:they|them|he|she|him|her|its|these|those|same|that way)\b"
    r"|\bthis (?!week|month|year|term|semester|summer|winter|spring|autumn|fall)\w",
    re.IGNORECASE,
)
_POINTS_AT_NOTHING = re.compile(
    r"\bit (?:costs?|takes?)\b.*?\bto\b"  # does it take long to ...
    rf"|\b{_AUXILIARY} it (?:possible|allowed|permitted|ok|okay|necessary|required|compulsory|"
    r"mandatory|enough|true|too late)(?: \w+){2,}"
    rf"|\b{_AUXILIARY} (?:this|that) (?:week|month|year|term|semester)\b",
    re.IGNORECASE,
)
"""The "it" of "is it possible to ..." stands for what follows."""
_EMPTY_WORDS = frozenset(
    """
    a about after all also am an and any are as at be been before but by can cost costs could
    did do does during for from get had has have he her him his how i if in is it its long many
    may me more most much must my need needs no not of on or our she should since so take takes
    than that the their them then there these they this those to too until us was we were what
    when where which who whom whose why will with without would you your
    """.split()  # noqa: SIM905  # a list of words reads as one
)
"""Words by which no subject is named."""
_WORD = re.compile(r"[^\W_]+")
SHORT = 6
"""Words of a continuation that changes one thing: "and for part-timers?"."""
STEM = 5
"""First letters by which two forms of an English word are taken for one."""


def standalone(question: str, previous: tuple[str, ...]) -> str:
    """The question with the earlier one in front where it leans on it, else unchanged.

    It leans where it starts as a continuation ("what about ...", "for ..."), where a word
    points back ("is it", "those"), or where it names no subject at all ("how long?").
    """
    return with_its_subject(question, previous) if previous and _leans(question) else question


def with_its_subject(question: str, previous: tuple[str, ...]) -> str:
    """The question with the nearest earlier one in front that names a subject.

    Not every message asks: "great list, thanks" names nothing to go on from, and "yes" never.
    """
    said = [each for each in previous if says_something(each)]
    asked = [each for each in said if asks(each)] or said
    if not asked:
        return question
    subject = next((each for each in reversed(asked) if not _leans(each)), asked[0])
    return f"{subject.rstrip(' ?.!')}: {question}"


def with_what_it_adds(evidence: Evidence, question: str, previous: tuple[str, ...]) -> Evidence:
    """The evidence that mentions what a short continuation changes; all for other questions.

    After "how much leave do I get", the passage that answers it is close to "and for
    contractors?" too, whether or not it says a word of contractors.
    """
    added = _added(question) if previous else frozenset()
    return _kept(evidence, lambda passage: added <= _stems_of(passage)) if added else evidence


def with_what_it_asks(evidence: Evidence, question: str) -> Evidence:
    """The evidence, found with an earlier question, that has a word of this one at least.

    What answered the earlier one is found with it again, whatever is asked now.
    """
    asked = {word[:STEM] for word in _subjects(question)}
    return _kept(evidence, lambda passage: bool(asked & _stems_of(passage)))


def _kept(evidence: Evidence, keep: Callable[[Passage], bool]) -> Evidence:
    every = (*evidence.hits, *evidence.duplicates)
    hits, repeated = first_of_each_text([hit for hit in every if keep(hit.passage)])
    parts = evidence.parts if hits else tuple(replace(p, covered=False) for p in evidence.parts)
    return replace(evidence, hits=tuple(hits), duplicates=tuple(repeated), parts=parts)


def _leans(question: str) -> bool:
    """Whether its first part does; later parts lean on the first."""
    first = parts_of(question)[0].strip()
    if _CONTINUES.match(first) or not _subjects(first):
        return True
    if _PREPOSITION.match(first) and len(first.split()) < SHORT:
        return True
    return bool(_POINTS.search(_POINTS_AT_NOTHING.sub(" ", first)))


def _added(question: str) -> frozenset[str]:
    """Stems that a short continuation brings in."""
    starts = _CONTINUES.match(question.strip()) or _PREPOSITION.match(question.strip())
    if not starts or len(question.split()) > SHORT:
        return frozenset()
    return frozenset(word[:STEM] for word in _subjects(question))


def _stems_of(passage: Passage) -> set[str]:
    document = passage.document
    text = f"{document.title} {document.file} {passage.heading} {passage.text}"
    return {word[:STEM] for word in _words(text)}


def _subjects(text: str) -> list[str]:
    return [word for word in _words(text) if word not in _EMPTY_WORDS and len(word) > 1]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
