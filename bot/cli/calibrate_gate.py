"""`vouch calibrate --gate-alone` fits a gate to the drafts of the writer in use.

Retrieval keeps the calibration that is in use; so a language model is asked each question once.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.cli.corpora import Corpora
from bot.errors import BadConfiguration
from bot.wiring import Container

if TYPE_CHECKING:
    from bot.answering.calibration import Calibration
    from bot.answering.gate import Risk
    from bot.evaluation.outcomes import LabelledOutcome


@dataclass(frozen=True, slots=True)
class FittedGate:
    """A calibration with a new gate, what it risks, and the outcomes that say so."""

    calibration: "Calibration"
    risk: "Risk"
    outcomes: "list[LabelledOutcome]"


def fitted_gate(corpora: Corpora, container: Container, risk: float, sure: float) -> FittedGate:
    """Raise `BadConfiguration` where retrieval has no calibration, or the writer is out of order.

    `risk` and `sure`: the rate of false answers that is allowed, and how sure that is to be.
    """
    from bot.answering.calibration import NONE
    from bot.evaluation import calibration as fitting
    from bot.evaluation.gate_of_drafts import as_gated, gate_of_drafts

    relevance = container.calibration.relevance
    if relevance == NONE.relevance:
        raise BadConfiguration(
            "No calibration belongs to the models in use, so the gate alone cannot be fitted. "
            "Run `vouch calibrate` without --gate-alone."
        )
    outcomes = corpora.outcomes("Answering")
    gate, kept = gate_of_drafts(outcomes, risk, sure, container.settings.partial_at)
    return FittedGate(fitting.named(relevance, gate, kept), kept, as_gated(outcomes, gate))


def told_of_gate(fitted: FittedGate, partial_at: float) -> list[str]:
    """What the gate makes of the same drafts, in words."""
    from bot.evaluation.metrics import answering_from

    reached = answering_from(partial_at, fitted.outcomes)
    drafted = sum(outcome.has_draft for outcome in fitted.outcomes)
    constant = (
        " No draft told itself from the others, so all are as probable as they were here."
        if fitted.calibration.gate.slope == 0
        else ""
    )
    return [
        f"The gate was fitted on {drafted} drafts to {len(fitted.outcomes)} questions; retrieval "
        f"keeps its calibration.{constant}",
        f"Here: coverage {reached.coverage:.0%}, false answers {reached.risk:.1%}, of the same "
        "drafts that it was fitted on.",
    ]
