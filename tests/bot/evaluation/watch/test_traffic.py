"""Whether the last seven days are like the weeks before them."""

import json
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_records import a_citation, a_record, wild_records

from audit.proof.hashes import canonical
from audit.record import AuditRecord, Confidence, Decision
from audit.values import ClaimRecord, Status
from bot.quality.alarms import Measure, SourceUnchanged, SourceUnread
from bot.quality.traffic import (
    LEAST_QUESTIONS,
    LEAST_WEEKS,
    WEEKS_BEFORE,
    AnsweredInTraffic,
    Week,
    band,
    mean,
    since,
    source_alarms,
    standard_error,
    traffic_alarms,
    weeks,
)
from retrieval.documents.holdings import SourceTimes

NOW = datetime(2026, 3, 2, 6, tzinfo=UTC)
shares = st.floats(0, 1)
answered = st.builds(
    lambda abstained, failed, held, confidence: AnsweredInTraffic(
        NOW, abstained, failed + held, failed, confidence
    ),
    st.booleans(),
    st.integers(0, 3),
    st.integers(0, 3),
    st.none() | shares,
)
busy_weeks = st.lists(answered, min_size=LEAST_QUESTIONS, max_size=30)


def week(abstained: int, of: int, confidence: float = 0.9, failed: int = 0) -> Week:
    """Each answer has a claim."""
    return [
        AnsweredInTraffic(NOW, number < abstained, 1, int(number < failed), confidence)
        for number in range(of)
    ]


@given(busy_weeks)
def test_weeks_that_are_all_alike_say_nothing(one: list[AnsweredInTraffic]) -> None:
    assert traffic_alarms([one] * (WEEKS_BEFORE + 1)) == []


@given(st.lists(busy_weeks, max_size=LEAST_WEEKS), st.data())
def test_too_few_weeks_with_enough_questions_say_nothing(
    some: list[list[AnsweredInTraffic]], data: st.DataObject
) -> None:
    """The last one is one of them."""
    few = st.lists(answered, max_size=LEAST_QUESTIONS - 1)
    quiet = data.draw(st.lists(few, min_size=9 - len(some), max_size=9 - len(some)))
    last, *before = some or [[]]
    assert traffic_alarms([last, *data.draw(st.permutations([*before, *quiet]))]) == []


@given(st.lists(busy_weeks, min_size=4, max_size=8), busy_weeks, st.randoms())
def test_the_order_of_the_weeks_before_does_not_matter_nor_that_of_answers(
    before: list[list[AnsweredInTraffic]], last: list[AnsweredInTraffic], chance: Random
) -> None:
    other = [list(each) for each in before]
    chance.shuffle(other)
    shuffled = list(last)
    chance.shuffle(shuffled)
    told = [each.measure for each in traffic_alarms([last, *before])]
    assert [each.measure for each in traffic_alarms([shuffled, *other])] == told


@given(st.lists(busy_weeks, min_size=4, max_size=8), busy_weeks)
def test_what_is_told_lies_outside_the_band_that_is_told(
    before: list[list[AnsweredInTraffic]], last: list[AnsweredInTraffic]
) -> None:
    for alarm in traffic_alarms([last, *before]):
        assert alarm.value == mean(alarm.measure, last)
        assert alarm.value < alarm.low or alarm.high < alarm.value
        assert 4 <= alarm.weeks <= len(before)


@given(st.lists(shares, min_size=1, max_size=8), shares, shares)
def test_a_band_holds_what_is_in_the_middle_and_widens_with_the_error(
    usual: list[float], error: float, more: float
) -> None:
    low, high = band(usual, error)
    assert low <= sorted(usual)[len(usual) // 2] <= high or len(usual) % 2 == 0
    assert band(usual, error + more)[0] <= low
    assert band(usual, error + more)[1] >= high


@given(st.lists(shares, max_size=40))
def test_the_error_of_a_mean_is_never_nothing_and_falls_with_more_of_the_same(
    values: list[float],
) -> None:
    assert 0 < standard_error(values) <= 0.5
    assert standard_error(values * 100 + [0.0, 1.0]) <= standard_error(values)


def test_more_abstentions_failed_claims_and_less_confidence_are_told_each_by_itself() -> None:
    usual = [week(3, 30)] * 8
    told = {
        Measure.ABSTENTIONS: week(20, 30),
        Measure.FAILED_CLAIMS: week(3, 30, failed=20),
        Measure.CONFIDENCE: week(3, 30, confidence=0.4),
    }
    for measure, last in told.items():
        assert [each.measure for each in traffic_alarms([last, *usual])] == [measure]


def test_far_fewer_abstentions_are_told_too() -> None:
    [alarm] = traffic_alarms([week(0, 200), *[week(100, 200)] * 8])
    assert (alarm.measure, alarm.value) == (Measure.ABSTENTIONS, 0.0)


def test_where_weeks_differ_a_lot_much_is_usual() -> None:
    wild = [week(n, 30) for n in (1, 25, 4, 20, 9, 14, 28, 2)]
    assert traffic_alarms([week(29, 30), *wild]) == []


def test_one_week_out_of_the_ordinary_does_not_stretch_the_band() -> None:
    usual = [week(30, 30), *[week(3, 30)] * 7]
    assert [each.measure for each in traffic_alarms([week(20, 30), *usual])] == [
        Measure.ABSTENTIONS
    ]


@given(st.lists(st.timedeltas(timedelta(days=-20), timedelta(days=100)), max_size=30))
def test_each_question_counts_in_the_one_week_that_it_was_asked_in(ago: list[timedelta]) -> None:
    found = weeks((AnsweredInTraffic(NOW - each, False, 0, 0, None) for each in ago), NOW)
    assert len(found) == WEEKS_BEFORE + 1
    for number, one in enumerate(found):
        for each in one:
            later, earlier = NOW - number * timedelta(days=7), NOW - (number + 1) * timedelta(7)
            assert earlier <= each.at < later
    kept = [each for each in ago if since(NOW) <= NOW - each < NOW]
    assert sum(map(len, found)) == len(kept)


def of(record: AuditRecord) -> AnsweredInTraffic:
    return AnsweredInTraffic.of(json.loads(canonical(record)))


def test_a_record_tells_what_was_drafted_and_what_of_it_failed() -> None:
    def claim(status: Status) -> ClaimRecord:
        return ClaimRecord(text="x", status=status, citations=(a_citation(),))

    record = a_record(
        claims=(claim(Status.VERIFIED), claim(Status.UNSUPPORTED)),
        dropped=(claim(Status.BROKEN), claim(Status.VERIFIED)),
        decision=Decision.PARTIAL,
        confidence=Confidence(overall=0.7),
    )
    assert of(record) == AnsweredInTraffic(record.time, False, 4, 2, 0.7)
    assert of(a_record(decision=Decision.ABSTAIN, claims=())).abstained


@given(wild_records)
def test_any_record_can_be_counted(record: AuditRecord) -> None:
    found = of(record)
    assert found.at == record.time
    assert 0 <= found.failed <= found.claims


def ago(days: int) -> datetime:
    return NOW - timedelta(days=days)


@pytest.mark.parametrize(
    ("read", "changed", "expected"),
    [
        (1, 1, []),
        (30, 300, []),
        (31, 300, [SourceUnread]),
        (1, 366, [SourceUnchanged]),
        (400, 400, [SourceUnread, SourceUnchanged]),
        (None, 20, []),
        (None, 31, [SourceUnread]),
        (None, None, []),
    ],
)
def test_days_count_since_it_was_last_read_and_last_changed(
    read: int | None, changed: int | None, expected: list[type]
) -> None:
    times = SourceTimes("docs", ago(read) if read else None, ago(changed) if changed else None)
    assert [type(each) for each in source_alarms([times], NOW, 30, 365)] == expected


def test_no_days_say_nothing() -> None:
    assert source_alarms([SourceTimes("docs", ago(900), ago(900))], NOW, 0, 0) == []
