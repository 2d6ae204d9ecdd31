"""`vouch evaluate-fusion` sweeps how many candidates of each retriever are fused."""

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.arguments import file_to_write
from bot.cli.console import Terminal
from bot.cli.container import open_container
from bot.errors import WrongUse
from bot.lab.commands.calibrate import AskedOn, AsPage, Docs, Outcomes, People, Questions, Split
from bot.lab.commands.evaluate import ingest_documents
from retrieval.extras import EVALUATE, require

if TYPE_CHECKING:
    from bot.lab.fusion import Measured, Taken
    from bot.quality.questions import LabelledQuestion
    from bot.wiring import Container

MOST = 50
"""Candidates of each retriever."""


def evaluate_fusion(
    questions: Questions,
    docs: Docs,
    split: Split = None,
    people: People = None,
    on: AskedOn = None,
    fewest: Annotated[
        int, typer.Option("--from", min=1, max=MOST, help="Candidates of each retriever, first.")
    ] = 1,
    most: Annotated[
        int, typer.Option("--to", min=1, max=MOST, help="Candidates of each retriever, last.")
    ] = 10,
    as_json: Outcomes = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw the measures into this PNG.", callback=file_to_write),
    ] = None,
    markdown: AsPage = None,
) -> None:
    """Rank by each retriever and by all of them fused, with more and more candidates of each.

    Documents are cut into chunks of 500 tokens, as published; embedders are those of
    VOUCH_EMBEDDER and VOUCH_MORE_EMBEDDERS, fused by VOUCH_RRF_K. The real home is not touched.
    """
    from bot.lab.published.plain import chunks_of_500
    from bot.quality.questions import load_questions

    require(EVALUATE, "ir_measures", "scipy", *(["matplotlib"] if picture else []))
    if fewest > most:
        raise WrongUse(f"--from {fewest} is more than --to {most}: name the fewer first.")
    labelled = load_questions(questions, split)
    if not any(each.gold for each in labelled):
        raise WrongUse(f"No question of {questions} has a gold place, so there is none to find.")
    settings = {"entries": "", "retrieved": str(most)}
    opened = open_container().with_settings(settings).reading_anew()
    with opened.aside(people, cut_by=chunks_of_500()) as container:
        ingest_documents(container, docs)
        numbers = range(fewest, most + 1)
        measured, taken = _measured(container, labelled, numbers, on or date.today())
    console = Terminal()
    for table in measured.as_tables():
        console.print(table)
    for note in measured.notes:
        console.print(note, markup=False)
    if markdown:
        markdown.write_text(measured.as_markdown(), encoding="utf-8")
    if as_json:
        written = json.dumps(measured.as_json(taken), ensure_ascii=False, indent=1)
        as_json.write_text(written, encoding="utf-8")
    if picture:
        measured.draw(picture)


def _measured(
    container: "Container", labelled: "list[LabelledQuestion]", numbers: range, today: date
) -> "tuple[Measured, list[Taken]]":
    from bot.cli.console import progress_bar
    from bot.lab.fusion import Measured, Timing, asked_of, sweep, take
    from bot.lab.libraries import held
    from bot.lab.published.plain import CANDIDATES
    from bot.lab.recipe import ranked_by

    evaluation = container.evaluation(labelled, today)
    finder = ranked_by()(container.answering).evidence
    search, most = finder.search, numbers[-1]
    asked = asked_of(evaluation, finder)
    with progress_bar(Terminal(stderr=True), "Asking") as progress:
        taken = take(asked, evaluation, search, most, progress)
    with progress_bar(Terminal(stderr=True), "Timing") as progress:
        timing = Timing(search.embedders, search.retrievers, search.settings.rrf_k)
        spent = timing.seconds(asked, progress)
    found = sweep(taken, numbers, search.settings.rrf_k, min(max(CANDIDATES, numbers[0]), most))
    models = {
        each.name: search.embedders[each.space].name for each in search.retrievers if each.space
    }
    library = held(container, evaluation.passages)
    return Measured(models, found, spent, library), taken
