"""The door over HTTP: whoever has no valid token learns nothing, and nobody says who they are.

Each request is judged by its own token alone, and who that is for is looked up anew: there is no
session that outlives a token. Browsers have no business here, so what a page of another site sends
is refused by its `Origin` (DNS rebinding).
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.access.people import Person
from bot.errors import BotError
from bot.wording import mcp as wording

PATH = "/mcp"
PERSON = "vouch.person"
"""Under this name a request that was let in has its person."""
BEARER = "bearer "
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Door:
    """Lets in who has a token; an ASGI application around another."""

    app: ASGIApp
    person_of: Callable[[str], Person | None]
    """Whose token it is today; None for nobody's. May raise a `BotError`."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            person = await run_in_threadpool(self.person_of, _token(headers))
        except BotError as error:
            log.warning("Whose token it is cannot be told: %s", error)
            await _refused(503, wording.TRY_AGAIN)(scope, receive, send)
            return
        refused = _refusal(scope["method"], headers, person)
        if refused:
            await refused(scope, receive, send)
            return
        await self.app({**scope, PERSON: person}, receive, send)


def _refusal(method: str, headers: Headers, person: Person | None) -> Response | None:
    if "origin" in headers:
        return _refused(403, wording.NO_BROWSER)
    if person is None:
        return _refused(401, wording.UNAUTHORISED, **{"WWW-Authenticate": "Bearer"})
    if method != "POST":
        return _refused(405, wording.POST_ALONE, Allow="POST")
    return None


def _token(headers: Headers) -> str:
    """Return the token of the one `Authorization` that there is; empty for none, or for two."""
    said = headers.getlist("authorization")
    if len(said) != 1 or not said[0].lower().startswith(BEARER):
        return ""
    return said[0][len(BEARER) :].strip()


def _refused(status: int, why: str, **headers: str) -> Response:
    return JSONResponse({"error": why}, status, headers)
