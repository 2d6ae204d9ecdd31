"""A run beside the runs before it: pure, over what was kept of them.

The same questions are asked of the same bot, so a fall is no accident of which questions were
drawn, and no test of significance is made: of every measure a stated amount may be lost. Runs are
compared over the questions that both asked, labelled alike, and that failed in neither.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from statistics import fmean

from bot.evaluation.watch.alarms import (
    Alarm,
    Change,
    Comparison,
    Difference,
    FalseAnswersRose,
    Fell,
    FewRelevant,
    GoldMissing,
    Measure,
    QuestionsFailed,
)
from bot.evaluation.watch.values import FIRST, Asked, MadeWith, Run

LEAST_RELEVANT = 3
"""Of the first five."""
SLOWLY = timedelta(weeks=8)
"""How far back a run is looked for that shows what is lost a little every week."""
SHARED = 0.5
"""The share of its questions that a run must have in common with an earlier one to be compared."""
ROUNDING = 1e-9
"""Less than any one question moves a mean."""

Pair = tuple[Asked, Asked]
"""The same question in an earlier run and in a later one."""


def quality_alarms(earlier: Sequence[Run], now: Run, fall: float) -> list[Alarm]:
    """What a run says by itself, and beside earlier ones (oldest first).

    `fall`: the share by which precision at 5 or coverage may fall, 0 to 1.
    """
    beside = _beside(earlier, now)
    return [
        *_by_itself(now),
        *_first(beside, lambda run: _fell(run, now, Measure.PRECISION, _precision, fall)),
        *_first(beside, lambda run: _fell(run, now, Measure.COVERAGE, _coverage, fall)),
        *_first(beside, lambda run: _false_answers_rose(run, now)),
        *_first(beside, lambda run: _gold_missing(run, now)),
    ]


def _beside(earlier: Sequence[Run], now: Run) -> list[Run]:
    """The last run that asked the same, and the oldest such one of the eight weeks before."""
    same = [run for run in earlier if len(pairs(run, now)) >= SHARED * len(_judged(now)) > 0]
    recent = [run for run in same if run.at >= now.at - SLOWLY]
    return [*same[-1:], *recent[:1]]


def _first(beside: Sequence[Run], alarm: Callable[[Run], Alarm | None]) -> list[Alarm]:
    """Of two runs that tell the same, the last one tells it."""
    return [found for run in beside if (found := alarm(run)) is not None][:1]


def _judged(run: Run) -> list[Asked]:
    return [each for each in run.asked if not each.failure]


def pairs(before: Run, now: Run) -> list[Pair]:
    known = {each.label: each for each in _judged(before)}
    return [(known[each.label], each) for each in _judged(now) if each.label in known]


def comparison(before: Run, now: Run) -> Comparison:
    same = pairs(before, now)
    changes = tuple(change for pair in same if (change := _change(*pair)) is not None)
    return Comparison(before.at, len(same), changes, differences(before.made_with, now.made_with))


def _change(before: Asked, now: Asked) -> Change | None:
    seen = (before.right, before.relevant_first), (now.right, now.relevant_first)
    if seen[0] == seen[1]:
        return None
    return Change(
        now.question_id,
        now.question,
        before.right,
        now.right,
        before.relevant_first,
        now.relevant_first,
    )


def differences(before: MadeWith, now: MadeWith) -> tuple[Difference, ...]:
    was, is_ = before.parts, now.parts
    return tuple(
        Difference(what, was.get(what, ""), is_.get(what, ""))
        for what in dict.fromkeys([*was, *is_])
        if was.get(what, "") != is_.get(what, "")
    )


def _precision(asked: Sequence[Asked]) -> float | None:
    relevant = [found for each in asked if (found := each.relevant_first) is not None]
    return fmean(relevant) / FIRST if relevant else None


def _coverage(asked: Sequence[Asked]) -> float | None:
    answerable = [float(each.right) for each in asked if each.has_answer]
    return fmean(answerable) if answerable else None


def _fell(
    before: Run,
    now: Run,
    measure: Measure,
    mean: Callable[[Sequence[Asked]], float | None],
    fall: float,
) -> Fell | None:
    same = pairs(before, now)
    was, is_ = mean([b for b, _ in same]), mean([n for _, n in same])
    if was is None or is_ is None or was - is_ <= fall + ROUNDING:
        return None
    return Fell(measure, was, is_, comparison(before, now))


def _false_answers_rose(before: Run, now: Run) -> FalseAnswersRose | None:
    """By one suffices: each is something wrong that somebody would be told."""
    same = [(b, n) for b, n in pairs(before, now) if not n.has_answer]
    was, is_ = sum(b.answered for b, _ in same), sum(n.answered for _, n in same)
    return FalseAnswersRose(was, is_, comparison(before, now)) if is_ > was else None


def _gold_missing(before: Run, now: Run) -> GoldMissing | None:
    """Only what was there before: a label that never fitted is no change."""
    lost = [n.question_id for b, n in pairs(before, now) if b.attainable and not n.attainable]
    return GoldMissing(tuple(lost)) if lost else None


def _by_itself(now: Run) -> Iterator[Alarm]:
    failures = [each.failure for each in now.asked if each.failure]
    if failures:
        yield QuestionsFailed(len(failures), len(now.asked), failures[0])
    gold = [each for each in _judged(now) if each.has_gold]
    if few := _few_relevant(gold):
        yield few


def _few_relevant(gold: Sequence[Asked]) -> FewRelevant | None:
    """Fewer than three of five, of what is attainable.

    A question of which the library has two relevant passages can have two among the first five,
    and no more: so three fifths are asked of what a perfect ranking would have. Of questions that
    a document answers alone: those that this person may not see are never found.
    """
    found = [(each.relevant_first or 0, each.attainable) for each in gold if each.has_answer]
    if not found:
        return None
    mean = fmean(relevant for relevant, _ in found)
    attainable = fmean(min(FIRST, known) for _, known in found)
    least = attainable * LEAST_RELEVANT / FIRST
    return FewRelevant(mean, attainable, least) if mean < least - ROUNDING else None
