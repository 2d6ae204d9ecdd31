"""How few unanswerable questions have a passage over the threshold after a calibration."""

from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from answering_values import passage
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import BadConfiguration
from bot.lab import calibration
from bot.quality.questions import LabelledQuestion, QuestionKind
from retrieval.search.reranking import Ranked, RelevanceCalibration, careful, fitted_relevance
from retrieval.types import Eligibility, Hit

UNSHIFTED = RelevanceCalibration(1.0, 0.0)
logits = st.floats(-30, 30)


def searched(*logits: float, has_answer: bool = False) -> Ranked:
    return Ranked(has_answer, [(each, has_answer) for each in logits])


def over(found: list[Ranked], relevance: RelevanceCalibration, threshold: float = 0.7) -> float:
    """The share of questions with a passage over the threshold."""
    best = [relevance.relevance(some.first[0]) for some in found]
    return sum(each >= threshold for each in best) / len(best)


def test_one_in_twenty_passes_and_no_fewer_than_must() -> None:
    found = [searched(-4.0, each / 10) for each in range(-20, 20)]
    relevance = careful(found, UNSHIFTED, 0.7, 0.05)
    assert 0 < over(found, relevance) <= 0.05
    assert over(found, relevance.shifted(0.2)) > 0.05


def test_answerable_questions_do_not_count() -> None:
    found = [searched(each / 10) for each in range(40)]
    with_answers = [*found, *(searched(9.0, has_answer=True) for _ in range(40))]
    assert careful(found, UNSHIFTED, 0.7, 0.05) == careful(with_answers, UNSHIFTED, 0.7, 0.05)


def test_what_was_reread_alone_counts_with_the_mean_of_its_logits() -> None:
    reread = Hit(passage("a", "A."), {"logit": 1.0, "window_logit": 4.0})
    other = Hit(passage("b", "B."), {"logit": 9.0}, eligibility=Eligibility.NOT_REREAD)
    found = SimpleNamespace(candidates=(reread, other))
    asked = LabelledQuestion(id="q", question="?", kind=QuestionKind.UNANSWERABLE, gold=())
    evaluation = cast("Any", SimpleNamespace(evidences=lambda *_: [(asked, found)]))
    [some] = calibration.searched(evaluation, cast("Any", None), lambda *_: None)
    assert (some.has_answer, some.candidates) == (False, [(2.5, False)])


def test_of_too_few_none_passes() -> None:
    found = [searched(each) for each in (-1.0, 0.0, 3.0)]
    assert over(found, careful(found, UNSHIFTED, 0.7, 0.05)) == 0


def test_where_nothing_is_found_nothing_is_shifted() -> None:
    assert careful([searched(2.0, has_answer=True)], UNSHIFTED, 0.7, 0.05) is UNSHIFTED
    nothing = [searched() for _ in range(99)]
    assert careful([*nothing, searched(20.0)], UNSHIFTED, 0.7, 0.05) is UNSHIFTED


@given(st.lists(logits, min_size=1, max_size=80), st.floats(0.02, 0.5))
def test_the_share_is_kept_on_any_questions(each: list[float], risk: float) -> None:
    found = [searched(logit) for logit in each]
    assert over(found, careful(found, UNSHIFTED, 0.7, risk)) <= risk


@given(logits, logits, st.floats(0.1, 3), st.floats(-30, 30))
def test_shifting_keeps_the_order(one: float, other: float, slope: float, by: float) -> None:
    fitted = RelevanceCalibration(slope, 1.0)
    low, high = sorted((one, other))
    for each in (fitted, fitted.shifted(by)):
        assert 0 <= each.relevance(low) <= each.relevance(high) <= 1


def test_the_share_holds_on_average_for_others_where_the_numbers_saw_neither() -> None:
    dice, passed = Random(5), []
    for _ in range(300):
        fitted = careful([searched(dice.gauss(0, 2)) for _ in range(60)], UNSHIFTED, 0.7, 0.1)
        passed.append(over([searched(dice.gauss(0, 2)) for _ in range(60)], fitted))
    assert sum(passed) / len(passed) <= 0.1 + 0.01


def test_the_relevance_of_the_first_is_how_often_such_a_one_answers() -> None:
    """Though the other candidates are wrong."""
    found = [
        Ranked(True, [(-9.0, False), (logit, number % 5 < right)])
        for logit, right in ((5.0, 4), (1.0, 1))
        for number in range(200)
    ]
    relevance = fitted_relevance(found, 0.7, 0.05)
    assert relevance
    assert relevance.relevance(5.0) == pytest.approx(0.8, abs=0.02)
    assert relevance.relevance(1.0) == pytest.approx(0.2, abs=0.02)


def test_a_reranker_that_has_it_the_wrong_way_round_calibrates_nothing() -> None:
    found = [searched(-5.0, has_answer=True), searched(5.0)]
    with pytest.raises(BadConfiguration, match="choose another reranker"):
        calibration.relevance_of(found, 0.7, 0.05)


def test_nearly_every_passage_that_answers_is_near() -> None:
    read = [each / 10 for each in range(-50, 50)]
    found = [*(Ranked(True, [(logit, True)]) for logit in read), searched(-3.0)]
    relevance = fitted_relevance(found, 0.7, 0.05)
    assert relevance
    assert sum(relevance.relevance(logit) >= relevance.near for logit in read) == 95
