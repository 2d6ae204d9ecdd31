"""`vouch calibrate`: what scores mean, fitted on labelled questions."""

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Console

from bot.cli.files import file_to_read, file_to_write
from bot.cli.house import open_house
from bot.wiring import House

if TYPE_CHECKING:
    from bot.answering.calibration import Calibration
    from bot.answering.gate import Risk
    from bot.evaluation.outcomes import Outcome
    from bot.evaluation.run import Evaluation, Progress

Found = TypeVar("Found")


def calibrate(
    questions: Annotated[Path, typer.Argument(help="Labelled questions, JSON lines.")],
    docs: Annotated[Path, typer.Option(help="Folder of the documents they are about.")],
    out: Annotated[Path, typer.Option(help="Calibration file to write.", callback=file_to_write)],
    split: Annotated[str | None, typer.Option(help="Use this split alone.")] = "calibration",
    corpus: Annotated[
        list[Path] | None,
        typer.Option(help="A folder with docs/ and questions.jsonl, used as well; repeatable."),
    ] = None,
    people: Annotated[
        Path | None,
        typer.Option(
            help="people.yaml for questions with `as`; else the home's.", callback=file_to_read
        ),
    ] = None,
    risk: Annotated[
        float, typer.Option(min=0.001, max=0.999, help="Unanswerable questions answered, at most.")
    ] = 0.05,
    confidence: Annotated[
        float, typer.Option(min=0.5, max=0.999, help="With which that is to hold.")
    ] = 0.95,
    picture: Annotated[
        Path | None,
        typer.Option(
            help="Draw reliability and risk-coverage into this PNG.", callback=file_to_write
        ),
    ] = None,
) -> None:
    """Fit the reranker's and the gate's probabilities; set VOUCH_CALIBRATION to the file."""
    from bot.evaluation.report import draw_calibration

    console = Console()
    asked = [(questions, docs, split)]
    asked += [(each / "questions.jsonl", each / "docs", None) for each in corpus or []]
    with ExitStack() as stack:
        house = open_house().remembering()
        corpora = _Corpora([_opened(house, *each, people, stack) for each in asked])
        calibration, kept = _fitted(corpora, risk, confidence)
        corpora = corpora.calibrated(calibration)
        outcomes = corpora.outcomes("Asking with the new calibration")
    house.save_calibration(calibration, out)
    if picture:
        draw_calibration(outcomes, picture)
    for line in _told(kept, outcomes):
        console.print(line, markup=False)
    console.print(f"Calibration {calibration.name} written to {out}", markup=False)


@dataclass(frozen=True, slots=True)
class _Corpora:
    """Documents that were read in, with the questions about them."""

    opened: Sequence[tuple[House, "Evaluation"]]

    def calibrated(self, calibration: "Calibration") -> "_Corpora":
        return _Corpora([(house.calibrated(calibration), asked) for house, asked in self.opened])

    def outcomes(self, title: str) -> list["Outcome"]:
        return self.all_of(
            title, lambda house, asked, progress: asked.answers(house.answering, progress)
        )

    def all_of(
        self,
        title: str,
        find: Callable[[House, "Evaluation", "Progress"], list[Found]],
    ) -> list[Found]:
        from bot.cli.progress import progress_bar

        found = []
        for house, asked in self.opened:
            with progress_bar(Console(stderr=True), title) as progress:
                found += find(house, asked, progress)
        return found


def _opened(
    house: House,
    questions: Path,
    docs: Path,
    split: str | None,
    people: Path | None,
    stack: ExitStack,
) -> tuple[House, "Evaluation"]:
    """In a home of its own that is gone afterwards."""
    from bot.cli.evaluate import ingest_documents
    from bot.evaluation.questions import load_questions

    labelled = load_questions(questions, split)
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="vouch-calibrate-"))
    moved = house.moved_to(Path(folder), people)
    ingest_documents(moved, docs)
    return moved, moved.evaluation(labelled, date.today())


def _fitted(corpora: _Corpora, risk: float, confidence: float) -> "tuple[Calibration, Risk]":
    """One part after the other, each over all corpora."""
    from bot.answering.calibration import Calibration
    from bot.evaluation import calibration as fitting
    from retrieval.calibration import UNFITTED, RelevanceCalibration

    def candidates(
        house: House, asked: "Evaluation", progress: "Progress"
    ) -> list[fitting.Candidate]:
        return fitting.candidates(asked, house.search, progress)

    look = fitting.fitted_look(corpora.all_of("Looking at passages", candidates))
    corpora = corpora.calibrated(Calibration("look", RelevanceCalibration(look, UNFITTED)))
    read = corpora.all_of("Reading the best closely", candidates)
    relevance = RelevanceCalibration(look, fitting.fitted_close_reading(read))
    corpora = corpora.calibrated(Calibration("relevance", relevance))
    partial_at = corpora.opened[0][0].settings.partial_at
    outcomes = corpora.outcomes("Answering")
    gate, kept = fitting.fitted_gate(outcomes, risk, confidence, partial_at)
    return fitting.named(relevance, gate, kept), kept


def _told(risk: "Risk", outcomes: Sequence["Outcome"]) -> list[str]:
    """What the calibration promises and costs, in words."""
    from bot.evaluation import metrics
    from bot.evaluation.risk import fewest_questions

    figures = metrics.gate(outcomes)
    kept = (
        f"With {risk.confidence:.0%} confidence at most {risk.risk:.0%} of unanswerable questions "
        f"like these are answered"
        if risk.promised
        else f"Nothing is promised beyond these questions: for {risk.risk:.0%} at "
        f"{risk.confidence:.0%} confidence, {fewest_questions(risk.risk, risk.confidence)} "
        f"unanswerable ones without a false answer are needed. With that confidence the rate "
        f"is under {risk.bound:.0%}"
    )
    return [
        f"{kept}: {risk.false_answers} of {risk.asked} were.",
        "The weights of the relevance were fitted on the same questions, which flatters this.",
        f"On these questions: coverage {figures['coverage'] or 0:.0%}, "
        f"false answers {figures['false answers'] or 0:.1%}, AUROC {figures['AUROC'] or 0:.3f}.",
    ]
