"""`vouch evaluate-wording` tells what it costs to ask as people type."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.console import Terminal
from bot.cli.container import open_container
from bot.cli.evaluate import ingest_documents, outcomes_of, recipes_named
from bot.cli.files import file_to_read
from bot.cli.labelled import AskedOn, AsPage, Docs, Outcomes, People, Questions, Split
from retrieval.extras import EVALUATE, require


def evaluate_wording(
    questions: Questions,
    wordings: Annotated[
        Path,
        typer.Argument(
            help="Other wordings of some of them, JSON lines: id, clean, typed.",
            callback=file_to_read,
        ),
    ],
    docs: Docs,
    recipe: Annotated[
        list[str] | None,
        typer.Option(help="A way to answer, as `vouch evaluate` lists them; repeatable."),
    ] = None,
    split: Split = None,
    people: People = None,
    on: AskedOn = None,
    as_json: Outcomes = None,
    markdown: AsPage = None,
) -> None:
    """Ask labelled questions in a clean wording and as typed, and print what that costs."""
    from bot.evaluation.lines import read_lines
    from bot.evaluation.questions import load_questions
    from bot.evaluation.recipes import alike
    from bot.evaluation.report import summary
    from bot.evaluation.wordings import Wordings, reworded, wording_table

    require(EVALUATE, "ir_measures", "scipy")
    chosen = recipes_named(recipe or ["vouch"])
    labelled = load_questions(questions, split)
    worded, console = reworded(labelled, read_lines(wordings, Wordings)), Terminal()
    opened, runs = open_container().caching(), {}  # recipes read much of the same
    asked = [each.question for some in (labelled, *worded.values()) for each in some]
    for settings, sharing in alike(chosen):
        with opened.aside(people, settings, asked) as container:
            ingest_documents(container, docs)
            evaluation = container.evaluation(labelled, on or date.today())
            for each in sharing:
                runs[each.name] = {
                    wording: outcomes_of(each, container, replace(evaluation, questions=some))
                    for wording, some in worded.items()
                }
    table = wording_table({each.name: runs[each.name] for each in chosen})
    console.print(table.as_table())
    for note in table.notes:
        console.print(note, markup=False)
    if markdown:
        markdown.write_text(table.as_markdown(), encoding="utf-8")
    if as_json:
        written = {
            name: {
                wording: {
                    "summary": summary(outcomes),
                    "questions": [outcome.as_json() for outcome in outcomes],
                }
                for wording, outcomes in own.items()
            }
            for name, own in runs.items()
        }
        as_json.write_text(json.dumps(written, ensure_ascii=False, indent=1), encoding="utf-8")
