"""Outcomes of which only the ranking matters."""

from collections.abc import Sequence
from typing import Any

from bot.quality.questions import Gold, LabelledQuestion, QuestionKind
from bot.quality.run import LabelledOutcome, QuestionRanking

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
