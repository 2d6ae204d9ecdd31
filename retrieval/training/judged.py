"""The labelled questions that are trained on, beside what was read for them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from retrieval.training.data import TrainingPassage
from retrieval.training.labels import Labels


@dataclass(frozen=True, slots=True)
class Read:
    """A question as the bot searches it, beside what was read for it."""

    question: str
    answers: tuple[TrainingPassage, ...]
    wrong: tuple[TrainingPassage, ...]
    sentences: Mapping[str, tuple[int, ...]]
    """Those that answer, of some of the answers, by their passages' ids."""
    unanswered: tuple["Read", ...] = ()
    """Questions about the same handbook which nothing answers."""


def read_for(labels: Labels, passages: Mapping[str, TrainingPassage]) -> tuple[Read, ...]:
    """Those that are answered, with the ones of their handbook that are not.

    What is held out is in none of them; neither is what answers in part, for that is no miss.
    """
    known = labels.about(passages)
    by_source: dict[str, list[Read]] = {}
    for each in (*known.unread, *known.followups):
        answers, wrong = (
            tuple(passages[name] for name in names if not passages[name].dev)
            for names in (each.answers, each.wrong)
        )
        # answered by what is held out, or in part: neither an answer nor a miss
        lost = bool(each.answers or each.partial) and not answers
        if not each.dev and wrong and not lost:
            read = Read(each.alone, answers, wrong, each.sentences)
            by_source.setdefault(each.source, []).append(read)
    return tuple(
        replace(read, unanswered=unanswered)
        for some in by_source.values()
        for unanswered in [tuple(read for read in some if not read.answers)]
        for read in some
        if read.answers
    )
