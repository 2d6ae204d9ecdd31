"""A language model judges replies for `vouch evaluate --judge`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bot.cli.console import Terminal
from bot.errors import WrongUse
from bot.wiring import Container

if TYPE_CHECKING:
    from bot.evaluation.judging.judged import Judge
    from bot.evaluation.outcomes import LabelledOutcome
    from bot.evaluation.questions import LabelledQuestion
    from bot.evaluation.recipe import Recipe


def judge_of(
    model: str | None,
    container: Container,
    chosen: "Sequence[Recipe]",
    labelled: "Sequence[LabelledQuestion]",
) -> "Judge | None":
    """None where no model is named; a warning is told where it would judge its own words.

    Raise `WrongUse` where there is nothing to judge or to judge by, and `BadConfiguration` where
    the settings name no server; nothing is sent.
    """
    if model is None:
        return None
    if not model.strip():
        raise WrongUse("--judge names no model. Write its name behind it.")
    if not any(recipe.decides for recipe in chosen):
        names = ", ".join(recipe.name for recipe in chosen)
        raise WrongUse(f"--judge has no reply to judge: {names} only ranks.")
    if not any(each.answer.strip() for each in labelled):
        raise WrongUse(
            "--judge compares with reference answers, and none of these questions has an "
            "`answer`. Write one into each line that is to be judged."
        )
    judge = container.judge(model)
    if container.writes(model):
        Terminal(stderr=True).print(
            f"{model} writes the replies too, and a model favours its own words: read its scores "
            "with care, or name another judge.",
            markup=False,
        )
    return judge


def judged_by(
    judge: "Judge", runs: "Mapping[str, Sequence[LabelledOutcome]]"
) -> "dict[str, Sequence[LabelledOutcome]]":
    """All recipes that decide, with judgements; those that only rank have no reply."""
    from bot.cli.progress import progress_bar
    from bot.evaluation.judging.judged import judge_replies

    found = dict(runs)
    for name, outcomes in runs.items():
        if any(each.decision for each in outcomes):
            with progress_bar(Terminal(stderr=True), f"Judging, {name}") as progress:
                found[name] = judge_replies(outcomes, judge, progress)
    return found
