"""What scores mean, by Platt scaling of labelled questions, never of those used for testing."""

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Final

from bot.answering.as_json import passage_place
from bot.answering.evidence import EvidenceFinder
from bot.answering.gate import Calibration, GateCalibration, Risk, composite, logit, remaining
from bot.errors import BadConfiguration
from bot.quality.run import Evaluation, LabelledOutcome, Progress, is_relevant
from retrieval.search.reranking import Ranked, RelevanceCalibration, fitted_relevance, platt
from retrieval.search.scores import reranked_logit
from retrieval.types import Eligibility


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """One point of the curve is had by answering all that are at least so confident."""

    threshold: float
    coverage: float
    """Share of the answerable questions answered with a correct citation."""
    risk: float


def risk_coverage(outcomes: Sequence[LabelledOutcome]) -> list[RiskCoverage]:
    """One point for each confidence, the most careful first; without passage there is no draft."""
    confidences = sorted({o.overall for o in outcomes if o.overall > 0}, reverse=True)
    return [answering_from(threshold, outcomes) for threshold in confidences]


def answering_from(threshold: float, outcomes: Sequence[LabelledOutcome]) -> RiskCoverage:
    """Every draft of at least that confidence, and no other."""
    right, wrong = [], []
    for outcome in outcomes:
        over = outcome.overall >= threshold and outcome.has_draft
        if outcome.question.kind.has_answer:
            right.append(float(over and outcome.drafts_gold))
        else:
            wrong.append(float(over))
    return RiskCoverage(threshold, fmean(right) if right else 0.0, fmean(wrong) if wrong else 0.0)


def upper_bound(false_answers: int, asked: int, confidence: float) -> float:
    """The rate of false answers that, with this confidence, is not exceeded."""
    if false_answers >= asked:
        return 1.0
    from scipy.stats import beta

    return float(beta.ppf(confidence, false_answers + 1, asked - false_answers))


def fewest_questions(risk: float, confidence: float) -> int:
    """Unanswerable questions without one false answer that are needed to promise a risk."""
    return math.ceil(math.log(1 - confidence) / math.log(1 - risk))


def careful_threshold(
    false: Sequence[float], answerable: Sequence[float], asked: int, risk: float, confidence: float
) -> tuple[float, Risk]:
    """The lowest composite to answer from, and its risk; `asked`: all unanswerable questions."""
    descending = sorted({*false, *answerable}, reverse=True)
    tried = [(each, sum(f >= each for f in false)) for each in descending]
    kept = _while(tried, lambda k: upper_bound(k, asked, confidence) <= risk)
    if not kept:
        kept = _while(tried, lambda k: k <= risk * asked)
    threshold, false_answers = kept[-1] if kept else (1.0, 0)
    bound = upper_bound(false_answers, asked, confidence)
    return threshold, Risk(risk, confidence, asked, false_answers, bound, bound <= risk)


def _while(
    tried: Sequence[tuple[float, int]], holds: Callable[[int], bool]
) -> list[tuple[float, int]]:
    """The first of them, up to where it does not hold any more."""
    kept = []
    for threshold, false_answers in tried:
        if not holds(false_answers):
            break
        kept.append((threshold, false_answers))
    return kept


PLAINLY_UNDER = 0.01
"""Confidence, 0 to 1, by which one under the gate's floor stays under the threshold of answers:
one percent, as it is shown in whole ones."""


def searched(evaluation: Evaluation, evidence: EvidenceFinder, progress: Progress) -> list[Ranked]:
    return [
        Ranked(
            labelled.kind.has_answer,
            [
                (read, is_relevant(passage_place(hit.passage), labelled.gold))
                for hit in found.candidates
                if hit.eligibility is not Eligibility.NOT_REREAD
                and (read := reranked_logit(hit.scores)) is not None
            ],
        )
        for labelled, found in evaluation.evidences(evidence, progress)
    ]


def relevance_of(found: Sequence[Ranked], threshold: float, risk: float) -> RelevanceCalibration:
    """Raise `BadConfiguration` where these questions tell nothing of the reranker."""
    fitted = fitted_relevance(found, threshold, risk)
    if fitted is None:
        raise BadConfiguration(
            "On these questions a higher score of the reranker does not mean a better passage, so "
            "nothing can be calibrated. Add questions that the documents answer and some that they "
            "do not, look at the labels, or choose another reranker."
        )
    return fitted


def fitted_gate(
    outcomes: Sequence[LabelledOutcome], risk: float, confidence: float, partial_at: float
) -> tuple[GateCalibration, Risk]:
    """Was the draft right, cut off for the risk; over all questions where drafts cannot tell."""
    drafted = [outcome for outcome in outcomes if outcome.has_draft]
    fitted = platt_of(drafted) or platt_of(outcomes)
    if fitted is None:
        raise BadConfiguration(
            "On these questions a higher confidence does not mean a better answer, so nothing "
            "can be calibrated. Look at the labels, or choose other models."
        )
    threshold, risked = _threshold(outcomes, drafted, risk, confidence)
    return GateCalibration(*fitted, threshold, _under(partial_at)), risked


def _threshold(
    outcomes: Sequence[LabelledOutcome],
    drafted: Sequence[LabelledOutcome],
    risk: float,
    confidence: float,
) -> tuple[float, Risk]:
    """The lowest composite of those that were drafted to answer from, and what it risks."""
    answerable, false = (
        [_composite(each) for each in drafted if each.question.kind.has_answer is has]
        for has in (True, False)
    )
    asked = sum(not outcome.question.kind.has_answer for outcome in outcomes)
    return careful_threshold(false, answerable, asked, risk, confidence)


def _under(partial_at: float) -> float:
    return max(0.0, partial_at - PLAINLY_UNDER)


def without_floor(
    outcomes: Sequence[LabelledOutcome], gate: GateCalibration, partial_at: float
) -> RiskCoverage:
    """What the same drafts would reach were nothing cut off: what keeping to the risk costs."""
    open_gate = replace(gate, floor=0.0)
    overall = [open_gate.probability(_composite(each)) for each in outcomes]
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


def platt_of(outcomes: Sequence[LabelledOutcome]) -> tuple[float, float] | None:
    """Slope and intercept; None where these outcomes say nothing of the kind."""
    surenesses = [logit(_composite(outcome)) for outcome in outcomes]
    return platt(surenesses, [_was_right(outcome) for outcome in outcomes])


def _was_right(outcome: LabelledOutcome) -> bool:
    if outcome.claims or outcome.dropped:
        return outcome.drafts_gold
    return any(is_relevant(place, outcome.question.gold) for place in outcome.ranking.best[:1])


def gate_of_drafts(
    outcomes: Sequence[LabelledOutcome], risk: float, confidence: float, partial_at: float
) -> tuple[GateCalibration, Risk]:
    """How probable a draft is right, cut off for the risk; alike, by Laplace, if none can tell."""
    drafted = [outcome for outcome in outcomes if outcome.has_draft]
    right = sum(outcome.drafts_gold for outcome in drafted)
    slope, intercept = platt_of(drafted) or (0.0, logit((right + 1) / (len(drafted) + 2)))
    threshold, risked = _threshold(outcomes, drafted, risk, confidence)
    floor = threshold if any(_composite(each) < threshold for each in drafted) else 0.0
    return GateCalibration(slope, intercept, floor, _under(partial_at)), risked


def as_gated(outcomes: Sequence[LabelledOutcome], gate: GateCalibration) -> list[LabelledOutcome]:
    return [
        replace(each, confidence={**each.confidence, "overall": _overall(each, gate)})
        if each.confidence
        else each
        for each in outcomes
    ]


def _overall(outcome: LabelledOutcome, gate: GateCalibration) -> float:
    statuses = [claim["status"] for claim in (*outcome.claims, *outcome.dropped)]
    return gate.probability(_composite(outcome)) * remaining(
        statuses.count("VERIFIED"), len(statuses)
    )


def _composite(outcome: LabelledOutcome) -> float:
    return composite(outcome.confidence)


RISK: Final = 0.05
"""Share, 0 to 1, of unanswerable questions that may be answered. Not measured: a choice, of which
`docs/measurements.md` tells what it costs."""
CONFIDENCE: Final = 0.95
"""Probability, 0 to 1, with which that holds for questions like the labelled ones."""
