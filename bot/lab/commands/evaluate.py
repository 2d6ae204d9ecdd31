"""`vouch lab` evaluates here: answers, claims, fields that are extracted, and standard answers."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from bot.cli.arguments import file_to_read, file_to_write, path_to_read
from bot.cli.console import Terminal, progress_bar
from bot.cli.container import open_container
from bot.errors import BadConfiguration, WrongUse
from bot.lab.commands.calibrate import AskedOn, AsPage, Docs, Outcomes, People, Questions, Split
from bot.wiring import Container
from retrieval.errors import EVALUATE, require

if TYPE_CHECKING:
    from bot.extracting.values import Extracted
    from bot.lab.judge import ChatJudge
    from bot.lab.recipe import Recipe
    from bot.quality.questions import LabelledQuestion
    from bot.quality.run import Evaluation, LabelledOutcome
    from retrieval.ports import CrossEncoder


def judge_of(
    model: str | None,
    container: Container,
    chosen: "Sequence[Recipe]",
    labelled: "Sequence[LabelledQuestion]",
) -> "ChatJudge | None":
    """The judge, with a warning where it would judge its own words; raise `WrongUse`."""
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
        list[str] | None, typer.Option(help="A way to answer; repeatable, each beside the first.")
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


Tally = Counter[str]
HEADS = (
    *("field", "labelled", "supported", "right", "precision", "recall"),
    *("doubtful", "right", "withheld"),
)


def evaluate_extraction(
    folder: Annotated[
        Path,
        typer.Argument(
            help="Documents with labels.jsonl beside them: file, schema, values.",
            callback=path_to_read,
        ),
    ],
    schemas: Annotated[Path, typer.Option(help="The Python file of the schemas.")],
) -> None:
    """Print precision and recall by field of what is supported, and what else came of fields."""
    from bot.cli.extract import model_of
    from bot.wiring.extracting import build_extracting, open_file, wanted

    told: dict[str, Tally] = {}
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    console = Terminal(stderr=True)
    with open_container().aside() as container, progress_bar(console, "Documents") as report:
        service = build_extracting(container)
        for number, line in enumerate(lines, start=1):
            labelled = json.loads(line)
            fields, accept = wanted(model_of(schemas, labelled["schema"]))
            opened = open_file(container.settings, folder / labelled["file"])
            found = service(opened, fields, None, accept=accept)
            for each in found.fields:
                name = f"{labelled['schema']}.{each.field.name}"
                counted = told.setdefault(name, Counter())
                counted.update(judged(each, labelled["values"][each.field.name]))
            report(number, len(lines), labelled["file"])
    for row in rows(told):
        print(row)  # noqa: T201  # the command line's own voice


def judged(each: "Extracted", label: str | None) -> Iterator[str]:
    """What is counted of a field: whether it is labelled, and came, by its status, and is right."""
    from bot.extracting.reading import same
    from bot.extracting.service import in_text

    got = in_text(each.value).replace("; ", ";").casefold()
    right = label is not None and same(got.upper()) == same(label.upper())
    if label is not None:
        yield "labelled"
    if each.value is not None:
        yield each.status.value
        if right:
            yield f"{each.status.value} right"
    if each.value is None and each.places:
        yield "withheld"


def rows(tally: Mapping[str, Tally]) -> Iterator[str]:
    yield f"| {' | '.join(HEADS)} |"
    yield f"|{'---|' * len(HEADS)}"
    whole = sum(tally.values(), Counter[str]())
    for name, counted in [*tally.items(), ("all", whole)]:
        yield _row(name, counted)


def _row(name: str, counted: Mapping[str, Any]) -> str:
    supported, right, labelled = (
        counted[each] for each in ("supported", "supported right", "labelled")
    )
    precision = f"{right / supported:.2f}" if supported else "–"
    recall = f"{right / labelled:.2f}" if labelled else "–"
    doubtful = counted["doubtful"], counted["doubtful right"], counted["withheld"]
    numbers = (labelled, supported, right, precision, recall, *doubtful)
    return f"| {name} | {' | '.join(map(str, numbers))} |"


THRESHOLDS = (0.8, 0.86, 0.9, 0.92, 0.94, 0.96)
ITSELF, NEAR, BESIDE = "itself", "nothing answers it", "the passage answers it, too"
Pair = tuple[str, str, str, Sequence[str]]
"""What somebody asks; and how that is to the question that an answer was reviewed for, with that
question and the answer's sentences."""


def standard_answers(
    handbooks: Annotated[
        Path,
        typer.Argument(
            help="Handbooks with questions, as retrieval/training/organisations.jsonl has them.",
            callback=path_to_read,
        ),
    ],
    every: Annotated[
        bool, typer.Option("--all", help="Those as well that taught the models.")
    ] = False,
) -> None:
    """Print by threshold the share of questions that a reviewed answer to a near one would lead."""
    from bot.answering.standard import SAME_QUESTION

    rows = map(json.loads, handbooks.read_text(encoding="utf-8").splitlines())
    pairs = [pair for row in rows if every or row["dev"] for pair in pairs_of(row)]
    read: dict[str, list[float]] = {ITSELF: [], NEAR: [], BESIDE: []}
    console = Terminal(stderr=True)
    with open_container().aside() as container, progress_bar(console, "Questions") as report:
        model = container.models.named.cross_encoder
        calibrated = container.models.calibration.relevance.relevance
        for number, (asked, how, question, said) in enumerate(pairs, start=1):
            read[how].append(calibrated(logit(model, asked, question, said)))
            report(number, len(pairs), how)
    lines = [
        f"| threshold | {' | '.join(f'{how}, of {len(found)}' for how, found in read.items())} |",
        f"|{'---|' * (len(read) + 1)}",
    ]
    for threshold in sorted({*THRESHOLDS, SAME_QUESTION}):
        shares = (reached(found, threshold) for found in read.values())
        lines.append(f"| {threshold} | {' | '.join(shares)} |")
    print("\n".join(lines))  # noqa: T201  # the command line's own voice


def pairs_of(handbook: Mapping[str, Any]) -> Iterator[Pair]:
    """Pair each question that has an answer with itself and with those near it."""
    asked = handbook["questions"]
    for reviewed, other in product((each for each in asked if each["answers"]), asked):
        places = {int(place): which for place, which in reviewed["answers"].items()}
        passages = {place: handbook["passages"][place]["sentences"] for place in places}
        said = [passages[place][at] for place, which in places.items() for at in which]
        answers = {int(place) for place in other["answers"]}
        if other is reviewed:
            yield other["q"], ITSELF, reviewed["q"], said
        elif answers & places.keys():
            yield other["q"], BESIDE, reviewed["q"], said
        elif not answers and places.keys() & set(other.get("nearest", ())):
            yield other["q"], NEAR, reviewed["q"], said


def logit(model: "CrossEncoder", asked: str, question: str, said: Sequence[str]) -> float:
    """Return what a search makes of a reviewed answer: the mean of the whole and its best part."""
    from retrieval.search.reranking import windows

    texts = [f"{question}\n{' '.join(said)}", *windows(question, said)]
    whole, *parts = model.logits([(asked, text) for text in texts])[:, 0].tolist()
    return float((whole + max(parts)) / 2)


def reached(found: Sequence[float], threshold: float) -> str:
    share = sum(each >= threshold for each in found) / len(found) if found else 0.0
    return f"{100 * share:.1f} %"
