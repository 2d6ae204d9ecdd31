"""Somebody, systemd or Docker may ask the program to end."""

import signal
import time
from types import FrameType
from typing import Self

LOOK_AGAIN = 0.1
"""Seconds after which a signal is seen that woke nobody."""


class StopSignal:
    """It hears SIGTERM and SIGINT while it is open.

    Python runs a handler in the main thread, between any two steps of what that does. So the
    handler takes no lock, which the main thread may hold just then (`threading.Event` has
    one), and whoever waits looks again by themselves: a signal that comes between looking
    and falling asleep, or that the system hands to another thread, wakes nobody.
    """

    def __init__(self) -> None:
        self._came = False

    @property
    def came(self) -> bool:
        return self._came

    def pause(self) -> None:
        if not self._came:
            time.sleep(LOOK_AGAIN)

    def wait(self) -> None:
        while not self._came:
            self.pause()

    def __enter__(self) -> Self:
        self._before = {
            number: signal.signal(number, self._hear) for number in (signal.SIGTERM, signal.SIGINT)
        }
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        self._came = True
