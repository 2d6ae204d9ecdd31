"""Recipes side by side: every measure, and whether it differs from the first recipe's by chance.

The documents are cut by each recipe in its own way, so what is compared is where gold lies, in
lines of the source, never which passage was found.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from bot.evaluation import metrics, rankings
from bot.evaluation.judging import judged
from bot.evaluation.outcomes import LabelledOutcome
from bot.evaluation.significance import holm, paired_p

Runs = Mapping[str, Sequence[LabelledOutcome]]
"""Outcomes by recipe, each of the same questions in the same order."""
Values = Sequence[float | None]
"""Of each question; None where a measure says nothing of it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A recipe differs so from the first one, over the questions of which both have a value."""

    mean: float
    p: float
    """Two-sided."""
    corrected: float
    """After Holm, over the recipes that are compared with the first."""
    questions: int


def values(outcomes: Sequence[LabelledOutcome]) -> dict[str, Values]:
    """By measure the value of each question: of all measures that are a mean over questions."""
    ranked = rankings.of_each(outcomes)
    found: dict[str, Values] = {
        name: [each[name] if each else None for each in ranked] for name in rankings.MEASURES
    }
    if any(outcome.decision for outcome in outcomes):
        found |= {
            name: [measure(outcome) for outcome in outcomes]
            for name, measure in metrics.OF_A_QUESTION.items()
        }
    if judged.was_judged(outcomes):
        found |= judged.values(outcomes)
    return found


Differences = Mapping[str, Mapping[str, Difference]]
"""By measure and recipe."""


def differences(runs: Runs) -> Differences:
    """By measure and recipe, of all but the first."""
    by_recipe = {name: values(outcomes) for name, outcomes in runs.items()}
    first, *others = by_recipe
    return {
        measure: _of_measure(
            own, {o: by_recipe[o][measure] for o in others if measure in by_recipe[o]}
        )
        for measure, own in by_recipe[first].items()
    }


def _of_measure(own: Values, others: Mapping[str, Values]) -> dict[str, Difference]:
    paired = {name: _paired(own, other) for name, other in others.items()}
    paired = {name: pairs for name, pairs in paired.items() if pairs}
    ps = [paired_p(*zip(*pairs, strict=True)) for pairs in paired.values()]
    return {
        name: Difference(fmean(b - a for a, b in pairs), p, corrected, len(pairs))
        for (name, pairs), p, corrected in zip(paired.items(), ps, holm(ps), strict=True)
    }


def _paired(own: Values, other: Values) -> list[tuple[float, float]]:
    return [(a, b) for a, b in zip(own, other, strict=True) if a is not None and b is not None]
