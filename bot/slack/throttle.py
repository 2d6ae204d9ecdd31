"""Not saying the same thing twice within a while."""

from collections.abc import Callable
from threading import Lock

MOST_REMEMBERED = 10_000


class Throttle:
    """Remembers what was said; safe to share between threads.

    Only courtesies depend on it, so it forgets with the process.
    """

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._clock = clock
        self._said: dict[str, float] = {}
        self._turn = Lock()

    def may_say(self, what: str) -> bool:
        """Whether it was not said within the time; remembered as said now."""
        with self._turn:
            now = self._clock()
            if now - self._said.get(what, -self._seconds) < self._seconds:
                return False
            if len(self._said) >= MOST_REMEMBERED:
                self._said.clear()
            self._said[what] = now
            return True
