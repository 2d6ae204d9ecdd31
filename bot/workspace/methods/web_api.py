"""Slack's Web API judges tokens, scopes, limits and faults before every method.

https://docs.slack.dev/apis/web-api
"""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from bot.workspace.faults import Faults, Hold
from bot.workspace.methods.calls import Call, Method, arguments
from bot.workspace.methods.rate_limits import RateLimits
from bot.workspace.methods.refusal import Refused


@dataclass(frozen=True, slots=True)
class Tokens:
    """The app signs its requests with these, and Slack its own."""

    bot: str
    app: str
    signing_secret: str
    client_id: str = "1000000000.1000000001"
    """As other sites that people sign in to know the app by."""
    client_secret: str = field(default_factory=lambda: secrets.token_hex(16))

    @classmethod
    def new(cls) -> "Tokens":
        return cls(
            bot=f"xoxb-local-{secrets.token_hex(12)}",
            app=f"xapp-1-local-{secrets.token_hex(12)}",
            signing_secret=secrets.token_hex(16),
        )


class WebApi:
    """It is the endpoint `/api/<method>`."""

    def __init__(
        self,
        methods: Mapping[str, Method],
        tokens: Tokens,
        scopes: tuple[str, ...],
        limits: RateLimits,
        faults: Faults,
    ) -> None:
        self._methods = methods
        self._tokens = tokens
        self._scopes = scopes
        self._limits = limits
        self._faults = faults
        self._late: set[asyncio.Task[None]] = set()
        """Kept from the garbage collector until they are done."""

    async def endpoint(self, request: Request) -> Response:
        name = request.path_params["method"]
        fault = self._faults.take(name)
        if fault.held:
            await fault.held.wait()
        if self._faults.offline:
            return CutResponse()
        if fault.status >= 500:
            return Response("", fault.status)
        try:
            if fault.error:
                raise Refused(fault.error, retry_after=fault.retry_after)
            if fault.late:
                return await self._run_late(name, request, fault.late)
            answer = await self._run(name, request)
        except Refused as refused:
            return self._refusal(refused)
        return CutResponse() if fault.lost else self._answer({"ok": True, **answer})

    async def _run(self, name: str, request: Request) -> Mapping[str, object]:
        if name not in self._methods:
            raise Refused("unknown_method", more={"req_method": name})
        given = await arguments(request)
        return self._carried_out(name, request, given)

    async def _run_late(self, name: str, request: Request, hold: Hold) -> Response:
        given = await arguments(request)

        async def carry_out() -> None:
            await hold.wait()
            self._carried_out(name, request, given)

        task = asyncio.create_task(carry_out())
        self._late.add(task)
        task.add_done_callback(self._late.discard)
        return CutResponse()

    def _carried_out(
        self, name: str, request: Request, given: Mapping[str, Any]
    ) -> Mapping[str, object]:
        method = self._methods[name]
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        self._admit(method, bearer or str(given.get("token") or ""))
        if method.a_minute is not None:
            self._limits.of_tier(name, method.a_minute)
        return method.run(Call(given, str(request.base_url).rstrip("/")))

    def _admit(self, method: Method, token: str) -> None:
        if method.caller == "nobody":
            return
        if not token:
            raise Refused("not_authed")
        kinds = {self._tokens.bot: "bot", self._tokens.app: "app"}
        if token not in kinds:
            raise Refused("invalid_auth")
        if kinds[token] != method.caller:
            raise Refused("not_allowed_token_type")
        if method.scope and method.scope not in self._scopes:
            more = {"needed": method.scope, "provided": ",".join(self._scopes)}
            raise Refused("missing_scope", more=more)

    def _answer(self, body: Mapping[str, object], status: int = 200) -> Response:
        headers = {
            "x-oauth-scopes": ",".join(self._scopes),
            "x-slack-req-id": secrets.token_hex(16),
        }
        return JSONResponse(body, status, headers)

    def _refusal(self, refused: Refused) -> Response:
        body = {"ok": False, "error": refused.code, **refused.more}
        if refused.code != "ratelimited":
            return self._answer(body)
        answer = self._answer(body, 429)
        answer.headers["retry-after"] = str(refused.retry_after or 1)
        return answer


class CutResponse(Response):
    """It promises an answer and ends the connection instead, as a lost network does."""

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"application/json"), (b"content-length", b"100")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
