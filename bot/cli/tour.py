"""`vouch tour` asks a sample organisation three questions at the terminal, then takes yours."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from bot.cli.console import Terminal
from bot.cli.container import open_container


def tour(
    folder: Annotated[
        Path, typer.Argument(help="Holds documents/, people.yaml, channels.yaml, tour.yaml.")
    ] = Path("deploy/sample"),
) -> None:
    """Read a sample organisation in and show what its people are answered."""
    from bot.answering.values import Question
    from bot.cli.replies import reply_to
    from bot.cli.sample import read_sample
    from bot.cli.talk import Talk

    container, console = open_container(), Terminal()
    sample = read_sample(container, folder, console)
    today = date.today()  # the day where the person sits
    person = None
    for stop in sample.stops:
        person = container.access.people.find(stop["as"])
        console.print(Text.assemble("\n", (person.name, "bold"), f" asks: {stop['question']}"))
        console.print(reply_to(container, Question(stop["question"], person, today)))
        console.print(stop["note"], style="dim italic", markup=False)
    Talk(container, person, today).until_the_end()
