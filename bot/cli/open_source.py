"""`vouch open` prints a link that opens what an answer cites, once, as somebody."""

import sys
import time
import webbrowser
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.ask import utf8
from bot.cli.container import open_container_to_ask
from bot.errors import BadConfiguration, WrongUse

if TYPE_CHECKING:
    from audit.record import AuditRecord
    from bot.wiring import Container


def open_source(
    audit_id: Annotated[str, typer.Argument(help="An audit id, or how one begins.")],
    citation: Annotated[
        str | None,
        typer.Argument(help="Such as 2-1, the first citation of the second claim; n1 or d1-2."),
    ] = None,
    person: Annotated[
        str | None,
        typer.Option("--as", help="Id, e-mail or name; left out, a guest.", callback=utf8),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open it in the browser too.")] = False,
) -> None:
    """Print a link to what an answer cites; it works once, for five minutes, on this machine."""
    from audit.record import AuditRecord
    from bot.cited_links import path_of
    from bot.web.addresses import once_path
    from bot.web.sessions import Sessions
    from bot.wiring.pages import sessions_file

    container = open_container_to_ask()
    with container.audit_reader as reader:
        record = AuditRecord.model_validate_json(reader.record(audit_id).payload)
    ref = _ref(record, citation)
    who = container.access.people.find(person).id if person is not None else ""
    here = _served_at(container)
    with closing(Sessions(sessions_file(container.home), time.time)) as sessions:
        secret = sessions.make_once(who, path_of(record.audit_id, ref))
    link = f"{here}{once_path(secret)}"
    sys.stdout.write(f"{link}\n")
    if browser:
        webbrowser.open(link)


def _ref(record: "AuditRecord", citation: str | None) -> str:
    """The citation that is meant, else the first; raise `WrongUse` where there is none."""
    from bot.citation_ref import refs_in

    refs = [str(each) for each in refs_in(record)]
    ref = citation or next(iter(refs), "")
    if ref not in refs:
        cited = f"{', '.join(refs)}, and no {ref}" if refs else "nothing"
        raise WrongUse(f"The answer {record.audit_id} cites {cited}.")
    return ref


def _served_at(container: "Container") -> str:
    """Where this machine reaches the pages; raise `BadConfiguration` where it does not."""
    from bot.web.addresses import address_in, host_in, is_loopback

    here = address_in(container.home)
    if not here:
        raise BadConfiguration(
            "Nobody serves the pages of this home now. `vouch up` does while it runs; "
            'docs/operations.md says how, under "Sources in the browser".'
        )
    if not is_loopback(host_in(here)):
        raise BadConfiguration(
            f"The pages are served at {here} alone, and such a link works on this machine alone. "
            "Set VOUCH_WEB_HOST to 127.0.0.1, or to 0.0.0.0 for every address."
        )
    return here
