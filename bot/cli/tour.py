"""`vouch tour` reads a sample organisation in, asks three questions, then takes yours."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated

import typer
import yaml
from rich.text import Text

from bot.cli.console import Terminal
from bot.cli.container import open_container
from bot.errors import BadConfiguration
from bot.wiring import Container


def tour(
    folder: Annotated[
        Path, typer.Argument(help="Holds documents/, people.yaml, channels.yaml, tour.yaml.")
    ] = Path("deploy/sample"),
) -> None:
    """Read a sample organisation in and show what its people are answered."""
    from bot.answering.values import Question
    from bot.cli.replies import Talk, reply_to

    container, console = open_container(), Terminal()
    sample = read_sample(container, folder, console)
    today = date.today()  # the day where the person sits
    person = None
    for stop in sample.stops:
        person = container.stores.access.people.find(stop["as"])
        console.print(Text.assemble("\n", (person.name, "bold"), f" asks: {stop['question']}"))
        console.print(reply_to(container, Question(stop["question"], person, today)))
        console.print(stop["note"], style="dim italic", markup=False)
    Talk(container, person, today).until_the_end()


Stop = Mapping[str, str]
"""A question: who asks (`as`), what (`question`), what it shows (`note`)."""


@dataclass(frozen=True, slots=True)
class Tour:
    """`tour.yaml` says whose documents these are, and what to ask first."""

    organisation: str
    stops: Sequence[Stop]
    questions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What each person, by id, is offered to ask besides."""


def read_sample(container: Container, folder: Path, console: Terminal) -> Tour:
    """Ingest the sample's documents, copy its people, and return its tour.

    Raise `BadConfiguration` where the folder is no sample, or the home is somebody's own.
    """
    from bot.cli.console import progress_bar
    from bot.cli.ingest import print_report, renew_outdated_index
    from retrieval.metadata.access import EVERYBODY

    tour = _tour(folder)
    try:
        read = [source.root for source in container.stores.library.sources()]
        is_the_samples = read == [str((folder / "documents").resolve())]
        for name in ("people.yaml", "channels.yaml"):
            _copy(folder / name, container.home / name, is_the_samples=is_the_samples)
    except OSError as error:
        raise _no_sample(folder, f"{error.filename} cannot be copied") from error
    renew_outdated_index(container, console)
    with progress_bar(console, "Reading the sample organisation") as progress:
        report = container.ingest.run(folder / "documents", EVERYBODY, progress)
    print_report(report, console)
    return tour


def _tour(folder: Path) -> Tour:
    path = folder / "tour.yaml"
    try:
        tour = Tour(**yaml.safe_load(path.read_text(encoding="utf-8")))
        for stop in tour.stops:
            _ = stop["as"], stop["question"], stop["note"]
    except OSError as error:
        raise _no_sample(folder, f"it has no {path.name} that can be read") from error
    except (yaml.YAMLError, ValueError, TypeError, LookupError) as error:
        raise _no_sample(
            folder,
            f"{path.name} needs `organisation`, and `stops` with `as`, `question`, `note`",
        ) from error
    if not (folder / "documents").is_dir():
        raise _no_sample(folder, "it has no folder documents")
    return tour


def _no_sample(folder: Path, why: str) -> BadConfiguration:
    return BadConfiguration(
        f"{folder} is no sample organisation: {why}. Name a folder such as deploy/sample."
    )


def _copy(source: Path, target: Path, *, is_the_samples: bool) -> None:
    """The sample's people must not take the place of somebody's own, or of edited ones."""
    if target.exists():
        if is_the_samples or target.read_bytes() == source.read_bytes():
            return
        raise BadConfiguration(
            f"{target} belongs to another organisation. "
            "Set VOUCH_HOME to a new folder for the sample."
        )
    shutil.copyfile(source, target)
