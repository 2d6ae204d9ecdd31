"""Named numbers lead to a hit's place; each has its unit and range here.

Thresholds on them stand here too where they hold in more than one module; any other stands where it
decides something.
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
FUSION: Final = "fusion"
"""Reciprocal rank fusion of the retrievers: the sum of 1 / (k + rank), 0 to the number of
retrievers / (k + 1)."""
LOGIT: Final = "logit"
"""The cross-encoder's raw score, unbounded, about -10 to 10."""
WINDOW_LOGIT: Final = "window_logit"
"""The best logit of its windows, see `rerank.WindowReranker`."""
RELEVANCE: Final = "relevance"
"""How surely the passage answers, 0 to 1, as calibrated."""
READ_RELEVANCE: Final = "read_relevance"
"""The same by the reranker alone, of a passage in which something is looked up: see `LOOKED_UP`."""
HIERARCHY: Final = "hierarchy"
"""The level's points, 0 to 100: the person's own unit's, else the organisation's."""
RECENCY: Final = "recency"
"""0 to the most points that recency gives."""


def relevance_of(scores: Scores) -> float:
    """0 to 1; 0 where nothing judged it."""
    return scores.get(RELEVANCE, 0.0)


def reranked_logit(scores: Scores) -> float | None:
    """The mean of a passage's logit and its best window's, the first alone, or None."""
    logits = [scores[name] for name in (LOGIT, WINDOW_LOGIT) if name in scores]
    return sum(logits) / len(logits) if logits else None


RELEVANT: Final = 0.7
"""Relevance, 0 to 1, from which a passage is evidence. It is that of the published
accountable-RAG system; what this one's probabilities mean under it is settled by the calibration,
and what it is worth stands in `docs/measurements.md` (recipe `no-threshold`)."""
LOOKED_UP: Final = 0.97
"""Relevance of a passage of which a question looks a cell up, or a numbered item. Of 1,980
questions about 330 small tables 246 look a cell up, and for 243 of these the rows that they name
hold the answer; of items it was not measured."""
READ: Final = 0.05
"""Relevance, 0 to 1, from which a language model reads a passage: it tells better than the bundled
models whether a passage answers, and need not be kept from it. Chosen on the calibration split of
the 18F questions: there the answering passage is among the five that are read for 40 of 45
answerable questions at 0.02 and 0.05, for 39 at 0.1, 35 at 0.2 and 16 at 0.7, at 4.8 passages a
question with 0.05 and 4.2 with 0.1."""
ENTAILED: Final = 0.5
"""Probability, 0 to 1, from which a premise entails a claim: the model's more probable side. Not
tuned; the figures on the models' card are measured at it."""
SURELY_ENTAILED: Final = 0.97
"""The same where a claim is in doubt: of six that were tried on 2,478 labelled claims the lowest at
which at most 5 % of the invented connections passed, those worded as in training and the others
alike. What it lets pass with the present model stands on the models' card."""
ABOUT: Final = 0.26
"""Cosine of the embedder that ships, from which a passage is about what was asked, whether or not
it answers. Of 870 calibration questions 95 of 100 passages that answer reach it; in the sample
nothing does for questions about bread, jokes or the world cup (0.11 to 0.19), and the parking page
does (0.44) for what a permit costs, which it leaves open."""
ON_TOPIC: Final = 0.35
"""Cosine of the embedder that ships, of a word or two and a document's title or passage, from which
the document is on that where another one names it. Not measured: chosen so that "travel" brings a
page called Mileage (0.38) and not the canteen's (0.21)."""
ON_TOPIC_ALONE: Final = 0.5
"""The same where no document names it. Not measured: "library" and "Canteen" have 0.43."""
