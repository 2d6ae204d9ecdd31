"""What happens reaches the app over a socket or by HTTP; it acknowledges, or is told again later.

Slack repeats an event three times: at once, after one minute, after five minutes
(https://docs.slack.dev/apis/events-api#error-handling). Commands and clicks it never repeats: the
person is told that it failed.

https://docs.slack.dev/apis/events-api/using-socket-mode and
https://docs.slack.dev/authentication/verifying-requests-from-slack
"""

import asyncio
import json
import secrets
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol
from urllib.parse import urlencode

from slack_sdk.signature import SignatureVerifier
from starlette.websockets import WebSocket, WebSocketDisconnect
from tenacity import AsyncRetrying, retry_if_exception_type, wait_fixed

from bot.workspace.events import Listeners
from bot.workspace.faults import Refused
from bot.workspace.seed import APP_ID

Payload = Mapping[str, Any]
REDELIVERY = (0.0, 60.0, 300.0)
"""Seconds before each further attempt."""
ACKNOWLEDGE_WITHIN = 3.0
"""Seconds."""


class DeliveryKind(StrEnum):
    """A delivery is of one of these kinds, as Socket Mode's envelopes name them."""

    EVENT = "events_api"
    COMMAND = "slash_commands"
    INTERACTION = "interactive"


class NotAcknowledged(Exception):
    """Nobody answered in time; `reason` is as Slack gives it with the next attempt."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Attempt:
    number: int = 0
    reason: str = ""


class Transport(Protocol):
    @property
    def connected(self) -> bool:
        """Whether the app can be reached, as far as is known."""

    async def send(self, kind: DeliveryKind, payload: Payload, attempt: Attempt) -> Payload:
        """What the app acknowledged with; raise `NotAcknowledged` after `ACKNOWLEDGE_WITHIN`."""


@dataclass(frozen=True, slots=True)
class Deliveries:
    transport: Transport
    redelivery: tuple[float, ...]
    acknowledged: Callable[[float], None]
    _under_way: set[asyncio.Task[None]] = field(default_factory=set, init=False)

    def event(self, callback: Payload) -> None:
        """Delivers in the background, in the order of the calls while all goes well."""
        self.in_background(self._deliver(callback))

    def in_background(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def once(self, kind: DeliveryKind, payload: Payload) -> Payload:
        if not self.transport.connected:
            raise Refused("dispatch_failed")
        try:
            return await self.transport.send(kind, payload, Attempt())
        except NotAcknowledged:
            raise Refused("operation_timeout") from None

    async def stop(self) -> None:
        for task in list(self._under_way):
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _deliver(self, callback: Payload) -> None:
        attempt, start = Attempt(), time.monotonic()
        for wait in (*self.redelivery, None):
            try:
                await self.transport.send(DeliveryKind.EVENT, callback, attempt)
            except NotAcknowledged as failed:
                attempt = Attempt(attempt.number + 1, failed.reason)
            else:
                self.acknowledged(time.monotonic() - start)
                return
            if wait is not None:
                await asyncio.sleep(wait)


MOST_CONNECTIONS = 10
GONE = (RuntimeError, WebSocketDisconnect)
"""What Starlette raises where the app has ended a connection: nothing is left to say to it."""
_HOST = {"host": "applink-local", "build_number": 1}


class Sockets:
    def __init__(self, acknowledge_within: float) -> None:
        self._pages: list[Listeners] = []
        self._within = acknowledge_within
        self._tickets: set[str] = set()
        self._open: list[WebSocket] = []
        self._waiting: dict[str, tuple[WebSocket, asyncio.Future[Payload]]] = {}

    @property
    def connected(self) -> bool:
        return bool(self._open)

    def tell(self, pages: Listeners) -> None:
        """Let the pages of a workspace hear whether the app is connected."""
        self._pages.append(pages)

    def ticket(self) -> str:
        ticket = secrets.token_hex(8)
        self._tickets.add(ticket)
        return ticket

    async def endpoint(self, socket: WebSocket) -> None:
        ticket = socket.query_params.get("ticket", "")
        if ticket not in self._tickets:
            await socket.close()
            return
        self._tickets.discard(ticket)
        await socket.accept()
        if len(self._open) >= MOST_CONNECTIONS:
            await _disconnect(socket, "too_many_websockets")
            await socket.close()
            return
        self._open.append(socket)
        self._tell_pages()
        try:
            await self._converse(socket)
        except (WebSocketDisconnect, ValueError):
            pass
        finally:
            self._forget(socket)

    async def send(self, kind: DeliveryKind, payload: Payload, attempt: Attempt) -> Payload:
        if not self._open:
            raise NotAcknowledged("timeout")
        socket = self._open.pop(0)
        self._open.append(socket)
        envelope_id = str(uuid.uuid4())
        acknowledged: asyncio.Future[Payload] = asyncio.get_running_loop().create_future()
        self._waiting[envelope_id] = (socket, acknowledged)
        try:
            await socket.send_json(_envelope(envelope_id, kind, payload, attempt))
            async with asyncio.timeout(self._within):
                return await acknowledged
        except (TimeoutError, *GONE):
            raise NotAcknowledged("timeout") from None
        finally:
            self._waiting.pop(envelope_id, None)

    async def refresh(self) -> None:
        for socket in list(self._open):
            with suppress(*GONE):
                await _disconnect(socket, "refresh_requested")

    async def cut(self) -> None:
        for socket in list(self._open):
            self._forget(socket)
            with suppress(*GONE):
                await socket.close(code=1011)

    async def _converse(self, socket: WebSocket) -> None:
        await socket.send_json(
            {
                "type": "hello",
                "num_connections": len(self._open),
                "connection_info": {"app_id": APP_ID},
                "debug_info": {**_HOST, "approximate_connection_time": 18060},
            }
        )
        while True:
            said: Any = await socket.receive_json()
            _, acknowledged = self._waiting.get(said.get("envelope_id", ""), (None, None))
            if acknowledged and not acknowledged.done():
                acknowledged.set_result(said.get("payload") or {})

    def _forget(self, socket: WebSocket) -> None:
        """What it had not acknowledged is taken as lost at once."""
        if socket in self._open:
            self._open.remove(socket)
            self._tell_pages()
        for one, acknowledged in self._waiting.values():
            if one is socket and not acknowledged.done():
                acknowledged.set_exception(NotAcknowledged("timeout"))

    def _tell_pages(self) -> None:
        for each in self._pages:
            each.tell_all({"type": "bot", "connected": self.connected})


async def _disconnect(socket: WebSocket, reason: str) -> None:
    await socket.send_json({"type": "disconnect", "reason": reason, "debug_info": _HOST})


def _envelope(envelope_id: str, kind: DeliveryKind, payload: Payload, attempt: Attempt) -> Payload:
    envelope: dict[str, Any] = {
        "envelope_id": envelope_id,
        "type": kind.value,
        "accepts_response_payload": kind is not DeliveryKind.EVENT,
        "payload": payload,
    }
    if kind is DeliveryKind.EVENT:
        envelope |= {"retry_attempt": attempt.number, "retry_reason": attempt.reason}
    return envelope


JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
CHALLENGE_EVERY = 0.5
"""Seconds between attempts to verify the URL while the app is not up yet."""


class HttpTransport:
    """It posts to one URL, as Slack does when events, commands and clicks share it."""

    def __init__(
        self, url: str, signing_secret: str, clock: Callable[[], float], acknowledge_within: float
    ) -> None:
        self._url = url
        self._signer = SignatureVerifier(signing_secret)
        self._clock = clock
        self._within = acknowledge_within
        self._verified = False

    @property
    def connected(self) -> bool:
        return self._verified

    async def verify(self) -> None:
        """Shake hands by `url_verification`; ask until the app answers with the challenge."""
        challenge = secrets.token_hex(16)
        body = {"type": "url_verification", "token": "local", "challenge": challenge}
        async for attempt in AsyncRetrying(
            retry=retry_if_exception_type(NotAcknowledged), wait=wait_fixed(CHALLENGE_EVERY)
        ):
            with attempt:
                if challenge not in await self._post(json.dumps(body), JSON, {}):
                    raise NotAcknowledged("http_error")
        self._verified = True

    async def send(self, kind: DeliveryKind, payload: Payload, attempt: Attempt) -> Payload:
        """Return what the app answered, an object or `{}`."""
        headers: dict[str, str] = {}
        if attempt.number:
            headers["X-Slack-Retry-Num"] = str(attempt.number)
            headers["X-Slack-Retry-Reason"] = attempt.reason
        said = await self._post(*_body(kind, payload), headers)
        if not said.startswith("{"):
            return {"text": said} if said else {}
        answered: dict[str, Any] = json.loads(said)
        return answered

    async def _post(self, body: str, content_type: str, headers: dict[str, str]) -> str:
        stamp = str(int(self._clock()))
        signature = self._signer.generate_signature(timestamp=stamp, body=body)
        request = urllib.request.Request(  # noqa: S310 - the URL is the operator's own setting
            self._url,
            data=body.encode(),
            headers={
                "Content-Type": content_type,
                "X-Slack-Request-Timestamp": stamp,
                "X-Slack-Signature": str(signature),
                **headers,
            },
        )
        return await asyncio.to_thread(self._open, request)

    def _open(self, request: urllib.request.Request) -> str:
        try:
            with urllib.request.urlopen(request, timeout=self._within) as response:  # noqa: S310
                return str(response.read().decode())
        except TimeoutError:
            raise NotAcknowledged("http_timeout") from None
        except urllib.error.HTTPError as refused:
            refused.close()
            raise NotAcknowledged("http_error") from None
        except OSError:
            raise NotAcknowledged("connection_failed") from None


def _body(kind: DeliveryKind, payload: Payload) -> tuple[str, str]:
    if kind is DeliveryKind.EVENT:
        return json.dumps(payload), JSON
    if kind is DeliveryKind.COMMAND:
        return urlencode(payload), FORM
    return urlencode({"payload": json.dumps(payload)}), FORM
