"""What scores mean is fitted on labelled questions, never on those used for testing.

Two logistic regressions of one number each (Platt scaling): whether the first passage of a ranking
answers, from the cross-encoder's logit; whether a drafted answer is right, from the composite
confidence. The relevance is shifted, and the confidence cut off, to let few unanswerable questions
through.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace

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
from retrieval.calibration import Ranked, RelevanceCalibration, fitted_relevance, platt
from retrieval.scores import reranked_logit
from retrieval.types import Eligibility

PLAINLY_UNDER = 0.01
"""Confidence, 0 to 1, by which one under the gate's floor stays under the threshold of answers:
one percent, as it is shown in whole ones."""


def searched(evaluation: Evaluation, evidence: EvidenceFinder, progress: Progress) -> list[Ranked]:
    """Of each question those that were reread, or all that were read where none was."""
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
    """Was the draft right? Cut off so that what reaches `partial_at` keeps the risk.

    Where the drafts cannot tell (all of them are right, or the surer ones no more often), over
    all questions: where nothing was drafted, was the best passage right?
    """
    drafted = [outcome for outcome in outcomes if outcome.has_draft]
    fitted = platt_of(drafted) or platt_of(outcomes)
    if fitted is None:
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
    return GateCalibration(*fitted, threshold, under), kept


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


def platt_of(outcomes: Sequence[LabelledOutcome]) -> tuple[float, float] | None:
    """Slope and intercept; None where these outcomes say nothing of the kind."""
    surenesses = [logit(composite(outcome.confidence)) for outcome in outcomes]
    return platt(surenesses, [_was_right(outcome) for outcome in outcomes])


def _was_right(outcome: LabelledOutcome) -> bool:
    if outcome.claims or outcome.dropped:
        return outcome.drafts_gold
    return any(is_relevant(place, outcome.question.gold) for place in outcome.ranking.best[:1])
