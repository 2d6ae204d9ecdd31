"""Which calibration fits the models in use.

A probability that was fitted on the scores of one model says nothing of another's. So what
of a calibration was fitted with others is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.answering.calibration import NONE, SHIPPED, Calibration, load_calibration
from bot.wiring.models import Models

RELEVANCE_NEEDS = ("embedder", "reranker")
"""The gate needs these and the entailment model."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A calibration of which nothing is left that does not fit."""

    calibration: Calibration
    misfit: str = ""
    """What does not fit, and what to do; empty where all fits."""


def fitted_calibration(named: Path | None, models: Models) -> Fitted:
    """The named calibration or the shipped one. Raise `BadConfiguration` for a bad file."""
    calibration = load_calibration(named or SHIPPED)
    others = [
        which for which, name in models.names.items() if calibration.models.get(which) != name
    ]
    return _without(calibration, others, models) if others else Fitted(calibration)


def _without(calibration: Calibration, others: Sequence[str], models: Models) -> Fitted:
    """The relevance stays where only the entailment model is another."""
    relevance_fits = not set(others) & set(RELEVANCE_NEEDS)
    left = Calibration(f"{calibration.name}, gate uncalibrated", calibration.relevance)
    unknown = ", ".join(f"{which} {models.names[which]}" for which in others)
    return Fitted(
        left if relevance_fits else NONE,
        f"The calibration {calibration.name} was not fitted with the {unknown} in use, so "
        f"{'the confidence of answers is' if relevance_fits else 'scores and thresholds are'} "
        "uncalibrated. Run `vouch calibrate` with labelled questions and set "
        "VOUCH_CALIBRATION to its file.",
    )
