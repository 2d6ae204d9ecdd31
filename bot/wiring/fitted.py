"""Which calibration fits the models and the writer in use.

A probability that was fitted on the scores of one model says nothing of another's. So what
of a calibration was fitted with others is left out. A writer is like a model here: for copied
sentences the gate's entailment is the probability that they answer, for written ones how well
their sources bear them out. So is the engine of the index, whose BM25 is its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.answering.calibration import NONE, SHIPPED, Calibration, load_calibration
from bot.wiring.models import Models

RELEVANCE_NEEDS = ("embedder", "reranker", "index")
"""The gate needs these, the entailment model and the writer."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A calibration of which nothing is left that does not fit."""

    calibration: Calibration
    misfit: str = ""
    """What does not fit, and what to do; empty where all fits."""


def fitted_calibration(named: Path | None, models: Models, writer: str, index: str) -> Fitted:
    """The named calibration or the shipped one. Raise `BadConfiguration` for a bad file."""
    calibration = load_calibration(named or SHIPPED)
    fitted_with = {
        **calibration.models,
        "writer": calibration.writer,
        "index": calibration.index,
    }
    in_use = {**models.names, "writer": writer, "index": index}
    others = {which: name for which, name in in_use.items() if fitted_with.get(which) != name}
    return _without(calibration, others) if others else Fitted(calibration)


def _without(calibration: Calibration, others: Mapping[str, str]) -> Fitted:
    """`others` are in use, by what they do; the relevance stays where they leave its models."""
    relevance_fits = not set(others) & set(RELEVANCE_NEEDS)
    left = Calibration(f"{calibration.name}, gate uncalibrated", calibration.relevance)
    unknown = ", ".join(f"{which} {name}" for which, name in others.items())
    return Fitted(
        left if relevance_fits else NONE,
        f"The calibration {calibration.name} was not fitted with the {unknown} in use, so "
        f"{'the confidence of answers is' if relevance_fits else 'scores and thresholds are'} "
        "uncalibrated. Run `vouch calibrate` with labelled questions and set "
        "VOUCH_CALIBRATION to its file.",
    )
