"""Quality over time for the people who run the bot: alarms in words, curves in a picture."""

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from bot.quality.alarms import (
    Alarm,
    FalseAnswersRose,
    Fell,
    FewRelevant,
    GoldMissing,
    OutcomeChange,
    OutOfBand,
    QuestionsFailed,
    RunComparison,
    SourceUnread,
)
from bot.quality.metrics import figure
from bot.quality.values import FIRST, MEASURES, QualityRun
from bot.wording import quality as wording


def in_words(alarm: Alarm) -> str:
    """A sentence or two; with questions that changed, each has a line of its own below."""
    match alarm:
        case Fell(measure, before, now, comparison):
            day, asked = _day(comparison), comparison.questions
            return _with_changes(wording.fell(measure, before, now, day, asked), comparison)
        case FalseAnswersRose(was, is_, comparison):
            said = wording.false_answers_rose(was, is_, _day(comparison))
            return _with_changes(said, comparison)
        case FewRelevant(mean, attainable, least):
            return wording.few_relevant(mean, attainable, least)
        case GoldMissing(questions):
            return wording.gold_missing(questions)
        case QuestionsFailed(failed, questions, reason):
            return wording.questions_failed(failed, questions, reason)
        case OutOfBand(measure, value, low, high, weeks, questions):
            return wording.out_of_band(measure, value, low, high, weeks, questions)
        case SourceUnread(source, since, days):
            return wording.source_unread(source, since.date().isoformat(), days)
        case _:
            return wording.source_unchanged(
                alarm.source, alarm.since.date().isoformat(), alarm.days
            )


def _day(comparison: RunComparison) -> str:
    return comparison.at.date().isoformat()


def _with_changes(said: str, comparison: RunComparison) -> str:
    """What got worse comes first."""
    differing = [
        wording.differs(each.what, each.before, each.now) for each in comparison.differences
    ]
    changes = sorted(comparison.changes, key=_order)
    shown = [_change(each) for each in changes[: wording.MOST_QUESTIONS]]
    left = len(changes) - len(shown)
    more = [wording.more_changed(left)] if left else []
    return "\n".join(filter(None, [said, wording.other_versions(differing), *shown, *more]))


def _order(change: OutcomeChange) -> tuple[bool, bool, int]:
    lost = (change.relevant_before or 0) - (change.relevant_now or 0)
    return (not (change.was_right and not change.is_right), change.is_right, -lost)


def _change(change: OutcomeChange) -> str:
    became = wording.became(change.was_right, change.is_right)
    moved = wording.relevant_moved(change.relevant_before, change.relevant_now)
    return wording.changed(change.question_id, change.question, [became, moved])


BARS = "▁▂▃▄▅▆▇█"
MOST_BARS = 40
TO_THE_MINUTE = len("2026-01-31T23:59")


def runs_table(runs: Sequence[QualityRun]) -> Table:
    """A row a run, the newest one last; as narrow as a terminal is at least."""
    table = Table(*wording.RUN_HEADINGS, box=None, collapse_padding=True, pad_edge=False)
    for name in MEASURES:
        table.add_column(wording.SHORT_MEASURES[name], justify="right")
    for run in runs:
        table.add_row(
            _when(run), str(run.figures.questions), *(_shown(run, name) for name in MEASURES)
        )
    return table


def beside_table(runs: Sequence[QualityRun]) -> Table:
    table = Table("measure", *map(_when, runs))
    asked = [str(run.figures.questions) for run in runs]
    table.add_row(wording.RUN_HEADINGS[1], *asked)
    for name in MEASURES:
        table.add_row(wording.MEASURES[name], *(_shown(run, name) for run in runs))
    return table


def _when(run: QualityRun) -> str:
    return run.at.isoformat()[:TO_THE_MINUTE].replace("T", " ")


def curves_table(runs: Sequence[QualityRun]) -> Table:
    """A row a measure: its line over the latest runs, between its least and its greatest."""
    table = Table("measure", "over time", "least", "greatest", "last")
    for name in MEASURES:
        values = [_value(run, name) for run in runs[-MOST_BARS:]]
        known = [value for value in values if value is not None]
        ends = (min(known), max(known)) if known else (None, None)
        table.add_row(
            wording.MEASURES[name],
            sparkline(values),
            *(wording.NOTHING if end is None else f"{end:.3f}" for end in ends),
            _shown(runs[-1], name),
        )
    return table


def sparkline(values: Sequence[float | None]) -> str:
    """A bar a value; a space where there is none. What never moves stands in the middle."""
    known = [value for value in values if value is not None]
    if not known:
        return ""
    low, high = min(known), max(known)
    return "".join(" " if value is None else _bar(value, low, high) for value in values)


def _bar(value: float, low: float, high: float) -> str:
    share = (value - low) / (high - low) if high > low else 0.5
    return BARS[round(share * (len(BARS) - 1))]


def _value(run: QualityRun, name: str) -> float | None:
    value: float | None = getattr(run.figures, name)
    return value


def _shown(run: QualityRun, name: str) -> str:
    value = _value(run, name)
    return wording.NOTHING if value is None else f"{value:.3f}"


def draw_curves(runs: Sequence[QualityRun], path: Path) -> None:
    """Shares on the left, relevant passages of the first five on the right, as a PNG."""
    with figure(path, panels=2) as [left, right]:
        when = [run.at for run in runs]
        for name in MEASURES:
            axes = right if name == "relevant_first_5" else left
            values = [_value(run, name) for run in runs]
            if any(value is not None for value in values):
                drawn = [float("nan") if value is None else value for value in values]
                axes.plot(when, drawn, marker="o", label=wording.MEASURES[name])
        left.set(ylabel="share", ylim=(0, 1))
        right.set(ylabel=wording.MEASURES["relevant_first_5"], ylim=(0, FIRST))
        for axes in (left, right):
            axes.tick_params(axis="x", labelrotation=30)
        left.legend(fontsize="small")
