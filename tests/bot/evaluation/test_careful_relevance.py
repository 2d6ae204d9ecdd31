"""How few unanswerable questions have a passage over the threshold after a calibration."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evaluation.calibration import Searched, careful, fitted_answering, with_near
from retrieval.calibration import LogisticWeights, RelevanceCalibration
from retrieval.scores import features

PLAIN = LogisticWeights(0.0, {"logit": 1.0})
UNSHIFTED = RelevanceCalibration(PLAIN, PLAIN)
logits = st.floats(-30, 30)


def searched(*logits: float, has_answer: bool = False, reread: bool = True) -> Searched:
    bare = {"bare_logit": 0.0} if reread else {}
    return Searched(has_answer, [({"logit": each, **bare}, has_answer) for each in logits])


def over(found: list[Searched], relevance: RelevanceCalibration, threshold: float = 0.7) -> float:
    """The share of questions with a passage over the threshold."""
    best = [
        max((relevance.reranking.probability(features(s)) for s, _ in some.candidates), default=0.0)
        for some in found
    ]
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


def test_a_passage_that_was_only_looked_at_counts() -> None:
    found = [searched(each / 10, reread=False) for each in range(40)]
    assert over(found, careful(found, UNSHIFTED, 0.7, 0.05)) <= 0.05


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


def test_the_share_holds_on_average_for_others_where_the_weights_saw_neither() -> None:
    dice, passed = Random(5), []
    for _ in range(300):
        fitted = careful([searched(dice.gauss(0, 2)) for _ in range(60)], UNSHIFTED, 0.7, 0.1)
        passed.append(over([searched(dice.gauss(0, 2)) for _ in range(60)], fitted))
    assert sum(passed) / len(passed) <= 0.1 + 0.01


def test_the_relevance_of_the_first_is_how_often_such_a_one_answers() -> None:
    """Though the other candidates, which are wrong, have as much of what tells."""
    found = [
        Searched(
            True,
            [
                ({"logit": 5.0, "bare_logit": 0.0, "fusion": fusion}, number % 5 < right),
                *(({"logit": 0.0, "bare_logit": 0.0, "fusion": 0.03}, False) for _ in range(5)),
            ],
        )
        for fusion, right in ((0.03, 4), (0.01, 1))
        for number in range(200)
    ]
    weights = fitted_answering(found, PLAIN)
    for fusion, share in ((0.03, 0.8), (0.01, 0.2)):
        probability = weights.probability(features({"logit": 5.0, "fusion": fusion}))
        assert probability == pytest.approx(share, abs=0.02)


def test_nearly_every_passage_that_answers_is_near() -> None:
    cosines = [each / 100 for each in range(100)]
    found = [Searched(True, [({"cosine": c}, True), ({"cosine": 0.99}, False)]) for c in cosines]
    near = with_near(found, UNSHIFTED).near
    assert sum(cosine >= near for cosine in cosines) == 95
    assert with_near([searched(1.0)], UNSHIFTED).near == 0.0
