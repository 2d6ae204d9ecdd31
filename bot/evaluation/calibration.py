"""Fitting what scores mean on labelled questions, never on those used for testing.

Two logistic regressions (scikit-learn), one after the other: whether a passage is
relevant, from the cross-encoder's logit, the cosine and BM25; then whether a drafted
answer is right, from the composite confidence (Platt scaling).
"""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, replace

from bot.answering.as_json import passage_place
from bot.answering.calibration import Calibration
from bot.answering.gate import GateCalibration, composite
from bot.errors import BadConfiguration
from bot.evaluation.outcomes import Outcome, is_relevant
from bot.evaluation.run import Evaluation, Progress
from retrieval.rerank import RelevanceCalibration
from retrieval.search import Search

REGULARISATION = 1.0
"""scikit-learn's default C; features are scaled to unit variance first."""


def calibrate_relevance(
    evaluation: Evaluation, search: Search, progress: Progress
) -> RelevanceCalibration:
    """Over all candidates of all questions; an unanswerable question's are irrelevant."""
    features, relevant = [], []
    for labelled, evidence in evaluation.evidences(search, progress):
        for hit in evidence.candidates:
            scores = hit.scores
            features.append([scores.logit or 0.0, scores.cosine or 0.0, scores.bm25 or 0.0])
            relevant.append(is_relevant(passage_place(hit.passage), labelled.gold))
    (logit, cosine, bm25), bias = _logistic(features, relevant)
    return RelevanceCalibration("", logit, cosine, bm25, bias)


def named(relevance: RelevanceCalibration, gate: GateCalibration | None = None) -> Calibration:
    """A calibration whose name is a hash of its numbers."""
    gate = gate or GateCalibration()
    numbers = [asdict(replace(relevance, name="")), asdict(replace(gate, name=""))]
    name = hashlib.sha256(json.dumps(numbers, sort_keys=True).encode()).hexdigest()[:12]
    return Calibration(name, replace(relevance, name=name), replace(gate, name=name))


def calibrate_gate(relevance: RelevanceCalibration, outcomes: Sequence[Outcome]) -> Calibration:
    """Over all questions: was the draft right, or where nothing was drafted the best passage?"""
    features = [[_logit(composite(outcome.confidence))] for outcome in outcomes]
    right = [_was_right(outcome) for outcome in outcomes]
    (slope,), intercept = _logistic(features, right)
    return named(relevance, GateCalibration("", slope, intercept))


def _was_right(outcome: Outcome) -> bool:
    if outcome.claims or outcome.dropped:
        return outcome.drafts_gold
    return any(is_relevant(place, outcome.question.gold) for place in outcome.ranking.best[:1])


def _logit(probability: float) -> float:
    clipped = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(clipped / (1 - clipped))


def _logistic(
    features: Sequence[Sequence[float]], labels: Sequence[bool]
) -> tuple[list[float], float]:
    """Weights and bias for unscaled features."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    if len(set(labels)) < 2:
        raise BadConfiguration(
            "These questions cannot calibrate anything: all their outcomes are alike. "
            "Add questions that the documents answer and some that they do not."
        )
    scaler = StandardScaler().fit(features)
    model = LogisticRegression(C=REGULARISATION).fit(scaler.transform(features), labels)
    weights = [float(w / s) for w, s in zip(model.coef_[0], scaler.scale_, strict=True)]
    bias = float(model.intercept_[0]) - sum(
        w * float(mean) for w, mean in zip(weights, scaler.mean_, strict=True)
    )
    return weights, bias
