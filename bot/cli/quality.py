"""`vouch quality` tells how good answers are; `audit replay` and `what-if` look back at them."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.values import known_as
from bot.cli.arguments import AsJson, AuditId, file_to_write
from bot.cli.audit import Since, Until
from bot.cli.console import Terminal, print_json, progress_bar
from bot.cli.container import open_container_to_ask, open_container_to_read
from bot.errors import WrongUse
from bot.wording import digest as digest_wording
from bot.wording import quality as wording
from retrieval.errors import EVALUATE, require

if TYPE_CHECKING:
    from bot.answering.digest import Digest
    from bot.answering.replaying import ReplayDifference
    from bot.quality.service import QualityReport
    from bot.quality.values import QualityRun
    from bot.quality.what_if import WhatIf

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
        Path | None, typer.Option(help="Draw the curves into this PNG.", callback=file_to_write)
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
    from bot.wiring.telling import digests

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


Threshold = Annotated[float | None, typer.Option(min=0.0, max=1.0, help="Overall confidence.")]


def replay(audit_id: AuditId, as_json: AsJson = False) -> None:
    """Answer again of what a record keeps, and say what comes out otherwise, and why it may."""
    from bot.wiring.quality import replay as again

    found = again(open_container_to_read(), audit_id)
    if as_json:
        print_json(asdict(found))
        return
    terminal = Terminal()
    terminal.print(wording.SAME if found.same else wording.ANOTHER, style="bold")
    for title, differences in (
        (wording.WHAT_DIFFERS, found.differences),
        (wording.MADE_WITH, found.changed),
    ):
        _print_titled(terminal, title, [_in_words(each) for each in differences])
    _print_titled(terminal, wording.LACKING, found.lacking)
    if not found.same and not found.changed and not found.lacking:
        terminal.print(wording.NO_REASON)


def _in_words(difference: "ReplayDifference") -> str:
    said = wording.then_and_now(difference.then, difference.now)
    return f"{difference.what}\n{said}"


def what_if(
    answer_at: Threshold = None,
    partial_at: Threshold = None,
    since: Since = None,
    until: Until = None,
    labels: Annotated[
        Path | None, typer.Option(help="Labelled questions, as `vouch lab evaluate` reads them.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Decide recorded answers by other thresholds, and say which would change, and if for good."""
    from bot.quality.questions import load_questions
    from bot.wiring.quality import what_if as decided

    if answer_at is None and partial_at is None:
        raise WrongUse(wording.NO_THRESHOLD)
    known = load_questions(labels, split=None) if labels else []
    found = decided(open_container_to_read(), answer_at, partial_at, since, until, known)
    if as_json:
        print_json(asdict(found))
    else:
        _print_decided(found)


def _print_decided(found: "WhatIf") -> None:
    terminal = Terminal()
    terminal.print(wording.decided_again(found.records, found.decisions, found.would_be))
    terminal.print(wording.changes(found.judged))
    for each in found.changed:
        became = f"{each.was} → {each.would_be} ({wording.JUDGED[each.judged]})"
        terminal.print(f"{each.audit_id}  {became}")
        terminal.print(f"  {each.question}")
    if any(each.was == "ABSTAIN" for each in found.changed):
        terminal.print(wording.ABSTENTIONS)


def _print_titled(terminal: Terminal, title: str, said: Sequence[str]) -> None:
    if said:
        terminal.print()
        terminal.print(title, style="bold")
    for each in said:
        first, *others = each.splitlines()
        terminal.print(f"- {first}")
        for line in others:
            terminal.print(f"    {line}")
