"""What `vouch check` says of connections, of settings that a test states."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.cli.connection_checks import Check
from bot.errors import BadConfiguration
from bot.settings import Settings
from bot.slack.http import serve
from bot.wiring import Container


def said_by(
    checks: Callable[[Container], list[tuple[str, Check]]], **settings: Any
) -> dict[str, str]:
    """What each look says, or what it tells to do."""
    container = Container(Settings(_env_file=None, **settings))  # type: ignore[call-arg]  # pydantic-settings' own
    said = {}
    for what, look in checks(container):
        try:
            said[what] = f"ok: {look(container)}"
        except BadConfiguration as error:
            said[what] = str(error)
    return said


@contextmanager
def answering(response: Response) -> Iterator[str]:
    async def answer(_: Request) -> Response:
        return response

    route = Route("/{path:path}", answer, methods=["GET", "POST"])
    server = serve(Starlette(routes=[route]), "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.port}"
    server.stop()
