"""Keeps the same thing from being said twice within a while."""

from collections.abc import Callable
from threading import Lock

from cachetools import TTLCache

MOST_REMEMBERED = 10_000


class Throttle:
    """Remembers what was said; safe to share between threads.

    Only courtesies depend on it, so it forgets with the process, and the oldest of very many.
    """

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._said = TTLCache[str, None](MOST_REMEMBERED, seconds, clock)
        self._turn = Lock()

    def may_say(self, what: str) -> bool:
        """Tell whether it was not said within the time; it is remembered as said now."""
        with self._turn:
            if what in self._said:
                return False
            self._said[what] = None
            return True
