"""How few unanswerable questions have a passage over the threshold after a calibration."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bot.evaluation.calibration import Searched, careful_shift
from retrieval.calibration import LogisticWeights
from retrieval.types import Scores

PLAIN = LogisticWeights(0.0, {"logit": 1.0})
logits = st.floats(-8, 8)


def searched(*logits: float, has_answer: bool = False) -> Searched:
    return Searched(
        has_answer, [(Scores(logit=each, bare_logit=0.0), has_answer) for each in logits]
    )


def over(found: list[Searched], shift: float, threshold: float = 0.7) -> float:
    """The share of questions with a passage over the threshold, once shifted."""
    shifted = PLAIN.shifted(shift)
    best = [max(shifted.probability({"logit": s.logit or 0.0}) for s, _ in q.candidates)
            for q in found]  # fmt: skip
    return sum(each >= threshold for each in best) / len(best)


def test_one_in_twenty_passes_and_no_fewer_than_must() -> None:
    found = [searched(-4.0, each / 10) for each in range(-20, 20)]
    shift = careful_shift(found, PLAIN, 0.7, 0.05)
    assert 0 < over(found, shift) <= 0.05
    assert over(found, shift + 0.2) > 0.05


def test_answerable_questions_do_not_count() -> None:
    found = [searched(each / 10) for each in range(40)]
    with_answers = [*found, *(searched(9.0, has_answer=True) for _ in range(40))]
    assert careful_shift(found, PLAIN, 0.7, 0.05) == careful_shift(with_answers, PLAIN, 0.7, 0.05)


def test_of_too_few_none_passes() -> None:
    found = [searched(each) for each in (-1.0, 0.0, 3.0)]
    assert over(found, careful_shift(found, PLAIN, 0.7, 0.05)) == 0


def test_without_unanswerable_questions_nothing_is_shifted() -> None:
    assert careful_shift([searched(2.0, has_answer=True)], PLAIN, 0.7, 0.05) == 0


@given(st.lists(logits, min_size=1, max_size=80), st.floats(0.02, 0.5))
def test_the_share_is_kept_on_any_questions(each: list[float], risk: float) -> None:
    found = [searched(logit) for logit in each]
    assert over(found, careful_shift(found, PLAIN, 0.7, risk)) <= risk


def test_the_share_holds_on_average_for_questions_that_were_not_seen() -> None:
    dice, passed = Random(5), []
    for _ in range(300):
        shift = careful_shift([searched(dice.gauss(0, 2)) for _ in range(60)], PLAIN, 0.7, 0.1)
        passed.append(over([searched(dice.gauss(0, 2)) for _ in range(60)], shift))
    assert sum(passed) / len(passed) <= 0.1 + 0.01
