"""`vouch lab evaluate-extraction` tells how good fields are that are read out of documents."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.arguments import path_to_read
from bot.cli.console import Terminal, progress_bar
from bot.cli.container import open_container

if TYPE_CHECKING:
    from bot.extracting.values import Extracted

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
    """A Markdown table by field, and in all."""
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
