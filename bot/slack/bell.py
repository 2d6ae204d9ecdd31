"""Waking a worker at once when something arrives, instead of at its next look."""

from threading import Condition


class Bell:
    """Counts its rings, so that one between looking and falling asleep is not missed."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._rung = 0

    @property
    def rung(self) -> int:
        """How often; look before you look for work, and give it to `wait`."""
        with self._condition:
            return self._rung

    def ring(self) -> None:
        """Wake one sleeper: there is one more thing to do."""
        with self._condition:
            self._rung += 1
            self._condition.notify()

    def ring_for_all(self) -> None:
        with self._condition:
            self._rung += 1
            self._condition.notify_all()

    def wait(self, heard: int, seconds: float) -> None:
        """Sleep until it rings or time is up; not at all where it rang since `heard`."""
        with self._condition:
            if self._rung == heard:
                self._condition.wait(seconds)
