"""A gate is fitted on the drafts of the writer in use, and on nothing else.

Made for language models, which draft little that is wrong: where nothing in their drafts tells the
right ones from the wrong, the gate is a constant, and what was borne out is posted.
"""

from collections.abc import Sequence
from dataclasses import replace

from bot.answering.confidence import composite
from bot.answering.gate import GateCalibration, Risk, kept, logit
from bot.evaluation.calibration import PLAINLY_UNDER, platt_of
from bot.evaluation.outcomes import LabelledOutcome
from bot.evaluation.risk import careful_threshold


def gate_of_drafts(
    outcomes: Sequence[LabelledOutcome], risk: float, confidence: float, partial_at: float
) -> tuple[GateCalibration, Risk]:
    """How probable a draft is right, cut off where more of them would risk too much.

    Where they cannot tell (all of them are right, or the surer ones no more often), as probable as
    the others were: (right + 1) / (drafts + 2), by Laplace's rule of succession. Where all may be
    posted, there is nothing to cut off.
    """
    drafted = [outcome for outcome in outcomes if outcome.has_draft]
    right = sum(outcome.drafts_gold for outcome in drafted)
    slope, intercept = platt_of(drafted) or (0.0, logit((right + 1) / (len(drafted) + 2)))
    answerable = [_composite(each) for each in drafted if each.question.kind.has_answer]
    false = [_composite(each) for each in drafted if not each.question.kind.has_answer]
    asked = sum(not outcome.question.kind.has_answer for outcome in outcomes)
    threshold, risked = careful_threshold(false, answerable, asked, risk, confidence)
    floor = threshold if any(each < threshold for each in (*answerable, *false)) else 0.0
    under = max(0.0, partial_at - PLAINLY_UNDER)
    return GateCalibration(slope, intercept, floor, under), risked


def as_gated(outcomes: Sequence[LabelledOutcome], gate: GateCalibration) -> list[LabelledOutcome]:
    """The same drafts with the confidence that another gate has in them; nobody writes again."""
    return [
        replace(each, confidence={**each.confidence, "overall": _overall(each, gate)})
        if each.confidence
        else each
        for each in outcomes
    ]


def _overall(outcome: LabelledOutcome, gate: GateCalibration) -> float:
    statuses = [claim["status"] for claim in (*outcome.claims, *outcome.dropped)]
    return gate.probability(_composite(outcome)) * kept(statuses.count("VERIFIED"), len(statuses))


def _composite(outcome: LabelledOutcome) -> float:
    return composite(outcome.confidence)
