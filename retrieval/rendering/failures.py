"""What could not be drawn is not tried again for a while: one page may take half a minute."""

import time
from collections.abc import Callable, Hashable
from threading import Lock

from cachetools import TTLCache

LASTING_SECONDS = 3_600.0
"""Where it is the page's own doing."""
PASSING_SECONDS = 60.0
"""Where it may be that of a busy machine, or of who takes all memory."""
MOST = 1_000
"""Of each kind; those that were kept first are forgotten first."""


class Failures:
    """Why what is asked for again and again cannot be drawn; safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._lasting: TTLCache[Hashable, str] = TTLCache(MOST, LASTING_SECONDS, clock)
        self._passing: TTLCache[Hashable, str] = TTLCache(MOST, PASSING_SECONDS, clock)
        self._lock = Lock()

    def keep(self, what: Hashable, why: str, *, lasting: bool) -> None:
        with self._lock:
            (self._lasting if lasting else self._passing)[what] = why

    def why(self, what: Hashable) -> str:
        """Return the reason as it was kept; empty where there is none any more."""
        with self._lock:
            return self._lasting.get(what) or self._passing.get(what) or ""
