"""A question is searched for as it was asked, and in other words only where that finds nothing."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from bot.answering.followups import (
    standalone,
    with_its_subject,
    with_what_it_adds,
    with_what_it_asks,
)
from bot.answering.query_rewriting import RewrittenQuery
from retrieval.language.questions import parts_of, things_compared
from retrieval.types import Eligibility, Evidence, QuestionPart

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

    others = [_joined(asked, adding)] if query == asked.text else []
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


def _joined(asked: RewrittenQuery, adding: Callable[[Evidence], Evidence]) -> Attempt:
    """With the earlier question in front.

    By their form two of five follow-ups do not show that they refer to it ("do I get a break
    halfway?").
    """
    return Attempt(
        with_its_subject(asked.text, asked.previous),
        lambda evidence: adding(with_what_it_asks(evidence, asked.text)),
    )


def _of_both(things: Sequence[str]) -> Attempt:
    """Of two things that are compared, where one document tells of both, and best of each.

    Pages that have a word of one of them are soon found, and say nothing of how they differ.
    """
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
