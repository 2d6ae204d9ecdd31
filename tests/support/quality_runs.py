"""Runs of labelled questions, made by hand."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.quality.questions import Gold, LabelledQuestion, QuestionKind
from bot.quality.run import LabelledOutcome, QuestionRanking
from bot.quality.values import Figures, MadeWith, QualityRun, QuestionResult, RankedPlace

MONDAY = datetime(2026, 3, 2, 6, tzinfo=UTC)


def asked(name: str, relevant: Sequence[int] = (1,), **changes: Any) -> QuestionResult:
    """An answerable question that was answered rightly; `relevant` are ranks, from 1."""
    ranked = tuple(RankedPlace(0.9 - n / 20, n in relevant) for n in range(1, 11))
    usual: dict[str, Any] = {
        "question_id": name,
        "question": f"What about {name}?",
        "label": f"label of {name}",
        "has_answer": True,
        "has_gold": True,
        "decision": "ANSWER",
        "cites_gold": True,
        "ranked": ranked,
        "attainable": max(1, len(relevant)),
        "confidence": 0.9,
    }
    return QuestionResult(**usual | changes)


def unanswerable(name: str, decision: str = "ABSTAIN") -> QuestionResult:
    return asked(
        name,
        (),
        has_answer=False,
        has_gold=False,
        decision=decision,
        cites_gold=False,
        attainable=0,
    )


def made_with(**changes: Any) -> MadeWith:
    usual: dict[str, Any] = {
        "software": "0.3.0",
        "index": "lancedb 0.30",
        "models": {"reranker": "bundled"},
        "calibration": "shipped",
        "settings": {"candidates": 50},
        "library": 7,
    }
    return MadeWith(**usual | changes)


def run_of(week: float, *questions: QuestionResult, **changes: Any) -> QualityRun:
    """A run so many weeks after a Monday; its figures are not those of its questions."""
    figures = Figures(len(questions), 0.2, 1.0, 0.0, 1.0, None, 1.0, 0.9)
    at = MONDAY + timedelta(weeks=week)
    return QualityRun(at, figures, made_with(**changes), tuple(questions))


GOLD = Gold(file="a.md", line_start=5, line_end=6)


def ranked_outcome(
    gains: Sequence[bool],
    left: int = 0,
    file: str = "b.md",
    kind: QuestionKind = QuestionKind.ANSWERABLE,
) -> LabelledOutcome:
    """A ranking of passages that answer or do not; `left` that answer are not among them."""
    gold = (GOLD,) if kind.has_answer else ()
    places: list[dict[str, Any]] = [
        {"file": "a.md" if gain else file, "page": None, "line_start": 5 if gain else 90}
        | {"line_end": 6 if gain else 91, "paragraph": None, "score": 0.5}
        for gain in gains
    ]
    return LabelledOutcome(
        question=LabelledQuestion(id="q", question="?", kind=kind, gold=gold),
        ranking=QuestionRanking(places, found=any(gains), relevant=sum(gains) + left),
    )
