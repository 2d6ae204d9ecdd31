"""Serves HTTP: the address that Slack calls in HTTP mode, and health checks in every mode.

Each has a port of its own, so that whoever floods the one that strangers reach does not hide from
the operator how the bot is.

Bolt verifies the signature (https://docs.slack.dev/authentication/verifying-requests-from-slack:
v0, HMAC-SHA256, compared in constant time, at most five minutes old). What stands around it here is
for strangers, whom an open address meets: a request that is too large, or has no signature that
could be one, or cannot be parsed, is refused before it costs anything.

uvicorn waits for ever for the rest of a request, and for any number of them. Here a connection
whose request is not there in time is closed. Where there are too many, the oldest one that is not
being answered makes room, so that whoever holds hundreds of them half open keeps nobody else out.
"""

import asyncio
import errno
import logging
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, cast

import h11
import uvicorn
from slack_bolt import App, BoltRequest, BoltResponse
from slack_bolt.adapter.starlette.handler import to_bolt_request, to_starlette_response
from slack_bolt.oauth import OAuthFlow
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from bot.errors import BadConfiguration


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    receive_s: float = 10.0
    """Seconds for a whole request, head and body; Slack gives up after three."""
    keep_alive_s: int = 5
    """Seconds that a connection may wait for its next request."""
    connections: int = 200
    """Well under the 1,024 files that a process may have open by default."""


class _Connections:
    """Who is connected, the oldest first; only for the server's own thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._inside: dict[_TimedProtocol, None] = {}

    def enter(self, newest: "_TimedProtocol") -> None:
        self._inside[newest] = None
        if len(self._inside) > self._most:
            idle = (each for each in self._inside if not each.is_being_answered)
            next(idle, newest).transport.abort()

    def leave(self, one: "_TimedProtocol") -> None:
        self._inside.pop(one, None)


class _TimedProtocol(H11Protocol):
    def __init__(self, door: _Connections, receive_s: float, **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self._door = door
        self._receive_s = receive_s
        self._deadline: asyncio.TimerHandle | None = None

    @property
    def is_being_answered(self) -> bool:
        """Tell whether its request has arrived as a whole, and the reply is not sent yet."""
        return self.cycle is not None and not (self.cycle.more_body or self.cycle.response_complete)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # of TCP
        super().connection_made(transport)
        self._expect_a_request()
        self._door.enter(self)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._expect_a_request()
        else:
            self._expect_nothing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_nothing()
        self._door.leave(self)
        super().connection_lost(exc)

    def _expect_a_request(self) -> None:
        """Time it from the first byte on, however slowly the others come."""
        if self._deadline is None:
            self._deadline = self.loop.call_later(self._receive_s, self.transport.abort)

    def _expect_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def timed_protocol(limits: ConnectionLimits) -> type[asyncio.Protocol]:
    made = partial(_TimedProtocol, _Connections(limits.connections), limits.receive_s)
    return cast(type[asyncio.Protocol], made)


EVENTS_PATH = "/slack/events"
"""Events, commands and interactivity alike."""
LARGEST_BODY = 1_000_000
"""Bytes; what Slack sends is a few kilobytes, a view's state at most some hundred."""
GRACE_S = 5
"""How long requests in progress may take to end; Slack waits three seconds for any."""
LIMITS = ConnectionLimits()
_TIMESTAMP = re.compile(r"[0-9]{1,12}")
_SIGNATURE = re.compile(r"v0=[0-9a-f]{64}")
Ready = Callable[[], Mapping[str, str]]
"""What keeps the bot from answering, by name; empty when nothing does. Said at once."""
Metrics = Callable[[], tuple[bytes, str]]
"""All numbers as Prometheus reads them, and the type of their content."""
log = logging.getLogger(__name__)


def slack_calls(bolt_app: App, installing: OAuthFlow | None = None) -> Starlette:
    """Serve `POST /slack/events`, and where somebody installs the bot in a workspace."""
    routes = [Route(EVENTS_PATH, partial(_slack_call, bolt_app), methods=["POST"])]
    if installing:
        steps = {
            installing.install_path: installing.handle_installation,
            installing.redirect_uri_path: installing.handle_callback,
        }
        routes += [
            Route(path, partial(_browsed, step), methods=["GET"]) for path, step in steps.items()
        ]
    return Starlette(routes=routes)


async def _browsed(handle: Callable[[BoltRequest], BoltResponse], request: Request) -> Response:
    asked = to_bolt_request(request, b"")
    return to_starlette_response(await run_in_threadpool(handle, asked))


def health_checks(ready: Ready, metrics: Metrics | None = None) -> Starlette:
    """Serve `GET /healthz`, `/readyz`, and `/metrics` where there are any; none of them waits."""
    routes = [
        Route("/healthz", _alive, methods=["GET"]),
        Route("/readyz", _ReadinessRoute(ready).answer, methods=["GET"]),
    ]
    if metrics:
        routes.append(Route("/metrics", partial(_metrics, metrics), methods=["GET"]))
    return Starlette(routes=routes)


async def _metrics(metrics: Metrics, _request: Request) -> Response:
    body, kind = metrics()
    return Response(body, media_type=kind)


async def _alive(_request: Request) -> Response:
    """No thread of the pool is needed, so that waiting calls cannot make it look dead."""
    return PlainTextResponse("ok")


class _ReadinessRoute:
    """Names what is wrong; why tells the log alone, as anyone may reach the address."""

    def __init__(self, ready: Ready) -> None:
        self._ready = ready
        self._told: Mapping[str, str] = {}

    async def answer(self, _request: Request) -> Response:
        problems = self._ready()
        if problems != self._told:  # a probe comes every few seconds
            self._told = dict(problems)
            for name, reason in problems.items():
                log.warning("Not ready, %s: %s", name, reason)
            if not problems:
                log.info("Ready again.")
        return JSONResponse(
            {"ready": not problems, "problems": sorted(problems)},
            status_code=503 if problems else 200,
        )


async def _slack_call(bolt_app: App, request: Request) -> Response:
    """Hand what Slack sends to Bolt, in a thread, so that none waits for another."""
    if not _may_be_signed(request.headers):
        return _refused(401, "invalid request")
    try:
        body = await _body(request)
    except ClientDisconnect:
        return _refused(400, "the request ended early")
    if body is None:
        return _refused(413, "too large")
    parsed = _parsed(request, body)
    if parsed is None:
        return _refused(400, "unreadable")
    return to_starlette_response(await run_in_threadpool(bolt_app.dispatch, parsed))


def _may_be_signed(headers: Mapping[str, str]) -> bool:
    """Tell whether both headers have the form that Bolt can compare."""
    return bool(
        _TIMESTAMP.fullmatch(headers.get("x-slack-request-timestamp", ""))
        and _SIGNATURE.fullmatch(headers.get("x-slack-signature", ""))
    )


async def _body(request: Request) -> bytes | None:
    """Read the body; None where it is too large, of which no more than the limit is read."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            return None
    return bytes(body)


def _parsed(request: Request, body: bytes) -> BoltRequest | None:
    """Return Bolt's view of the request; None where it cannot be parsed.

    Bolt parses before it verifies, so a stranger's bytes can make it raise anything.
    """
    try:
        return to_bolt_request(request, body)
    except Exception as error:
        log.warning("A request to %s cannot be read: %s", EVENTS_PATH, type(error).__name__)
        return None


def _refused(status: int, why: str) -> Response:
    return JSONResponse({"error": why}, status_code=status)


class HttpServer:
    """A web server in a thread of its own; `serve` makes one."""

    def __init__(
        self,
        app: ASGIApp,
        listening: socket.socket,
        limits: ConnectionLimits,
        lifespan: Literal["on", "off"] = "off",
    ) -> None:
        """`lifespan`: whether the application is told of the start and the end."""
        self._socket = listening
        self.port: int = listening.getsockname()[1]
        """The one that was got, also where 0 was asked for."""
        self._uvicorn = uvicorn.Server(
            uvicorn.Config(
                app,
                lifespan=lifespan,
                log_config=None,
                access_log=False,
                server_header=False,
                http=timed_protocol(limits),
                ws="none",
                timeout_keep_alive=limits.keep_alive_s,
                timeout_graceful_shutdown=GRACE_S,
            )
        )
        self._thread = threading.Thread(
            target=self._uvicorn.run, args=([listening],), name="http", daemon=True
        )

    def start(self) -> None:
        """Return when requests are answered; what came since the port was taken waits."""
        self._thread.start()
        while not self._uvicorn.started and self._thread.is_alive():
            time.sleep(0.01)

    def stop(self) -> None:
        self._uvicorn.should_exit = True
        self._thread.join(GRACE_S + 1)
        self._socket.close()


def serve(
    app: ASGIApp,
    host: str,
    port: int,
    *,
    setting: str = "VOUCH_PORT",
    host_setting: str = "VOUCH_HOST",
    limits: ConnectionLimits = LIMITS,
) -> HttpServer:
    """Start a server that answers already; `BadConfiguration` names the setting of a taken port."""
    server = HttpServer(app, listen(host, port, setting, host_setting), limits)
    server.start()
    return server


def listen(host: str, port: int, setting: str, host_setting: str = "VOUCH_HOST") -> socket.socket:
    """Take the port here, as the server would exit where it cannot; raise `BadConfiguration`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise BadConfiguration(_why_not(host, port, setting, host_setting, error)) from error


def _why_not(host: str, port: int, setting: str, host_setting: str, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} on {host} is taken by another program, perhaps another `vouch up`. "
            f"Stop that one, or set {setting} to a free port."
        )
    if error.errno == errno.EACCES:
        return f"Port {port} needs an administrator's rights. Set {setting} to 1024 or more."
    return (
        f"Nothing can listen on {host}, port {port} ({error.strerror or error}). "
        f"Set {host_setting} to an address of this machine, such as 127.0.0.1."
    )
