"""`vouch audit erase`, `hold` and `release`: what is kept of people, and what may not go."""

import getpass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from audit.record import EventKind, of_the_log
from audit.values import known_as
from bot.cli.arguments import utf8
from bot.cli.console import Terminal
from bot.cli.container import open_container, open_container_to_read
from bot.errors import UnknownPerson, WrongUse
from bot.wiring.container import Stores
from bot.wording import erasing as wording

if TYPE_CHECKING:
    from audit.erasure.concerned import Concerned

Because = Annotated[
    str, typer.Option("--because", help="Why; it stands in the log, so name nobody.", callback=utf8)
]
By = Annotated[str | None, typer.Option("--by", help="Who; else who is logged in.", callback=utf8)]
Team = Annotated[str, typer.Option("--team", help="The workspace, where it is not the home's.")]
Person = Annotated[str, typer.Argument(help="Their id, e-mail or name.", callback=utf8)]
Held = Annotated[str, typer.Argument(help="The person's id, e-mail or name.", callback=utf8)]
OrChannel = Annotated[str, typer.Option(help="Or a channel's id or name.", callback=utf8)]


def erase(
    person: Person,
    because: Because,
    by: By = None,
    team: Team = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase what a person asked and said, for good; the log still verifies."""
    from audit.erasure.erasing import Erasure, takes_out
    from bot.wiring.audit import audit_names
    from bot.wiring.erasing import erase_person, eraser

    if not person.strip():
        raise WrongUse(wording.WHOM)
    container, unknown = open_container(), None
    try:
        whom = audit_names(container.stores).person(person, team or None, in_full=True)
    except UnknownPerson as error:  # whose id may stand in the inbox, or their erasure was cut off
        whom, unknown = known_as(team, person), error
    terminal = Terminal(stderr=True)
    with eraser(container.settings) as audit:
        found = audit.concerning(whom)
    if not yes:
        terminal.print(_told(whom, found, done=False))
        if not typer.confirm(wording.sure(whom), err=True):
            raise typer.Exit(1)
    erasure = Erasure(by or getpass.getuser(), because, datetime.now(UTC))
    done, waiting = erase_person(container, whom, erasure)
    if unknown and not done.numbers and not waiting:
        raise unknown
    terminal.print(_told(whom, done, done=True))
    if statement := takes_out(container.settings.audit_database):
        terminal.print(wording.on_a_server(statement))


def _told(person: str, found: "Concerned", *, done: bool) -> str:
    counts = found.records, found.events, found.of_others, found.given
    return wording.concerned(person, *counts, done=done)


def hold(
    because: Because, person: Held = "", channel: OrChannel = "", by: By = None, team: Team = ""
) -> None:
    """Have nothing of a person or a channel erased, until it is released: a legal hold."""
    container = open_container_to_read()
    what = _meant(container.stores, person, channel, team)
    _append(container.stores, EventKind.HELD, what, by, because)
    Terminal(stderr=True).print(wording.held(*what, because))


def release(
    because: Because, person: Held = "", channel: OrChannel = "", by: By = None, team: Team = ""
) -> None:
    """Release a hold."""
    container = open_container_to_read()
    held = container.stores.audit_reader.held()
    as_typed = (
        ("person", known_as(team, person)) if person else ("channel", known_as(team, channel))
    )
    what = as_typed if as_typed in held else _meant(container.stores, person, channel, team)
    if what not in held:
        raise WrongUse(wording.not_held(*what))
    _append(container.stores, EventKind.RELEASED, what, by, because)
    Terminal(stderr=True).print(wording.released(*what))


def holds() -> None:
    """What is held, and why."""
    with open_container_to_read().stores.audit_reader as reader:
        held = reader.held()
    for line in [wording.held(*what, why) for what, why in held.items()] or [wording.NOTHING_HELD]:
        Terminal().print(line)


def _meant(stores: Stores, person: str, channel: str, team: str) -> tuple[str, str]:
    from bot.wiring.audit import audit_names

    if bool(person) == bool(channel):
        raise WrongUse(wording.ONE_OF)
    names = audit_names(stores)
    if person:
        return "person", names.person(person, team or None)
    return "channel", names.channel(channel, team or None)


def _append(
    stores: Stores, kind: EventKind, what: tuple[str, str], by: str | None, why: str
) -> None:
    event = of_the_log(kind, datetime.now(UTC), by or getpass.getuser(), why, dict([what]))
    with stores.audit_writer as writer:
        writer.append(event)
