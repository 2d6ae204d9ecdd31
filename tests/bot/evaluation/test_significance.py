"""Whether a difference between two recipes may be chance."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, ttest_rel

from bot.lab.comparison import ALPHA, holm, interval, paired_p

SHARES = st.sampled_from([0.0, 1.0])
FIGURES = st.floats(0, 1).map(lambda value: round(value, 3))


def pairs(values: st.SearchStrategy[float]) -> st.SearchStrategy[list[tuple[float, float]]]:
    return st.lists(st.tuples(values, values), min_size=1, max_size=40)


@given(pairs(SHARES) | pairs(FIGURES))
def test_it_is_a_probability_and_the_same_from_either_side(
    paired: list[tuple[float, float]],
) -> None:
    one, other = zip(*paired, strict=True)
    p = paired_p(one, other)
    assert 0 <= p <= 1
    assert paired_p(other, one) == pytest.approx(p, abs=1e-9)


@given(st.lists(SHARES | FIGURES, min_size=1, max_size=40))
def test_the_same_figures_never_differ(values: list[float]) -> None:
    assert paired_p(values, values) == 1


@pytest.mark.parametrize("share", [True, False])
def test_a_difference_that_was_put_there_is_found(share: bool) -> None:
    dice = Random(0)
    one = [dice.random() for _ in range(60)]
    other = [value + 0.1 + 0.1 * dice.random() for value in one]
    if share:
        one, other = [0.0] * 30 + [1.0] * 30, [1.0] * 20 + [0.0] * 10 + [1.0] * 30
    assert paired_p(one, other) < 0.001


@pytest.mark.exhaustive
def test_chance_alone_is_seldom_taken_for_a_difference() -> None:
    dice = Random(1)

    def drawn() -> list[float]:
        return [dice.random() for _ in range(12)]

    marked = sum(paired_p(drawn(), drawn()) < ALPHA for _ in range(200))
    assert marked <= 20, "one in twenty is expected: ten"


def test_of_shares_only_the_questions_that_differ_tell() -> None:
    one = [0.0] * 8 + [1.0] * 2 + [1.0] * 30
    other = [1.0] * 8 + [0.0] * 2 + [1.0] * 30
    assert paired_p(one, other) == pytest.approx(binomtest(2, 10).pvalue)


def test_means_of_many_questions_are_judged_as_students_test_judges_them() -> None:
    dice = Random(2)
    one = [dice.random() for _ in range(200)]
    other = [value + dice.gauss(0.02, 0.15) for value in one]
    assert paired_p(one, other) == pytest.approx(ttest_rel(one, other).pvalue, abs=0.02)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_several_comparisons_are_corrected_and_keep_their_order(found: list[float]) -> None:
    corrected = holm(found)
    assert all(p <= more <= 1 for p, more in zip(found, corrected, strict=True))
    assert min(corrected) == pytest.approx(min(1, len(found) * min(found)))
    assert max(corrected) >= max(found)
    ranked: Sequence[float] = [p for _, p in sorted(zip(found, corrected, strict=True))]
    assert list(ranked) == sorted(ranked)


def test_holm_as_in_his_paper() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_the_mean_lies_in_its_interval() -> None:
    shares = [0.0] * 30 + [1.0] * 70
    for values in (shares, [0.001 + 0.998 * each for each in shares]):
        low, high = interval(values)
        assert low < 0.7 < high
        assert high - low == pytest.approx(2 * 1.96 * (0.7 * 0.3 / 100) ** 0.5, abs=0.03)


def test_no_false_answer_among_few_questions_does_not_promise_none() -> None:
    low, high = interval([0.0] * 25)
    assert (low, high) == pytest.approx((0, 0.133), abs=0.001)
    assert interval([0.5, 0.5]) == (0.5, 0.5)
