"""The reranker: a cross-encoder's logit made a probability that can be gated on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.ports import CrossEncoder, RerankPair, RerankScore


@dataclass(frozen=True, slots=True)
class RelevanceCalibration:
    """A logistic regression over what is known of a pair.

    A raw logit (about -10 to 10) says nothing at 0.7 until its weights were fitted on
    labelled questions (`vouch calibrate`). Cosine and BM25 join it because the bundled
    cross-encoder was trained as a term added to the cosine, and ranks badly alone.
    """

    name: str
    logit: float = 1.0
    cosine: float = 0.0
    bm25: float = 0.0
    bias: float = 0.0

    def probability(self, logit: float, pair: RerankPair) -> float:
        total = self.logit * logit + self.cosine * pair.cosine + self.bm25 * pair.bm25 + self.bias
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))


UNCALIBRATED = RelevanceCalibration("uncalibrated")
"""The plain sigmoid, for a model that nobody has calibrated yet."""


class CalibratedReranker:
    """Implements `retrieval.ports.Reranker`."""

    def __init__(self, model: CrossEncoder, calibration: RelevanceCalibration) -> None:
        self._model = model
        self._calibration = calibration
        self.name = f"{model.name}, calibration {calibration.name}"

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        if not pairs:
            return []
        logits = self._model.logits([(pair.question, pair.text) for pair in pairs])[:, 0]
        return [
            RerankScore(float(logit), self._calibration.probability(float(logit), pair))
            for logit, pair in zip(logits, pairs, strict=True)
        ]
