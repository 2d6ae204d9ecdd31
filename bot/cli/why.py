"""`vouch why` tells whether somebody may read a document, and by which rule."""

import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.ask import utf8
from bot.cli.container import open_container_to_ask
from bot.cli.dates import A_DAY, day
from bot.cli.near_documents import near_documents
from bot.errors import UnknownDocument
from bot.visible import json_text

if TYPE_CHECKING:
    from bot.access import Person
    from bot.standing import Standing

GUEST = "guest"


def why(
    person: Annotated[str, typer.Argument(help="Id, e-mail or name; or `guest`.", callback=utf8)],
    file: Annotated[str, typer.Argument(help="A document's path, name or title.", callback=utf8)],
    on: Annotated[
        date | None, typer.Option(parser=day, metavar=A_DAY, help="As if asked on that day.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Say why a person may, or may not, read a document."""
    from bot.standing import standings
    from bot.wording import standing as wording

    container = open_container_to_ask()
    who = _person(container.access.people, person)
    scope = container.access.scope_for(who, None, on or date.today())
    library = container.library
    shelves = library.shelves_like(file) or library.shelves_at(Path(file).expanduser().resolve())
    roots = {source.name: source.root for source in library.sources()}
    kept_out = library.kept_out()
    found = list(standings(file, shelves, kept_out, roots, scope, wording.SUSPENDED))
    if not found:
        raise UnknownDocument(wording.unknown_document(file, near_documents(file, library)))
    if as_json:
        sys.stdout.write(f"{json_text([_as_json(each) for each in found])}\n")
        return
    from bot.cli.console import Terminal

    console = Terminal(soft_wrap=True)
    for standing in found:
        for line in _lines(who.name if who else wording.GUEST, standing):
            console.print(line, highlight=False)


def _person(people: Any, named: str) -> "Person | None":
    """Nobody of `people.yaml` where a guest is meant; somebody may be called so."""
    from bot.errors import UnknownPerson

    try:
        found: Person = people.find(named)
    except UnknownPerson:
        if named.casefold() != GUEST:
            raise
        return None
    return found


def _lines(who: str, standing: "Standing") -> list[str]:
    from bot.wording import standing as wording

    if standing.kept_out:
        reasons = [wording.reason(each) for each in standing.kept_out]
        return [wording.nobody_reads(standing.file), *reasons]
    rule = standing.rule
    start, end = (day.isoformat() if day else "" for day in (rule.valid_from, rule.valid_to))
    says = wording.may_read if standing.may_read else wording.may_not_read
    is_open = not rule.audience and not start and not end
    lines = [says(who, standing.file)]
    lines.append(wording.for_everyone() if is_open else wording.rule(rule.audience, start, end))
    lines += [wording.stated_in(standing.stated_in)] if standing.stated_in else []
    lines += [wording.obstacle(who, o.key, o.wanted, o.held) for o in standing.obstacles]
    return lines


def _as_json(standing: "Standing") -> dict[str, object]:
    rule = standing.rule
    return {
        "file": standing.file,
        "source": standing.source,
        "may_read": standing.may_read,
        "kept_out": list(standing.kept_out),
        "audience": {facet: list(values) for facet, values in rule.audience},
        "valid_from": rule.valid_from and rule.valid_from.isoformat(),
        "valid_to": rule.valid_to and rule.valid_to.isoformat(),
        "stated_in": list(standing.stated_in),
        "obstacles": [
            {"key": o.key, "needs": list(o.wanted), "has": list(o.held)} for o in standing.obstacles
        ],
    }
