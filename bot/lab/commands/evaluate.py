"""`vouch evaluate` tells how good the answers are, in a home of its own."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from bot.cli.arguments import file_to_read, file_to_write, path_to_read
from bot.cli.console import Terminal
from bot.cli.container import open_container
from bot.errors import BadConfiguration, WrongUse
from bot.lab.commands.calibrate import AskedOn, AsPage, Docs, Outcomes, People, Questions, Split
from bot.wiring import Container
from retrieval.errors import EVALUATE, require

if TYPE_CHECKING:
    from bot.lab.judge import ChatJudge
    from bot.lab.recipe import Recipe
    from bot.quality.questions import LabelledQuestion
    from bot.quality.run import Evaluation, LabelledOutcome


def judge_of(
    model: str | None,
    container: Container,
    chosen: "Sequence[Recipe]",
    labelled: "Sequence[LabelledQuestion]",
) -> "ChatJudge | None":
    """None where no model is named; a warning is told where it would judge its own words.

    Raise `WrongUse` where there is nothing to judge or to judge by, and `BadConfiguration` where
    the settings name no server; nothing is sent.
    """
    from bot.lab.judge import ChatJudge

    if model is None:
        return None
    if not model.strip():
        raise WrongUse("--judge names no model. Write its name behind it.")
    if not any(recipe.decides for recipe in chosen):
        names = ", ".join(recipe.name for recipe in chosen)
        raise WrongUse(f"--judge has no reply to judge: {names} only ranks.")
    if not any(each.answer.strip() for each in labelled):
        raise WrongUse(
            "--judge compares with reference answers, and none of these questions has an "
            "`answer`. Write one into each line that is to be judged."
        )
    if not (container.settings.openai_api_key or container.settings.openai_base_url):
        raise BadConfiguration(
            "--judge asks a language model. Set VOUCH_OPENAI_API_KEY, or "
            "VOUCH_OPENAI_BASE_URL for a server that needs no key."
        )
    judge = ChatJudge(container.models.chat.asking(model))
    if container.settings.writer == "openai" and container.settings.openai_model == model:
        Terminal(stderr=True).print(
            f"{model} writes the replies too, and a model favours its own words: read its scores "
            "with care, or name another judge.",
            markup=False,
        )
    return judge


def judged_by(
    judge: "ChatJudge", runs: "Mapping[str, Sequence[LabelledOutcome]]"
) -> "dict[str, Sequence[LabelledOutcome]]":
    """All recipes that decide, with judgements; those that only rank have no reply."""
    from bot.cli.console import progress_bar
    from bot.lab.judge import judge_replies

    found = dict(runs)
    for name, outcomes in runs.items():
        if any(each.decision for each in outcomes):
            with progress_bar(Terminal(stderr=True), f"Judging, {name}") as progress:
                found[name] = judge_replies(outcomes, judge, progress)
    return found


class ListsRecipes(TyperCommand):
    """Its help lists the recipes by itself; they are read only then."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # Typer names no types for them
        from bot.lab.recipes import RECIPES

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
    from bot.lab import report
    from bot.lab.comparison import differences, held, side_by_side
    from bot.lab.recipes import alike, library_of
    from bot.quality.questions import load_questions

    require(EVALUATE, "ir_measures", "scipy", *(["matplotlib"] if picture else []))
    chosen = recipes_named(recipe or ["vouch"])
    labelled, console = load_questions(questions, split), Terminal()
    opened, today = open_container(), on or date.today()
    judging = judge_of(judge, opened, chosen, labelled)
    runs: dict[str, Sequence[LabelledOutcome]] = {}
    libraries = {}
    for sharing in alike(chosen):
        with library_of(sharing[0], opened, people) as container:
            ingest_documents(container, docs)
            evaluation = container.evaluation(labelled, today)
            library = held(container, evaluation.passages)
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
    from bot.lab.recipes import RECIPES

    for name in names:
        if name not in RECIPES:
            raise WrongUse(f"There is no recipe {name!r}; there are {', '.join(RECIPES)}.")
    return [RECIPES[name] for name in names]


def outcomes_of(
    recipe: "Recipe", container: Container, evaluation: "Evaluation"
) -> "list[LabelledOutcome]":
    """Ask one recipe all questions, in a container whose documents are ingested."""
    from bot.cli.console import progress_bar

    with progress_bar(Terminal(stderr=True), f"Asking, {recipe.name}") as progress:
        answering = recipe.compose(container.answering)
        if recipe.decides:
            return evaluation.answers(answering, progress)
        return evaluation.rankings(answering.evidence, progress)


def ingest_documents(container: Container, docs: Path) -> None:
    """Read the documents of an evaluation; a file that is left out is said, not fatal."""
    from bot.cli.console import progress_bar
    from bot.cli.ingest import print_report
    from retrieval.metadata.access import EVERYBODY

    console = Terminal(stderr=True)
    with progress_bar(console, f"Reading {docs}") as progress:
        ingested = container.ingest.run(path_to_read(docs), EVERYBODY, progress)
    print_report(ingested, console)


def evaluate_claims(
    claims: Annotated[
        Path,
        typer.Argument(
            help="Labelled claims, JSON lines: kind, premise, claim, supported.",
            callback=file_to_read,
        ),
    ],
) -> None:
    """Check labelled claims as replies are checked, and print how many pass."""
    from bot.cli.console import progress_bar
    from bot.lab.claims import load_claims, passing
    from bot.lab.report import claims_table
    from bot.wiring.answering import build_verification

    labelled, opened = load_claims(claims), open_container()
    verification = build_verification(opened.settings, opened.stores, opened.models)
    with progress_bar(Terminal(stderr=True), "Checking") as progress:
        rows = passing(labelled, verification, progress)
    Terminal().print(claims_table(rows))
