"""`vouch calibrate`: what scores mean, fitted on labelled questions."""

import tempfile
from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bot.cli.files import file_to_read, file_to_write
from bot.cli.house import open_house


def calibrate(
    questions: Annotated[Path, typer.Argument(help="Labelled questions, JSON lines.")],
    docs: Annotated[Path, typer.Option(help="Folder of the documents they are about.")],
    out: Annotated[Path, typer.Option(help="Calibration file to write.", callback=file_to_write)],
    split: Annotated[str | None, typer.Option(help="Use this split alone.")] = "calibration",
    people: Annotated[
        Path | None,
        typer.Option(
            help="people.yaml for questions with `as`; else the home's.", callback=file_to_read
        ),
    ] = None,
) -> None:
    """Fit the reranker's and the gate's probabilities; set VOUCH_CALIBRATION to the file."""
    from bot.answering.calibration import Calibration
    from bot.cli.evaluate import ingest_documents
    from bot.cli.progress import progress_bar
    from bot.evaluation.calibration import (
        calibrate_close_reading,
        calibrate_gate,
        calibrate_look,
        named,
    )
    from bot.evaluation.questions import load_questions
    from retrieval.calibration import UNFITTED, RelevanceCalibration

    labelled = load_questions(questions, split)
    with tempfile.TemporaryDirectory(prefix="vouch-calibrate-") as folder:
        house = open_house().moved_to(Path(folder), people)
        ingest_documents(house, docs)
        evaluation = house.evaluation(labelled, date.today())
        bars = Console(stderr=True)
        with progress_bar(bars, "Looking at passages") as progress:
            look = calibrate_look(evaluation, house.search, progress)
        house = house.calibrated(Calibration("look", RelevanceCalibration(look, UNFITTED)))
        with progress_bar(bars, "Reading the best closely") as progress:
            close_reading = calibrate_close_reading(evaluation, house.search, progress)
        relevance = RelevanceCalibration(look, close_reading)
        house = house.calibrated(Calibration("relevance", relevance))
        with progress_bar(bars, "Answering") as progress:
            gate = calibrate_gate(evaluation.answers(house.answering, progress))
        calibration = named(relevance, gate)
    house.save_calibration(calibration, out)
    Console().print(f"Calibration {calibration.name} written to {out}", markup=False)
