"""Slack says no by an error code; and a test makes requests go wrong on purpose."""

import asyncio
import threading
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

POLL = 0.01
"""Seconds between two looks whether a test lets a request go on."""


class Hold:
    def __init__(self) -> None:
        self._reached = threading.Event()
        self._released = threading.Event()

    @property
    def is_reached(self) -> bool:
        return self._reached.is_set()

    def release(self) -> None:
        self._released.set()

    async def wait(self) -> None:
        """Wait in the server's loop, which serves all else meanwhile."""
        self._reached.set()
        while not self._released.is_set():
            await asyncio.sleep(POLL)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault says what happens to one request of the Web API."""

    error: str = ""
    """Slack's code with which it is refused; empty where it is carried out."""
    retry_after: int | None = None
    """Seconds; with `ratelimited`."""
    status: int = 200
    """Of HTTP; 500 and above stand for a Slack that is ill."""
    held: Hold | None = None
    late: Hold | None = None
    """It is carried out once this is released; the connection is cut at once."""
    lost: bool = False
    """It is carried out and the connection is cut: the caller cannot know."""


class Faults:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, deque[Fault]] = defaultdict(deque)
        self._holds: list[Hold] = []
        self._twice = 0
        self.mention_first = False
        """Deliver `app_mention` before the `message` of the same words."""
        self.offline = False
        """Cut every connection of the Web API without an answer."""

    def refuse(
        self,
        method: str,
        error: str,
        times: int = 1,
        *,
        retry_after: int | None = None,
        status: int = 200,
    ) -> None:
        """The next `times` calls of `method` are refused; "*" stands for any method."""
        self._add(method, Fault(error=error, retry_after=retry_after, status=status), times)

    def lose_response(self, method: str, times: int = 1) -> None:
        """The next calls are carried out, but the caller never learns."""
        self._add(method, Fault(lost=True), times)

    def carry_out_late(self, method: str) -> Hold:
        """The next call seems to fail, and is carried out all the same when it is released."""
        hold = self._new_hold()
        self._add(method, Fault(late=hold), 1)
        return hold

    def hold(self, method: str, times: int = 1) -> Hold:
        """The next calls wait until they are released, together."""
        hold = self._new_hold()
        self._add(method, Fault(held=hold), times)
        return hold

    def end_all(self) -> None:
        with self._lock:
            self._waiting.clear()
        for hold in self._holds:
            hold.release()

    def deliver_twice(self, times: int = 1) -> None:
        """The next events come twice, with the same `event_id`."""
        with self._lock:
            self._twice += times

    def take(self, method: str) -> Fault:
        with self._lock:
            for name in (method, "*"):
                if self._waiting[name]:
                    return self._waiting[name].popleft()
        return Fault(lost=False)

    def take_twice(self) -> bool:
        with self._lock:
            self._twice, due = max(0, self._twice - 1), self._twice > 0
        return due

    def _new_hold(self) -> Hold:
        hold = Hold()
        self._holds.append(hold)
        return hold

    def _add(self, method: str, fault: Fault, times: int) -> None:
        with self._lock:
            self._waiting[method].extend([fault] * times)


class Refused(Exception):
    """A request cannot be carried out; `code` is one of Slack's."""

    def __init__(
        self, code: str, *, more: Mapping[str, Any] | None = None, retry_after: int | None = None
    ) -> None:
        super().__init__(code)
        self.code = code
        self.more = dict(more or {})
        self.retry_after = retry_after
        """Whole seconds; given with `ratelimited` alone."""

    @classmethod
    def blocks(cls, code: str, problems: list[str]) -> "Refused":
        """Refuse with what is wrong with the blocks, as Slack lists it."""
        messages = [f"[ERROR] {problem}" for problem in problems]
        return cls(code, more={"errors": problems, "response_metadata": {"messages": messages}})
