"""Measures and figures, on outcomes small enough to reckon by hand."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quality_runs import ranked_outcome

from audit.record import Decision
from bot.answering.gate import GateCalibration
from bot.lab.calibration import answering_from, risk_coverage, without_floor
from bot.lab.report import by_badge, steps, tokens_per_question, troubles
from bot.quality import metrics
from bot.quality.questions import LabelledQuestion, QuestionKind, load_questions
from bot.quality.run import LabelledOutcome, QuestionRanking

GOLD = [{"file": "a.md", "line_start": 10, "line_end": 12}]


def place(start: int, end: int, file: str = "a.md") -> dict[str, object]:
    return {"file": file, "page": None, "line_start": start, "line_end": end, "paragraph": None}


def outcome(
    kind: QuestionKind = QuestionKind.ANSWERABLE,
    decision: Decision = Decision.ANSWER,
    cited: tuple[dict[str, object], ...] = (),
    ranked: tuple[dict[str, object], ...] = (),
    overall: float = 0.9,
    forbidden: tuple[str, ...] = (),
    quoted: tuple[dict[str, object], ...] = (),
    of: tuple[dict[str, object], ...] = (),
) -> LabelledOutcome:
    """`quoted`: what an abstention quoted; `of`: the passages that it is from."""
    gold = GOLD if kind.has_answer else []
    question = LabelledQuestion.model_validate(
        {"id": "q", "question": "?", "kind": kind, "gold": gold, "forbidden": forbidden}
    )
    citations = [each | {"status": "VERIFIED"} for each in cited]
    claims = [{"status": "VERIFIED", "citations": citations}]
    posted = decision is not Decision.ABSTAIN
    return replace(
        ranked_outcome([]),
        question=question,
        decision=decision,
        claims=claims if posted else [],
        dropped=[] if posted or not cited else claims,
        confidence={"overall": overall},
        ranking=QuestionRanking(
            [each | {"score": 0.75} for each in ranked], found=any(ranked), relevant=1
        ),
        nearest=[words | {"passage": passage} for words, passage in zip(quoted, of, strict=True)],
    )


RIGHT, WRONG = place(12, 14), place(13, 14)


def test_of_each_badge_it_is_counted_how_often_it_was_right() -> None:
    unsure = outcome(decision=Decision.PARTIAL, cited=(RIGHT,))
    outcomes = [
        outcome(cited=(RIGHT,)),
        outcome(cited=(WRONG,)),
        outcome(QuestionKind.UNANSWERABLE, cited=(RIGHT,)),
        unsure,
        replace(unsure, missing=("its price",)),
        outcome(decision=Decision.ABSTAIN),
        outcome(QuestionKind.UNANSWERABLE, Decision.ABSTAIN),
        replace(outcome(), decision=None),
    ]
    assert by_badge(outcomes) == {
        "answered": {"right": 1, "shown": 3},
        "probably": {"right": 1, "shown": 1},
        "in part": {"right": 1, "shown": 1},
        "unknown": {"right": 1, "shown": 2},
    }
    assert [each.as_json()["badge"] for each in outcomes[3:5]] == ["probably", "in part"]


def test_a_line_in_common_is_relevant_and_a_line_beside_or_of_another_file_is_not() -> None:
    figures = metrics.retrieval([outcome(ranked=(WRONG, RIGHT))])
    assert figures["P@1"] == 0
    assert figures["P@5"] == pytest.approx(0.2)
    assert figures["MRR"] == 0.5
    assert figures["nDCG@10"] == pytest.approx(1 / math.log2(3))
    assert metrics.retrieval([outcome(ranked=(place(10, 12, "b.md"),))])["P@1"] == 0


def test_questions_without_gold_do_not_count_for_retrieval() -> None:
    figures = metrics.retrieval([outcome(QuestionKind.UNANSWERABLE), outcome(ranked=(RIGHT,))])
    assert figures["P@1"] == 1


@pytest.mark.parametrize(
    ("kind", "decision", "cited", "score"),
    [
        (QuestionKind.ANSWERABLE, Decision.ANSWER, RIGHT, 1.0),
        (QuestionKind.ANSWERABLE, Decision.PARTIAL, RIGHT, 0.5),
        (QuestionKind.ANSWERABLE, Decision.ANSWER, WRONG, -1.0),
        (QuestionKind.ANSWERABLE, Decision.ABSTAIN, RIGHT, 0.0),
        (QuestionKind.PARTIAL, Decision.PARTIAL, RIGHT, 1.0),
        (QuestionKind.PARTIAL, Decision.ANSWER, RIGHT, 0.5),
        (QuestionKind.UNANSWERABLE, Decision.ABSTAIN, WRONG, 0.0),
        (QuestionKind.UNANSWERABLE, Decision.PARTIAL, WRONG, -1.0),
        (QuestionKind.RESTRICTED, Decision.ANSWER, WRONG, -1.0),
    ],
)
def test_the_score_of_a_question(
    kind: QuestionKind, decision: Decision, cited: dict[str, object], score: float
) -> None:
    assert metrics.crag_score(outcome(kind, decision, (cited,))) == score


def test_refusing_everything_is_safe_and_worth_nothing() -> None:
    silent = [outcome(kind, Decision.ABSTAIN) for kind in QuestionKind]
    figures = metrics.gate(silent)
    assert figures["false answers"] == 0
    assert figures["coverage"] == 0
    assert figures["score"] == 0


def test_a_refusal_helps_that_quotes_from_the_passage_which_answers() -> None:
    passage, beside = place(8, 20), place(18, 20)
    refusals = [
        outcome(decision=Decision.ABSTAIN, quoted=(RIGHT,), of=(passage,)),
        outcome(decision=Decision.ABSTAIN, quoted=(beside,), of=(passage,)),
        outcome(decision=Decision.ABSTAIN, quoted=(beside,), of=(beside,)),
        outcome(cited=(RIGHT,)),
        outcome(QuestionKind.UNANSWERABLE, Decision.ABSTAIN, quoted=(RIGHT,), of=(passage,)),
    ]
    figures = metrics.gate(refusals)
    assert (figures["coverage"], figures["false answers"]) == (0.25, 0)
    assert figures["helped"] == 0.75
    assert figures["helped by the words quoted"] == 0.5


def test_auroc_counts_ties_half() -> None:
    assert metrics.auroc([0.9, 0.5], [0.5, 0.1]) == pytest.approx(3.5 / 4)
    assert metrics.auroc([], [0.5]) is None


def test_the_risk_coverage_curve_replays_the_gate_over_the_drafts() -> None:
    outcomes = [
        outcome(cited=(RIGHT,), overall=0.9),
        outcome(decision=Decision.ABSTAIN, cited=(RIGHT,), overall=0.4),
        outcome(QuestionKind.UNANSWERABLE, Decision.ABSTAIN, (WRONG,), overall=0.6),
        outcome(QuestionKind.UNANSWERABLE, Decision.ABSTAIN, overall=0.5),
    ]
    points = [(p.coverage, p.risk) for p in risk_coverage(outcomes)]
    assert points == [(0.5, 0), (0.5, 0.5), (0.5, 0.5), (1.0, 0.5)]


def test_what_a_floor_holds_back_is_counted_without_asking_again() -> None:
    floored = GateCalibration(floor=0.8, most_under_floor=0.5)
    measured = [
        (outcome(cited=(RIGHT,)), 0.9),
        (outcome(decision=Decision.ABSTAIN, cited=(RIGHT,)), 0.7),
        (outcome(decision=Decision.ABSTAIN, cited=(RIGHT,)), 0.4),
        (outcome(QuestionKind.UNANSWERABLE, Decision.ABSTAIN, (WRONG,)), 0.7),
        (outcome(QuestionKind.UNANSWERABLE, Decision.ABSTAIN), 0.9),
    ]
    outcomes = [
        replace(each, confidence={"retrieval": sure, "overall": floored.probability(sure)})
        for each, sure in measured
    ]
    kept = answering_from(0.6, outcomes)
    opened = without_floor(outcomes, floored, 0.6)
    assert (kept.coverage, kept.risk) == pytest.approx((1 / 3, 0))
    assert (opened.coverage, opened.risk) == pytest.approx((2 / 3, 0.5))


def test_a_forbidden_file_is_counted_where_it_is_only_ranked() -> None:
    seen = outcome(ranked=(place(1, 2, "secret.md"),), forbidden=("secret.md",))
    assert metrics.gate([seen])["forbidden"] == 1
    assert metrics.gate([outcome(forbidden=("secret.md",))])["forbidden"] == 0


def test_the_relevance_is_held_against_what_is_relevant() -> None:
    """Four passages at 0.75, one of them relevant: off by a half."""
    asked = [outcome(ranked=(RIGHT, WRONG)), outcome(ranked=(WRONG, WRONG))]
    assert metrics.gate(asked)["ECE of relevance"] == 0.5


def test_what_no_reranker_judged_has_no_calibration_error() -> None:
    """A fusion's score is no probability: the figure is missing, not wrong."""
    unread = tuple({**place, "eligibility": None} for place in (RIGHT, WRONG))
    figures = metrics.gate([outcome(ranked=unread)])
    assert figures["ECE of relevance"] is None
    assert figures["ECE of relevance by chance"] is None


def test_unanswerable_questions_with_a_passage_over_the_threshold_are_counted() -> None:
    found, none = (
        outcome(QuestionKind.UNANSWERABLE, ranked=(WRONG,)),
        outcome(QuestionKind.UNANSWERABLE),
    )
    figures = metrics.gate([outcome(ranked=(RIGHT,)), found, none])
    assert figures["unanswerable over 0.7"] == 0.5
    assert figures["AUROC of relevance"] == 0.75


@given(
    st.lists(st.floats(0.05, 0.95), min_size=1, max_size=4, unique_by=lambda p: int(p * 10)),
    st.integers(30, 120),
)
def test_true_probabilities_of_few_questions_miss_by_what_chance_is_said_to_miss(
    probabilities: list[float], each: int
) -> None:
    """Against the mean of draws in which each comes true as often as it says."""
    dice = Random(0)
    drawn = fmean(
        metrics.calibration_error([(p, dice.random() < p) for p in probabilities * each]) or 0
        for _ in range(200)
    )
    said = metrics.error_by_chance([(p, True) for p in probabilities * each])
    assert said == pytest.approx(drawn, rel=0.3)


def test_of_nothing_no_error_is_expected() -> None:
    assert metrics.error_by_chance([]) is None


def by_definition(gains: Sequence[bool], relevant: int) -> dict[str, float]:
    """After Järvelin and Kekäläinen (2002): gains of 0 and 1, discounted by log2(rank + 1)."""
    found = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(10, relevant) + 1))
    return {
        "P@1": float(any(gains[:1])),
        "P@5": sum(gains[:5]) / 5,
        "MRR": next((1 / rank for rank, gain in enumerate(gains, start=1) if gain), 0.0),
        "nDCG@10": found / ideal if ideal else 0.0,
        "recall@50": float(any(gains)),
        "P@1 by document": float(any(gains[:1])),
    }


@given(st.lists(st.tuples(st.lists(st.booleans(), max_size=10), st.integers(0, 15)), min_size=1))
def test_they_are_as_defined_whatever_was_ranked(asked: list[tuple[list[bool], int]]) -> None:
    """Equal scores do not count, only the order; so do passages that the ranking has not."""
    figures = metrics.of_each([ranked_outcome(gains, left) for gains, left in asked])
    for (gains, left), found in zip(asked, figures, strict=True):
        assert found == pytest.approx(by_definition(gains, sum(gains) + left))


def test_a_passage_of_the_right_document_counts_by_document_alone() -> None:
    beside = [
        ranked_outcome([False, True], file="a.md"),
        ranked_outcome([False, True], file="b.md"),
    ]
    figures = metrics.retrieval(beside)
    assert (figures["P@1"], figures["P@1 by document"]) == (0, 0.5)


def claim(line: int, status: str = "VERIFIED") -> dict[str, Any]:
    place = {"file": "a.md", "page": None, "line_start": line, "line_end": line, "paragraph": None}
    return {"text": "", "status": status, "citations": [{**place, "status": status}]}


def drafted(
    kind: QuestionKind = QuestionKind.ANSWERABLE,
    posted: Sequence[dict[str, Any]] = (),
    dropped: Sequence[dict[str, Any]] = (),
    tokens: dict[str, dict[str, int]] | None = None,
    failure: str = "",
) -> LabelledOutcome:
    return replace(
        ranked_outcome([], left=1, kind=kind),
        decision=None if failure else Decision.ANSWER if posted else Decision.ABSTAIN,
        claims=posted,
        dropped=dropped,
        tokens=tokens or {},
        failure=failure,
    )


def test_what_check_and_gate_take_away_and_keep_out_shows_side_by_side() -> None:
    figures = steps(
        [
            drafted(posted=[claim(5)]),
            drafted(dropped=[claim(6)]),  # held back by the gate
            drafted(dropped=[claim(5, "UNSUPPORTED")]),  # held back by the check
            drafted(posted=[claim(9)], dropped=[claim(5, "UNSUPPORTED")]),
            drafted(QuestionKind.UNANSWERABLE, dropped=[claim(5, "UNSUPPORTED")]),
            drafted(QuestionKind.RESTRICTED),
        ]
    )
    assert [each["coverage"] for each in figures.values()] == [1.0, 0.5, 0.25]
    assert [each["false answers"] for each in figures.values()] == [0.5, 0.0, 0.0]
    assert [each["claims"] for each in figures.values()] == [6, 3, 2]
    precise = [each["citation precision"] for each in figures.values()]
    assert precise == pytest.approx([4 / 5, 2 / 3, 1 / 2])


def test_a_posted_claim_that_another_place_bears_out_covers_nothing_by_citing_gold_too() -> None:
    both = {
        **claim(9),
        "citations": [*claim(9)["citations"], *claim(5, "UNSUPPORTED")["citations"]],
    }
    asked = [drafted(posted=[both])]
    figures = steps(asked)
    assert [each["coverage"] for each in figures.values()] == [1.0, 0.0, 0.0]
    assert metrics.gate(asked)["coverage"] == figures["posted"]["coverage"]


def test_a_question_that_failed_is_counted_and_was_not_answered() -> None:
    asked = [drafted(posted=[claim(5)]), drafted(failure="nobody has answered this yet")]
    assert troubles(asked) == {"failed": 1, "degraded": 0}
    assert [each["coverage"] for each in steps(asked).values()] == [0.5, 0.5, 0.5]
    assert metrics.gate(asked)["coverage"] == 0.5


def test_of_a_question_that_failed_nobody_knows_how_it_would_have_been_ranked() -> None:
    assert metrics.retrieval([drafted(failure="away")])["P@1"] is None


def test_tokens_are_those_of_a_question_that_was_answered() -> None:
    asked = [
        drafted(tokens={"understand": {"prompt": 20, "completion": 4}}),
        drafted(tokens={"write": {"prompt": 100, "completion": 10}}),
        drafted(failure="away"),
    ]
    assert tokens_per_question(asked) == {
        "understand": {"prompt": 10, "completion": 2},
        "write": {"prompt": 50, "completion": 5},
        "total": {"prompt": 60, "completion": 7},
    }
    assert tokens_per_question([drafted()]) == {}


LINE = {
    "id": "q1",
    "question": "how many days, and who signs?",
    "kind": "partial",
    "answer": "Five days.",
    "missing": "Who signs.",
}


def test_the_reference_answer_and_what_is_missing_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(json.dumps(LINE), encoding="utf-8")
    [question] = load_questions(file, None)
    assert (question.answer, question.missing) == ("Five days.", "Who signs.")


def test_an_outcome_stands_beside_its_reference_answer() -> None:
    outcome = ranked_outcome([True])
    question = outcome.question.model_copy(update={"answer": "Five days."})
    told = replace(outcome, question=question)
    assert told.as_json()["reference"] == "Five days."
