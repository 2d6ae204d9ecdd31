"""`vouch audit` tells what was answered, from which source, and why."""

import getpass
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import JsonValue

from audit.record import Decision, EventKind, of_the_log
from bot import wording
from bot.cli import audit_view, erasing
from bot.cli.arguments import A_TIME, AsJson, AuditId, file_to_write, time, utf8
from bot.cli.audit_view import feedback_listing, listing
from bot.cli.console import Terminal, print_json
from bot.cli.container import open_container_to_read
from bot.errors import WrongUse
from bot.wiring import Container
from bot.wiring.container import Stores
from bot.wording import auditing, backups, evidence, log_proofs

if TYPE_CHECKING:
    from audit.finding.queries import RecordQuery, Summary
    from audit.proof.checkpoints import Checkpoint

audit = typer.Typer(help="Query and prove the audit store.", no_args_is_help=True)
for each in (erasing.erase, erasing.hold, erasing.release, erasing.holds):
    audit.command()(each)
Since = Annotated[
    datetime | None, typer.Option(parser=time, metavar=A_TIME, help="UTC, inclusive.")
]
Until = Annotated[
    datetime | None, typer.Option(parser=time, metavar=A_TIME, help="UTC, exclusive.")
]
Most = Annotated[int, typer.Option("--limit", min=1)]


@audit.command(name="list")
def list_records(
    person: Annotated[
        str | None, typer.Option(help="Id, e-mail or name of who asked.", callback=utf8)
    ] = None,
    document: Annotated[
        str | None,
        typer.Option(help="Path, file name, title or id of a cited document.", callback=utf8),
    ] = None,
    decision: Annotated[Decision | None, typer.Option(case_sensitive=False)] = None,
    text: Annotated[
        str | None, typer.Option(help="Words of the question or the reply.", callback=utf8)
    ] = None,
    since: Since = None,
    until: Until = None,
    limit: Most = 50,
    as_json: AsJson = False,
) -> None:
    """The newest records, two lines each."""
    stated = {
        "person": person,
        "document": document,
        "decision": decision,
        "text": text,
        "since": since.isoformat() if since else None,
        "until": until.isoformat() if until else None,
    }
    said = [(key, value) for key, value in stated.items() if value is not None]
    container = open_container_to_read()
    with container.stores.audit_reader as reader:
        _print_records(reader.find(_asked(said, container.stores, limit)).records, as_json=as_json)


@audit.command(name="find")
def find_records(
    words: Annotated[
        list[str],
        typer.Argument(
            help="As after /audit in Slack: unsupported cited leave.md last 30 days", callback=utf8
        ),
    ],
    limit: Most = 50,
    as_json: AsJson = False,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write all of them to a file: .csv, .jsonl or .parquet.", callback=file_to_write
        ),
    ] = None,
) -> None:
    """The newest records of which all that holds, two lines each; or all, as a table in a file."""
    said = " ".join(f'"{each}"' if " " in each else each for each in words)
    container = open_container_to_read()
    with container.stores.audit_reader as reader:
        query = _asked(said, container.stores, limit)
        if out is None:
            _print_records(reader.find(query).records, as_json=as_json)
        else:
            _write_rows(container.stores, query, out)


def _print_records(records: "Sequence[Summary]", *, as_json: bool) -> None:
    if as_json:
        print_json([asdict(record) for record in records])
    else:
        Terminal().print(listing(records))


def _write_rows(stores: Stores, query: "RecordQuery", out: Path) -> None:
    from audit.export import FORMS, write_rows

    if out.suffix.lower() not in FORMS:
        raise WrongUse(auditing.no_form(out.suffix, tuple(FORMS)))
    try:
        count = write_rows(stores.audit_reader.records(query), out)
    except ImportError as error:
        raise WrongUse(auditing.NO_PARQUET) from error
    Terminal(stderr=True).print(auditing.written(count, str(out)))
    _record_export(stores, count, whole=False)


def _asked(said: "str | Sequence[tuple[str, str]]", stores: Stores, limit: int) -> "RecordQuery":
    """Of words, or of keys and values; raise `WrongUse` for what is not understood."""
    from bot.access.asked import Finders, asked_of, parse
    from bot.wiring.audit import audit_names

    names, today = audit_names(stores), datetime.now(UTC).date()
    find = Finders(names.person, names.document, names.channel)
    if isinstance(said, str):
        return parse(said, find, today, limit).query
    return asked_of(said, find, today, limit).query


@audit.command()
def feedback(
    person: Annotated[
        str | None, typer.Option(help="Id, e-mail or name of who gave it.", callback=utf8)
    ] = None,
    since: Since = None,
    until: Until = None,
    limit: Most = 50,
    as_json: AsJson = False,
) -> None:
    """What people said of answers, newest first; what they took back is left out."""
    from audit.feedback import FeedbackQuery
    from bot.wiring.audit import audit_names

    container = open_container_to_read()
    with container.stores.audit_reader as reader:
        query = FeedbackQuery(
            person=None if person is None else audit_names(container.stores).person(person),
            since=since,
            until=until,
            limit=limit,
        )
        given = reader.feedback(query).given
    if as_json:
        print_json([asdict(each) for each in given])
    else:
        Terminal().print(feedback_listing(given))


@audit.command()
def show(audit_id: AuditId, as_json: AsJson = False) -> None:
    """One record in full, with what happened to it later."""
    from bot.answering.citations.links import CitedLinks
    from bot.wiring.container import pages_at

    container = open_container_to_read()
    pages = pages_at(container.settings)
    with container.stores.audit_reader as reader:
        stored = reader.record(audit_id)
        record = stored.record
        if not as_json:
            events = reader.happened_to(record.audit_id)
            place = evidence.place_in_chain(stored.sequence, stored.hash)
            Terminal().print(audit_view.render(record, events, place, pages))
            return
        events = [json.loads(event.payload) for event in reader.events(record.audit_id)]
    links = CitedLinks(pages, record.audit_id)
    chain = {
        "sequence": stored.sequence,
        "previous_hash": stored.previous_hash,
        "hash": stored.hash,
    }
    print_json(links.among(json.loads(stored.payload)) | {"events": events, "chain": chain})


@audit.command()
def verify(
    head: Annotated[
        str | None, typer.Option(help="A head noted earlier: proves that nothing was cut off.")
    ] = None,
    checkpoint: Annotated[
        list[str] | None,
        typer.Option(
            help="A file of checkpoints that a witness keeps, or its bucket; as often as there are."
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Read again what the job `verify-audit` has read.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Derive chain and tree anew; exit with 1 if one does not hold. With --checkpoint, read all."""
    from bot.backup.making import note_of
    from bot.wiring.audit import signed

    container = open_container_to_read()
    kept_elsewhere = [each for place in checkpoint or () for each in _kept_at(container, place)]
    anew = everything or bool(kept_elsewhere)
    with container.stores.audit_reader as reader:
        verification = reader.verify(head, signed(container.settings, kept_elsewhere, anew=anew))
    if as_json:
        print_json(asdict(verification))
    else:
        terminal = Terminal()
        for line in wording.verification(asdict(verification)).splitlines():
            terminal.print(line)
        note = note_of(container.home) if verification.lacks_expected_head else None
        if note is not None and note.audit is not None:
            entries = note.audit.entries
            terminal.print(backups.went_back(note.restored_at, note.made_at, entries))
    if not verification.ok:
        sys.exit(1)


@audit.command()
def key() -> None:
    """The key with which others check checkpoints, receipts and exports."""
    from bot.wiring.audit import demanded_signer

    sys.stdout.write(f"{demanded_signer(open_container_to_read().settings).key}\n")


@audit.command()
def receipt(
    audit_id: AuditId,
    out: Annotated[Path, typer.Option(help="File to write.", callback=file_to_write)],
) -> None:
    """Write what proves that a reply was recorded, with its words and sources, for your eyes."""
    from bot.wiring.audit import demanded_signer, receipt_of

    container = open_container_to_read()
    demanded_signer(container.settings)
    _write(out, receipt_of(container, audit_id), "Receipt")


@audit.command()
def consistency(
    earlier: Annotated[
        str, typer.Argument(help="A file with a checkpoint that a witness keeps, or its bucket.")
    ],
    out: Annotated[Path, typer.Option(help="File to write.", callback=file_to_write)],
) -> None:
    """Write what proves that the log only grew since an earlier checkpoint."""
    from bot.wiring.audit import consistency_since, demanded_signer

    container = open_container_to_read()
    demanded_signer(container.settings)
    _write(out, consistency_since(container, _kept_at(container, earlier)[-1]), "Proof")


def _write(out: Path, text: str, what: str) -> None:
    from audit.export import new_for_its_owner

    with new_for_its_owner(out) as file:
        file.write(text)
    Terminal(stderr=True).print(log_proofs.written(what, out))


def _kept_at(container: Container, place: str) -> "Sequence[Checkpoint]":
    from bot.wiring.audit import checkpoints_at

    found = checkpoints_at(container, place).all()
    if not found:
        raise WrongUse(log_proofs.NO_CHECKPOINT)
    return found


@audit.command(name="export")
def export_records(
    out: Annotated[
        Path, typer.Option(help="File to write, as JSON lines.", callback=file_to_write)
    ],
) -> None:
    """Write every record and event, oldest first, and beside it what it can be checked with."""
    from audit.export import export
    from bot.wiring.audit import no_key, write_checkpoint

    container = open_container_to_read()
    with container.stores.audit_reader as reader:
        count = export(reader, out)
        is_signed = write_checkpoint(container, out, count)
    terminal = Terminal(stderr=True)
    terminal.print(f"{count} entries written to {out}")
    terminal.print(log_proofs.BESIDE if is_signed else no_key(container.settings))
    _record_export(container.stores, count, whole=True)


def _record_export(stores: Stores, count: int, *, whole: bool) -> None:
    """Say in the log who took out so many entries; of a store that can only be read, warn."""
    from audit.errors import AuditUnavailable

    about: dict[str, JsonValue] = {"entries": count, "whole": whole}
    exported = of_the_log(EventKind.EXPORTED, datetime.now(UTC), getpass.getuser(), details=about)
    try:
        stores.audit_writer.append(exported)
    except AuditUnavailable as error:
        Terminal(stderr=True).print(auditing.unrecorded(str(error)))
