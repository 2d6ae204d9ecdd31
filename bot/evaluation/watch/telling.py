"""An alarm becomes words for the people who run the bot."""

from bot.evaluation.watch.alarms import (
    Alarm,
    Change,
    Comparison,
    FalseAnswersRose,
    Fell,
    FewRelevant,
    GoldMissing,
    OutOfBand,
    QuestionsFailed,
    SourceUnread,
)
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


def _day(comparison: Comparison) -> str:
    return comparison.at.date().isoformat()


def _with_changes(said: str, comparison: Comparison) -> str:
    """What got worse comes first."""
    differing = [
        wording.differs(each.what, each.before, each.now) for each in comparison.differences
    ]
    changes = sorted(comparison.changes, key=_order)
    shown = [_change(each) for each in changes[: wording.MOST_QUESTIONS]]
    left = len(changes) - len(shown)
    more = [wording.more_changed(left)] if left else []
    return "\n".join(filter(None, [said, wording.other_versions(differing), *shown, *more]))


def _order(change: Change) -> tuple[bool, bool, int]:
    lost = (change.relevant_before or 0) - (change.relevant_now or 0)
    return (not (change.was_right and not change.is_right), change.is_right, -lost)


def _change(change: Change) -> str:
    became = wording.became(change.was_right, change.is_right)
    moved = wording.relevant_moved(change.relevant_before, change.relevant_now)
    return wording.changed(change.question_id, change.question, [became, moved])
