"""The messages of a workspace come, change and go, and those who see them are told."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot.workspace.seed import Room

Message = Mapping[str, Any]


class ChangeKind(StrEnum):
    """A kind says what became of a message, as the page's events name it."""

    SAID = "message"
    CHANGED = "message_changed"
    DELETED = "message_deleted"
    COUNTED = "message_counted"
    """A reply came to its thread, or went; Slack has no event for it, the page redraws."""


@dataclass(frozen=True, slots=True)
class MessageChange:
    """A message came, changed or went."""

    kind: ChangeKind
    room: Room
    message: Message
    """As it is now; as it was, where it is deleted."""
    before: Message | None = None
    only_for: str = ""
    """The one person who sees an ephemeral message; empty where all members do."""


Observer = Callable[[MessageChange], None]


_Events = asyncio.Queue[dict[str, Any] | None]
"""Of one page; None is the end of it."""


class Listeners:
    """Listeners are the open pages, each of one person."""

    def __init__(self) -> None:
        self._pages: dict[str, set[_Events]] = {}

    def tell(self, users: Iterable[str], event: dict[str, Any]) -> None:
        """Hands an event to every page of these people."""
        for user in users:
            for events in self._pages.get(user, ()):
                events.put_nowait(event)

    def tell_all(self, event: dict[str, Any]) -> None:
        self.tell(list(self._pages), event)

    def close(self) -> None:
        """Ends every page's stream, so that the server can stop."""
        for pages in self._pages.values():
            for events in pages:
                events.put_nowait(None)

    async def listen(self, user: str, idle: float) -> AsyncIterator[dict[str, Any] | None]:
        """Yield what `user` may see from now on; None at once and after `idle` silent seconds."""
        with self._page(user) as events:
            yield None
            while True:
                try:
                    async with asyncio.timeout(idle):
                        event = await events.get()
                except TimeoutError:
                    yield None
                    continue
                if event is None:
                    return
                yield event

    @contextmanager
    def _page(self, user: str) -> Iterator[_Events]:
        events: _Events = asyncio.Queue()
        self._pages.setdefault(user, set()).add(events)
        try:
            yield events
        finally:
            self._pages[user].discard(events)


class PageEvents:
    """They tell the pages what happened."""

    def __init__(self, listeners: Listeners) -> None:
        self._listeners = listeners

    def __call__(self, change: MessageChange) -> None:
        room = change.room
        what = ChangeKind.CHANGED if change.kind is ChangeKind.COUNTED else change.kind
        event: dict[str, Any] = {"type": what.value, "channel": room.id}
        if change.kind is ChangeKind.DELETED:
            event["ts"] = change.message["ts"]
        else:
            event["message"] = change.message
        self._listeners.tell([change.only_for] if change.only_for else room.members, event)
