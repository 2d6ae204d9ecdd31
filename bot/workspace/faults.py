"""What a test makes go wrong on purpose, in the process of the server."""

import threading
from collections import defaultdict, deque
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to one request of the Web API."""

    error: str = ""
    """Slack's code with which it is refused; empty where it is carried out."""
    retry_after: int | None = None
    """Seconds; with `ratelimited`."""
    status: int = 200
    """Of HTTP; 500 and above stand for a Slack that is ill."""
    delay: float = 0.0
    """Seconds before anything is done."""
    late: float = 0.0
    """Seconds after which it is carried out; the connection is cut at once."""
    lost: bool = False
    """It is carried out and the connection is cut: the caller cannot know."""


class Faults:
    """Set from a test's thread, taken by the server's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, deque[Fault]] = defaultdict(deque)
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

    def carry_out_late(self, method: str, seconds: float, times: int = 1) -> None:
        """The next calls seem to fail, and are carried out all the same after a while."""
        self._add(method, Fault(late=seconds), times)

    def delay(self, method: str, seconds: float, times: int = 1) -> None:
        self._add(method, Fault(delay=seconds), times)

    def deliver_twice(self, times: int = 1) -> None:
        """The next events come twice, with the same `event_id`."""
        with self._lock:
            self._twice += times

    def take(self, method: str) -> Fault:
        """Take the fault of the request that came just now."""
        with self._lock:
            for name in (method, "*"):
                if self._waiting[name]:
                    return self._waiting[name].popleft()
        return Fault(lost=False)

    def awaits(self, method: str) -> bool:
        """Tell whether a fault of this method is still to come."""
        with self._lock:
            return bool(self._waiting[method])

    def take_twice(self) -> bool:
        with self._lock:
            self._twice, due = max(0, self._twice - 1), self._twice > 0
        return due

    def _add(self, method: str, fault: Fault, times: int) -> None:
        with self._lock:
            self._waiting[method].extend([fault] * times)
