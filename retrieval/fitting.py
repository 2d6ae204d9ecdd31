"""A cross-encoder that nobody calibrated is calibrated on questions that ship with Vouch.

They are the calibration questions of the 18F handbook, a work of the US government, with the
passages that were found for each.
"""

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from retrieval.calibration import Ranked, RelevanceCalibration, fitted_relevance
from retrieval.ports import CrossEncoder
from retrieval.rerank import REREAD, windows
from retrieval.thresholds import RELEVANT

LABELLED = Path(__file__).parent / "models" / "bundled" / "labelled.json.xz"
RISK = 0.05
"""Share, 0 to 1, of the questions that nothing answers, of which a passage may pass."""


@dataclass(frozen=True, slots=True)
class _Asked:
    question: str
    has_answer: bool
    candidates: tuple[tuple[str, tuple[str, ...], bool], ...]
    """Heading, sentences, and whether they answer."""


def fitted_on_labelled(
    model: CrossEncoder, threshold: float = RELEVANT, most: int | None = None
) -> RelevanceCalibration | None:
    """Fitted on the first `most` questions, or all; None where the model does not tell."""
    found = [_ranked(model, asked) for asked in list(_labelled())[:most]]
    return fitted_relevance(found, threshold, RISK)


def _ranked(model: CrossEncoder, asked: _Asked) -> Ranked:
    """As the search reads them: all whole, the best by their windows too."""
    texts = [(asked.question, f"{h}\n{' '.join(said)}") for h, said, _ in asked.candidates]
    whole = model.logits(texts)[:, 0].tolist()
    read = sorted(zip(whole, asked.candidates, strict=True), key=lambda each: -each[0])
    return Ranked(
        asked.has_answer,
        [
            ((logit + _best_window(model, asked.question, heading, said)) / 2, answers)
            for logit, (heading, said, answers) in read[:REREAD]
        ],
    )


def _best_window(model: CrossEncoder, question: str, heading: str, said: tuple[str, ...]) -> float:
    pairs = [(question, text) for text in windows(heading, said)]
    return float(model.logits(pairs)[:, 0].max())


def _labelled() -> Iterator[_Asked]:
    read = json.loads(lzma.decompress(LABELLED.read_bytes()))
    for each in read["questions"]:
        candidates = tuple(
            (read["passages"][n]["heading"], tuple(read["passages"][n]["sentences"]), answers)
            for n, answers in each["candidates"]
        )
        yield _Asked(each["question"], each["has_answer"], candidates)
