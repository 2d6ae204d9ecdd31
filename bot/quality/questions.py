"""A labelled question says what was asked, what is due, and where the answer stands."""

import json
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.errors import BadConfiguration, WrongUse

Labelled = TypeVar("Labelled", bound=BaseModel)


def read_lines(path: Path, kind: type[Labelled]) -> list[Labelled]:
    """Empty lines are left out; raise `BadConfiguration` naming the line that is wrong."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")  # no other break ends a line of JSON
    except OSError as error:
        raise BadConfiguration(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise BadConfiguration(f"{path} is no text in UTF-8. Name a file of JSON lines.") from error
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found.append(kind.model_validate(json.loads(line)))
        except ValidationError as error:
            raise BadConfiguration(f"{path}, line {number}: {_wrong(error)}.") from error
        except (ValueError, RecursionError) as error:
            raise BadConfiguration(f"{path}, line {number} is no JSON: {error}.") from error
    if not found:
        raise BadConfiguration(f"{path} is empty. Write one JSON object a line.")
    return found


def _wrong(error: ValidationError) -> str:
    """In one line, each key with what is wrong with its value."""
    return "; ".join(
        f"`{'.'.join(map(str, each['loc']))}`: {each['msg']}" if each["loc"] else each["msg"]
        for each in error.errors()
    )


class QuestionKind(StrEnum):
    """Its kind says what a good system does with a question."""

    ANSWERABLE = "answerable"
    UNANSWERABLE = "unanswerable"
    PARTIAL = "partial"
    FOLLOWUP = "followup"
    RESTRICTED = "restricted"
    """Answered only by documents that this person may not see."""

    @property
    def has_answer(self) -> bool:
        return self not in (QuestionKind.UNANSWERABLE, QuestionKind.RESTRICTED)


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
    model_config = ConfigDict(frozen=True, populate_by_name=True)

    id: str
    question: str
    kind: QuestionKind
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
    """Of one split, or all; raise `BadConfiguration`, and `WrongUse` for a split without any."""
    questions = read_lines(path, LabelledQuestion)
    chosen = [question for question in questions if split is None or question.split == split]
    if not chosen:
        known = sorted({question.split for question in questions if question.split})
        raise WrongUse(
            f"{path} holds no question of the split {split!r}; "
            f"it has {' and '.join(known) or 'no splits'}."
        )
    return chosen
