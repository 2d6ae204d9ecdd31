"""What a calibration promises of unanswerable questions, and when it promises nothing."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.answering.gate import Gate, GateCalibration
from bot.lab.calibration import careful_threshold, fewest_questions, upper_bound
from bot.quality.metrics import calibration_error, reliability

composites = st.lists(st.floats(0.01, 0.99), max_size=60)


def test_fifty_nine_questions_without_a_false_answer_promise_five_percent() -> None:
    assert fewest_questions(0.05, 0.95) == 59
    assert upper_bound(0, 59, 0.95) <= 0.05 < upper_bound(0, 58, 0.95)


def test_too_few_questions_promise_nothing_but_are_kept_to() -> None:
    threshold, risk = careful_threshold([0.9, 0.2, 0.1], [0.95, 0.5, 0.3], 25, 0.05, 0.95)
    assert not risk.promised
    assert risk.bound > 0.05
    assert threshold == 0.3
    assert risk.false_answers == 1


def test_with_enough_of_them_it_answers_as_much_as_the_bound_allows() -> None:
    false = [0.8, 0.6]
    threshold, risk = careful_threshold(false, [0.9, 0.7, 0.65, 0.5], 100, 0.05, 0.95)
    assert risk.promised
    assert threshold == 0.65
    assert risk.false_answers == 1
    assert upper_bound(1, 100, 0.95) <= 0.05 < upper_bound(2, 100, 0.95)


@given(composites, composites, st.integers(0, 100))
def test_what_is_promised_holds_on_the_questions_themselves(
    false: list[float], answerable: list[float], more: int
) -> None:
    asked = len(false) + more + 1
    threshold, risk = careful_threshold(false, answerable, asked, 0.05, 0.95)
    assert sum(each >= threshold for each in false) == risk.false_answers
    assert risk.false_answers <= 0.05 * asked
    assert risk.promised == (risk.bound <= 0.05)


def test_the_promise_holds_for_questions_that_were_not_seen() -> None:
    """Drawn anew 400 times: the true rate exceeds the risk in no more than 1 in 20 of them."""
    dice, broken = Random(4), 0
    for _ in range(400):
        false = [dice.random() for _ in range(150)]
        threshold, risk = careful_threshold(false, [], 150, 0.1, 0.95)
        true_rate = 1 - threshold
        broken += risk.promised and true_rate > 0.1
    assert broken <= 0.05 * 400


@given(st.floats(0.1, 5), st.floats(-3, 3), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_a_gate_reaches_the_probability_of_an_answer_from_its_floor_on_alone(
    slope: float, intercept: float, floor: float, one: float, other: float
) -> None:
    bold = GateCalibration(slope, intercept)
    careful = GateCalibration(slope, intercept, floor, most_under_floor=0.59)
    low, high = sorted((one, other))
    assert careful.probability(low) <= careful.probability(high)
    assert careful.probability(one) <= bold.probability(one)
    if one < floor:
        assert careful.probability(one) < Gate(careful).partial_at
    else:
        assert careful.probability(one) == bold.probability(one)


def test_the_calibration_error_is_what_bins_miss_on_average() -> None:
    stated = [(0.92, True), (0.96, True), (0.94, False), (0.98, True), (0.1, False), (0.12, True)]
    low, high = reliability(stated)
    assert (low.count, low.right, low.stated) == pytest.approx((2, 0.5, 0.11))
    assert (high.count, high.right, high.stated) == pytest.approx((4, 0.75, 0.95))
    assert calibration_error(stated) == pytest.approx((2 * 0.39 + 4 * 0.20) / 6)
    assert calibration_error([]) is None
