"""Recipes are compared over the questions of which both say something."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quality_runs import ranked_outcome
from scipy.stats import binomtest, ttest_rel

from audit.record import Decision
from bot.lab.comparison import ALPHA, Held, differences, holm, interval, paired_p, side_by_side
from bot.quality.run import LabelledOutcome

RIGHT, WRONG = ranked_outcome([True]), ranked_outcome([False])
HELD = Held(passages=10, words=50.0, text_bytes=1024 * 1024, index_bytes=None)


def runs(**asked: Sequence[LabelledOutcome]) -> dict[str, Sequence[LabelledOutcome]]:
    return asked


def test_a_recipe_that_finds_more_is_told_apart_and_its_equal_is_not() -> None:
    first = [WRONG] * 12 + [RIGHT] * 12
    found = differences(runs(first=first, same=first, better=[RIGHT] * 24))["P@1"]
    assert (found["same"].mean, found["same"].p, found["same"].corrected) == (0, 1, 1)
    better = found["better"]
    assert (better.mean, better.questions) == (0.5, 24)
    assert better.corrected == 2 * better.p < 0.01


def test_a_question_that_failed_in_one_recipe_is_left_out_of_the_pair() -> None:
    failed = replace(WRONG, failure="away")
    found = differences(runs(first=[failed, RIGHT], other=[RIGHT, RIGHT]))["P@1"]
    assert (found["other"].mean, found["other"].questions) == (0, 1)


def test_what_only_ranks_is_not_compared_in_what_it_does_not_do() -> None:
    decided = [replace(RIGHT, decision=Decision.ABSTAIN)]
    found = differences(runs(first=[RIGHT], other=decided))
    assert "coverage" not in found
    assert "other" in found["P@1"]
    assert differences(runs(first=decided, other=[RIGHT]))["coverage"] == {}


def test_only_a_difference_that_chance_does_not_make_is_marked() -> None:
    first = [WRONG] * 12 + [RIGHT] * 12
    asked = runs(first=first, same=first, better=[RIGHT] * 24)
    table = side_by_side(asked, dict.fromkeys(asked, HELD), differences(asked))
    rows = {row[0]: list(row[1:]) for section in table.sections for row in section}
    assert rows["P@1"] == ["0.500", "0.500 (+0.000)", "1.000 (+0.500*)"]
    assert rows["index, MB"] == ["-"] * 3
    assert rows["the documents' text, MB"] == ["1.00"] * 3
    assert "over the same 24 questions" in table.notes[0]
    assert "for the 2 recipes beside first" in table.notes[0]


def test_one_recipe_alone_is_compared_with_nothing() -> None:
    asked = runs(only=[RIGHT])
    table = side_by_side(asked, {"only": HELD}, differences(asked))
    assert table.notes == ()
    assert all(
        cell.count("(") == 0 for section in table.sections for row in section for cell in row[1:]
    )


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
