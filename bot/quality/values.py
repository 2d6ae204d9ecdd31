"""What is kept of a run: its figures, what became of each question, and what it was made with."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime

from pydantic import JsonValue

FIRST = 5
"""Passages of a ranking that count, as a writer sees so many by default."""


@dataclass(frozen=True, slots=True)
class RankedPlace:
    relevance: float
    """The probability that it answers, as the reranker has it."""
    relevant: bool


@dataclass(frozen=True, slots=True)
class QuestionResult:
    question_id: str
    question: str
    label: str
    """Of all that its line says: a question that was labelled anew is another one."""
    has_answer: bool
    has_gold: bool
    decision: str
    cites_gold: bool
    ranked: tuple[RankedPlace, ...]
    attainable: int
    """Passages of the library that overlap gold."""
    confidence: float | None
    failure: str = ""

    @property
    def answered(self) -> bool:
        return self.decision in ("ANSWER", "PARTIAL")

    @property
    def right(self) -> bool:
        """It cites a place that answers; where none does, it does not answer."""
        return self.cites_gold and self.answered if self.has_answer else not self.answered

    @property
    def relevant_first(self) -> int | None:
        """How many of the first five are relevant; None where no ranking can be judged."""
        if not self.has_gold or self.failure:
            return None
        return sum(each.relevant for each in self.ranked[:FIRST])


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares from 0 to 1, unless they say; None where no question tells."""

    questions: int
    precision_at_5: float | None
    relevant_first_5: float | None
    """How many of the first five are relevant, on average, 0 to 5."""
    false_answers: float | None
    coverage: float | None
    citation_precision: float | None
    helped: float | None
    confidence: float | None


MEASURES = tuple(field.name for field in fields(Figures) if field.name != "questions")


@dataclass(frozen=True, slots=True)
class MadeWith:
    software: str
    index: str
    models: Mapping[str, str]
    calibration: str
    settings: Mapping[str, JsonValue]
    library: int
    """How often what the library serves had changed."""

    @property
    def parts(self) -> Mapping[str, str]:
        return {
            "software": self.software,
            "index": self.index,
            **dict(self.models),
            "calibration": self.calibration,
            **{f"VOUCH_{name.upper()}": str(value) for name, value in self.settings.items()},
            "changes of the library": str(self.library),
        }


@dataclass(frozen=True, slots=True)
class QualityRun:
    at: datetime
    figures: Figures
    made_with: MadeWith
    asked: tuple[QuestionResult, ...]
