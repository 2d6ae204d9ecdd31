"""`vouch quality` tells how good the answers are, and whether that changes over time."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.teams import known_as
from bot.cli.arguments import AsJson, file_to_write
from bot.cli.console import Terminal, print_json, progress_bar
from bot.cli.container import open_container_to_ask, open_container_to_read
from bot.errors import WrongUse
from bot.wording import digest as digest_wording
from bot.wording import quality as wording
from retrieval.errors import EVALUATE, require

if TYPE_CHECKING:
    from bot.answering.digest import Digest
    from bot.quality.service import QualityReport
    from bot.quality.values import QualityRun

quality = typer.Typer(help="Watch how good the answers are, over time.", no_args_is_help=True)
ALARM = 1


@quality.command()
def run(as_json: AsJson = False) -> None:
    """Ask the labelled questions of the live bot, compare, keep; exit status 1 for an alarm."""
    from bot.quality.service import report_as_json
    from bot.wiring.quality import watch_quality

    container = open_container_to_ask()
    with progress_bar(Terminal(stderr=True), "Asking") as progress:
        report = watch_quality(container, progress)
    if as_json:
        print_json(report_as_json(report))
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
        print_json([run_as_json(each) for each in runs])
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


@quality.command()
def digest(
    week: Annotated[
        str, typer.Option(help="Such as 2026-W47; without it the last one that is over.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """What was asked in a week and not answered, as each unit's channel is told."""
    from bot.answering.digest import Week
    from bot.wiring.digest import digests

    made = digests(open_container_to_read())
    named = Week.named(week) if week else made.this_week().earlier()
    if named is None:
        raise WrongUse(digest_wording.unknown_week(week))
    found = made(named)
    if as_json:
        print_json({"week": named.name, "units": asdict(found)["units"]})
    else:
        _print_digest(found)


def _print_digest(found: "Digest") -> None:
    console = Terminal()
    console.print(digest_wording.days(found.week.monday, found.week.sunday), style="bold")
    if not found.units:
        console.print(digest_wording.NOTHING)
    for unit in found.units:
        heard = digest_wording.heard_by(unit.channel)
        console.print()
        named = known_as(unit.team, digest_wording.unit(unit.unit))
        console.print(f"{named}. {heard}", style="bold")
        for line in unit.lines:
            first, *others = line.examples
            times = digest_wording.times(line.asked, line.people)
            console.print(f"- {first} ({times})")
            for each in others:
                console.print(f"  {digest_wording.ALSO}{each}")
            if line.pages:
                near = ", ".join(page.title for page in line.pages)
                console.print(f"  {digest_wording.NEAREST}{near}")
        if unit.unseen:
            console.print(digest_wording.unseen(unit.unseen, more=bool(unit.lines)))


def _kept() -> "list[QualityRun]":
    from bot.wiring.quality import all_runs

    return all_runs(open_container_to_ask().settings)


def _print(report: "QualityReport") -> None:
    from bot.quality.telling import beside_table, in_words

    console = Terminal()
    if report.run is None:
        console.print(wording.NO_QUESTIONS)
    else:
        shown = [each for each in (report.previous, report.run) if each]
        Terminal().print(beside_table(shown))
    for alarm in report.alarms:
        for line in in_words(alarm).splitlines():
            console.print(line, style="yellow")
    if not report.alarms:
        console.print(wording.NO_ALARMS)
