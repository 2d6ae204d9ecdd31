"""A language model may read the best of a ranking, all in one request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from retrieval.ports import ListwiseReranker
from retrieval.scores import RELEVANCE, relevance_of
from retrieval.types import Eligibility, Hit


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking is hits, best first, and what it took to rank them."""

    hits: Sequence[Hit]
    tokens: Mapping[str, int] = field(default_factory=dict)
    """Of a language model; empty where none was asked."""
    degraded: str = ""
    """What had to be done without; empty where nothing had."""


def reranked(model: ListwiseReranker, question: str, hits: Sequence[Hit], most: int) -> Ranking:
    """The first `most` by what the model makes of them; it takes the others out of the running.

    What it leaves out answers nothing. Raise what the model raises.
    """
    best, others = hits[:most], hits[most:]
    if not best:
        return Ranking(hits)
    read = model(question, [hit.passage for hit in best])
    if read.degraded:
        return Ranking(hits, read.tokens, read.degraded)
    judged = [
        replace(
            hit,
            scores={**hit.scores, RELEVANCE: read.relevance.get(hit.passage.passage_id, 0.0)},
            eligibility=None,
        )
        for hit in best
    ]
    unread = (replace(hit, eligibility=Eligibility.NOT_REREAD) for hit in others)
    return Ranking(
        [*sorted(judged, key=lambda hit: -relevance_of(hit.scores)), *unread], read.tokens
    )
