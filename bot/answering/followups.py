"""A follow-up is understood with the questions before it, without a language model.

What is dragged back to an old question is answered wrongly, and with confidence. So first only
what refers to it by its form counts, any other only where nothing is found for it alone.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bot.answering.query_rewriting import RewrittenQuery
from retrieval.language.questions import (
    asks,
    is_short_continuation,
    parts_of,
    refers_to_what_was_asked,
    says_something,
    subjects_of,
    things_compared,
)
from retrieval.language.words import stems, words_of
from retrieval.search.ranking import first_of_each_text
from retrieval.types import Eligibility, Evidence, Passage, QuestionPart

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""A row for each text, of length 1."""
LONGEST_MENDED = 40
"""Words of a question, or of what corrects it; more is left as it is."""
_MOST_MENDED = 4
_MARKS = " *,:-"
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
    """The question with the thread's topic in front where it refers to it, else unchanged."""
    leans = refers_to_what_was_asked(question)
    return with_its_subject(question, previous) if leans else question


def with_its_subject(question: str, previous: tuple[str, ...]) -> str:
    """The question with the thread's topic in front.

    Not every message asks: "great list, thanks" names nothing to go on from, and "yes" never.
    Nor does the same question, asked again.
    """
    return _joined(_topic(question, previous), question)


def corrected(
    correction: str, previous: tuple[str, ...], embed: Embed, corrects: Callable[[str], bool]
) -> str:
    """The thread's topic with what a correction says in place of what that mends.

    Of "when is it open on Monday" and "typo, I meant Sunday": "when is it open on Sunday". Mended
    are up to four words in a row, those that are most like it; before what it says stands what
    makes a correction of it, by `corrects`.
    """
    topic = _topic(correction, previous)
    words, said = topic.rstrip(" ?.!").split(), correction.rstrip(" ?.!").split()
    if not said or not 0 < len(words) <= LONGEST_MENDED or len(said) > LONGEST_MENDED:
        return _joined(topic, correction)
    ends = (" ".join(said[at:]) for at in range(len(said)))
    new = next((each for each in ends if not corrects(each)), " ".join(said)).strip(_MARKS)
    spans = [(i, j) for j in range(1, len(words) + 1) for i in range(max(j - _MOST_MENDED, 0), j)]
    old = [" ".join(words[i:j]).strip(_MARKS) for i, j in spans]
    alike = embed(old) @ embed([new])[0]
    best = max(range(len(spans)), key=lambda at: (old[at].casefold() != new.casefold(), alike[at]))
    i, j = spans[best]
    return " ".join((*words[:i], new, *words[j:]))


def _joined(topic: str, question: str) -> str:
    return f"{topic.rstrip(' ?.!')}: {question}" if topic else question


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
    """The evidence that mentions what a short continuation changes; all for other questions."""
    added = _added(question) if previous else frozenset()
    if not added:
        return evidence
    found = _kept(evidence, lambda passage: added <= _stems_of(passage))
    return replace(found, parts=tuple(replace(part, adds=added) for part in found.parts))


def with_what_it_asks(evidence: Evidence, question: str) -> Evidence:
    """What was found with an earlier question and has half the words of this one at least."""
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
    return stems(subjects_of(question)) if is_short_continuation(question) else frozenset()


def _stems_of(passage: Passage) -> frozenset[str]:
    document = passage.document
    text = f"{document.title} {document.file} {passage.heading} {passage.text}"
    return stems(words_of(text))


MOST_PARTS = 5
"""Of a question, since for each the best passages are reread; what else it asks is missing."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt is one wording to search for a question in."""

    query: str
    keep: Callable[[Evidence], Evidence]
    """What of its evidence answers what was asked; it only narrows."""
    parts: Sequence[str] = ()
    """To be searched for each by itself, where there are several."""


def attempts_of(asked: RewrittenQuery) -> list[Attempt]:
    """Those that may be made for a question, in their order; the first is always made."""
    query = standalone(asked.text, asked.previous)
    asks = asked.parts or parts_of(asked.text)
    if len(asks) > 1:
        return [_of_several(query, asked, asks[:MOST_PARTS], asks[MOST_PARTS:])]

    def adding(evidence: Evidence) -> Evidence:
        return with_what_it_adds(evidence, asked.text, asked.previous)

    others = [_with_earlier(asked, adding)] if query == asked.text else []
    if things := things_compared(query):
        others.append(_of_both(things))
    return [Attempt(query, adding), *(each for each in others if each.query != query)]


def chosen(
    attempts: Iterable[Attempt], search: Callable[[Attempt], Evidence]
) -> tuple[Evidence, tuple[Attempt, ...]]:
    """The evidence of the first attempt that has some, else of the first of all; and all made."""
    made: list[Attempt] = []
    found: list[Evidence] = []
    tokens = Counter[str]()
    for attempt in attempts:
        searched = search(attempt)
        tokens += Counter(searched.tokens)
        made.append(attempt)
        found.append(attempt.keep(searched))
        if found[-1].plain:
            break
    told = found[-1] if found[-1].plain else found[0]
    return replace(told, tokens=dict(tokens)), tuple(made)


def _with_earlier(asked: RewrittenQuery, adding: Callable[[Evidence], Evidence]) -> Attempt:
    """With the earlier question in front.

    By their form two of five follow-ups do not show that they refer to it ("do I get a break
    halfway?").
    """
    return Attempt(
        with_its_subject(asked.text, asked.previous),
        lambda evidence: adding(with_what_it_asks(evidence, asked.text)),
    )


def _of_both(things: Sequence[str]) -> Attempt:
    """Of two things that are compared, where one document tells of both, and best of each."""
    together = " and ".join(things)

    def told(evidence: Evidence) -> Evidence:
        best = [part.best for part in evidence.parts if part.best and part.covered]
        documents = {hit.passage.document.document_id for hit in best}
        known = len(best) == len(evidence.parts) and len(documents) == 1
        return replace(evidence, hits=evidence.hits if known else (), parts=evidence.parts[1:])

    return Attempt(together, told, (together, *things))


def by_steps(query: str, steps: Sequence[str]) -> Attempt:
    """Of a question that takes two steps, where each finds what answers it whoever reads that."""

    def both(evidence: Evidence) -> Evidence:
        best = [part.best for part in evidence.parts if part.best and part.covered]
        sure = [hit for hit in best if hit.eligibility is not Eligibility.OVER_FLOOR]
        return evidence if len(sure) == len(steps) else replace(evidence, hits=())

    return Attempt(query, both, steps)


def _of_several(
    query: str, asked: RewrittenQuery, texts: Sequence[str], unsought: Sequence[str]
) -> Attempt:
    """A part refers to those before it, where no model made it stand alone."""
    parts = (
        texts
        if asked.parts
        else [standalone(text, (*asked.previous, *texts[:n])) for n, text in enumerate(texts)]
    )
    own_words = dict(zip(parts, texts, strict=True))
    left = tuple(QuestionPart(text, relevance=0.0, covered=False) for text in unsought)

    def named(evidence: Evidence) -> Evidence:
        own = (replace(part, asked=own_words[part.text]) for part in evidence.parts)
        return replace(evidence, parts=(*own, *left))

    return Attempt(query, named, parts)
