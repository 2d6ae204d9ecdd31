"""Socket Mode sends envelopes over WebSockets, each to one of the app's connections.

https://docs.slack.dev/apis/events-api/using-socket-mode
"""

import asyncio
import secrets
import uuid
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from bot.workspace.delivery.deliveries import Attempt, Kind, NotAcknowledged, Payload
from bot.workspace.message_changes import Listeners
from bot.workspace.seed import APP_ID

MOST_CONNECTIONS = 10
"""Of one app at a time."""
GONE = (RuntimeError, WebSocketDisconnect)
"""What Starlette raises where the app has ended a connection: nothing is left to say to it."""
_HOST = {"host": "applink-local", "build_number": 1}


class Sockets:
    """They are the app's open connections."""

    def __init__(self, listeners: Listeners, acknowledge_within: float) -> None:
        self._listeners = listeners
        self._within = acknowledge_within
        self._tickets: set[str] = set()
        self._open: list[WebSocket] = []
        self._waiting: dict[str, tuple[WebSocket, asyncio.Future[Payload]]] = {}

    @property
    def connected(self) -> bool:
        return bool(self._open)

    def ticket(self) -> str:
        """Admits one connection."""
        ticket = secrets.token_hex(8)
        self._tickets.add(ticket)
        return ticket

    async def endpoint(self, socket: WebSocket) -> None:
        """Serve one connection, from its opening to its end."""
        ticket = socket.query_params.get("ticket", "")
        if ticket not in self._tickets:
            await socket.close()
            return
        self._tickets.discard(ticket)
        await socket.accept()
        if len(self._open) >= MOST_CONNECTIONS:
            await self._dismiss(socket, "too_many_websockets")
            return
        self._open.append(socket)
        self._tell_pages()
        try:
            await self._converse(socket)
        except (WebSocketDisconnect, ValueError):
            pass
        finally:
            self._forget(socket)

    async def send(self, kind: Kind, payload: Payload, attempt: Attempt) -> Payload:
        """Sends one envelope over the connection that waited longest."""
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

    async def refresh(self, reason: str = "refresh_requested") -> None:
        """Asks the app to connect anew, as Slack does every few hours; `warning` comes before."""
        for socket in list(self._open):
            with suppress(*GONE):
                await socket.send_json(
                    {"type": "disconnect", "reason": reason, "debug_info": _HOST}
                )

    async def cut(self) -> None:
        """Ends all connections without a word."""
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

    async def _dismiss(self, socket: WebSocket, reason: str) -> None:
        await socket.send_json({"type": "disconnect", "reason": reason, "debug_info": _HOST})
        await socket.close()

    def _forget(self, socket: WebSocket) -> None:
        """What it had not acknowledged is taken as lost at once."""
        if socket in self._open:
            self._open.remove(socket)
            self._tell_pages()
        for one, acknowledged in self._waiting.values():
            if one is socket and not acknowledged.done():
                acknowledged.set_exception(NotAcknowledged("timeout"))

    def _tell_pages(self) -> None:
        self._listeners.tell_all({"type": "bot", "connected": self.connected})


def _envelope(envelope_id: str, kind: Kind, payload: Payload, attempt: Attempt) -> Payload:
    envelope: dict[str, Any] = {
        "envelope_id": envelope_id,
        "type": kind.value,
        "accepts_response_payload": kind is not Kind.EVENT,
        "payload": payload,
    }
    if kind is Kind.EVENT:
        envelope |= {"retry_attempt": attempt.number, "retry_reason": attempt.reason}
    return envelope
