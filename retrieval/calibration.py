"""Logistic regression over named features makes a score a probability."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from retrieval.scores import (
    BARE_COSINE,
    BARE_LOGIT,
    COSINE,
    FUSION,
    LOGIT,
    SENTENCE_COSINE,
    SENTENCE_LOGIT,
)

PASSAGE = (LOGIT, COSINE, FUSION)
"""What is known of every candidate. Raw BM25 is none of it: it means something else in another
index, where its rank, which is in the fusion, does not."""
SENTENCES = (*PASSAGE, SENTENCE_LOGIT, SENTENCE_COSINE, BARE_LOGIT, BARE_COSINE)
"""What is known of a candidate that was reread sentence by sentence, and tells whether the best
of them answers. How long a question is, or which of its words a passage lacks, would tell more
on the labelled questions, but only since those without an answer are shorter in some sets."""


@dataclass(frozen=True, slots=True)
class LogisticWeights:
    """There is a bias, and a weight for each feature; a feature without one does not count."""

    bias: float
    weights: Mapping[str, float]

    def probability(self, features: Mapping[str, float]) -> float:
        """0 to 1; raise `KeyError` where a weighted feature is missing."""
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, self.log_odds(features)))))

    def log_odds(self, features: Mapping[str, float]) -> float:
        """Raise `KeyError` where a weighted feature is missing."""
        return self.bias + sum(weight * features[name] for name, weight in self.weights.items())

    def shifted(self, by: float) -> "LogisticWeights":
        """All log odds moved by as much."""
        return replace(self, bias=self.bias + by)


@dataclass(frozen=True, slots=True)
class RelevanceCalibration:
    """`vouch calibrate` fits it on labelled questions.

    A raw logit (about -10 to 10) says nothing at 0.7 before. Cosine and lexical rank join it
    because the bundled cross-encoder was trained as a term added to the cosine, and ranks
    badly alone. Fitted as probabilities, then shifted until few unanswerable questions have
    a passage over the threshold.
    """

    reranking: LogisticWeights
    """Of every candidate, by what is known of it whole."""
    sentence_reranking: LogisticWeights | None
    """The order of what was reread; None leaves sentence reranking out."""
    answering: LogisticWeights | None = None
    """The probability that one of those answers. To find the best of a few passages and to tell
    whether it answers are two questions: weights that are fitted on all candidates learn the
    first, since most questions have an answer and most candidates are wrong. None takes the
    weights of the order."""
    near: float = 0.0
    """The cosine that nearly every passage reaches which does answer. One under it is about
    something else, and not worth naming to somebody whose question has no answer; relevance
    cannot tell, since a passage on the same topic that does not answer has almost none."""

    def log_odds(self, scores: Mapping[str, float], *, reread: bool) -> float:
        last = self.of_reread if reread else None
        return (last or self.reranking).log_odds(scores)

    @property
    def of_reread(self) -> LogisticWeights | None:
        """Of the relevance of what was reread."""
        return self.answering or self.sentence_reranking

    def weighs(self, feature: str) -> bool:
        """Whether a score counts anywhere."""
        every = (self.reranking, self.sentence_reranking, self.answering)
        return any(weights is not None and feature in weights.weights for weights in every)

    def shifted(self, by: float) -> "RelevanceCalibration":
        """All log odds moved by as much."""
        order, answering = self.sentence_reranking, self.answering
        return replace(
            self,
            reranking=self.reranking.shifted(by),
            sentence_reranking=order and order.shifted(by),
            answering=answering and answering.shifted(by),
        )


UNFITTED = LogisticWeights(0.0, {})
"""Knows nothing: a probability of 0.5 whatever the features."""
UNCALIBRATED = RelevanceCalibration(LogisticWeights(0.0, {"logit": 1.0}), None)
"""The plain sigmoid, for a model that nobody has calibrated yet."""
