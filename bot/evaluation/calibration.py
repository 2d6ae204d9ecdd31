"""Fitting what scores mean on labelled questions, never on those used for testing.

Three logistic regressions (scikit-learn), one after the other: whether a passage is
relevant, from what a look at it says; the same from a close reading; then whether a
drafted answer is right, from the composite confidence (Platt scaling), lowered where it
would let too many unanswerable questions be answered.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict

from bot.answering.as_json import passage_place
from bot.answering.calibration import Calibration
from bot.answering.gate import GateCalibration, Risk, composite, logit
from bot.errors import BadConfiguration
from bot.evaluation.outcomes import Outcome, is_relevant
from bot.evaluation.risk import careful_threshold
from bot.evaluation.run import Evaluation, Progress
from retrieval.calibration import CLOSE_READING, LOOK, LogisticWeights, RelevanceCalibration
from retrieval.rerank import features
from retrieval.search import Search
from retrieval.types import Scores

REGULARISATION = 1.0
"""scikit-learn's default C; features are scaled to unit variance first."""

Candidate = tuple[Scores, bool]
"""A candidate's scores, and whether it overlaps gold."""


def candidates(evaluation: Evaluation, search: Search, progress: Progress) -> list[Candidate]:
    """Of all questions; an unanswerable question's are irrelevant."""
    return [
        (hit.scores, is_relevant(passage_place(hit.passage), labelled.gold))
        for labelled, evidence in evaluation.evidences(search, progress)
        for hit in evidence.candidates
    ]


def fitted_look(labelled: Sequence[Candidate]) -> LogisticWeights:
    """Over all candidates."""
    return _fitted(LOOK, labelled)


def fitted_close_reading(labelled: Sequence[Candidate]) -> LogisticWeights:
    """Over the candidates that were read closely, whatever came of it."""
    return _fitted(CLOSE_READING, [each for each in labelled if each[0].bare_logit is not None])


def fitted_gate(
    outcomes: Sequence[Outcome], risk: float, confidence: float, partial_at: float
) -> tuple[GateCalibration, Risk]:
    """Over all questions: was the draft right, or where nothing was drafted the best passage?

    Then lowered until what is answered, from `partial_at` on, keeps the risk.
    """
    rows = [[logit(composite(outcome.confidence))] for outcome in outcomes]
    (slope,), intercept = _logistic(rows, [_was_right(outcome) for outcome in outcomes])
    if slope <= 0:
        raise BadConfiguration(
            "On these questions a higher confidence does not mean a better answer, so nothing "
            "can be calibrated. Look at the labels, or choose other models."
        )
    drafted = [outcome for outcome in outcomes if outcome.has_draft]
    unanswerable = [o for o in outcomes if not o.question.kind.has_answer]
    threshold, kept = careful_threshold(
        false=[composite(o.confidence) for o in drafted if not o.question.kind.has_answer],
        answerable=[composite(o.confidence) for o in drafted if o.question.kind.has_answer],
        asked=len(unanswerable),
        risk=risk,
        confidence=confidence,
    )
    return GateCalibration(slope, intercept).no_bolder_than(threshold, partial_at), kept


def named(relevance: RelevanceCalibration, gate: GateCalibration, risk: Risk) -> Calibration:
    """A calibration whose name is a hash of its numbers."""
    numbers = json.dumps([asdict(relevance), asdict(gate)], sort_keys=True)
    name = hashlib.sha256(numbers.encode()).hexdigest()[:12]
    return Calibration(name, relevance, gate, risk=risk)


def _fitted(names: Sequence[str], labelled: Sequence[tuple[Scores, bool]]) -> LogisticWeights:
    rows = [[features(scores)[name] for name in names] for scores, _ in labelled]
    weights, bias = _logistic(rows, [relevant for _, relevant in labelled])
    return LogisticWeights(bias, dict(zip(names, weights, strict=True)))


def _was_right(outcome: Outcome) -> bool:
    if outcome.claims or outcome.dropped:
        return outcome.drafts_gold
    return any(is_relevant(place, outcome.question.gold) for place in outcome.ranking.best[:1])


def _logistic(rows: Sequence[Sequence[float]], labels: Sequence[bool]) -> tuple[list[float], float]:
    """Weights and bias for rows of unscaled features."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    if len(set(labels)) < 2:
        raise BadConfiguration(
            "These questions cannot calibrate anything: all their outcomes are alike. "
            "Add questions that the documents answer and some that they do not."
        )
    scaler = StandardScaler().fit(rows)
    model = LogisticRegression(C=REGULARISATION).fit(scaler.transform(rows), labels)
    weights = [float(w / s) for w, s in zip(model.coef_[0], scaler.scale_, strict=True)]
    bias = float(model.intercept_[0]) - sum(
        w * float(mean) for w, mean in zip(weights, scaler.mean_, strict=True)
    )
    return weights, bias
