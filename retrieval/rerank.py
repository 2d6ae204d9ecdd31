"""The best candidates are reranked, and the best of those once more by their windows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.calibration import RelevanceCalibration
from retrieval.language.numbered import items_called
from retrieval.language.table_rows import as_sentence
from retrieval.ports import CrossEncoder, RerankPair, RerankScore
from retrieval.scores import RELEVANCE, WINDOW_LOGIT, reranked_logit
from retrieval.types import Hit, Passage

SIZES = (1, 2)
"""Sentences of a window; see `docs/measurements.md`."""
REREAD = 5
"""How many of the reranked are reread by their windows; each costs its reading."""


class CalibratedReranker:
    """It implements `retrieval.ports.Reranker`."""

    def __init__(self, model: CrossEncoder, calibration: RelevanceCalibration, name: str) -> None:
        """`name` is the calibration's."""
        self.model = model
        self._calibration = calibration
        self.name = f"{model.name}, calibration {name}"

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        if not pairs:
            return []
        logits = self.model.logits([(pair.question, pair.text) for pair in pairs])[:, 0]
        return [
            RerankScore(float(logit), self._calibration.relevance(float(logit))) for logit in logits
        ]


@dataclass(frozen=True, slots=True)
class WindowReranker:
    """It rereads the best candidates by windows of a sentence or two, each under its heading.

    A passage may answer in one sentence among many that do not, and a heading may match a
    question that the text beneath it leaves open. The relevance is that of the mean of two
    logits, the passage's and its best window's; what that is worth stands in
    `docs/measurements.md`.
    """

    model: CrossEncoder
    calibration: RelevanceCalibration

    def __call__(self, question: str, hits: Sequence[Hit]) -> list[Hit]:
        """The hits with what was learned, best first; each has a logit."""
        called = items_called(question)
        texts = [_windows_of(hit.passage, called) for hit in hits]
        flat = [(question, text) for each in texts for text in each]
        if not flat:
            return []
        logits = iter(self.model.logits(flat)[:, 0].tolist())
        read = [
            self._judged(hit, max(next(logits) for _ in each))
            for hit, each in zip(hits, texts, strict=True)
        ]
        return sorted(read, key=lambda hit: -hit.scores[RELEVANCE])

    def _judged(self, hit: Hit, window: float) -> Hit:
        scores = {**hit.scores, WINDOW_LOGIT: window}
        logit = reranked_logit(scores) or 0.0
        return replace(hit, scores={**scores, RELEVANCE: self.calibration.relevance(logit)})


def _windows_of(passage: Passage, called: str) -> list[str]:
    """`called`: what the items of its lists are."""
    said = [as_sentence(sentence.as_item(called)) for sentence in passage.sentences]
    return windows(passage.heading, said)


def windows(heading: str, said: Sequence[str]) -> list[str]:
    """Of a passage's sentences, each window under the passage's heading."""
    read = (
        f"{heading}\n{' '.join(said[start : start + size])}"
        for size in SIZES
        for start in range(max(1, len(said) - size + 1))
    )
    return list(dict.fromkeys(read))
