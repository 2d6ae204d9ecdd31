"""Replies are judged, and what a judge said is counted; a judgement that failed is no score."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Protocol

from bot.errors import WriterUnavailable
from bot.evaluation.judging.judgement import Judgement
from bot.evaluation.outcomes import LabelledOutcome
from bot.evaluation.run import Progress

SCORES = {
    "judged correctness": "correctness",
    "judged conciseness": "conciseness",
    "judged free of hallucination": "free_of_hallucination",
    "judged similarity": "similarity",
}
"""The measures, and the score of a judgement that each is the mean of."""
NO_REPLY = "there was no reply"

Values = Sequence[float | None]


class Judge(Protocol):
    """It compares a reply with a reference answer and with what it was written from."""

    @property
    def name(self) -> str: ...

    def __call__(self, outcome: LabelledOutcome, /) -> Judgement:
        """Raise `WriterUnavailable` where it says nothing, or something else than scores."""
        ...


def judge_replies(
    outcomes: Sequence[LabelledOutcome], judge: Judge, progress: Progress
) -> list[LabelledOutcome]:
    """The same outcomes, with a judgement of each whose question has a reference answer.

    An abstention is a reply, too. Where there was no reply, or the judge failed, the reason is
    kept.
    """
    due = [at for at, each in enumerate(outcomes) if each.question.answer.strip()]
    judged = list(outcomes)
    for done, at in enumerate(due):
        progress(done, len(due), outcomes[at].question.id)
        judged[at] = _judged(outcomes[at], judge)
    progress(len(due), len(due), "")
    return judged


def _judged(outcome: LabelledOutcome, judge: Judge) -> LabelledOutcome:
    if not outcome.text:
        return replace(outcome, not_judged=NO_REPLY)
    try:
        return replace(outcome, judgement=judge(outcome))
    except WriterUnavailable as error:
        return replace(outcome, not_judged=str(error))


def was_judged(outcomes: Sequence[LabelledOutcome]) -> bool:
    """Whether a judge was asked at all."""
    return any(each.judgement or each.not_judged for each in outcomes)


def values(outcomes: Sequence[LabelledOutcome]) -> dict[str, Values]:
    """By measure the score of each question; None where it was not judged."""
    return {
        measure: [getattr(o.judgement, score) if o.judgement else None for o in outcomes]
        for measure, score in SCORES.items()
    }


def means(outcomes: Sequence[LabelledOutcome]) -> dict[str, float | None]:
    """Over the questions that were judged; None where none was."""
    known = {
        measure: [each for each in found if each is not None]
        for measure, found in values(outcomes).items()
    }
    return {measure: fmean(found) if found else None for measure, found in known.items()}


def counts(outcomes: Sequence[LabelledOutcome]) -> str:
    """How many of the replies that were due were judged."""
    judged = sum(each.judgement is not None for each in outcomes)
    return f"{judged} of {judged + sum(bool(each.not_judged) for each in outcomes)}"


def summary(outcomes: Sequence[LabelledOutcome]) -> dict[str, object]:
    failed = sum(bool(each.not_judged) for each in outcomes)
    return {
        **means(outcomes),
        "judged": sum(each.judgement is not None for each in outcomes),
        "not judged": failed,
        "tokens of the judge": tokens(outcomes),
    }


def tokens(outcomes: Sequence[LabelledOutcome]) -> dict[str, int]:
    spent = [each.judgement.tokens for each in outcomes if each.judgement]
    kinds = dict.fromkeys(kind for each in spent for kind in each)
    return {kind: sum(each.get(kind, 0) for each in spent) for kind in kinds}


def notes(runs: Mapping[str, Sequence[LabelledOutcome]]) -> Iterator[str]:
    """Who judged, and what was not judged and why."""
    asked = {name: outcomes for name, outcomes in runs.items() if was_judged(outcomes)}
    if not asked:
        return
    judges = dict.fromkeys(
        each.judgement.by for some in asked.values() for each in some if each.judgement
    )
    yield (
        f"Judged by {', '.join(judges) or 'nobody'} beside reference answers, 0 to 1, more being "
        "better, abstentions included; a language model's opinion, not a count."
    )
    for name, outcomes in asked.items():
        if reasons := [each.not_judged for each in outcomes if each.not_judged]:
            yield (
                f"{name}: {len(reasons)} not judged, and in no mean; the first one: {reasons[0]}"
            )
