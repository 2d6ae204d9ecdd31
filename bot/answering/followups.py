"""A follow-up is understood with the questions before it, without a language model.

Both mistakes are bad, but not equally: a follow-up that is searched alone is refused, a new
question that is dragged back to the old one is answered wrongly and with confidence. So first
only what refers to it by its form counts, any other follow-up only where nothing is found for it
alone, and what a short one adds must be in the evidence.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from retrieval.language.questions import (
    asks,
    is_short_continuation,
    refers_to_what_was_asked,
    says_something,
    subjects_of,
)
from retrieval.language.words import stems, words_of
from retrieval.search.ranking import first_of_each_text
from retrieval.types import Evidence, Passage

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""A row for each text, of length 1."""
LONGEST_MENDED = 40
"""Words of a question, or of what corrects it; more is left as it is."""
_MOST_MENDED = 4
MOST_RECALLED = 20
"""Earlier questions of a thread: its first, and the last ones."""
_GOES_ON = {("and",), ("and", "then"), ("so",), ("why",)}


def recalled(previous: Sequence[str]) -> tuple[str, ...]:
    """Those that a follow-up may refer to: however many there were, the first is among them."""
    left_out = max(len(previous) - MOST_RECALLED, 0)
    return (*previous[:1], *previous[1 + left_out :])


def goes_on(question: str) -> bool:
    """Whether it asks on and says nothing of its own: "and then?"."""
    return tuple(words_of(question)) in _GOES_ON


def asked_on(question: str, previous: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The question and those before it; of one that says nothing of its own the last before it."""
    if says_something(question):
        return question, previous
    said = [n for n, each in enumerate(previous) if says_something(each)]
    asked = [n for n in said if asks(previous[n])] or said
    return (previous[asked[-1]], previous[: asked[-1]]) if asked else (question, previous)


def standalone(question: str, previous: tuple[str, ...]) -> str:
    """The question with the thread's topic in front where it refers to it, else unchanged.

    It does where it starts as a continuation ("what about ..."), where a word refers back ("is it",
    "those"), or where it names no subject at all ("how long?").
    """
    leans = refers_to_what_was_asked(question)
    return with_its_subject(question, previous) if leans else question


def with_its_subject(question: str, previous: tuple[str, ...]) -> str:
    """The question with the thread's topic in front.

    Not every message asks: "great list, thanks" names nothing to go on from, and "yes" never.
    Nor does the same question, asked again.
    """
    return _joined(_topic(question, previous), question)


def corrected(correction: str, previous: tuple[str, ...], embed: Embed) -> str:
    """The correction with the thread's topic in front, without the words that it mends.

    Of "when is it open on Monday" and "typo, I meant Sunday" that is "Monday": of up to four words
    in a row those that are most like the correction, or the end of it.
    """
    topic = _topic(correction, previous)
    return _joined(_without_most_alike(topic, correction, embed), correction)


def _joined(topic: str, question: str) -> str:
    return f"{topic.rstrip(' ?.!')}: {question}" if topic else question


def _without_most_alike(topic: str, correction: str, embed: Embed) -> str:
    words, said = topic.rstrip(" ?.!").split(), correction.rstrip(" ?.!").split()
    if not said or not 1 < len(words) <= LONGEST_MENDED or len(said) > LONGEST_MENDED:
        return topic
    ends = range(1, len(words) + 1)
    spans = [(i, j) for j in ends for i in range(max(j - _MOST_MENDED, 0), j) if j - i < len(words)]
    old = embed([_bare(words[i:j]) for i, j in spans])
    new = embed([_bare(said[k:]) for k in range(len(said))])
    i, j = spans[int((new @ old.T).max(axis=0).argmax())]
    return " ".join((*words[:i], *words[j:]))


def _bare(words: Sequence[str]) -> str:
    return " ".join(words).strip(" *,:-")


def _topic(question: str, previous: tuple[str, ...]) -> str:
    """What the thread is about; empty for nothing.

    A question of one subject ("is there a form?") is a small one about the topic, however well
    it stands alone; only one of several begins another.
    """
    words = words_of(question)
    said = [each for each in previous if says_something(each) and words_of(each) != words]
    asked = [each for each in said if asks(each)] or said
    alone = [each for each in asked if not refers_to_what_was_asked(each)] or asked[:1]
    begun = alone[:1] + [each for each in alone[1:] if len(subjects_of(each)) > 1]
    return begun[-1] if begun else ""


def with_what_it_adds(evidence: Evidence, question: str, previous: tuple[str, ...]) -> Evidence:
    """The evidence that mentions what a short continuation changes; all for other questions.

    After "how much leave do I get", the passage that answers it is close to "and for
    contractors?" too, whether or not it says a word of contractors. The parts know it, for who
    copies sentences.
    """
    added = _added(question) if previous else frozenset()
    if not added:
        return evidence
    found = _kept(evidence, lambda passage: added <= _stems_of(passage))
    return replace(found, parts=tuple(replace(part, adds=added) for part in found.parts))


def with_what_it_asks(evidence: Evidence, question: str) -> Evidence:
    """The evidence, found with an earlier question, that has half the words of this one at least.

    What answered the earlier one is found with it again, whatever is asked now; of "a student got
    49, do we bump them up" most pages of a university have a word.
    """
    return _kept(evidence, lambda passage: _says_half_of(question, passage))


def _says_half_of(question: str, passage: Passage) -> bool:
    asked = stems(subjects_of(question))
    return 2 * len(asked & _stems_of(passage)) >= len(asked) > 0


def _kept(evidence: Evidence, keep: Callable[[Passage], bool]) -> Evidence:
    every = (*evidence.hits, *evidence.duplicates)
    hits, repeated = first_of_each_text([hit for hit in every if keep(hit.passage)])
    parts = evidence.parts if hits else tuple(replace(p, covered=False) for p in evidence.parts)
    return replace(evidence, hits=tuple(hits), duplicates=tuple(repeated), parts=parts)


def _added(question: str) -> frozenset[str]:
    """Stems that a short continuation brings in."""
    return stems(subjects_of(question)) if is_short_continuation(question) else frozenset()


def _stems_of(passage: Passage) -> frozenset[str]:
    document = passage.document
    text = f"{document.title} {document.file} {passage.heading} {passage.text}"
    return stems(words_of(text))
