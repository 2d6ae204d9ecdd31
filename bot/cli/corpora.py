"""A corpus has documents that were read in, and the labelled questions about them."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from bot.cli.console import Terminal
from bot.errors import BadConfiguration
from bot.wiring import Container

if TYPE_CHECKING:
    from bot.answering.calibration import Calibration
    from bot.evaluation.outcomes import LabelledOutcome
    from bot.evaluation.questions import LabelledQuestion
    from bot.evaluation.run import Evaluation, Progress

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Corpora:
    """They are several corpora, asked as one."""

    opened: Sequence[tuple[Container, "Evaluation"]]

    def half(self, which: int) -> "Corpora":
        """One half of the questions (0) or the other (1); what asks the same stays together."""
        return Corpora(
            [
                (container, replace(asked, questions=halves(asked.questions)[which]))
                for container, asked in self.opened
            ]
        )

    def calibrated(self, calibration: "Calibration") -> "Corpora":
        return Corpora(
            [(container.calibrated(calibration), asked) for container, asked in self.opened]
        )

    def outcomes(self, title: str) -> list["LabelledOutcome"]:
        """Raise `BadConfiguration` where something was out of order: it would be calibrated too."""
        found = self.all_of(
            title, lambda container, asked, progress: asked.answers(container.answering, progress)
        )
        troubled = [why for each in found for why in (each.failure, *each.degraded) if why]
        if troubled:
            raise BadConfiguration(
                f"Something was out of order while {len(found)} questions were asked, "
                f"{len(troubled)} times, so nothing was calibrated. The first time: {troubled[0]}"
            )
        return found

    def all_of(
        self,
        title: str,
        find: Callable[[Container, "Evaluation", "Progress"], list[Found]],
    ) -> list[Found]:
        from bot.cli.progress import progress_bar

        found = []
        for container, asked in self.opened:
            with progress_bar(Terminal(stderr=True), title) as progress:
                found += find(container, asked, progress)
        return found


def halves(
    questions: Sequence["LabelledQuestion"],
) -> tuple[list["LabelledQuestion"], list["LabelledQuestion"]]:
    """Of each kind as many, but questions with the same words or the same gold in one half."""
    one: list[LabelledQuestion] = []
    other: list[LabelledQuestion] = []
    for answered in (True, False):
        alike: dict[object, list[LabelledQuestion]] = {}
        for question in questions:
            if question.kind.has_answer is answered:
                asks = question.gold or question.question.casefold()
                alike.setdefault(asks, []).append(question)
        balance = 0
        for some in alike.values():
            (one if balance <= 0 else other).extend(some)
            balance += len(some) if balance <= 0 else -len(some)
    return one, other


def opened(
    container: Container,
    questions: Path,
    docs: Path,
    split: str | None,
    people: Path | None,
    today: date,
    stack: ExitStack,
) -> tuple[Container, "Evaluation"]:
    """In a home of its own that is gone afterwards."""
    from bot.cli.evaluate import ingest_documents
    from bot.evaluation.questions import load_questions

    labelled = load_questions(questions, split)
    moved = stack.enter_context(container.aside(people, asked=[each.question for each in labelled]))
    ingest_documents(moved, docs)
    return moved, moved.evaluation(labelled, today)
