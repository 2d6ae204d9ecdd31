"""The door for other agents, put together; needs the extra `mcp`."""

import importlib.metadata
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server

from bot.access.people import Person
from bot.mcp.server import PATH, Who, over_http, person_let_in, server
from bot.mcp.tokens import Tokens
from bot.mcp.tools import Refused, Tools
from bot.slack.http import LIMITS, listen
from bot.slack.http import HttpServer as WebServer
from bot.web.opening import Exchanges, Opening
from bot.wiring.container import Container, Stores, pages_at, record_access, tokens_file
from bot.wiring.extracting import build_extracting
from bot.wiring.observing import warm_up
from bot.wording import mcp as wording


def serve_stdio(container: Container, person: str | None) -> None:
    """Serve the agent that started the program until it goes; `person`: an id, None for a guest."""
    anyio.run(_over_stdio, _server(container, _always(container.stores, person)))


async def _over_stdio(served: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await served.run(incoming, outgoing, served.create_initialization_options())


@contextmanager
def serving_http(container: Container, host: str, port: int) -> Iterator[str]:
    """Serve agents with tokens meanwhile; gives the address. Raise `BadConfiguration`."""
    listening = listen(host, port, "--http", "--host")
    tokens = Tokens(tokens_file(container.home), time.time)
    warm_up(container)

    def person_of(token: str) -> Person | None:
        return container.stores.access.people.by_id.get(tokens.person(token) or "")

    served = over_http(_server(container, person_let_in), person_of)
    web = WebServer(served, listening, LIMITS, lifespan="on")
    web.start()
    try:
        yield f"http://{f'[{host}]' if ':' in host else host}:{web.port}{PATH}"
    finally:
        web.stop()
        tokens.close()


def _server(container: Container, who: Who) -> Server[Any]:
    stores = container.stores
    library, access = stores.library, stores.access
    tools = Tools(
        container.answering,
        Opening(stores.audit_reader, library, record_access(stores)),
        Exchanges(
            access.scope_for, lambda channel: access.common_in(channel) is not None, date.today
        ),
        library,
        build_extracting(container),
        lambda: pages_at(container.settings),
        date.today,
    )
    return server(tools, who, importlib.metadata.version("vouch"), container.settings.workers)


def _always(stores: Stores, person: str | None) -> Who:
    """One person, as people.yaml has them at each call."""

    def who(_: object) -> Person | None:
        if person is None:
            return None
        found = stores.access.people.by_id.get(person)
        if found is None:
            raise Refused(wording.NOBODY_ANY_MORE)
        return found

    return who
