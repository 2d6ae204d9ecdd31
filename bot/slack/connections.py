"""What strangers may hold open: each request has to arrive in time, and not all of them count.

uvicorn waits for ever for the rest of a request, and for any number of them. Here a
connection whose request is not there in time is closed. Where there are too many, the
oldest one that is not being answered makes room, so that whoever holds hundreds of them
half open keeps nobody else out.
"""

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one listening port."""

    receive_s: float = 10.0
    """Seconds for a whole request, head and body; Slack gives up after three."""
    keep_alive_s: int = 5
    """Seconds that a connection may wait for its next request."""
    connections: int = 200
    """Well under the 1,024 files that a process may have open by default."""


class _Door:
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
    def __init__(self, door: _Door, receive_s: float, **of_uvicorn: Any) -> None:
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


def timed_protocol(limits: Limits) -> type[asyncio.Protocol]:
    """Make what one server makes of each connection."""
    made = partial(_TimedProtocol, _Door(limits.connections), limits.receive_s)
    return cast(type[asyncio.Protocol], made)
