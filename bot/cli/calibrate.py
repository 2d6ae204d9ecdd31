"""`vouch calibrate` fits what scores mean on labelled questions."""

from contextlib import ExitStack
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.calibrate_gate import FittedGate, fitted_gate, told_of_gate
from bot.cli.console import Terminal
from bot.cli.container import open_container
from bot.cli.corpora import Corpora, opened
from bot.cli.files import file_to_write
from bot.cli.labelled import AskedOn, Docs, People, Questions
from bot.evaluation.allowed import CONFIDENCE, RISK
from bot.wiring import Container
from retrieval.extras import EVALUATE, require

if TYPE_CHECKING:
    from bot.answering.gate import Risk
    from bot.evaluation.run import Evaluation, Progress
    from retrieval.calibration import Ranked


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
    from bot.evaluation.report import draw_calibration

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
    container.save_calibration(calibration, out)
    if picture:
        draw_calibration(fitted.outcomes, picture)
    partial_at = container.settings.partial_at
    lines = told_of_gate(fitted, partial_at) if gate_alone else _told(fitted, partial_at)
    for line in (_promised(fitted.risk), *lines):
        console.print(line, markup=False)
    console.print(f"Calibration {calibration.name} written to {out}", markup=False)


def _fitted(corpora: Corpora, container: Container, risk: float, confidence: float) -> FittedGate:
    """Of the relevance and the gate.

    Cross-fitted: each half of the questions is answered by a relevance that was fitted on
    the other half, and on those answers the gate and its risk are fitted; what is written is
    the relevance of both halves (as cross-conformal predictors, Vovk 2015).
    """
    from bot.answering.calibration import Calibration
    from bot.evaluation import calibration as fitting

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
    from bot.evaluation.calibration import searched

    return searched(asked, container.evidence, progress)


def _promised(risk: "Risk") -> str:
    """What the calibration promises, in words."""
    from bot.evaluation.risk import fewest_questions

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
    """How it was fitted and what it costs, in words."""
    from bot.evaluation import metrics
    from bot.evaluation.calibration import without_floor

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
