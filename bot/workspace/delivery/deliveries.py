"""The app acknowledges what happens within three seconds, or is told again later.

Slack repeats an event three times: at once, after one minute, after five minutes
(https://docs.slack.dev/apis/events-api#error-handling). Commands and clicks it never repeats:
the person is told that it failed.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from bot.workspace.methods.refusal import Refused

Payload = Mapping[str, Any]
REDELIVERY = (0.0, 60.0, 300.0)
"""Seconds before each further attempt."""
ACKNOWLEDGE_WITHIN = 3.0
"""Seconds."""


class Kind(StrEnum):
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
    """An attempt says which delivery of the same thing it is."""

    number: int = 0
    reason: str = ""
    """Why the one before failed."""


class Transport(Protocol):
    """A transport is Socket Mode or HTTP."""

    @property
    def connected(self) -> bool:
        """Whether the app can be reached, as far as is known."""

    async def send(self, kind: Kind, payload: Payload, attempt: Attempt) -> Payload:
        """Return what the app acknowledged with: empty where it said no more.

        Raise `NotAcknowledged` where it did not within `ACKNOWLEDGE_WITHIN`, or is not there.
        Calls may overlap; nothing is said of their order.
        """


class Deliveries:
    """They are sent to the app, and again where it did not acknowledge an event."""

    def __init__(
        self,
        transport: Transport,
        redelivery: tuple[float, ...],
        acknowledged: Callable[[float], None],
    ) -> None:
        self._transport = transport
        self._redelivery = redelivery
        self._acknowledged = acknowledged
        self._under_way: set[asyncio.Task[None]] = set()

    def event(self, callback: Payload) -> None:
        """Delivers in the background, in the order of the calls while all goes well."""
        self.in_background(self._deliver(callback))

    def in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs on until done, or until the server stops."""
        task = asyncio.get_running_loop().create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def once(self, kind: Kind, payload: Payload) -> Payload:
        """Return what the app says to a command or a click; `Refused` in Slack's words else."""
        if not self._transport.connected:
            raise Refused("dispatch_failed")
        try:
            return await self._transport.send(kind, payload, Attempt())
        except NotAcknowledged:
            raise Refused("operation_timeout") from None

    async def stop(self) -> None:
        """Forgets what is not delivered yet."""
        for task in list(self._under_way):
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _deliver(self, callback: Payload) -> None:
        attempt, start = Attempt(), time.monotonic()
        for wait in (*self._redelivery, None):
            try:
                await self._transport.send(Kind.EVENT, callback, attempt)
            except NotAcknowledged as failed:
                attempt = Attempt(attempt.number + 1, failed.reason)
            else:
                self._acknowledged(time.monotonic() - start)
                return
            if wait is not None:
                await asyncio.sleep(wait)
