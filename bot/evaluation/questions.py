"""A labelled question says what was asked, what is due, and where the answer stands."""

from datetime import date
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from bot.errors import WrongUse
from bot.evaluation.lines import read_lines


class Kind(StrEnum):
    """Its kind says what a good system does with a question."""

    ANSWERABLE = "answerable"
    UNANSWERABLE = "unanswerable"
    PARTIAL = "partial"
    FOLLOWUP = "followup"
    RESTRICTED = "restricted"
    """Answered only by documents that this person may not see."""

    @property
    def has_answer(self) -> bool:
        return self not in (Kind.UNANSWERABLE, Kind.RESTRICTED)


class Gold(BaseModel):
    """A gold place answers; any one suffices where several say the same."""

    model_config = ConfigDict(frozen=True)

    file: str
    line_start: int | None = None
    line_end: int | None = None
    page: int | None = None
    paragraph: int | None = None
    quote: str = ""


class LabelledQuestion(BaseModel):
    """A labelled question is one line of a questions file."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    id: str
    question: str
    kind: Kind
    gold: tuple[Gold, ...] = ()
    previous: tuple[str, ...] = ()
    split: str = ""
    person: str | None = Field(default=None, alias="as")
    on: date | None = None
    forbidden: tuple[str, ...] = ()
    answer: str = ""
    """What a good answer says, for a reader or a judge; empty where nobody wrote it down."""
    missing: str = ""
    """Of a partial question, what the documents do not say."""


def load_questions(path: Path, split: str | None) -> list[LabelledQuestion]:
    """The questions of one split, or all.

    Raise `BadConfiguration` naming a line that is wrong, `WrongUse` for a split without any.
    """
    questions = read_lines(path, LabelledQuestion)
    chosen = [question for question in questions if split is None or question.split == split]
    if not chosen:
        known = sorted({question.split for question in questions if question.split})
        raise WrongUse(
            f"{path} holds no question of the split {split!r}; "
            f"it has {' and '.join(known) or 'no splits'}."
        )
    return chosen
