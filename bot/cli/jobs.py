"""`vouch jobs` shows work by the clock, and runs a job by hand."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.arguments import AsJson, utf8
from bot.cli.console import Terminal, print_json
from bot.cli.container import open_container_to_ask, open_container_to_read
from bot.wording import jobs as wording
from bot.wording import minute

if TYPE_CHECKING:
    from bot.jobs.runs import JobStatus

jobs = typer.Typer(help="Work by the clock: when it runs, and what became of it.")
NARROWEST = 16


@jobs.callback(invoke_without_command=True)
def list_jobs(context: typer.Context, as_json: AsJson = False) -> None:
    """Every job: when it runs, when next, when it ran last and what it came to."""
    if context.invoked_subcommand is not None:
        return
    from bot.wiring.jobs import job_statuses

    found = job_statuses(open_container_to_read())
    if as_json:
        print_json([_plain(each) for each in found])
    else:
        _print(found)


@jobs.command()
def run(name: Annotated[str, typer.Argument(help="A job's name.", callback=utf8)]) -> None:
    """Run a job now, here; the exit status is 1 where it fails or runs already."""
    from threading import Event

    from bot.jobs.job import job_named
    from bot.jobs.runs import JobOutcome
    from bot.slack.inbox.beside import JobRuns
    from bot.wiring.jobs import admins_teller, demand_jobs, job_runner, job_table, source_jobs

    container = open_container_to_ask()
    demand_jobs(container)
    tell = admins_teller(container)
    job = job_named(name, (*job_table(container, tell), *source_jobs(container)))
    with JobRuns.open(container.settings.inbox_database) as runs:
        ended = job_runner(runs, tell, container).run(job, Event())
    said = wording.ended(ended.outcome, ended.numbers, ended.reason)
    Terminal(stderr=True).print(f"{job.name} {said}")
    if ended.outcome is not JobOutcome.OK:
        sys.exit(1)


def _print(found: "Sequence[JobStatus]") -> None:
    from rich.table import Table

    table = Table("job", "when", "next", box=None, pad_edge=False)
    table.add_column("last", overflow="fold", min_width=NARROWEST)
    for each in found:
        upcoming = minute(each.next_at) if each.next_at else ""
        table.add_row(each.name, each.when or wording.OFF, upcoming, each.last_in_words)
    Terminal().print(table)


def _plain(status: "JobStatus") -> dict[str, object]:
    values = asdict(status)
    last = values["last"]
    if last is not None:
        last = {name: _moment(value) for name, value in last.items()}
    return {**values, "next_at": _moment(values["next_at"]), "last": last}


def _moment(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
