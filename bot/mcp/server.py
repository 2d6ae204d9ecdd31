"""The tools over the Model Context Protocol, by its official SDK; needs the extra `mcp`."""

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
from starlette.types import ASGIApp

from audit.errors import AuditError
from bot.access.people import Person
from bot.errors import BotError, EmptyLibrary, EmptyQuestion
from bot.mcp.door import PATH, PERSON, Door
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
    """Return a server of the tools; `at_once`: how many calls are worked on at the same time.

    Fields are read one call at a time, so that nobody who asks waits for a thread.
    """
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
    """Return the person whose token came with the request."""
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
