"""What is drafted, borne out and posted, counted on outcomes whose figures are plain."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from quality_runs import ranked_outcome

from audit.record import Decision
from bot.lab.report import steps, tokens_per_question, troubles
from bot.quality import metrics
from bot.quality.questions import QuestionKind
from bot.quality.run import LabelledOutcome


def claim(line: int, status: str = "VERIFIED") -> dict[str, Any]:
    place = {"file": "a.md", "page": None, "line_start": line, "line_end": line, "paragraph": None}
    return {"text": "", "status": status, "citations": [{**place, "status": status}]}


def outcome(
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
            outcome(posted=[claim(5)]),
            outcome(dropped=[claim(6)]),  # held back by the gate
            outcome(dropped=[claim(5, "UNSUPPORTED")]),  # held back by the check
            outcome(posted=[claim(9)], dropped=[claim(5, "UNSUPPORTED")]),
            outcome(QuestionKind.UNANSWERABLE, dropped=[claim(5, "UNSUPPORTED")]),
            outcome(QuestionKind.RESTRICTED),
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
    asked = [outcome(posted=[both])]
    figures = steps(asked)
    assert [each["coverage"] for each in figures.values()] == [1.0, 0.0, 0.0]
    assert metrics.gate(asked)["coverage"] == figures["posted"]["coverage"]


def test_a_question_that_failed_is_counted_and_was_not_answered() -> None:
    asked = [outcome(posted=[claim(5)]), outcome(failure="nobody has answered this yet")]
    assert troubles(asked) == {"failed": 1, "degraded": 0}
    assert [each["coverage"] for each in steps(asked).values()] == [0.5, 0.5, 0.5]
    assert metrics.gate(asked)["coverage"] == 0.5


def test_of_a_question_that_failed_nobody_knows_how_it_would_have_been_ranked() -> None:
    assert metrics.retrieval([outcome(failure="away")])["P@1"] is None


def test_tokens_are_those_of_a_question_that_was_answered() -> None:
    asked = [
        outcome(tokens={"understand": {"prompt": 20, "completion": 4}}),
        outcome(tokens={"write": {"prompt": 100, "completion": 10}}),
        outcome(failure="away"),
    ]
    assert tokens_per_question(asked) == {
        "understand": {"prompt": 10, "completion": 2},
        "write": {"prompt": 50, "completion": 5},
        "total": {"prompt": 60, "completion": 7},
    }
    assert tokens_per_question([outcome()]) == {}
