"""Figures on held-out data are named as in docs/measurements.md; judged questions are held out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from retrieval.training.data import TrainingPassage
from retrieval.training.labels import ORGANISATIONS, JudgedQuestion, Labels

Floats = NDArray[np.float32]


def ranking_figures(ranks: NDArray[np.int64]) -> dict[str, float]:
    """P@1, MRR and nDCG@10 from the rank (from 0) of each question's one right passage."""
    gain = np.where(ranks < 10, 1 / np.log2(ranks + 2), 0.0)
    return {
        "P@1": float((ranks == 0).mean()),
        "MRR": float((1 / (ranks + 1)).mean()),
        "nDCG@10": float(gain.mean()),
    }


def ranks_of(scores: Floats, right: Sequence[int]) -> NDArray[np.int64]:
    """Of each row's right column; a tie counts against it."""
    rows = np.arange(len(right))
    own = scores[rows, list(right)]
    return np.asarray((scores >= own[:, None]).sum(axis=1) - 1, np.int64)


def judged_figures(asked: Sequence[tuple[Floats, int]]) -> dict[str, float]:
    """From each question's scores, of what answers it first, and how many those are.

    `P@1` of those that are answered; `AUROC` of each question's best score, answered against
    not; `right at 5 %`: the answered ones with an answer first, and above 95 of 100 of those
    that nothing answers.
    """
    best = np.array([scores.max() for scores, _ in asked])
    answered = np.array([right > 0 for _, right in asked])
    first = np.array([_is_first(scores, right) for scores, right in asked])
    bar = np.quantile(best[~answered], 0.95)
    return {
        "P@1": float(first[answered].mean()),
        "AUROC": float(roc_auc_score(answered, best)),
        "right at 5 %": float((first & (best > bar))[answered].mean()),
    }


def _is_first(scores: Floats, right: int) -> bool:
    """A tie counts against it."""
    return right > 0 and bool(scores[:right].max() > scores[right:].max(initial=-np.inf))


def named(prefix: str, figures: Mapping[str, float]) -> dict[str, float]:
    return {f"{prefix} {name}": value for name, value in figures.items()}


TESTED = "clef"
"""Whole products are tested with the judged questions about this handbook, not steps of a
training."""
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


def judged_held_out(
    labels: Labels, passages: Mapping[str, TrainingPassage]
) -> dict[str, list[Judged]]:
    """By kind: held-out questions with what answers each and what does not."""
    known = labels.about(passages)
    passages = {**passages, **known.passages}
    kinds = {
        "unread": known.unread,
        "follow-ups": known.followups,
        ORGANISATIONS: known.organisations,
    }
    return {
        kind: [
            Judged(
                each.alone,
                tuple(passages[name] for name in each.answers),
                tuple(passages[name] for name in each.wrong),
                _inside(each, passages),
                frozenset((*each.answers, *each.partial)),
            )
            for each in some
            if each.dev and each.source != TESTED and not (each.partial and not each.answers)
        ]
        for kind, some in kinds.items()
    }


def figures_on_judged(
    held_out: Mapping[str, Sequence[Judged]], scores: Callable[[str, list[str]], Floats]
) -> dict[str, float]:
    """Of each kind that has questions with an answer and without; `scores` of texts for one."""
    found: dict[str, float] = {}
    for kind, some in held_out.items():
        rows = [
            (scores(each.question, [p.whole for p in (*each.answers, *each.wrong)]), each)
            for each in some
        ]
        if len({bool(each.answers) for _, each in rows}) == 2:
            found |= named(kind, judged_figures([(row, len(e.answers)) for row, e in rows]))
    return found
