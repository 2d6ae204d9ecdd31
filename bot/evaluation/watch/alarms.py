"""An alarm says what is not as it was; its words are made in `bot/wording/quality.py`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Change:
    """One question has another outcome than in the run before."""

    question_id: str
    question: str
    was_right: bool
    is_right: bool
    relevant_before: int | None
    """Of the first five; None where it has no gold."""
    relevant_now: int | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that answers depend on is another one now; empty where there is none."""

    what: str
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """A run stands beside an earlier one, over the questions that are the same in both."""

    at: datetime
    """When the earlier one was."""
    questions: int
    changes: Sequence[Change]
    differences: Sequence[Difference]


class Measure(StrEnum):
    """A figure that is compared; its value is what people call it."""

    PRECISION = "precision at 5"
    COVERAGE = "coverage"
    ABSTENTIONS = "abstentions"
    FAILED_CLAIMS = "claims that their sources do not bear out"
    CONFIDENCE = "confidence"


@dataclass(frozen=True, slots=True)
class Fell:
    """A measure of the labelled questions fell by more than is allowed."""

    measure: Measure
    before: float
    now: float
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class FalseAnswersRose:
    """More questions are answered that no document answers; counts of questions."""

    before: int
    now: int
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class FewRelevant:
    """Too few of the first five are relevant, on average."""

    mean: float
    attainable: float
    """The mean that a perfect ranking would have."""
    least: float
    """The mean from which nothing is said."""


@dataclass(frozen=True, slots=True)
class GoldMissing:
    """These questions' places overlap no passage of the library any more, and did before."""

    questions: tuple[str, ...]
    """By id."""


@dataclass(frozen=True, slots=True)
class QuestionsFailed:
    """Some questions could not be asked, as where a language model did not answer."""

    failed: int
    questions: int
    reason: str
    """Of the first one."""


@dataclass(frozen=True, slots=True)
class OutOfBand:
    """What people asked in the last seven days was answered unlike in the weeks before."""

    measure: Measure
    value: float
    low: float
    high: float
    weeks: int
    """From which the band is."""
    questions: int
    """Of the last seven days."""


@dataclass(frozen=True, slots=True)
class SourceUnread:
    """A source was not read for too long."""

    source: str
    since: datetime
    days: int


@dataclass(frozen=True, slots=True)
class SourceUnchanged:
    """Nothing in a source changed for too long."""

    source: str
    since: datetime
    days: int


Alarm = (
    Fell
    | FalseAnswersRose
    | FewRelevant
    | GoldMissing
    | QuestionsFailed
    | OutOfBand
    | SourceUnread
    | SourceUnchanged
)
