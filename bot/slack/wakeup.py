"""Wakes a worker at once when something arrives, instead of at its next look."""

from threading import Condition


class Wakeup:
    """Counts its calls, so that one between looking and falling asleep is not missed."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._count = 0

    @property
    def count(self) -> int:
        """Return how often it was called: read it before looking for work, for `wait`."""
        with self._condition:
            return self._count

    def notify(self) -> None:
        """Wake one sleeper: there is one more thing to do."""
        with self._condition:
            self._count += 1
            self._condition.notify()

    def notify_all(self) -> None:
        with self._condition:
            self._count += 1
            self._condition.notify_all()

    def wait(self, seen: int, seconds: float) -> None:
        """Sleep until it is called or time is up; not at all where that happened since `seen`."""
        with self._condition:
            if self._count == seen:
                self._condition.wait(seconds)
