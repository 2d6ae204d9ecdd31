"""`vouch mcp` lets other agents ask for a person; its commands make and revoke their tokens."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.arguments import AsPerson, utf8
from bot.cli.console import Terminal
from bot.cli.container import LONG, log_to_stderr, open_container_to_ask
from bot.errors import WrongUse
from bot.stopping import StopSignal
from bot.wording import mcp as wording
from retrieval.errors import MCP, require

if TYPE_CHECKING:
    from bot.mcp.tokens import Tokens
    from bot.wiring import Container

DAYS = 90
MOST_DAYS = 3650
mcp = typer.Typer()


@mcp.callback(invoke_without_command=True)
def serve(
    context: typer.Context,
    person: AsPerson = None,
    http: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Serve over HTTP at this port, by tokens.")
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen at over HTTP.")] = "127.0.0.1",
) -> None:
    """Let other agents ask, over the Model Context Protocol: on stdin and stdout, or over HTTP."""
    if context.invoked_subcommand is not None:
        return
    require(MCP, "mcp")
    if http is not None and person is not None:
        raise WrongUse("Over HTTP a token says who asks. Leave out --as, or --http.")
    container = open_container_to_ask()
    log_to_stderr(container.settings.secrets, LONG)
    if http is None:
        from bot.wiring.mcp import serve_stdio

        serve_stdio(container, container.stores.access.people.find(person).id if person else None)
    else:
        _serve_http(container, host, http)


def _serve_http(container: "Container", host: str, port: int) -> None:
    from bot.web.addresses import is_loopback
    from bot.wiring.mcp import serving_http

    console = Terminal(stderr=True)
    with StopSignal() as stop, serving_http(container, host, port) as address:
        if not is_loopback(host):
            console.print(wording.in_the_clear(host))
        console.print(wording.serves_at(address))
        stop.wait()


@mcp.command()
def token(
    person: Annotated[
        str, typer.Option("--for", help="Id, e-mail or name of whose agent it is.", callback=utf8)
    ],
    days: Annotated[int, typer.Option(min=1, max=MOST_DAYS, help="How long it is valid.")] = DAYS,
) -> None:
    """Make a token by which an agent reads what that person may read; it is shown this once."""
    with _tokens() as (container, tokens):
        made, secret = tokens.make(container.stores.access.people.find(person).id, days)
    Terminal(stderr=True).print(
        wording.token_made(made.number, made.person, _day(made.expires)), highlight=False
    )
    sys.stdout.write(f"{secret}\n")


@mcp.command(name="tokens")
def list_tokens() -> None:
    """List tokens: for whom, of when, until when."""
    with _tokens() as (container, tokens):
        known, found = container.stores.access.people.by_id, tokens.all()
    for each in found:
        gone = wording.EXPIRED if each.expires <= time.time() else ""
        state = gone or ("" if each.person in known else wording.NOBODY)
        row = wording.token_row(
            each.number, each.person, _day(each.made), _day(each.expires), state
        )
        Terminal().print(row, highlight=False)
    if not found:
        Terminal().print(wording.NO_TOKENS, highlight=False)


@mcp.command()
def revoke(
    number: Annotated[str, typer.Argument(help="As `vouch mcp tokens` shows it.", callback=utf8)],
) -> None:
    """Let a token open nothing from now on."""
    with _tokens() as (_, tokens):
        tokens.revoke(number)
    Terminal().print(wording.revoked(number), highlight=False)


@contextmanager
def _tokens() -> "Iterator[tuple[Container, Tokens]]":
    from bot.mcp.tokens import Tokens
    from bot.wiring.container import tokens_file

    container = open_container_to_ask()
    tokens = Tokens(tokens_file(container.home), time.time)
    try:
        yield container, tokens
    finally:
        tokens.close()


def _day(seconds: float) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()
