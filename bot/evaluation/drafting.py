"""What a writer drafts, what of it the check bears out, and what the gate posts, side by side.

So it shows what check and gate take away, and what they keep out. Pure functions of
`LabelledOutcome`s, shares from 0 to 1 unless they say; a question that failed was not answered.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

from bot.evaluation.outcomes import LabelledOutcome, is_relevant, verified_gold

Claims = Sequence[Mapping[str, Any]]


def _drafted(outcome: LabelledOutcome) -> Claims:
    return (*outcome.claims, *outcome.dropped)


def _verified(outcome: LabelledOutcome) -> Claims:
    return [claim for claim in _drafted(outcome) if claim["status"] == "VERIFIED"]


def _posted(outcome: LabelledOutcome) -> Claims:
    return outcome.claims


STEPS: Mapping[str, Callable[[LabelledOutcome], Claims]] = {
    "drafts": _drafted,
    "verified": _verified,
    "posted": _posted,
}


def steps(outcomes: Sequence[LabelledOutcome]) -> dict[str, dict[str, float | None]]:
    """Coverage, false answers, citation precision and the number of claims of each step.

    What is drafted covers a question by any citation of gold, what was checked by one that bears
    its claim out: so coverage of what is posted is the gate's own (`metrics`).
    """
    return {name: _figures(outcomes, claims, name) for name, claims in STEPS.items()}


def _figures(
    outcomes: Sequence[LabelledOutcome], claims_of: Callable[[LabelledOutcome], Claims], step: str
) -> dict[str, float | None]:
    answerable = [o for o in outcomes if o.question.kind.has_answer]
    unanswerable = [o for o in outcomes if not o.question.kind.has_answer]
    gains = [_gains(outcome, claims_of(outcome)) for outcome in answerable]
    checked = [verified_gold(claims_of(o), o.question.gold) for o in answerable]
    return {
        "coverage": _mean([any(some) for some in gains] if step == "drafts" else checked),
        "false answers": _mean([bool(claims_of(outcome)) for outcome in unanswerable]),
        "citation precision": _mean([gain for some in gains for gain in some]),
        "claims": float(sum(len(claims_of(outcome)) for outcome in outcomes)),
    }


def _gains(outcome: LabelledOutcome, claims: Claims) -> list[bool]:
    """Of each citation, whether it overlaps gold."""
    gold = outcome.question.gold
    return [is_relevant(citation, gold) for claim in claims for citation in claim["citations"]]


def _mean(values: Sequence[bool]) -> float | None:
    return fmean(map(float, values)) if values else None


def tokens_per_question(outcomes: Sequence[LabelledOutcome]) -> dict[str, dict[str, float]]:
    """Means by stage and in all, of the questions that did not fail; empty where none were used."""
    asked = [outcome for outcome in outcomes if not outcome.failure]
    sums: dict[str, Counter[str]] = {}
    for outcome in asked:
        for stage, used in outcome.tokens.items():
            sums.setdefault(stage, Counter()).update(used)
            sums.setdefault("total", Counter()).update(used)
    return {
        stage: {each: count / len(asked) for each, count in used.items()}
        for stage, used in sorted(sums.items(), key=lambda item: item[0] == "total")
    }


def troubles(outcomes: Sequence[LabelledOutcome]) -> dict[str, int]:
    """How many questions failed, and how many were answered without what was out of order."""
    return {
        "failed": sum(bool(outcome.failure) for outcome in outcomes),
        "degraded": sum(bool(outcome.degraded) for outcome in outcomes),
    }
