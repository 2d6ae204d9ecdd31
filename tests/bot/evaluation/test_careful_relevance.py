"""What calibration promises: of relevance, of drafts, of the risk, by halves."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from answering_values import passage
from hypothesis import given
from hypothesis import strategies as st
from quality_runs import ranked_outcome

from audit.record import Decision
from bot.answering.gate import Gate, GateCalibration, composite
from bot.errors import BadConfiguration
from bot.lab import calibration
from bot.lab.calibration import (
    answering_from,
    as_gated,
    careful_threshold,
    fewest_questions,
    gate_of_drafts,
    upper_bound,
)
from bot.lab.commands.calibrate import halves
from bot.quality.metrics import calibration_error, reliability
from bot.quality.questions import Gold, LabelledQuestion, QuestionKind
from bot.quality.run import LabelledOutcome
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


PARTIAL_AT = 0.6


def confidence(sure: float) -> Mapping[str, float | None]:
    known = {"retrieval": sure, "coverage": 1.0, "entailment": sure, "consistency": None}
    return {**known, "overall": sure}


def drafted(
    sure: float, line: int = 5, kind: QuestionKind = QuestionKind.ANSWERABLE
) -> LabelledOutcome:
    """A draft that cites a line, which is right where it is gold's; none at line 0."""
    place = {"file": "a.md", "page": None, "line_start": line, "line_end": line, "paragraph": None}
    claim = {"text": "", "status": "VERIFIED", "citations": [{**place, "status": "VERIFIED"}]}
    return replace(
        ranked_outcome([], left=1, kind=kind),
        decision=Decision.ABSTAIN,
        dropped=[claim] if line else [],
        confidence=confidence(sure),
    )


def nothing() -> LabelledOutcome:
    return drafted(0.3, line=0, kind=QuestionKind.UNANSWERABLE)


def test_drafts_that_are_all_right_are_as_probable_as_they_were_however_sure() -> None:
    outcomes = [*(drafted(sure) for sure in (0.4, 0.6, 0.8)), *[nothing()] * 5]
    gate, kept = gate_of_drafts(outcomes, 0.05, 0.95, PARTIAL_AT)
    for sure in (0.05, 0.5, 0.99):
        assert gate.probability(composite(confidence(sure))) == pytest.approx((3 + 1) / (3 + 2))
    assert (kept.false_answers, kept.asked, kept.promised) == (0, 5, False)
    assert answering_from(PARTIAL_AT, as_gated(outcomes, gate)).coverage == 1.0


def test_where_the_surer_drafts_are_right_more_often_the_gate_tells_them_apart() -> None:
    right = [drafted(sure) for sure in (0.7, 0.8, 0.9, 0.95)]
    wrong = [drafted(sure, line=9) for sure in (0.2, 0.3, 0.4)]
    gate, _ = gate_of_drafts([*right, *wrong, nothing()], 0.05, 0.95, PARTIAL_AT)
    low, high = (gate.probability(composite(confidence(sure))) for sure in (0.3, 0.9))
    assert low < 0.5 < high


def test_false_drafts_are_cut_off_with_all_that_is_no_surer() -> None:
    right = [drafted(sure) for sure in (0.3, 0.7, 0.8, 0.9)]
    false = [drafted(0.5, kind=QuestionKind.UNANSWERABLE)]
    outcomes = [*right, *false, *[nothing()] * 9]
    gate, kept = gate_of_drafts(outcomes, 0.05, 0.95, PARTIAL_AT)
    assert kept.false_answers == 0
    reached = answering_from(PARTIAL_AT, as_gated(outcomes, gate))
    assert (reached.coverage, reached.risk) == (0.75, 0.0)


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


def question(number: int, words: str, file: str = "") -> LabelledQuestion:
    gold = (Gold(file=file),) if file else ()
    kind = QuestionKind.ANSWERABLE if file else QuestionKind.UNANSWERABLE
    return LabelledQuestion(id=str(number), question=words, kind=kind, gold=gold)


def test_each_half_has_both_kinds_however_the_file_is_ordered() -> None:
    """Answerable and unanswerable ones in turn."""
    asked = [question(n, f"q{n}", f"{n}.md" if n % 2 else "") for n in range(8)]
    for half in halves(asked):
        assert [q.kind.has_answer for q in half].count(True) == 2
        assert len(half) == 4


def test_what_has_the_same_answer_or_the_same_words_stays_together() -> None:
    same = [question(n, f"q{n}", "a.md") for n in range(3)]
    alike = [question(n, "Who?" if n % 2 else "who?") for n in range(3, 6)]
    for half in halves([*same, question(6, "other", "b.md"), *alike, question(7, "why?")]):
        ids = {q.id for q in half}
        assert len(ids & {"0", "1", "2"}) in (0, 3)
        assert len(ids & {"3", "4", "5"}) in (0, 3)


@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from(["", "a.md", "b.md", "c.md"]))))
def test_every_question_is_in_one_half(asked: list[tuple[int, str]]) -> None:
    every = [question(n, f"q{words}", file) for n, (words, file) in enumerate(asked)]
    one, other = halves(every)
    assert sorted(q.id for q in (*one, *other)) == sorted(q.id for q in every)
