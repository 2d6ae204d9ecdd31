"""Whoever fails to sign in again and again is asked to wait."""

import time
from collections.abc import Callable
from threading import Lock

from cachetools import TTLCache

MOST_FAILED = 30
WITHIN_S = 600.0
MOST_ADDRESSES = 10_000


class Attempts:
    """Counts what failed, by network address: a whole office that signs in well is no attack.

    Secrets here have 256 bits and cannot be guessed; this keeps whoever tries from having the
    bot ask Slack for each of their guesses. Only those count: what another site's page has a
    reader's browser open would else keep all who share its address from signing in. Safe to
    share between threads.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._failed = TTLCache[str, int](MOST_ADDRESSES, WITHIN_S, clock)
        self._turn = Lock()

    def may_try(self, address: str) -> bool:
        with self._turn:
            return self._failed.get(address, 0) < MOST_FAILED

    def failed(self, address: str) -> None:
        """Each failure begins the wait anew."""
        with self._turn:
            self._failed[address] = self._failed.get(address, 0) + 1
