"""Retrievers rank what may be read; rankings are fused and ordered as the organisation does."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.language.words import FUNCTION_WORDS, stems, words_of
from retrieval.metadata.ontology import Ontology
from retrieval.ports import Match, PassageIndex
from retrieval.search.scores import (
    BM25,
    BM25_RANK,
    COSINE,
    DENSE_RANK,
    HIERARCHY,
    RECENCY,
    Scores,
    relevance_of,
)
from retrieval.types import Document, Eligibility, Hit, Passage, Scope, Stream

DENSE = "dense"


@dataclass(frozen=True, slots=True)
class Query:
    """A retriever may search with this."""

    text: str
    vector: NDArray[np.float32]
    """Of length 1."""


class Retriever(Protocol):
    """A retriever is one way to find passages."""

    @property
    def name(self) -> str:
        """The name by which a recipe chooses it; no two of a search have the same."""
        ...

    @property
    def score(self) -> str:
        """The name under which a hit keeps a match's score."""
        ...

    @property
    def rank(self) -> str:
        """The name under which a hit keeps a match's place, from 1."""
        ...

    def __call__(self, query: Query, scope: Scope) -> Sequence[Match]:
        """At most as many as it was made to return, best first, of what the scope may read.

        Each passage once; empty where nothing is found. Raise `IndexUnavailable`, or
        `IndexMismatch` where the index is another embedder's.
        """
        ...


@dataclass(frozen=True, slots=True)
class DenseRetriever:
    """It finds the passages whose vectors are closest to the query's."""

    index: PassageIndex
    most: int
    name: str = DENSE
    score: str = COSINE
    rank: str = DENSE_RANK

    def __call__(self, query: Query, scope: Scope) -> Sequence[Match]:
        return self.index.nearest(query.vector, scope, self.most)


@dataclass(frozen=True, slots=True)
class LexicalRetriever:
    """It finds the passages that share the rarest words with the query, by BM25."""

    index: PassageIndex
    most: int
    name: str = "bm25"
    score: str = BM25
    rank: str = BM25_RANK

    def __call__(self, query: Query, scope: Scope) -> Sequence[Match]:
        return self.index.lexical(query.text, scope, self.most)


DAYS_IN_YEAR = 365.25


def reciprocal_rank_fusion(rankings: Sequence[Sequence[str]], k: int) -> dict[str, float]:
    """Score by id: the sum of 1 / (k + rank) over the rankings that hold it.

    Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and
    individual rank learning methods", SIGIR 2009; they use k = 60.
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, passage_id in enumerate(ranking, start=1):
            scores[passage_id] = scores.get(passage_id, 0.0) + 1 / (k + rank)
    return scores


def recency_points(effective: date | None, on: date, most: float, years: float) -> float:
    """From `most` today, or ahead, falling evenly to 0 at `years`; 0 where no date is stated."""
    if effective is None:
        return 0.0
    age = max(0, (on - effective).days) / (DAYS_IN_YEAR * years)
    return max(0.0, most * (1 - age))


def standing(ontology: Ontology, document: Document, scope: Scope) -> Scores:
    """By which one of two rules prevails for the readers of a scope."""
    recency, metadata = ontology.recency, document.metadata
    return {
        HIERARCHY: ontology.hierarchy_score(metadata, scope),
        RECENCY: recency_points(metadata.effective, scope.on, recency.points, recency.years),
    }


def in_force_first(
    documents: Iterable[Document], ontology: Ontology, scope: Scope
) -> list[Document]:
    """Those first that would prevail over the others, were they about the same; then the newer."""
    newest = sorted(documents, key=lambda e: e.metadata.effective or date.min, reverse=True)
    return sorted(newest, key=lambda e: -sum(standing(ontology, e, scope).values()))


SpeaksToTheSame = Callable[[Passage, Passage], bool]
"""Whether two passages speak to the same thing."""


def headed_alike(one: Passage, other: Passage) -> bool:
    """Whether the nearest heading of one has all the words that the other's has."""
    first, second = _named(one), _named(other)
    return bool(first and second) and (first <= second or second <= first)


def _named(passage: Passage) -> frozenset[str]:
    """What its section is named by: stems, without numbers such as "6.1"."""
    words = words_of(passage.section_path[-1]) if passage.section_path else []
    return stems(word for word in words if word not in FUNCTION_WORDS and not word.isdigit())


def organisational_order(hits: Sequence[Hit], same: SpeaksToTheSame) -> list[Hit]:
    """Let hierarchy and recency order the hits that speak to the same thing.

    `hits` come best first. Each non-academic one joins the first earlier group whose
    leading passage speaks to the same thing; a group stands where its best member
    stood, and inside it the person's own unit comes first, then what is more recent.
    Members of a lower level are marked as overridden by the group's first.
    """
    groups: list[list[Hit]] = []
    for hit in hits:
        group = (
            None
            if hit.passage.document.metadata.stream is Stream.ACADEMIC
            else next((g for g in groups if _joins(hit, g[0], same)), None)
        )
        if group is None:
            groups.append([hit])
        else:
            group.append(hit)
    return [hit for group in groups for hit in _prevailing_first(group)]


def _joins(hit: Hit, leader: Hit, same: SpeaksToTheSame) -> bool:
    return leader.passage.document.metadata.stream is not Stream.ACADEMIC and same(
        leader.passage, hit.passage
    )


def _prevailing_first(group: list[Hit]) -> list[Hit]:
    ordered = sorted(group, key=lambda hit: -authority(hit))
    first = ordered[0]
    return [first] + [
        replace(hit, overridden_by=first.passage.passage_id)
        if hit.scores.get(HIERARCHY, 0.0) < first.scores.get(HIERARCHY, 0.0)
        else hit
        for hit in ordered[1:]
    ]


def first_of_each_text(hits: Sequence[Hit]) -> tuple[list[Hit], list[Hit]]:
    """Those whose text is new, and those that repeat it; what is overridden repeats nothing."""
    seen: set[str] = set()
    first: list[Hit] = []
    repeated: list[Hit] = []
    for hit in hits:
        (repeated if hit.passage.text in seen else first).append(hit)
        if hit.overridden_by is None:
            seen.add(hit.passage.text)
    return first, repeated


def best_relevance(hits: Iterable[Hit]) -> float:
    """0 to 1, of those that may speak for themselves: no other's, in English, and reread."""
    silent = (Eligibility.NOT_REREAD, Eligibility.OF_ANOTHER, Eligibility.NOT_ENGLISH)
    return max((relevance_of(h.scores) for h in hits if h.eligibility not in silent), default=0.0)


def best_of(rankings: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Every hit once, by the best of its places, as it was judged best."""
    places: dict[str, int] = {}
    best: dict[str, Hit] = {}
    for ranking in rankings:
        for place, hit in enumerate(ranking):
            passage_id = hit.passage.passage_id
            places[passage_id] = min(place, places.get(passage_id, place))
            if passage_id not in best or _judged(hit) > _judged(best[passage_id]):
                best[passage_id] = hit
    return sorted(best.values(), key=lambda h: (places[h.passage.passage_id], -_judged(h)[1]))


def _judged(hit: Hit) -> tuple[bool, float]:
    """Whether it is eligible, then its relevance: larger is better."""
    eligible = hit.eligibility is not None and hit.eligibility.eligible
    return eligible, relevance_of(hit.scores)


def authority(hit: Hit) -> float:
    """The sum of its level and recency, by which one of two rules prevails."""
    return hit.scores.get(HIERARCHY, 0.0) + hit.scores.get(RECENCY, 0.0)
