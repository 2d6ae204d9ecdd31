"""`vouch tour` reads a sample organisation in, asks three questions, then takes yours."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Annotated

import typer
import yaml
from rich.text import Text

from bot.cli.console import Terminal, progress_bar
from bot.cli.container import open_container
from bot.errors import BadConfiguration
from bot.wiring import Container
from bot.workspace.seed import TEAM_ID, Tour


def tour(
    folder: Annotated[
        Path, typer.Argument(help="Holds documents/, people.yaml, channels.yaml, tour.yaml.")
    ] = Path("deploy/sample"),
) -> None:
    """Read a sample organisation in and show what its people are answered."""
    from bot.answering.values import Question
    from bot.cli.replies import Talk, reply_to

    container, console = open_container(), Terminal()
    container, sample = read_sample(container, folder, console)
    today = date.today()  # the day where the person sits
    person = None
    for stop in sample.stops:
        person = container.stores.access.people.find(stop["as"])
        console.print(Text.assemble("\n", (person.name, "bold"), f" asks: {stop['question']}"))
        console.print(reply_to(container, Question(stop["question"], person, today)))
        console.print(stop["note"], style="dim italic")
    Talk(container, person, today).until_the_end()


def read_sample(
    container: Container, folder: Path, console: Terminal, *, several: bool = False
) -> tuple[Container, Tour]:
    """Ingest the sample, copy its people, return its tour; raise `BadConfiguration`."""
    from bot.cli.ingest import print_report, renew_outdated_index
    from bot.wiring.given_files import SOURCE
    from retrieval.metadata.access import EVERYBODY, TEAM

    tour = _tour(folder)
    try:
        given = (container.home / SOURCE).resolve()  # in Slack, by people of the sample
        known = (source.root for source in container.stores.library.sources())
        read = [root for root in known if given not in Path(root).parents]
        own = {str((each.folder / "documents").resolve()) for each in (tour, *tour.beside.values())}
        is_the_samples = bool(read) and {*read} <= own
        for name in ("people.yaml", "channels.yaml"):
            _copy(tour, name, container.home, is_the_samples=is_the_samples, several=several)
    except OSError as error:
        raise _no_sample(folder, f"{error.filename} cannot be copied") from error
    if not several:
        tour = replace(tour, beside={})
    if tour.beside:
        container = _of_several(container)
    renew_outdated_index(container, console)
    for_each = [(tour, EVERYBODY)]
    for_each += [(theirs, ((TEAM, (team,)),)) for team, theirs in tour.beside.items()]
    for each, audience in for_each:
        with progress_bar(console, f"Reading the documents of {each.organisation}") as progress:
            report = container.ingest.run(
                each.folder / "documents", audience, progress, _source(each, tour)
            )
        print_report(report, console)
    return container, tour


def _source(each: Tour, tour: Tour) -> str:
    """Return what its source is called; empty for the first's, which is called as its folder."""
    return "" if each is tour else each.folder.name


def _of_several(container: Container) -> Container:
    """Say in the home, for every command, which of several workspaces is its own."""
    if container.settings.slack_team:
        return container
    with (container.home / ".env").open("a", encoding="utf-8") as file:
        file.write(f"\nVOUCH_SLACK_TEAM={TEAM_ID}\n")  # whatever the last line ends with
    return container.with_settings({"slack_team": TEAM_ID})


def _tour(folder: Path) -> Tour:
    path = folder / "tour.yaml"
    try:
        stated = yaml.safe_load(path.read_text(encoding="utf-8"))
        named = {**stated.pop("beside", {})}
        beside = {team: _tour(folder / name) for team, name in named.items()}
        tour = Tour(**stated, beside=beside, folder=folder)
        for stop in tour.stops:
            _ = stop["as"], stop["question"], stop["note"]
    except OSError as error:
        raise _no_sample(folder, f"it has no {path.name} that can be read") from error
    except (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError) as error:
        raise _no_sample(
            folder, f"{path.name} needs `organisation`, and `stops` with `as`, `question`, `note`"
        ) from error
    if not (folder / "documents").is_dir():
        raise _no_sample(folder, "it has no folder documents")
    return tour


def _no_sample(folder: Path, why: str) -> BadConfiguration:
    return BadConfiguration(
        f"{folder} is no sample organisation: {why}. Name a folder such as deploy/sample."
    )


def _copy(tour: Tour, name: str, home: Path, *, is_the_samples: bool, several: bool) -> None:
    """Copy the sample's people, never over somebody's own."""
    target, alone = home / name, (tour.folder / name).read_text(encoding="utf-8")
    with_others = _with_others(tour, name, alone)
    found = target.read_text(encoding="utf-8") if target.exists() else alone
    if found not in (alone, with_others):
        if is_the_samples:
            return
        raise BadConfiguration(
            f"{target} belongs to another organisation. "
            "Set VOUCH_HOME to a new folder for the sample."
        )
    target.write_text(with_others if several else found, encoding="utf-8")


def _with_others(tour: Tour, name: str, text: str) -> str:
    """Put the entries of further workspaces before the others, so that comments stay."""
    key = f"{name.removesuffix('.yaml')}:\n"
    for each in tour.beside.values():
        theirs = (each.folder / name).read_text(encoding="utf-8").partition(key)[2]
        text = text.replace(key, key + theirs, 1)
    return text
