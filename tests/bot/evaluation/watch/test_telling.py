"""Alarms in words, and runs as lines."""

from datetime import UTC, datetime

import pytest
from quality_runs import asked, run_of

from bot.quality.alarms import (
    Alarm,
    FewRelevant,
    GoldMissing,
    Measure,
    OutOfBand,
    QuestionsFailed,
    SourceUnchanged,
    SourceUnread,
    quality_alarms,
)
from bot.quality.telling import in_words, sparkline

DAY = datetime(2026, 1, 31, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    ("alarm", "said"),
    [
        (FewRelevant(1.25, 5.0, 3.0), "1.25 are relevant on average"),
        (GoldMissing(tuple(f"q{n}" for n in range(12))), "for 12 questions: q0, q1"),
        (QuestionsFailed(2, 9, "It is away."), "2 of 9 questions could not be asked"),
        (OutOfBand(Measure.ABSTENTIONS, 0.6, -0.1, 0.3, 7, 40), "0.000 to 0.300 was usual"),
        (OutOfBand(Measure.CONFIDENCE, 0.6, 0.8, 1.2, 7, 40), "0.800 to 1.000 was usual"),
        (SourceUnread("docs", DAY, 30), "docs was last read on 2026-01-31, more than 30 days"),
        (SourceUnchanged("docs", DAY, 365), "changed since 2026-01-31, for more than 365 days"),
    ],
)
def test_each_alarm_has_words(alarm: Alarm, said: str) -> None:
    assert said in in_words(alarm)


def test_what_got_worse_comes_first_and_many_are_counted() -> None:
    names = [f"q{number}" for number in range(14)]
    before = run_of(0, *(asked(name, (1, 2)) for name in names))
    lost = asked("q13", (), cites_gold=False, attainable=2)
    now = run_of(1, *(asked(name, (1,), attainable=2) for name in names[:13]), lost, library=8)
    found = [each for each in quality_alarms([before], now, 0.05) if hasattr(each, "comparison")]
    first, differs, *lines, more = in_words(found[0]).splitlines()
    assert first.startswith("Precision at 5 fell from 0.400 to 0.186 since 2026-03-02")
    assert differs == "What differs between the runs: changes of the library: 7 then, 8 now."
    assert lines[0] == (
        "- q13 (What about q13?): was right, now wrong, 2 relevant of the first five then, 0 now"
    )
    assert len(lines) == 10
    assert more == "- and 4 more"


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ([], ""),
        ([None, None], ""),
        ([0.5, 0.5], "▅▅"),
        ([0.0, None, 1.0], "▁ █"),
        ([3.0, 2.0, 1.0], "█▅▁"),
    ],
)
def test_a_line_goes_from_its_least_to_its_greatest(values: list[float | None], line: str) -> None:
    assert sparkline(values) == line
