"""Platt scaling makes the cross-encoder's logit a probability."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

STEPS = 100
"""Of Newton's method at most; it needs about ten."""
RIDGE = 1e-3
"""Added to the curvature, so that what separates perfectly has finite numbers."""
JUST_UNDER = 1e-6
"""Log odds by which the last one that must not pass the threshold stays under it; so few that no
other decision turns on them."""
MISSED_AS_NEAR = 0.05
"""Share, 0 to 1, of the questions whose answering passage would not be named as near. Not
measured; chosen so that few are missed."""


@dataclass(frozen=True, slots=True)
class RelevanceCalibration:
    """relevance = sigmoid(slope * logit + intercept).

    Platt, "Probabilistic outputs for support vector machines", 1999. The two numbers are fitted on
    labelled questions: first as a probability, then shifted until few unanswerable questions have
    a passage over the threshold. A raw logit (about -10 to 10) says nothing at 0.7 before.
    """

    slope: float
    intercept: float
    near: float = 0.2
    """The relevance that nearly every passage reaches which does answer. One under it is about
    something else, and not worth naming to somebody whose question has no answer."""

    def log_odds(self, logit: float) -> float:
        return self.slope * logit + self.intercept

    def relevance(self, logit: float) -> float:
        """0 to 1."""
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, self.log_odds(logit)))))

    def shifted(self, by: float) -> "RelevanceCalibration":
        """All log odds moved by as much."""
        return replace(self, intercept=self.intercept + by)


UNCALIBRATED = RelevanceCalibration(1.0, 0.0)
"""The plain sigmoid, for a model that nobody has calibrated yet."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a search found for one labelled question, as the cross-encoder read it."""

    has_answer: bool
    candidates: Sequence[tuple[float, bool]]
    """The logit of each that was read, and whether it answers; none answers an unanswerable
    question."""

    @property
    def first(self) -> tuple[float, bool]:
        return max(self.candidates, default=(-math.inf, False))


def fitted_relevance(
    found: Sequence[Ranked], threshold: float, risk: float
) -> RelevanceCalibration | None:
    """Whether the first of each ranking answers, shifted until few that nothing answers pass.

    None where a higher logit does not mean a better passage.
    """
    firsts = [ranked.first for ranked in found if ranked.candidates]
    fitted = platt([logit for logit, _ in firsts], [right for _, right in firsts])
    if fitted is None:
        return None
    relevance = careful(found, RelevanceCalibration(*fitted), threshold, risk)
    answering = sorted(
        max(logit for logit, right in ranked.candidates if right)
        for ranked in found
        if any(right for _, right in ranked.candidates)
    )
    near = answering[math.floor(MISSED_AS_NEAR * len(answering))]
    return replace(relevance, near=relevance.relevance(near))


def careful(
    found: Sequence[Ranked], relevance: RelevanceCalibration, threshold: float, risk: float
) -> RelevanceCalibration:
    """Shifted until few unanswerable questions have a passage over the threshold.

    The threshold comes to stand where split conformal prediction would put it for a share of
    `risk` (Vovk, Gammerman and Shafer 2005; rank as in Angelopoulos and Bates, "A gentle
    introduction to conformal prediction", 2021, section 1), and with too few questions for
    that over all of them. Where the numbers were fitted on the same questions, the share is
    somewhat larger for others.
    """
    best = sorted(ranked.first[0] for ranked in found if not ranked.has_answer)
    rank = min(len(best), math.ceil((len(best) + 1) * (1 - risk)))
    if not best or best[rank - 1] == -math.inf:
        return relevance
    wanted = math.log(threshold / (1 - threshold))
    return relevance.shifted(wanted - relevance.log_odds(best[rank - 1]) - JUST_UNDER)


def platt(scores: Sequence[float], labels: Sequence[bool]) -> tuple[float, float] | None:
    """Slope and intercept by Newton's method; None where the labels do not rise with the scores.

    Labels are Platt's own, (n + 1) / (n + 2) and 1 / (n + 2), so that a few questions that are
    told apart wholly promise no certainty.
    """
    right, wrong = sum(labels), len(labels) - sum(labels)
    if not right or not wrong:
        return None
    x = np.column_stack([scores, np.ones(len(scores))])
    y = np.where(labels, (right + 1) / (right + 2), 1 / (wrong + 2))
    weights = np.zeros(2)
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-(x @ weights)))
        curvature = (x * (p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(2)
        step = np.linalg.solve(curvature, x.T @ (y - p))
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    slope, intercept = (float(each) for each in weights)
    return (slope, intercept) if slope > 0 else None
