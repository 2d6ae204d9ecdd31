"""`vouch ask` answers one question, or as many as are typed."""

import sys
from datetime import date
from typing import Annotated

import typer

from bot.cli.container import open_container_to_ask
from bot.cli.dates import A_DAY, day
from bot.errors import WrongUse
from bot.visible import json_text


def utf8(said: str | list[str] | None) -> str | list[str] | None:
    """A typer callback: a shell may hand over bytes of another encoding, which none can read."""
    try:
        for each in [said] if isinstance(said, str) else said or []:
            each.encode()
    except UnicodeEncodeError as error:
        raise WrongUse("What you typed is not UTF-8. Set your terminal to UTF-8.") from error
    return said


def ask(
    question: Annotated[
        str | None,
        typer.Argument(help="Left out, questions are read from the terminal.", callback=utf8),
    ] = None,
    person: Annotated[
        str | None,
        typer.Option("--as", help="Id, e-mail or name; left out, a guest.", callback=utf8),
    ] = None,
    on: Annotated[
        date | None,
        typer.Option(parser=day, metavar=A_DAY, help="Answer as if asked on that day."),
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
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Answer a question from the documents that the person may read."""
    from audit.record.asker import Channel
    from bot.answering.values import Question
    from bot.cli.talk import Talk

    container = open_container_to_ask()
    asker = container.access.people.find(person) if person is not None else None
    channels, before = container.access.channels, tuple(after or ())
    room = channels.find(channel) if channel is not None else None
    place = Channel(id=room, name=channels.names[room]) if room is not None else None
    on = on or date.today()  # the day where the person sits
    if question is None:
        Talk(container, asker, on, room, before, place).until_the_end()
        return
    asked = Question(question, asker, on, room, before, place)
    if as_json:
        from bot.answering.as_json import outcome_as_json
        from bot.cited_links import CitedLinks
        from bot.wiring.pages import pages_at

        outcome = container.answering(asked)
        links = CitedLinks(pages_at(container), outcome.audit_id)
        sys.stdout.write(f"{json_text(links.among(outcome_as_json(outcome)))}\n")
    else:
        from bot.cli.console import Terminal
        from bot.cli.replies import reply_to

        Terminal().print(reply_to(container, asked))
