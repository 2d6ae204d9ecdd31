"""What happens in a workspace and who hears of it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot.workspace.seed import Room

Message = Mapping[str, Any]


class What(StrEnum):
    """As the page's events name it."""

    SAID = "message"
    CHANGED = "message_changed"
    DELETED = "message_deleted"
    COUNTED = "message_counted"
    """A reply came to its thread, or went; Slack has no event for it, the page redraws."""


@dataclass(frozen=True, slots=True)
class Happening:
    """A message came, changed or went."""

    what: What
    room: Room
    message: Message
    """As it is now; as it was, where it is deleted."""
    before: Message | None = None
    only_for: str = ""
    """The one person who sees an ephemeral message; empty where all members do."""


Hears = Callable[[Happening], None]


class Listeners:
    """The open pages, each of one person."""

    def __init__(self) -> None:
        self._queues: dict[str, set[asyncio.Queue[dict[str, Any] | None]]] = {}

    def tell(self, users: Iterable[str], event: dict[str, Any]) -> None:
        """Hands an event to every page of these people."""
        for user in users:
            for queue in self._queues.get(user, ()):
                queue.put_nowait(event)

    def tell_all(self, event: dict[str, Any]) -> None:
        self.tell(list(self._queues), event)

    def close(self) -> None:
        """Ends every page's stream, so that the server can stop."""
        for queues in self._queues.values():
            for queue in queues:
                queue.put_nowait(None)

    async def listen(self, user: str, idle: float) -> AsyncIterator[dict[str, Any] | None]:
        """What `user` may see from now on; None after each `idle` seconds of silence."""
        with self._queue(user) as queue:
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), idle)
                except TimeoutError:
                    yield None
                    continue
                if event is None:
                    return
                yield event

    @contextmanager
    def _queue(self, user: str) -> Any:
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._queues.setdefault(user, set()).add(queue)
        try:
            yield queue
        finally:
            self._queues[user].discard(queue)


class PageEvents:
    """Tells the pages what happened."""

    def __init__(self, listeners: Listeners) -> None:
        self._listeners = listeners

    def __call__(self, happening: Happening) -> None:
        room = happening.room
        what = What.CHANGED if happening.what is What.COUNTED else happening.what
        event: dict[str, Any] = {"type": what.value, "channel": room.id}
        if happening.what is What.DELETED:
            event["ts"] = happening.message["ts"]
        else:
            event["message"] = happening.message
        self._listeners.tell([happening.only_for] if happening.only_for else room.members, event)
