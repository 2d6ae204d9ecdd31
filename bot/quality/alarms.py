"""An alarm says what is not as it was; its words are made in `bot/wording/quality.py`."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from statistics import fmean

from bot.quality.values import FIRST, MadeWith, QualityRun, QuestionResult


@dataclass(frozen=True, slots=True)
class OutcomeChange:
    question_id: str
    question: str
    was_right: bool
    is_right: bool
    relevant_before: int | None
    """Of the first five; None where it has no gold."""
    relevant_now: int | None


@dataclass(frozen=True, slots=True)
class DependencyChange:
    """Something that answers depend on is another one now; empty where there is none."""

    what: str
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class RunComparison:
    at: datetime
    questions: int
    changes: Sequence[OutcomeChange]
    differences: Sequence[DependencyChange]


class Measure(StrEnum):
    """A figure that is compared; its value is what people call it."""

    PRECISION = "precision at 5"
    COVERAGE = "coverage"
    ABSTENTIONS = "abstentions"
    FAILED_CLAIMS = "claims that their sources do not bear out"
    CONFIDENCE = "confidence"


@dataclass(frozen=True, slots=True)
class Fell:
    """A measure of the labelled questions fell by more than is allowed."""

    measure: Measure
    before: float
    now: float
    comparison: RunComparison


@dataclass(frozen=True, slots=True)
class FalseAnswersRose:
    """More questions are answered that no document answers; counts of questions."""

    before: int
    now: int
    comparison: RunComparison


@dataclass(frozen=True, slots=True)
class FewRelevant:
    """Too few of the first five are relevant, on average."""

    mean: float
    attainable: float
    """The mean that a perfect ranking would have."""
    least: float
    """The mean from which nothing is said."""


@dataclass(frozen=True, slots=True)
class GoldMissing:
    """These questions' places overlap no passage of the library any more, and did before."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuestionsFailed:
    """Some questions could not be asked, as where a language model did not answer."""

    failed: int
    questions: int
    reason: str


@dataclass(frozen=True, slots=True)
class OutOfBand:
    """What people asked in the last seven days was answered unlike in the weeks before."""

    measure: Measure
    value: float
    low: float
    high: float
    weeks: int
    """From which the band is."""
    questions: int


@dataclass(frozen=True, slots=True)
class SourceUnread:
    source: str
    since: datetime
    days: int


@dataclass(frozen=True, slots=True)
class SourceUnchanged:
    source: str
    since: datetime
    days: int


Alarm = (
    Fell
    | FalseAnswersRose
    | FewRelevant
    | GoldMissing
    | QuestionsFailed
    | OutOfBand
    | SourceUnread
    | SourceUnchanged
)


LEAST_RELEVANT = 3
SLOWLY = timedelta(weeks=8)
"""How far back a run is looked for that shows what is lost a little every week."""
SHARED = 0.5
"""The share of its questions that a run must have in common with an earlier one to be compared."""
ROUNDING = 1e-9
"""Less than any one question moves a mean."""
Pair = tuple[QuestionResult, QuestionResult]
"""The same question in an earlier run and in a later one."""


def quality_alarms(earlier: Sequence[QualityRun], now: QualityRun, fall: float) -> list[Alarm]:
    """`earlier`: oldest first; `fall`: by which a share may fall, 0 to 1."""
    beside = _beside(earlier, now)
    return [
        *_by_itself(now),
        *_first(beside, lambda run: _fell(run, now, Measure.PRECISION, _precision, fall)),
        *_first(beside, lambda run: _fell(run, now, Measure.COVERAGE, _coverage, fall)),
        *_first(beside, lambda run: _false_answers_rose(run, now)),
        *_first(beside, lambda run: _gold_missing(run, now)),
    ]


def _beside(earlier: Sequence[QualityRun], now: QualityRun) -> list[QualityRun]:
    """The last run that asked the same, and the oldest such one of the eight weeks before."""
    same = [run for run in earlier if len(pairs(run, now)) >= SHARED * len(_judged(now)) > 0]
    recent = [run for run in same if run.at >= now.at - SLOWLY]
    return [*same[-1:], *recent[:1]]


def _first(
    beside: Sequence[QualityRun], alarm: Callable[[QualityRun], Alarm | None]
) -> list[Alarm]:
    """Of two runs that tell the same, the last one tells it."""
    return [found for run in beside if (found := alarm(run)) is not None][:1]


def _judged(run: QualityRun) -> list[QuestionResult]:
    return [each for each in run.asked if not each.failure]


def pairs(before: QualityRun, now: QualityRun) -> list[Pair]:
    known = {each.label: each for each in _judged(before)}
    return [(known[each.label], each) for each in _judged(now) if each.label in known]


def comparison(before: QualityRun, now: QualityRun) -> RunComparison:
    same = pairs(before, now)
    changes = tuple(change for pair in same if (change := _change(*pair)) is not None)
    return RunComparison(
        before.at, len(same), changes, differences(before.made_with, now.made_with)
    )


def _change(before: QuestionResult, now: QuestionResult) -> OutcomeChange | None:
    seen = (before.right, before.relevant_first), (now.right, now.relevant_first)
    if seen[0] == seen[1]:
        return None
    return OutcomeChange(
        now.question_id,
        now.question,
        before.right,
        now.right,
        before.relevant_first,
        now.relevant_first,
    )


def differences(before: MadeWith, now: MadeWith) -> tuple[DependencyChange, ...]:
    was, is_ = before.parts, now.parts
    return tuple(
        DependencyChange(what, was.get(what, ""), is_.get(what, ""))
        for what in dict.fromkeys([*was, *is_])
        if was.get(what, "") != is_.get(what, "")
    )


def _precision(asked: Sequence[QuestionResult]) -> float | None:
    relevant = [found for each in asked if (found := each.relevant_first) is not None]
    return fmean(relevant) / FIRST if relevant else None


def _coverage(asked: Sequence[QuestionResult]) -> float | None:
    answerable = [float(each.right) for each in asked if each.has_answer]
    return fmean(answerable) if answerable else None


def _fell(
    before: QualityRun,
    now: QualityRun,
    measure: Measure,
    mean: Callable[[Sequence[QuestionResult]], float | None],
    fall: float,
) -> Fell | None:
    same = pairs(before, now)
    was, is_ = mean([b for b, _ in same]), mean([n for _, n in same])
    if was is None or is_ is None or was - is_ <= fall + ROUNDING:
        return None
    return Fell(measure, was, is_, comparison(before, now))


def _false_answers_rose(before: QualityRun, now: QualityRun) -> FalseAnswersRose | None:
    """By one suffices: each is something wrong that somebody would be told."""
    same = [(b, n) for b, n in pairs(before, now) if not n.has_answer]
    was, is_ = sum(b.answered for b, _ in same), sum(n.answered for _, n in same)
    return FalseAnswersRose(was, is_, comparison(before, now)) if is_ > was else None


def _gold_missing(before: QualityRun, now: QualityRun) -> GoldMissing | None:
    """Only what was there before: a label that never fitted is no change."""
    lost = [n.question_id for b, n in pairs(before, now) if b.attainable and not n.attainable]
    return GoldMissing(tuple(lost)) if lost else None


def _by_itself(now: QualityRun) -> Iterator[Alarm]:
    failures = [each.failure for each in now.asked if each.failure]
    if failures:
        yield QuestionsFailed(len(failures), len(now.asked), failures[0])
    gold = [each for each in _judged(now) if each.has_gold]
    if few := _few_relevant(gold):
        yield few


def _few_relevant(gold: Sequence[QuestionResult]) -> FewRelevant | None:
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
