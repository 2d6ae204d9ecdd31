"""`vouch ask` answers questions, and `vouch open` links once to what an answer cites."""

import sys
import time
import webbrowser
from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.arguments import A_DAY, AsJson, AsPerson, AuditId, day, utf8
from bot.cli.console import Terminal, print_json
from bot.cli.container import open_container_to_ask
from bot.errors import BadConfiguration, WrongUse

if TYPE_CHECKING:
    from audit.record import AuditRecord
    from bot.settings import Settings


def ask(
    question: Annotated[
        str | None,
        typer.Argument(help="Left out, questions are read from the terminal.", callback=utf8),
    ] = None,
    person: AsPerson = None,
    on: Annotated[
        date | None, typer.Option(parser=day, metavar=A_DAY, help="Answer as if asked on that day.")
    ] = None,
    after: Annotated[
        list[str] | None,
        typer.Option(help="An earlier question of the same talk; repeatable.", callback=utf8),
    ] = None,
    channel: Annotated[
        str | None,
        typer.Option(
            help="Id or name; answer from what everyone in that channel may read.", callback=utf8
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Answer a question from the documents that the person may read."""
    from audit.values import Channel
    from bot.answering.values import Question
    from bot.cli.replies import Talk

    container = open_container_to_ask()
    asker = container.stores.access.people.find(person) if person is not None else None
    channels, before = container.stores.access.channels, tuple(after or ())
    room = channels.find(channel) if channel is not None else None
    place = Channel(id=room, name=channels.names[room]) if room is not None else None
    on = on or date.today()  # the day where the person sits
    if question is None:
        Talk(container, asker, on, room, before, place).until_the_end()
        return
    asked = Question(question, asker, on, room, before, place)
    if as_json:
        from bot.answering.as_json import outcome_as_json
        from bot.answering.citations.links import CitedLinks
        from bot.wiring.container import pages_at

        outcome = container.answering(asked)
        links = CitedLinks(pages_at(container.settings), outcome.audit_id)
        print_json(links.among(outcome_as_json(outcome)))
    else:
        from bot.cli.replies import reply_to

        Terminal().print(reply_to(container, asked))


def open_source(
    audit_id: AuditId,
    citation: Annotated[
        str | None,
        typer.Argument(help="Such as 2-1, the first citation of the second claim; n1 or d1-2."),
    ] = None,
    person: AsPerson = None,
    browser: Annotated[bool, typer.Option(help="Open it in the browser too.")] = False,
) -> None:
    """Print a link to what an answer cites; it works once, for five minutes, on this machine."""
    from audit.record import AuditRecord
    from bot.answering.citations.links import path_of
    from bot.web.addresses import once_path
    from bot.web.sessions import Sessions
    from bot.wiring.container import sessions_file

    container = open_container_to_ask()
    with container.stores.audit_reader as reader:
        record = AuditRecord.model_validate_json(reader.record(audit_id).payload)
    ref = _ref(record, citation)
    who = container.stores.access.people.find(person).id if person is not None else ""
    here = _served_at(container.settings)
    with closing(Sessions(sessions_file(container.home), time.time)) as sessions:
        secret = sessions.make_once(who, path_of(record.audit_id, ref))
    link = f"{here}{once_path(secret)}"
    sys.stdout.write(f"{link}\n")
    if browser:
        webbrowser.open(link)


def _ref(record: "AuditRecord", citation: str | None) -> str:
    """The citation that is meant, else the first; raise `WrongUse` where there is none."""
    from bot.answering.citations.links import refs_in

    refs = [str(each) for each in refs_in(record)]
    ref = citation or next(iter(refs), "")
    if ref not in refs:
        cited = f"{', '.join(refs)}, and no {ref}" if refs else "nothing"
        raise WrongUse(f"The answer {record.audit_id} cites {cited}.")
    return ref


def _served_at(settings: "Settings") -> str:
    from bot.web.addresses import address_in, host_in, is_loopback

    here = address_in(settings.home)
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
