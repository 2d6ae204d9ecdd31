"""What scores mean is fitted on labelled questions, never on those used for testing.

Four logistic regressions (scikit-learn), one after the other: whether a passage is
relevant, from what is known of it whole; the same from its sentences, for the order; whether
the first of that order answers, which is its relevance; then whether a drafted answer is
right, from the composite confidence (Platt scaling). The relevance is shifted, and the
confidence cut off, to let few unanswerable questions through.
"""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from bot.answering.as_json import passage_place
from bot.answering.calibration import Calibration
from bot.answering.confidence import composite
from bot.answering.evidence import EvidenceFinder
from bot.answering.gate import GateCalibration, Risk, logit
from bot.errors import BadConfiguration
from bot.evaluation.metrics import RiskCoverage, answering_from
from bot.evaluation.outcomes import LabelledOutcome, is_relevant
from bot.evaluation.risk import careful_threshold
from bot.evaluation.run import Evaluation, Progress
from retrieval.calibration import (
    PASSAGE,
    SENTENCES,
    LogisticWeights,
    RelevanceCalibration,
)
from retrieval.scores import BARE_LOGIT, COSINE, Scores, features

REGULARISATION = 1.0
"""scikit-learn's default C; features are scaled to unit variance first."""
NOTHING = -math.inf
"""The log odds of no candidate at all."""
MISSED_AS_NEAR = 0.05
"""Share, 0 to 1, of the questions whose answering passage would not be named as near. Not
measured; chosen so that few are missed."""
PLAINLY_UNDER = 0.01
"""Confidence, 0 to 1, by which one under the gate's floor stays under the threshold of answers:
one percent, as it is shown in whole ones."""
JUST_UNDER = 1e-6
"""Log odds by which the last one that must not pass the threshold stays under it; so few that no
other decision turns on them."""

Candidate = tuple[Scores, bool]
"""A candidate's scores, and whether it overlaps gold."""


@dataclass(frozen=True, slots=True)
class Searched:
    """A search found these for one question; nothing is relevant to an unanswerable one."""

    has_answer: bool
    candidates: Sequence[Candidate]


def searched(
    evaluation: Evaluation, evidence: EvidenceFinder, progress: Progress
) -> list[Searched]:
    return [
        Searched(
            labelled.kind.has_answer,
            [
                (hit.scores, is_relevant(passage_place(hit.passage), labelled.gold))
                for hit in evidence.candidates
            ],
        )
        for labelled, evidence in evaluation.evidences(evidence, progress)
    ]


def fitted_reranking(found: Sequence[Searched]) -> LogisticWeights:
    """Over all candidates."""
    return _fitted(PASSAGE, [each for some in found for each in some.candidates])


def fitted_sentence_reranking(found: Sequence[Searched]) -> LogisticWeights:
    """Over the candidates that were reread, whatever came of it."""
    return _fitted(SENTENCES, [each for some in found for each in _reread(some)])


def fitted_answering(found: Sequence[Searched], order: LogisticWeights) -> LogisticWeights:
    """Over the first candidate of each question, in the order of sentence reranking."""
    reread = [_reread(some) for some in found]
    firsts = [
        max(candidates, key=lambda each: order.log_odds(features(each[0])))
        for candidates in reread
        if candidates
    ]
    return _fitted(SENTENCES, firsts)


def careful(
    found: Sequence[Searched], relevance: RelevanceCalibration, threshold: float, risk: float
) -> RelevanceCalibration:
    """Shifted until few unanswerable questions have a passage over the threshold.

    The threshold comes to stand where split conformal prediction would put it for a share of
    `risk` (Vovk, Gammerman and Shafer 2005; rank as in Angelopoulos and Bates, "A gentle
    introduction to conformal prediction", 2021, section 1), and with too few questions for
    that over all of them. Where the weights were fitted on the same questions, the share is
    somewhat larger for others.
    """
    best = sorted(_best(some, relevance) for some in found if not some.has_answer)
    rank = min(len(best), math.ceil((len(best) + 1) * (1 - risk)))
    if not best or best[rank - 1] == NOTHING:
        return relevance
    return relevance.shifted(logit(threshold) - best[rank - 1] - JUST_UNDER)


def with_near(found: Sequence[Searched], relevance: RelevanceCalibration) -> RelevanceCalibration:
    """Knowing the cosine that all but a few of the answering passages reach."""
    answering = [
        [scores.get(COSINE, 0.0) for scores, relevant in some.candidates if relevant]
        for some in found
    ]
    best = sorted(max(cosines) for cosines in answering if cosines)
    if not best:
        return relevance
    return replace(relevance, near=best[math.floor(MISSED_AS_NEAR * len(best))])


def _best(some: Searched, relevance: RelevanceCalibration) -> float:
    """The log odds of its most relevant candidate; of those reread, if any were."""
    last = _reread(some)
    return max(
        (
            relevance.log_odds(features(scores), reread=bool(last))
            for scores, _ in last or some.candidates
        ),
        default=NOTHING,
    )


def _reread(some: Searched) -> list[Candidate]:
    return [each for each in some.candidates if BARE_LOGIT in each[0]]


def fitted_gate(
    outcomes: Sequence[LabelledOutcome], risk: float, confidence: float, partial_at: float
) -> tuple[GateCalibration, Risk]:
    """Was the draft right? Cut off so that what reaches `partial_at` keeps the risk.

    Where the drafts cannot tell (all of them are right, or the surer ones no more often), over
    all questions: where nothing was drafted, was the best passage right?
    """
    drafted = [outcome for outcome in outcomes if outcome.has_draft]
    slope, intercept = platt(drafted) or platt(outcomes) or (0.0, 0.0)
    if slope <= 0:
        raise BadConfiguration(
            "On these questions a higher confidence does not mean a better answer, so nothing "
            "can be calibrated. Look at the labels, or choose other models."
        )
    unanswerable = [o for o in outcomes if not o.question.kind.has_answer]
    threshold, kept = careful_threshold(
        false=[composite(o.confidence) for o in drafted if not o.question.kind.has_answer],
        answerable=[composite(o.confidence) for o in drafted if o.question.kind.has_answer],
        asked=len(unanswerable),
        risk=risk,
        confidence=confidence,
    )
    under = max(0.0, partial_at - PLAINLY_UNDER)
    return GateCalibration(slope, intercept, threshold, under), kept


def without_floor(
    outcomes: Sequence[LabelledOutcome], gate: GateCalibration, partial_at: float
) -> RiskCoverage:
    """What the same drafts would reach were nothing cut off: what keeping to the risk costs."""
    open_gate = replace(gate, floor=0.0)
    overall = [open_gate.probability(composite(each.confidence)) for each in outcomes]
    reopened = [
        replace(each, confidence={**each.confidence, "overall": sure})
        for each, sure in zip(outcomes, overall, strict=True)
    ]
    return answering_from(partial_at, reopened)


def named(relevance: RelevanceCalibration, gate: GateCalibration, risk: Risk) -> Calibration:
    """A calibration whose name is a hash of its numbers."""
    numbers = json.dumps([asdict(relevance), asdict(gate)], sort_keys=True)
    name = hashlib.sha256(numbers.encode()).hexdigest()[:12]
    return Calibration(name, relevance, gate, risk=risk)


def _fitted(names: Sequence[str], labelled: Sequence[tuple[Scores, bool]]) -> LogisticWeights:
    rows = [[features(scores)[name] for name in names] for scores, _ in labelled]
    weights, bias = _logistic(rows, [relevant for _, relevant in labelled])
    return LogisticWeights(bias, dict(zip(names, weights, strict=True)))


def platt(outcomes: Sequence[LabelledOutcome]) -> tuple[float, float] | None:
    """Slope and intercept; None where these outcomes say nothing of the kind."""
    rights = [_was_right(outcome) for outcome in outcomes]
    if len(set(rights)) < 2:
        return None
    rows = [[logit(composite(outcome.confidence))] for outcome in outcomes]
    (slope,), intercept = _logistic(rows, rights)
    return (slope, intercept) if slope > 0 else None


def _was_right(outcome: LabelledOutcome) -> bool:
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
