"""What a gate makes of drafts that were labelled right or wrong."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from quality_runs import ranked_outcome

from audit.record import Decision
from bot.answering.gate import composite
from bot.lab.calibration import answering_from, as_gated, gate_of_drafts
from bot.quality.questions import QuestionKind
from bot.quality.run import LabelledOutcome

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
