"""The same questions in a clean wording and as people type them, to see what typing costs.

The labels are those of the question that was reworded, so only what is asked may stay the same.
"""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field

from bot.errors import WrongUse
from bot.lab.comparison import (
    ALPHA,
    MARK,
    NOTHING,
    Difference,
    Runs,
    SideBySide,
    differences,
    values,
)
from bot.quality.questions import LabelledQuestion

CLEAN = "clean"
TYPED = "typed"
MEASURES = ("P@1", "nDCG@10", "recall@50", "helped", "coverage", "false answers")
Worded = Mapping[str, Sequence[LabelledQuestion]]
"""By wording, the same questions in the same order."""


class Wordings(BaseModel):
    """A labelled question is asked in two other wordings."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """Of the labelled question."""
    clean: str = Field(min_length=1)
    """As somebody writes who takes care."""
    typed: str = Field(min_length=1)
    """As somebody types in a hurry, with what they tell around it."""


def reworded(labelled: Sequence[LabelledQuestion], pairs: Sequence[Wordings]) -> Worded:
    """The labelled questions that have other wordings, once in each.

    Raise `WrongUse` for an id that is twice there, or of which there is no labelled question.
    """
    by_id = {each.id: each for each in labelled}
    seen: set[str] = set()
    for pair in pairs:
        if pair.id not in by_id:
            raise WrongUse(f"There is no labelled question {pair.id!r} to be worded otherwise.")
        if pair.id in seen:
            raise WrongUse(f"{pair.id!r} is worded twice; of each question there is one pair.")
        seen.add(pair.id)

    def said(pair: Wordings, text: str) -> LabelledQuestion:
        return by_id[pair.id].model_copy(update={"question": text})

    return {
        CLEAN: [said(pair, pair.clean) for pair in pairs],
        TYPED: [said(pair, pair.typed) for pair in pairs],
    }


def wording_table(runs: Mapping[str, Runs]) -> SideBySide:
    """A row a recipe, a column a measure: clean, then typed with its difference.

    `runs` has by recipe the outcomes of both wordings.
    """
    figures = {name: {w: values(o) for w, o in own.items()} for name, own in runs.items()}
    told = [
        measure
        for measure in MEASURES
        if any(_mean(own[CLEAN].get(measure, ())) is not None for own in figures.values())
    ]
    rows = [(name, *_cells(own, figures[name], told)) for name, own in runs.items()]
    count = len(next(iter(runs.values()))[CLEAN])
    return SideBySide(tuple(told), [rows], (_note(count),), rows_are="recipe")


def _cells(
    runs: Runs, figures: Mapping[str, Mapping[str, Sequence[float | None]]], told: Sequence[str]
) -> Iterator[str]:
    found = differences(runs)
    for measure in told:
        clean, typed = (_mean(figures[wording].get(measure, ())) for wording in (CLEAN, TYPED))
        if clean is None or typed is None:
            yield NOTHING
        else:
            yield f"{clean:.3f} / {typed:.3f}{_told(found.get(measure, {}).get(TYPED))}"


def _told(difference: Difference | None) -> str:
    if difference is None:
        return ""
    return f" ({difference.mean:+.3f}{MARK if difference.p < ALPHA else ''})"


def _mean(found: Sequence[float | None]) -> float | None:
    known = [each for each in found if each is not None]
    return sum(known) / len(known) if known else None


def _note(count: int) -> str:
    return (
        f"Clean / as typed, and in brackets the difference; {MARK} marks p < {ALPHA}, two-sided, "
        f"over the same {count} questions in pairs, McNemar's exact test for shares of questions, "
        "else a randomisation test; not corrected for there being several recipes and measures."
    )
