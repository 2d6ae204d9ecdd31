"""A sample organisation is read in, with its people and channels."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from bot.cli.console import Terminal
from bot.errors import BadConfiguration
from bot.wiring import Container

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
    from bot.cli.ingest import print_report, renew_outdated_index
    from bot.cli.progress import progress_bar
    from retrieval.metadata.access import EVERYBODY

    tour = _tour(folder)
    try:
        read = [source.root for source in container.library.sources()]
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
