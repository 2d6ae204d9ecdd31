"""`vouch quality` tells how good the answers are, and whether that changes over time."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.arguments import file_to_write
from bot.cli.console import Terminal
from bot.cli.container import open_container_to_ask
from bot.wording import quality as wording
from bot.wording.untrusted_text import json_text
from retrieval.extras import EVALUATE, require

if TYPE_CHECKING:
    from bot.quality.service import QualityReport
    from bot.quality.values import Run

quality = typer.Typer(help="Watch how good the answers are, over time.", no_args_is_help=True)
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ALARM = 1


@quality.command()
def run(as_json: AsJson = False) -> None:
    """Ask the labelled questions of the live bot, compare, keep; exit status 1 for an alarm."""
    from bot.cli.console import progress_bar
    from bot.quality.service import report_as_json
    from bot.wiring.quality import watch_quality

    container = open_container_to_ask()
    with progress_bar(Terminal(stderr=True), "Asking") as progress:
        report = watch_quality(container, progress)
    if as_json:
        sys.stdout.write(json_text(report_as_json(report)) + "\n")
    else:
        _print(report)
    if report.alarms:
        raise typer.Exit(ALARM)


@quality.command(name="list")
def list_runs(as_json: AsJson = False) -> None:
    """Every run with its figures, the newest one last."""
    from bot.quality.service import run_as_json
    from bot.quality.telling import runs_table

    runs = _kept()
    if as_json:
        sys.stdout.write(json_text([run_as_json(each) for each in runs]) + "\n")
    else:
        Terminal().print(runs_table(runs) if runs else wording.NO_RUNS)


@quality.command()
def curve(
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw the curves into this PNG.", callback=file_to_write),
    ] = None,
) -> None:
    """Each figure over time, in the terminal."""
    from bot.quality.telling import curves_table, draw_curves

    if picture:
        require(EVALUATE, "matplotlib")
    runs = _kept()
    Terminal().print(curves_table(runs) if runs else wording.NO_RUNS)
    if picture and runs:
        draw_curves(runs, picture)


def _kept() -> "list[Run]":
    from bot.wiring.quality import kept_runs

    return kept_runs(open_container_to_ask())


def _print(report: "QualityReport") -> None:
    from bot.quality.telling import beside_table, in_words

    console = Terminal(soft_wrap=True)
    if report.run is None:
        console.print(wording.NO_QUESTIONS)
    else:
        shown = [each for each in (report.previous, report.run) if each]
        Terminal().print(beside_table(shown))
    for alarm in report.alarms:
        console.print(in_words(alarm), style="yellow")
    if not report.alarms:
        console.print(wording.NO_ALARMS)
