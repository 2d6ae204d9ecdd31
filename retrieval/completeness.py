"""Whether everything that the library serves can be found."""

import time
from collections.abc import Callable
from threading import Lock

from retrieval.documents.port import LibraryReader
from retrieval.ports import PassageIndex

LOOK_AGAIN = 60.0
"""Seconds after which an index is compared anew, though nothing changed in the library: an
engine can lose its files."""


class IndexCompleteness:
    """Compares library and index when something changed, and from time to time; thread-safe."""

    def __init__(
        self,
        library: LibraryReader,
        index: PassageIndex,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._library = library
        self._index = index
        self._clock = clock
        self._turn = Lock()
        self._compared: tuple[int, float] | None = None
        self._missing = 0

    def __call__(self) -> int:
        """Return how many passages of the library cannot be found.

        Raise `LibraryUnavailable` or `IndexUnavailable`.
        """
        with self._turn:
            changes, now = self._library.changes(), self._clock()
            if not self._holds(changes, now):
                self._missing = len(self._library.passage_ids() - self._index.ids())
                self._compared = changes, now
            return self._missing

    def _holds(self, changes: int, now: float) -> bool:
        """Whether the last comparison still tells; one that missed something never does."""
        if self._compared is None or self._missing:
            return False
        before, when = self._compared
        return before == changes and now - when < LOOK_AGAIN
