"""Judged questions are trained on as the bot searches them, beside what was read for each."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from retrieval.training.data import TrainingPassage
from retrieval.training.labels import JudgedQuestion, Labels

JUDGED_TURNS = 2
"""How often one of them is asked while each question that was written is asked once: they are
what people will ask."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question is judged as the bot searches it, beside what was read for it."""

    question: str
    answers: tuple[TrainingPassage, ...]
    wrong: tuple[TrainingPassage, ...]
    sentences: Mapping[str, tuple[int, ...]]
    """Those that answer, of some of the answers, by their passages' ids."""
    right_or_partly: frozenset[str]
    """Passages that answer, or in part, by id."""
    near: tuple[TrainingPassage, ...] = ()
    """Of the wrong ones those on its very subject, where nothing answers it."""
    unanswered: tuple["Judged", ...] = ()
    """Questions about the same handbook which nothing answers."""


def judged_for_training(
    labels: Labels, passages: Mapping[str, TrainingPassage]
) -> tuple[Judged, ...]:
    """Those that are answered, with the ones of their handbook that are not.

    What is held out is in none of them; neither is what answers in part, for that is no miss.
    """
    known = labels.about(passages)
    passages = {**passages, **known.passages}
    by_source: dict[str, list[Judged]] = {}
    for each in (*known.unread, *known.followups, *known.organisations):
        answers, wrong = (
            tuple(passages[name] for name in names if not passages[name].dev)
            for names in (each.answers, each.wrong)
        )
        # answered by what is held out, or in part: neither an answer nor a miss
        lost = bool(each.answers or each.partial) and not answers
        if not each.dev and wrong and not lost:
            right = frozenset((*each.answers, *each.partial))
            near = () if answers else tuple(p for p in wrong if _is_near(p, each))
            judged = Judged(each.alone, answers, wrong, _inside(each, passages), right, near)
            by_source.setdefault(each.source, []).append(judged)
    return tuple(
        replace(judged, unanswered=unanswered)
        for some in by_source.values()
        for unanswered in [tuple(judged for judged in some if not judged.answers)]
        for judged in some
        if judged.answers
    )


def _inside(
    asked: JudgedQuestion, passages: Mapping[str, TrainingPassage]
) -> dict[str, tuple[int, ...]]:
    """Its sentences that are there: some passages are cut at load, by what may change."""
    return {
        name: tuple(i for i in numbers if i < len(passages[name].sentences))
        for name, numbers in asked.sentences.items()
    }


def _is_near(passage: TrainingPassage, asked: JudgedQuestion) -> bool:
    return asked.nearest is None or passage.passage_id in asked.nearest
