"""A run beside earlier ones: what is told, and what is not."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quality_runs import asked, run_of, unanswerable

from bot.quality.alarms import (
    Alarm,
    DependencyChange,
    FalseAnswersRose,
    Fell,
    FewRelevant,
    GoldMissing,
    Measure,
    OutOfBand,
    QuestionsFailed,
    SourceUnchanged,
    SourceUnread,
    comparison,
    quality_alarms,
)
from bot.quality.telling import in_words, sparkline
from bot.quality.values import QualityRun, QuestionResult

FALL = 0.05
TEN = [f"q{number}" for number in range(10)]


def told(earlier: Sequence[QualityRun], now: QualityRun, fall: float = FALL) -> list[Alarm]:
    return quality_alarms(earlier, now, fall)


def fell(alarms: Sequence[Alarm], measure: Measure) -> Fell | None:
    found = (each for each in alarms if isinstance(each, Fell) and each.measure is measure)
    return next(found, None)


questions = st.builds(
    asked,
    st.sampled_from(TEN),
    st.sets(st.integers(1, 10)).map(tuple),
    has_answer=st.booleans(),
    has_gold=st.booleans(),
    decision=st.sampled_from(["ANSWER", "PARTIAL", "ABSTAIN"]),
    cites_gold=st.booleans(),
    failure=st.sampled_from(["", "", "away"]),
)
runs = st.lists(questions, max_size=12, unique_by=lambda each: each.label)


@given(runs)
def test_beside_a_run_that_is_the_same_nothing_is_told(every: list[QuestionResult]) -> None:
    first, second = run_of(0, *every), run_of(1, *reversed(every))
    alone = told([], second)
    assert told([first], second) == alone
    assert not any(isinstance(each, Fell | FalseAnswersRose) for each in alone)
    assert comparison(first, second).changes == ()


@given(runs, runs, st.floats(0, 1))
def test_what_is_told_is_over_what_may_be_lost_and_what_is_allowed_is_not(
    before: list[QuestionResult], now: list[QuestionResult], fall: float
) -> None:
    for each in told([run_of(0, *before)], run_of(1, *now), fall):
        if isinstance(each, Fell):
            assert each.before - each.now > fall
            assert each.comparison.changes, "something must have changed for it to fall"
    assert not any(isinstance(each, Fell) for each in told([run_of(0, *before)], run_of(1), fall))


def test_a_fall_of_precision_names_what_got_worse_and_what_got_better() -> None:
    before = run_of(0, *(asked(name, (1, 2, 3)) for name in TEN))
    worse = asked("q0", (6, 7, 8), cites_gold=False, attainable=3)
    better = asked("q1", (1, 2, 3, 4), attainable=4)
    now = run_of(1, worse, better, *(asked(name, (1, 2), attainable=3) for name in TEN[2:]))
    found = fell(told([before], now), Measure.PRECISION)
    assert found is not None
    assert found.before == pytest.approx(0.6)
    assert found.now == pytest.approx((0 + 4 + 16) / 50)
    changes = {each.question_id: each for each in found.comparison.changes}
    assert changes.keys() == set(TEN)
    assert (changes["q0"].was_right, changes["q0"].is_right) == (True, False)
    assert (changes["q1"].relevant_before, changes["q1"].relevant_now) == (3, 4)
    assert found.comparison.at == before.at


def test_the_stated_amount_itself_may_be_lost() -> None:
    before = run_of(0, *(asked(name, (1, 2)) for name in TEN))
    half = [asked(name, (1,), attainable=2) for name in TEN[:5]]
    now = run_of(1, *half, *(asked(name, (1, 2)) for name in TEN[5:]))
    assert fell(told([before], now, 0.1), Measure.PRECISION) is None
    assert fell(told([before], now, 0.099), Measure.PRECISION) is not None


def test_new_questions_and_those_labelled_anew_are_not_compared() -> None:
    before = run_of(0, *(asked(name, (1, 2, 3, 4)) for name in TEN))
    same = [asked(name, (1, 2, 3, 4)) for name in TEN[:6]]
    other = [asked(name, (), label="another", cites_gold=False) for name in TEN[6:]]
    alarms = told([before], run_of(1, *same, *other))
    assert not any(isinstance(each, Fell) for each in alarms)


def test_a_run_of_other_questions_in_between_is_passed_over() -> None:
    before = run_of(0, *(asked(name) for name in TEN))
    other = run_of(1, *(asked(f"other {name}") for name in TEN))
    now = run_of(2, *(asked(name, (), cites_gold=False) for name in TEN))
    found = fell(told([before, other], now), Measure.COVERAGE)
    assert found is not None
    assert found.comparison.at == before.at
    assert fell(told([other], now), Measure.COVERAGE) is None


def test_what_is_lost_a_little_every_week_is_told_beside_the_oldest_of_eight_weeks() -> None:
    def week(number: int) -> QualityRun:
        lost = [asked(name, (), cites_gold=False) for name in TEN[:number]]
        return run_of(number, *lost, *(asked(name) for name in TEN[number:]))

    earlier = [week(0), week(1), week(2)]
    found = fell(told(earlier[2:], week(3), 0.1), Measure.COVERAGE)
    assert found is None, "a tenth may be lost, and was"
    found = fell(told(earlier, week(3), 0.1), Measure.COVERAGE)
    assert found is not None
    assert (found.comparison.at, found.before) == (earlier[0].at, 1.0)
    long_ago = replace(week(3), at=earlier[2].at.replace(year=2027))
    assert fell(told(earlier, long_ago, 0.1), Measure.COVERAGE) is None


def test_one_false_answer_more_is_told_and_one_fewer_is_not() -> None:
    before = run_of(0, unanswerable("a"), unanswerable("b", "ANSWER"), asked("c"))
    swapped = run_of(1, unanswerable("a", "PARTIAL"), unanswerable("b"), asked("c"))
    both = run_of(1, unanswerable("a", "PARTIAL"), unanswerable("b", "ANSWER"), asked("c"))
    [found] = told([before], both)
    assert isinstance(found, FalseAnswersRose)
    assert (found.before, found.now) == (1, 2)
    assert [each.question_id for each in found.comparison.changes] == ["a"]
    assert told([before], swapped) == []
    assert told([both], before) == []


def test_versions_that_differ_are_told_one_by_one() -> None:
    before = run_of(0, asked("a"))
    other = {"models": {"reranker": "other", "listwise": "m"}, "settings": {"candidates": 5}}
    now = run_of(1, asked("a"), calibration="own", library=9, **other)
    assert comparison(before, now).differences == (
        DependencyChange("reranker", "bundled", "other"),
        DependencyChange("calibration", "shipped", "own"),
        DependencyChange("VOUCH_CANDIDATES", "50", "5"),
        DependencyChange("changes of the library", "7", "9"),
        DependencyChange("listwise", "", "m"),
    )


def test_three_of_five_are_asked_where_five_can_be_had() -> None:
    two = run_of(0, *(asked(name, (1, 2), attainable=9) for name in TEN))
    [found] = told([], two)
    assert found == FewRelevant(mean=2.0, attainable=5.0, least=3.0)
    assert told([], run_of(0, *(asked(name, (1, 2, 3), attainable=9) for name in TEN))) == []


def test_of_questions_that_one_passage_answers_three_of_five_must_have_it_among_the_first() -> None:
    def run(found: int) -> QualityRun:
        lost = [asked(name, (9,), attainable=1) for name in TEN[found:]]
        return run_of(0, *(asked(name) for name in TEN[:found]), *lost)

    assert told([], run(6)) == []
    [alarm] = told([], run(5))
    assert isinstance(alarm, FewRelevant)
    assert alarm.least == pytest.approx(0.6)


def test_gold_that_the_library_lost_is_named_by_question() -> None:
    before = run_of(0, asked("a"), asked("b"), unanswerable("c"))
    now = run_of(1, asked("a"), asked("b", (), attainable=0), unanswerable("c"))
    assert GoldMissing(("b",)) in told([before], now)
    again = told([now], run_of(2, *now.asked))
    assert not any(isinstance(each, GoldMissing) for each in again), "it was so before"


def test_failed_questions_are_told_and_count_for_nothing_else() -> None:
    before = run_of(0, asked("a"), asked("b"), unanswerable("c"))
    failed = asked("a", (), decision="", cites_gold=False, failure="The model is away.")
    now = run_of(1, failed, asked("b"), unanswerable("c"))
    assert told([before], now) == [QuestionsFailed(1, 3, "The model is away.")]
    assert told([now], run_of(2, asked("a"), asked("b"), unanswerable("c"))) == []


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
