"""`vouch tour`: a sample organisation at the terminal: three questions, then yours."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from bot.cli.console import Terminal
from bot.cli.container import open_house


def tour(
    folder: Annotated[
        Path, typer.Argument(help="Holds documents/, people.yaml, channels.yaml, tour.yaml.")
    ] = Path("deploy/sample"),
) -> None:
    """Read a sample organisation in and show what its people are answered."""
    from bot.answering.values import Question
    from bot.cli.sample import read_sample
    from bot.cli.talk import Talk
    from bot.terminal import render

    house, console = open_house(), Terminal()
    sample = read_sample(house, folder, console)
    today = date.today()  # the day where the person sits
    person = None
    for stop in sample.stops:
        person = house.access.people.find(stop["as"])
        console.print(Text.assemble("\n", (person.name, "bold"), f" asks: {stop['question']}"))
        console.print(render(house.answering(Question(stop["question"], person, today))))
        console.print(stop["note"], style="dim italic", markup=False)
    Talk(house, person, today).until_the_end()
