"""`vouch answers` lists what people answered where the bot knew nothing, and takes it back."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.arguments import AsJson, utf8
from bot.cli.console import Terminal, print_json
from bot.cli.container import open_container, open_container_to_ask
from bot.errors import UnknownDocument
from bot.wording import referrals as wording

if TYPE_CHECKING:
    from bot.wiring.container import Stores
    from bot.wiring.given_answers import GivenAnswer

answers = typer.Typer(help="What people answered where I knew nothing.", no_args_is_help=True)


@answers.command(name="list")
def list_answers(as_json: AsJson = False) -> None:
    """Answers that others are told, too, newest first, two lines each."""
    from bot.wiring.given_answers import refused_words

    container = open_container_to_ask()
    given = [
        (each, refused_words(container, each.event)) for each in reversed(_given(container.stores))
    ]
    if as_json:
        told = [
            {
                **each.event.model_dump(mode="json", exclude={"schema_version"}),
                "stands": each.rule is not None,
                "refused": refused,
            }
            for each, refused in given
        ]
        print_json(told)
        return
    console = Terminal()
    for each, refused in given:
        event = each.event
        who, day = event.person.name if event.person else "", event.time.date().isoformat()
        stands = each.rule is not None
        lines = wording.listed(
            event.event_id, who, day, each.question, stands=stands, refused=refused
        )
        for line in lines:
            console.print(line, highlight=False)


@answers.command()
def export(
    folder: Annotated[Path, typer.Argument(help="Where to write them, as Markdown.")],
) -> None:
    """Write them as Markdown, each with who may read it and until when."""
    from bot.wiring.given_answers import write_answers

    written = write_answers(_given(open_container_to_ask().stores), folder)
    Terminal(stderr=True).print(wording.exported(written, str(folder)))


@answers.command()
def retract(
    answer: Annotated[str, typer.Argument(help="Its id, of `vouch answers list`.", callback=utf8)],
) -> None:
    """Tell nobody any more; the audit keeps that it was told."""
    from audit.feedback import retraction
    from bot.wiring.given_answers import publish_answers

    container = open_container()
    given = {each.event_id: each for each in container.stores.audit_reader.given_answers()}
    if answer not in given:
        raise UnknownDocument(wording.no_answer(answer))
    event = retraction(answer, given[answer].audit_id, datetime.now(UTC))
    container.stores.audit_writer.append(event)
    publish_answers(container)
    Terminal(stderr=True).print(wording.RETRACTED)


@answers.command()
def publish() -> None:
    """Read them in as documents; the bot does so itself after each."""
    from bot.cli.ingest import print_report
    from bot.wiring.given_answers import publish_answers

    report = publish_answers(open_container_to_ask())
    if report is not None:
        print_report(report, Terminal(stderr=True))
        if not report.is_clean:
            sys.exit(1)


def _given(stores: "Stores") -> "list[GivenAnswer]":
    from bot.wiring.given_answers import given_answers

    return given_answers(stores)
