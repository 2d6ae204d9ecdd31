"""Slack's Web API judges tokens, scopes, limits and faults before every method.

https://docs.slack.dev/apis/web-api, and for how often each may be called .../rate-limits. The SDK
sends JSON for some methods and forms for others; in a form, what is not text is JSON.
"""

import asyncio
import json
import math
import secrets
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from bot.workspace.block_kit.validation import problems, too_long
from bot.workspace.conversations import with_block_ids
from bot.workspace.faults import Faults, Hold, Refused
from bot.workspace.files import files_in

TIER_2, TIER_3, TIER_4 = 20, 50, 100
"""Calls a minute that Slack promises; it tolerates bursts."""


@dataclass(frozen=True, slots=True)
class LimitFigures:
    enabled: bool = True
    factor: float = 1.0
    """Multiplies every tier."""


POSTS_A_SECOND = 1.0
BURST_OF_POSTS = 4
"""Slack says that short bursts are allowed, not how short."""


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class RateLimits:
    """There is a bucket of calls for each method, and for posts for each channel."""

    def __init__(self, limits: LimitFigures, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._clock = clock
        self._buckets: dict[tuple[str, str], _Bucket] = {}

    def of_tier(self, method: str, a_minute: int) -> None:
        most = a_minute * self._limits.factor
        self._take((method, ""), most, most / 60)

    def of_posts(self, channel: str) -> None:
        self._take(("post", channel), BURST_OF_POSTS, POSTS_A_SECOND)

    def _take(self, key: tuple[str, str], most: float, a_second: float) -> None:
        if not self._limits.enabled:
            return
        now = self._clock()
        bucket = self._buckets.setdefault(key, _Bucket(max(1.0, most), now))
        bucket.left = min(max(1.0, most), bucket.left + (now - bucket.at) * a_second)
        bucket.at = now
        if bucket.left < 1:
            raise Refused("ratelimited", retry_after=math.ceil((1 - bucket.left) / a_second))
        bucket.left -= 1


Answer = Mapping[str, Any]
LONGEST_POST = 40_000
"""Characters of `text`; more is cut off: .../reference/methods/chat.postMessage, at "Truncating
content"."""
LONGEST_UPDATE = 4_000
""".../reference/methods/chat.update, at `msg_too_long`."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call is one request, its token already judged."""

    arguments: Mapping[str, Any]
    base_url: str
    """Without a slash at its end."""

    def text(self, name: str) -> str:
        value = self.arguments.get(name)
        if value in (None, ""):
            raise Refused.blocks("invalid_arguments", [f"missing required field: {name}"])
        return str(value)

    def maybe(self, name: str) -> str:
        return str(self.arguments.get(name) or "")

    def number(self, name: str, default: float) -> float:
        try:
            return float(self.maybe(name) or default)
        except ValueError:
            raise Refused.blocks("invalid_arguments", [f"must provide a number: {name}"]) from None

    def json(self, name: str, broken: str) -> Any:
        """Read an argument that may be JSON in a string; `broken` is the error if it is none."""
        value = self.arguments.get(name)
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError:
            raise Refused(broken) from None


@dataclass(frozen=True, slots=True)
class Method:
    run: Callable[[Call], Answer]
    scope: str = ""
    """Empty where none is needed, or where it depends on the room."""
    a_minute: int | None = TIER_3
    """None where it has limits of its own."""
    caller: Literal["bot", "app", "nobody"] = "bot"


def content(call: Call, longest: int | None = None) -> dict[str, Any]:
    """`text` and `blocks` as Slack judges them; over `longest`, a text is refused."""
    text = call.maybe("text")
    blocks = call.json("blocks", "invalid_blocks_format")
    if blocks is not None and not isinstance(blocks, list):
        raise Refused("invalid_blocks_format")
    if not text.strip() and not blocks:
        raise Refused("no_text")
    if longest is not None and len(text) > longest:
        raise Refused("msg_too_long")
    text = text[:LONGEST_POST]
    if not blocks:
        return {"text": text}
    if wrong := problems(blocks) or [_no_file(path) for path, _ in files_in(blocks, "blocks")]:
        raise Refused.blocks("invalid_blocks", wrong)
    if too_long(blocks):
        raise Refused("msg_blocks_too_long")
    return {"text": text, "blocks": with_block_ids(blocks)}


def _no_file(path: str) -> str:
    """Slack shows files of its own in messages, too; here they stand in modals alone."""
    return f"invalid slack file [json-pointer:/{path}/slack_file]"


def cut_off(call: Call) -> Answer:
    """Return the warning that goes with a message that lost its end."""
    if len(call.maybe("text")) <= LONGEST_POST:
        return {}
    warning = "message_truncated"
    return {"warning": warning, "response_metadata": {"warnings": [warning]}}


async def arguments(request: Request) -> dict[str, Any]:
    """The arguments of the query and of a body of either type, and of HTTP Basic authentication."""
    body = await request.body()
    given: dict[str, Any] = dict(request.query_params) | _credentials(request)
    if request.headers.get("content-type", "").startswith("application/json"):
        given |= _object(body)
    else:
        given |= dict(parse_qsl(body.decode(errors="replace"), keep_blank_values=True))
    return given


def _credentials(request: Request) -> dict[str, str]:
    kind, _, encoded = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "basic":
        return {}
    try:
        client_id, _, secret = b64decode(encoded).decode().partition(":")
    except ValueError:
        return {}
    return {"client_id": client_id, "client_secret": secret}


def _object(body: bytes) -> dict[str, Any]:
    try:
        given = json.loads(body or b"{}")
    except ValueError:
        raise Refused("invalid_json") from None
    if not isinstance(given, dict):
        raise Refused("json_not_object")
    return given


@dataclass(frozen=True, slots=True)
class AppTokens:
    """The app signs its requests with these, and Slack its own."""

    bot: str
    app: str
    signing_secret: str
    client_id: str = "1000000000.1000000001"
    client_secret: str = field(default_factory=lambda: secrets.token_hex(16))

    @classmethod
    def new(cls) -> "AppTokens":
        return cls(
            bot=f"xoxb-local-{secrets.token_hex(12)}",
            app=f"xapp-1-local-{secrets.token_hex(12)}",
            signing_secret=secrets.token_hex(16),
        )


@dataclass(frozen=True, slots=True)
class WebApi:
    methods: Mapping[str, Method]
    tokens: AppTokens
    scopes: tuple[str, ...]
    limits: RateLimits
    faults: Faults
    base_url: Callable[[], str]
    _late: set[asyncio.Task[None]] = field(default_factory=set, init=False)

    async def endpoint(self, request: Request) -> Response:
        name = request.path_params["method"]
        fault = self.faults.take(name)
        if fault.held:
            await fault.held.wait()
        if self.faults.offline:
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
        if name not in self.methods:
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
        method = self.methods[name]
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        self._admit(method, bearer or str(given.get("token") or ""))
        if method.a_minute is not None:
            self.limits.of_tier(name, method.a_minute)
        asked_at = f"{request.url.scheme}://{request.url.netloc}"
        below = urlsplit(self.base_url()).path  # of a further workspace
        return method.run(Call(given, f"{asked_at}{below}"))

    def _admit(self, method: Method, token: str) -> None:
        if method.caller == "nobody":
            return
        if not token:
            raise Refused("not_authed")
        kinds = {self.tokens.bot: "bot", self.tokens.app: "app"}
        if token not in kinds:
            raise Refused("invalid_auth")
        if kinds[token] != method.caller:
            raise Refused("not_allowed_token_type")
        if method.scope and method.scope not in self.scopes:
            more = {"needed": method.scope, "provided": ",".join(self.scopes)}
            raise Refused("missing_scope", more=more)

    def _answer(self, body: Mapping[str, object], status: int = 200) -> Response:
        headers = {"x-oauth-scopes": ",".join(self.scopes), "x-slack-req-id": secrets.token_hex(16)}
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
