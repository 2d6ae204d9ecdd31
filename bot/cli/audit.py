"""`vouch audit` tells what was answered, from which source, and why."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from audit.record import AuditRecord, Decision
from bot import wording
from bot.cli import audit_view
from bot.cli.console import Terminal
from bot.cli.container import open_container
from bot.cli.files import file_to_write
from bot.visible import json_text

if TYPE_CHECKING:
    from audit.queries import Summary

audit = typer.Typer(help="Query and prove the audit store.", no_args_is_help=True)
TO_THE_MINUTE = len("2026-01-31T23:59")
ID_BEGINNING = len("01a1fd9c-5fc9-7ee5")
"""The time in milliseconds and 12 random bits."""
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@audit.command(name="list")
def list_records(
    person: Annotated[str | None, typer.Option(help="Id of the person who asked.")] = None,
    document: Annotated[str | None, typer.Option(help="File or id of a cited document.")] = None,
    decision: Annotated[Decision | None, typer.Option(case_sensitive=False)] = None,
    text: Annotated[str | None, typer.Option(help="Words of the question or the reply.")] = None,
    since: Annotated[datetime | None, typer.Option(help="UTC, inclusive.")] = None,
    until: Annotated[datetime | None, typer.Option(help="UTC, exclusive.")] = None,
    limit: Annotated[int, typer.Option(min=1)] = 50,
    as_json: AsJson = False,
) -> None:
    """The newest records, one line each."""
    from audit.queries import RecordQuery

    query = RecordQuery(
        person=person,
        document=document,
        decision=decision.value if decision else None,
        text=text,
        since=since.replace(tzinfo=UTC) if since else None,
        until=until.replace(tzinfo=UTC) if until else None,
        limit=limit,
    )
    with open_container().audit_reader as reader:
        records = reader.find(query).records
    if as_json:
        _print_json([asdict(record) for record in records])
        return
    Terminal().print(_table(records))


@audit.command()
def show(
    audit_id: Annotated[str, typer.Argument(help="An audit id, or how one begins.")],
    as_json: AsJson = False,
) -> None:
    """One record in full, with what happened to it later."""
    with open_container().audit_reader as reader:
        stored = reader.record(audit_id)
        record = json.loads(stored.payload)
        events = [json.loads(event.payload) for event in reader.events(record["audit_id"])]
    chain = {
        "sequence": stored.sequence,
        "previous_hash": stored.previous_hash,
        "hash": stored.hash,
    }
    shown = record | {"events": events, "chain": chain}
    if as_json:
        _print_json(shown)
    else:
        whole = AuditRecord.model_validate(record).model_dump(mode="json")
        Terminal().print(audit_view.render(whole | {"events": events, "chain": chain}))


@audit.command()
def verify(
    head: Annotated[
        str | None, typer.Option(help="A head noted earlier: proves that nothing was cut off.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Derive the whole chain anew; the exit status is 1 where it does not hold."""
    with open_container().audit_reader as reader:
        verification = reader.verify(head)
    if as_json:
        _print_json(asdict(verification))
    else:
        Terminal(soft_wrap=True).print(wording.verification(asdict(verification)), markup=False)
    if not verification.ok:
        sys.exit(1)


@audit.command(name="export")
def export_records(
    out: Annotated[
        Path, typer.Option(help="File to write, as JSON lines.", callback=file_to_write)
    ],
) -> None:
    """Write every record and event, oldest first."""
    from audit.export import export

    with open_container().audit_reader as reader:
        count = export(reader, out)
    Terminal(stderr=True).print(f"{count} entries written to {out}", markup=False)


def _table(records: "Sequence[Summary]") -> Table:
    """Narrow enough for a terminal of 80 columns; what is cut off ids, `show` does not need."""
    table = Table("time (UTC)", "person", "decision", "question", "audit id")
    for column in table.columns:
        column.overflow = "fold"
    table.columns[0].no_wrap = table.columns[-1].no_wrap = True
    for record in records:
        who = record.person_name or record.person_id
        where = f" in #{record.channel_name}" if record.channel_name else ""
        cells = (record.time[:TO_THE_MINUTE], f"{who}{where}")
        more = (record.decision, record.question, record.audit_id[:ID_BEGINNING])
        table.add_row(*map(Text, (*cells, *more)))
    return table


def _print_json(values: Mapping[str, object] | Sequence[object]) -> None:
    sys.stdout.write(f"{json_text(values)}\n")
