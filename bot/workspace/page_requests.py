"""How the page's requests are answered: as JSON, with what went wrong in plain words."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bot.wording import workspace as words
from bot.workspace.methods.refusal import Refused

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Malformed(Exception):
    """No page of ours sends such a request."""

    status: int
    text: str


def reading(read: Callable[[Body], Body]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            return JSONResponse({"ok": True, **read(request.query_params)})
        except Refused as refused:
            return refused_reply(refused)

    return endpoint


def acting(act: Callable[[Body], Awaitable[Body]]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            return JSONResponse({"ok": True, **await act(await _json(request))})
        except Malformed as malformed:
            return JSONResponse({"ok": False, "error": malformed.text}, malformed.status)
        except Refused as refused:
            return refused_reply(refused)

    return endpoint


async def _json(request: Request) -> Body:
    """Read JSON alone: another site's page could send a form without being asked."""
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise Malformed(415, "Send application/json.")
    try:
        body = json.loads(await request.body())
    except ValueError:
        raise Malformed(400, "The body is no JSON.") from None
    if not isinstance(body, dict):
        raise Malformed(400, "The body is no object.")
    return body


def refused_reply(refused: Refused) -> Response:
    say = refused.more.get("say") or words.refusal(refused.code)
    return JSONResponse({"ok": False, "error": refused.code, "say": say})
