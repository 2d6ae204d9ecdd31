"""`vouch calibrate` fits what scores mean on labelled questions."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from bot.cli.arguments import A_DAY, day, file_to_read, file_to_write, path_to_read
from bot.cli.console import Terminal
from bot.cli.container import open_container
from bot.errors import BadConfiguration
from bot.lab.calibration import CONFIDENCE, RISK
from bot.wiring import Container
from retrieval.errors import EVALUATE, require

if TYPE_CHECKING:
    from bot.answering.gate import Calibration, Risk
    from bot.quality.questions import LabelledQuestion
    from bot.quality.run import Evaluation, LabelledOutcome, Progress
    from retrieval.search.reranking import Ranked

Fitted = TypeVar("Fitted")


@dataclass(frozen=True, slots=True)
class Corpora:
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
        self, title: str, find: Callable[[Container, "Evaluation", "Progress"], list[Fitted]]
    ) -> list[Fitted]:
        from bot.cli.console import progress_bar

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
    from bot.lab.commands.evaluate import ingest_documents
    from bot.quality.questions import load_questions

    labelled = load_questions(questions, split)
    moved = stack.enter_context(container.aside(people))
    ingest_documents(moved, docs)
    return moved, moved.evaluation(labelled, today)


@dataclass(frozen=True, slots=True)
class FittedGate:
    """A calibration with a new gate, what it risks, and the outcomes that say so."""

    calibration: "Calibration"
    risk: "Risk"
    outcomes: "list[LabelledOutcome]"


def fitted_gate(corpora: Corpora, container: Container, risk: float, sure: float) -> FittedGate:
    """Fit with the rate `risk` of false answers that is allowed, `sure` of it."""
    from bot.answering.gate import NONE
    from bot.lab import calibration as fitting
    from bot.lab.calibration import as_gated, gate_of_drafts

    relevance = container.models.calibration.relevance
    if relevance == NONE.relevance:
        raise BadConfiguration(
            "No calibration belongs to the models in use, so the gate alone cannot be fitted. "
            "Run `vouch calibrate` without --gate-alone."
        )
    outcomes = corpora.outcomes("Answering")
    gate, kept = gate_of_drafts(outcomes, risk, sure, container.settings.partial_at)
    return FittedGate(fitting.named(relevance, gate, kept), kept, as_gated(outcomes, gate))


def gate_lines(fitted: FittedGate, partial_at: float) -> list[str]:
    """What the gate makes of the same drafts, in words."""
    from bot.lab.calibration import answering_from

    reached = answering_from(partial_at, fitted.outcomes)
    drafted = sum(outcome.has_draft for outcome in fitted.outcomes)
    constant = (
        " No draft told itself from the others, so all are as probable as they were here."
        if fitted.calibration.gate.slope == 0
        else ""
    )
    return [
        f"The gate was fitted on {drafted} drafts to {len(fitted.outcomes)} questions; retrieval "
        f"keeps its calibration.{constant}",
        f"Here: coverage {reached.coverage:.0%}, false answers {reached.risk:.1%}, of the same "
        "drafts that it was fitted on.",
    ]


Questions = Annotated[
    Path, typer.Argument(help="Labelled questions, JSON lines.", callback=file_to_read)
]
Docs = Annotated[
    Path, typer.Option(help="Folder of the documents they are about.", callback=path_to_read)
]
People = Annotated[
    Path | None,
    typer.Option(
        help="people.yaml for questions with `as`; else the home's.", callback=file_to_read
    ),
]
AskedOn = Annotated[
    date | None,
    typer.Option(
        parser=day,
        metavar=A_DAY,
        help="Ask as of that day what has none of its own; else of today.",
    ),
]
Split = Annotated[str | None, typer.Option(help="calibration or test; else all.")]
Outcomes = Annotated[
    Path | None,
    typer.Option("--json", help="Write every outcome to this file.", callback=file_to_write),
]
AsPage = Annotated[
    Path | None,
    typer.Option(help="Write the tables to this file, in Markdown.", callback=file_to_write),
]


def calibrate(
    questions: Questions,
    docs: Docs,
    out: Annotated[Path, typer.Option(help="Calibration file to write.", callback=file_to_write)],
    split: Annotated[str | None, typer.Option(help="Use this split alone.")] = "calibration",
    corpus: Annotated[
        list[Path] | None,
        typer.Option(help="A folder with docs/ and questions.jsonl, used as well; repeatable."),
    ] = None,
    people: People = None,
    on: AskedOn = None,
    risk: Annotated[
        float, typer.Option(min=0.001, max=0.999, help="Unanswerable questions answered, at most.")
    ] = RISK,
    confidence: Annotated[
        float, typer.Option(min=0.5, max=0.999, help="With which that is to hold.")
    ] = CONFIDENCE,
    picture: Annotated[
        Path | None,
        typer.Option(
            help="Draw reliability and risk-coverage into this PNG.", callback=file_to_write
        ),
    ] = None,
    gate_alone: Annotated[
        bool,
        typer.Option(
            "--gate-alone", help="Keep retrieval's calibration; fit the writer's drafts alone."
        ),
    ] = False,
    provenance: Annotated[
        str, typer.Option(help="Where the drafts come from, in words; kept in the file.")
    ] = "",
) -> None:
    """Fit the reranker's and the gate's probabilities; set VOUCH_CALIBRATION to the file."""
    from bot.lab.report import draw_calibration

    require(EVALUATE, "sklearn", "scipy", *(["matplotlib"] if picture else []))
    console = Terminal()
    asked = [(questions, docs, split)]
    asked += [(each / "questions.jsonl", each / "docs", None) for each in corpus or []]
    with ExitStack() as stack:
        container = open_container().caching()
        corpora = Corpora(
            [opened(container, *each, people, on or date.today(), stack) for each in asked]
        )
        fit = fitted_gate if gate_alone else _fitted
        fitted = fit(corpora, container, risk, confidence)
    calibration = replace(fitted.calibration, provenance=provenance)
    container.models.save_calibration(calibration, out)
    if picture:
        draw_calibration(fitted.outcomes, picture)
    partial_at = container.settings.partial_at
    lines = gate_lines(fitted, partial_at) if gate_alone else _told(fitted, partial_at)
    for line in (_promised(fitted.risk), *lines):
        console.print(line, markup=False)
    console.print(f"Calibration {calibration.name} written to {out}", markup=False)


def _fitted(corpora: Corpora, container: Container, risk: float, confidence: float) -> FittedGate:
    """Of the relevance and the gate.

    Cross-fitted: each half of the questions is answered by a relevance that was fitted on
    the other half, and on those answers the gate and its risk are fitted; what is written is
    the relevance of both halves (as cross-conformal predictors, Vovk 2015).
    """
    from bot.answering.gate import Calibration
    from bot.lab import calibration as fitting

    halves = [corpora.half(0), corpora.half(1)]
    found = [half.all_of("Searching", _searched) for half in halves]
    threshold = corpora.opened[0][0].settings.relevance_threshold
    relevances = [fitting.relevance_of(some, threshold, risk) for some in found]
    crossed = list(zip(halves, reversed(relevances), strict=True))
    drafts = [
        outcome
        for half, other in crossed
        for outcome in half.calibrated(Calibration("half", other)).outcomes("Answering")
    ]
    partial_at = container.settings.partial_at
    gate, kept = fitting.fitted_gate(drafts, risk, confidence, partial_at)
    together = [each for some in found for each in some]
    relevance = fitting.relevance_of(together, threshold, risk)
    outcomes = [
        outcome
        for half, other in crossed
        for outcome in half.calibrated(Calibration("half", other, gate)).outcomes("Asking again")
    ]
    return FittedGate(fitting.named(relevance, gate, kept), kept, outcomes)


def _searched(container: Container, asked: "Evaluation", progress: "Progress") -> "list[Ranked]":
    from bot.lab.calibration import searched

    return searched(asked, container.evidence, progress)


def _promised(risk: "Risk") -> str:
    from bot.lab.calibration import fewest_questions

    kept = (
        f"With {risk.confidence:.0%} confidence at most {risk.risk:.0%} of unanswerable questions "
        f"like these are answered"
        if risk.promised
        else f"Nothing is promised beyond these questions: for {risk.risk:.0%} at "
        f"{risk.confidence:.0%} confidence, {fewest_questions(risk.risk, risk.confidence)} "
        f"unanswerable ones without a false answer are needed. With that confidence the rate "
        f"is under {risk.bound:.0%}"
    )
    return f"{kept}: {risk.false_answers} of {risk.asked} were."


def _told(fitted: FittedGate, partial_at: float) -> list[str]:
    from bot.lab.calibration import without_floor
    from bot.quality import metrics

    figures = metrics.gate(fitted.outcomes)
    unbounded = without_floor(fitted.outcomes, fitted.calibration.gate, partial_at)
    return [
        "Each half of the questions was answered by a relevance fitted on the other half; the "
        "gate was fitted on all these answers, and the relevance that is written on all "
        "questions, so that what is said here holds approximately.",
        f"Here: coverage {figures['coverage'] or 0:.0%}, "
        f"false answers {figures['false answers'] or 0:.1%}, AUROC {figures['AUROC'] or 0:.3f}.",
        "Were none held back to keep to that, the same drafts would reach: "
        f"coverage {unbounded.coverage:.0%}, false answers {unbounded.risk:.1%}.",
    ]
