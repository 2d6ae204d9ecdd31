"""`vouch tour`: a sample organisation, three questions by three people, then yours."""

import shutil
from datetime import date
from pathlib import Path
from typing import Annotated

import typer
import yaml
from rich.console import Console

from bot.cli.house import open_house
from bot.errors import BadConfiguration


def tour(
    folder: Annotated[
        Path, typer.Argument(help="Holds documents/, people.yaml, channels.yaml, tour.yaml.")
    ] = Path("deploy/sample"),
) -> None:
    """Read a sample organisation in and show what its people are answered."""
    from bot.answering.values import Question
    from bot.cli.ingest import print_report
    from bot.cli.progress import progress_bar
    from bot.cli.talk import Talk
    from bot.terminal import render

    house, console = open_house(), Console()
    try:
        stops = yaml.safe_load((folder / "tour.yaml").read_text(encoding="utf-8"))
        is_the_tours = house.library.roots() == [str((folder / "documents").resolve())]
        for name in ("people.yaml", "channels.yaml"):
            _copy(folder / name, house.home / name, may_replace=is_the_tours)
    except OSError as error:
        raise BadConfiguration(f"{folder} is no sample organisation: {error}.") from error
    with progress_bar(console, "Reading the sample organisation") as progress:
        report = house.ingest.run(folder / "documents", progress)
    print_report(report, console)
    today = date.today()  # the day where the person sits
    person = None
    for stop in stops:
        person = house.access.people.find(stop["as"])
        console.print(f"\n[bold]{person.name}[/] asks: {stop['question']}")
        console.print(render(house.answering(Question(stop["question"], person, today))))
        console.print(stop["note"], style="dim italic", markup=False)
    Talk(house, person, today).until_the_end()


def _copy(source: Path, target: Path, *, may_replace: bool) -> None:
    """The tour's people must not take the place of somebody's own."""
    if not may_replace and target.exists() and target.read_bytes() != source.read_bytes():
        raise BadConfiguration(
            f"{target} belongs to another organisation. "
            "Set VOUCH_HOME to a new folder for the tour."
        )
    shutil.copyfile(source, target)
