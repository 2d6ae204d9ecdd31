"""Arguments and options that commands share which ask labelled questions."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.dates import A_DAY, day
from bot.cli.files import file_to_read, file_to_write, path_to_read

Questions = Annotated[
    Path, typer.Argument(help="Labelled questions, JSON lines.", callback=file_to_read)
]
Docs = Annotated[
    Path, typer.Option(help="Folder of the documents they are about.", callback=path_to_read)
]
People = Annotated[
    Path | None,
    typer.Option(
        help="people.yaml for questions with `as`; else the home's.", callback=file_to_read
    ),
]
AskedOn = Annotated[
    date | None,
    typer.Option(
        parser=day,
        metavar=A_DAY,
        help="Ask as of that day what has none of its own; else of today.",
    ),
]
Split = Annotated[str | None, typer.Option(help="calibration or test; else all.")]
Outcomes = Annotated[
    Path | None,
    typer.Option("--json", help="Write every outcome to this file.", callback=file_to_write),
]
AsPage = Annotated[
    Path | None,
    typer.Option(help="Write the tables to this file, in Markdown.", callback=file_to_write),
]
