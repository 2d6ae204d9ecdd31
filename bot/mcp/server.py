"""The tools over the Model Context Protocol, by its official SDK; needs the extra `mcp`.

Over HTTP whoever has no valid token learns nothing, and nobody says who they are. Each request is
judged by its own token alone, and who that is for is looked up anew: there is no session that
outlives a token. Browsers have no business here, so what a page of another site sends is refused by
its `Origin` (DNS rebinding).
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import anyio
from anyio.to_thread import run_sync
from mcp.server import Server, ServerRequestContext
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from audit.errors import AuditError
from bot.access.people import Person
from bot.errors import BotError, EmptyLibrary, EmptyQuestion
from bot.mcp.tools import Refused, ToolResult, Tools
from bot.wording import mcp as wording
from retrieval.errors import RetrievalError

FOR_THE_AGENT = (Refused, EmptyQuestion, EmptyLibrary)
"""Errors whose words tell nothing of the machine."""
log = logging.getLogger(__name__)
Context = ServerRequestContext[Any, Any]
Who = Callable[[Context], Person | None]
"""Who an agent asks for, None for a guest; raises `Refused` where that is nobody any more."""


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Ask(_Arguments):
    question: Annotated[str, Field(description=wording.QUESTION)]
    on: Annotated[str | None, Field(description=wording.ON)] = None


class _Search(_Arguments):
    query: Annotated[str, Field(description=wording.QUERY)]


class _OpenCitation(_Arguments):
    audit_id: Annotated[str, Field(description=wording.AUDIT_ID)]
    number: Annotated[str | int, Field(description=wording.NUMBER)]


class _Extract(_Arguments):
    document: Annotated[str, Field(description=wording.DOCUMENT)]
    json_schema: Annotated[dict[str, Any], Field(description=wording.SCHEMA)]


@dataclass(frozen=True, slots=True)
class _Offered:
    description: str
    takes: type[_Arguments]
    call: Callable[[Tools, Person | None, Any], ToolResult]

    def as_tool(self, name: str) -> Tool:
        return Tool(
            name=name,
            description=self.description,
            input_schema=self.takes.model_json_schema(),
            annotations=ToolAnnotations(
                read_only_hint=True, destructive_hint=False, open_world_hint=False
            ),
        )


OFFERED = {
    "ask": _Offered(wording.ASK, _Ask, lambda t, who, a: t.ask(who, a.question, a.on)),
    "search": _Offered(wording.SEARCH, _Search, lambda t, who, a: t.search(who, a.query)),
    "open_citation": _Offered(
        wording.OPEN_CITATION,
        _OpenCitation,
        lambda t, who, a: t.open_citation(who, a.audit_id, str(a.number)),
    ),
    "extract": _Offered(
        wording.EXTRACT, _Extract, lambda t, who, a: t.extract(who, a.document, a.json_schema)
    ),
}


def server(tools: Tools, who: Who, version: str, at_once: int) -> Server[Any]:
    """`at_once`: calls at the same time; of those that read fields, one."""
    turn, slow_turn = anyio.CapacityLimiter(at_once), anyio.CapacityLimiter(1)

    async def listed(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[each.as_tool(name) for name, each in OFFERED.items()])

    async def called(context: Context, params: CallToolRequestParams) -> CallToolResult:
        call = partial(_called, tools, who, context, params.name, params.arguments or {})
        return await run_sync(call, limiter=slow_turn if params.name == "extract" else turn)

    return Server(
        "vouch",
        version=version,
        instructions=wording.ABOUT,
        on_list_tools=listed,
        on_call_tool=called,
    )


def over_http(served: Server[Any], person_of: Callable[[str], Person | None]) -> ASGIApp:
    """Return what serves it over streamable HTTP, to who has a token; no session is kept."""
    return Door(
        served.streamable_http_app(streamable_http_path=PATH, stateless_http=True, host=""),
        person_of,
    )


def person_let_in(context: Context) -> Person | None:
    person = context.request.scope.get(PERSON) if context.request is not None else None
    if not isinstance(person, Person):
        raise Refused(wording.UNAUTHORISED)
    return person


def _called(
    tools: Tools, who: Who, context: Context, name: str, arguments: dict[str, Any]
) -> CallToolResult:
    """What the tool says; an error of any kind is a result too, and tells nothing of the inside."""
    try:
        offered = OFFERED.get(name)
        if offered is None:
            raise Refused(wording.no_tool(name[:50], list(OFFERED)))
        said = offered.call(tools, who(context), _read(offered.takes, arguments))
    except FOR_THE_AGENT as error:
        return _error(str(error))
    except (BotError, AuditError, RetrievalError) as error:
        log.warning("An agent's call of %s failed: %s", name, error)
        return _error(wording.TRY_AGAIN)
    except Exception:
        log.exception("An agent's call of %s failed", name)
        return _error(wording.TRY_AGAIN)
    return CallToolResult(
        content=[TextContent(type="text", text=said.text)], structured_content=dict(said.values)
    )


def _read(takes: type[_Arguments], arguments: dict[str, Any]) -> _Arguments:
    try:
        return takes.model_validate(arguments)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = str(first["loc"][0])[:50] if first["loc"] else ""
        raise Refused(
            wording.wrong_argument(name, first["msg"], list(takes.model_fields))
        ) from error


def _error(why: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=why)], is_error=True)


PATH = "/mcp"
PERSON = "vouch.person"
"""Under this name a request that was let in has its person."""
BEARER = "bearer "


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
