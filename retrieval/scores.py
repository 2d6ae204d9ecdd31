"""Named numbers lead to a hit's place; each has its unit and range here.

Scores are one mapping from a name to a value. A score that no stage gave is absent from it, so
that a new retriever or stage brings its own name and changes nothing else.
"""

from collections.abc import Mapping
from typing import Final

Scores = Mapping[str, float]

COSINE: Final = "cosine"
"""Of question and passage vectors, -1 to 1."""
DENSE_RANK: Final = "dense_rank"
"""The place in the dense search, a whole number from 1."""
BM25: Final = "bm25"
"""0 or more, unbounded; comparable within one index only. It moves with words of documents that
the reader may not see, so no record keeps it."""
BM25_RANK: Final = "bm25_rank"
"""The place in the lexical search, a whole number from 1."""
ENTRY_COSINE: Final = "{kind}_entry_cosine"
"""Of question and nearest entry of a kind (`question_entry_cosine` for one), -1 to 1."""
ENTRY_RANK: Final = "{kind}_entry_rank"
"""The place in the search among entries of that kind, a whole number from 1."""
BLEND: Final = "blend"
"""0.6 of the passage's cosine and 0.4 of that of its document's nearest question, -1 to 1; the
passage's alone where its document has no questions."""
BLEND_RANK: Final = "blend_rank"
"""The place by that blend, a whole number from 1."""
OF_QUESTIONS: Final = frozenset({ENTRY_COSINE.format(kind="question"), BLEND})
"""What tells how near a question comes to another. Where questions of readers are entries, it tells
what others asked, so no record keeps it."""
FUSION: Final = "fusion"
"""Reciprocal rank fusion of the retrievers that are weighed (`Retriever.weighed`): the sum of
1 / (k + rank), 0 to the number of retrievers / (k + 1)."""
LOGIT: Final = "logit"
"""The cross-encoder's raw score, unbounded, about -10 to 10."""
WINDOW_LOGIT: Final = "window_logit"
"""The best logit of its windows, see `rerank.WindowReranker`."""
RELEVANCE: Final = "relevance"
"""How surely the passage answers, 0 to 1, as calibrated."""
HIERARCHY: Final = "hierarchy"
"""The level's points, 0 to 100: the person's own unit's, else the organisation's."""
RECENCY: Final = "recency"
"""0 to the most points that recency gives."""


def relevance_of(scores: Scores) -> float:
    """0 to 1; 0 where nothing judged it."""
    return scores.get(RELEVANCE, 0.0)


def reranked_logit(scores: Scores) -> float | None:
    """Of which the relevance is made: the mean of a passage's logit and its best window's.

    The first alone where it was not reread; None where nothing read it.
    """
    logits = [scores[name] for name in (LOGIT, WINDOW_LOGIT) if name in scores]
    return sum(logits) / len(logits) if logits else None
