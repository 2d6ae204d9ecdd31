"""`vouch evaluate` tells how good the answers are, in a home of its own."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from bot.cli.console import Terminal
from bot.cli.container import open_container
from bot.cli.files import file_to_write, path_to_read
from bot.cli.judging import judge_of, judged_by
from bot.cli.labelled import AskedOn, AsPage, Docs, Outcomes, People, Questions, Split
from bot.errors import WrongUse
from bot.wiring import Container
from retrieval.extras import EVALUATE, require

if TYPE_CHECKING:
    from bot.evaluation.outcomes import LabelledOutcome
    from bot.evaluation.recipe import Recipe
    from bot.evaluation.run import Evaluation


class ListsRecipes(TyperCommand):
    """Its help lists the recipes by itself; they are read only then."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # Typer names no types for them
        from bot.evaluation.recipes import RECIPES

        [option] = [each for each in self.params if each.name == "recipe"]
        if isinstance(option, TyperOption):
            known = (f"{r.name} ({r.says})" if r.says else r.name for r in RECIPES.values())
            option.help = f"{option.help} There are: {'; '.join(known)}."
        super().format_help(ctx, formatter)


def evaluate(
    questions: Questions,
    docs: Docs,
    recipe: Annotated[
        list[str] | None,
        typer.Option(help="A way to answer; repeatable, each beside the first."),
    ] = None,
    split: Split = None,
    people: People = None,
    on: AskedOn = None,
    as_json: Outcomes = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            help="Draw the risk-coverage curve, and several recipes' measures, into this PNG.",
            callback=file_to_write,
        ),
    ] = None,
    markdown: AsPage = None,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Let this language model judge replies beside reference answers: it is sent "
            "questions, replies and passages, to VOUCH_OPENAI_BASE_URL or OpenAI.",
        ),
    ] = None,
) -> None:
    """Ask labelled questions and print the measures; the real home is not touched."""
    from bot.evaluation import report
    from bot.evaluation.comparison import differences
    from bot.evaluation.libraries import held
    from bot.evaluation.questions import load_questions
    from bot.evaluation.recipes import alike
    from bot.evaluation.side_by_side import side_by_side

    require(EVALUATE, "ir_measures", "scipy", *(["matplotlib"] if picture else []))
    chosen = recipes_named(recipe or ["vouch"])
    labelled, console = load_questions(questions, split), Terminal()
    opened, today = open_container(), on or date.today()
    judging = judge_of(judge, opened, chosen, labelled)
    runs: dict[str, Sequence[LabelledOutcome]] = {}
    libraries = {}
    for settings, sharing in alike(chosen):
        asked = [each.question for each in labelled]
        with opened.aside(people, settings, asked) as container:
            ingest_documents(container, docs)
            evaluation = container.evaluation(labelled, today)
            library = held(evaluation.passages, container.source_of, container.index_files)
            for each in sharing:
                runs[each.name] = outcomes_of(each, container, evaluation)
                libraries[each.name] = library
    runs = {each.name: runs[each.name] for each in chosen}
    if judging:
        runs = judged_by(judging, runs)
    found = differences(runs)
    beside = side_by_side(runs, libraries, found)
    report.print_tables(runs, beside, console)
    if markdown:
        markdown.write_text(beside.as_markdown(), encoding="utf-8")
    if as_json:
        written = report.as_json(runs, libraries, found)
        as_json.write_text(json.dumps(written, ensure_ascii=False, indent=1), encoding="utf-8")
    if picture:
        report.draw_runs(runs, picture)


def recipes_named(names: list[str]) -> "list[Recipe]":
    """Raise `WrongUse` for one that there is not."""
    from bot.evaluation.recipes import RECIPES

    for name in names:
        if name not in RECIPES:
            raise WrongUse(f"There is no recipe {name!r}; there are {', '.join(RECIPES)}.")
    return [RECIPES[name] for name in names]


def outcomes_of(
    recipe: "Recipe", container: Container, evaluation: "Evaluation"
) -> "list[LabelledOutcome]":
    """Ask one recipe all questions, in a container whose documents are ingested."""
    from bot.cli.progress import progress_bar

    with progress_bar(Terminal(stderr=True), f"Asking, {recipe.name}") as progress:
        answering = recipe.compose(container.answering)
        if recipe.decides:
            return evaluation.answers(answering, progress)
        return evaluation.rankings(answering.evidence, progress)


def ingest_documents(container: Container, docs: Path) -> None:
    """Read the documents of an evaluation; a file that is left out is said, not fatal."""
    from bot.cli.ingest import print_report
    from bot.cli.progress import progress_bar
    from retrieval.metadata.readers import EVERYBODY

    console = Terminal(stderr=True)
    with progress_bar(console, f"Reading {docs}") as progress:
        ingested = container.ingest.run(path_to_read(docs), EVERYBODY, progress)
    print_report(ingested, console)
