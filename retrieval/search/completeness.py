"""Whether everything that the library serves can be found."""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from threading import Lock

from retrieval.documents.port import LibraryReader
from retrieval.ports import PassageIndex

LOOK_AGAIN = 60.0
"""Seconds after which an index is compared anew, though nothing changed in the library: an
engine can lose its files."""


@dataclass(frozen=True, slots=True)
class IndexDifference:
    """What an index lacks of its library, and what it has beyond; passage ids."""

    missing: frozenset[str]
    surplus: frozenset[str]


def difference(library: LibraryReader, index: PassageIndex) -> IndexDifference:
    """Compare, while nobody writes, what changed since the index followed; in doubt all."""
    changed = library.changed_since(index.reached())
    known, indexed = _of_changed(library, index, changed)
    if _others_lacking(library, index, known, indexed):
        return whole_difference(library, index)
    return IndexDifference(known - indexed, indexed - known)


def whole_difference(library: LibraryReader, index: PassageIndex) -> IndexDifference:
    """Compare both in full, which takes time and memory in proportion."""
    known, indexed = library.passage_ids(), index.ids()
    return IndexDifference(known - indexed, indexed - known)


def missing(library: LibraryReader, index: PassageIndex) -> int:
    """Return how many passages of the library cannot be found.

    Never compares in full, so that it may stand before every answer. While an ingest writes, the
    few hundred entries by which the index is ahead may hide as many that it lost.
    """
    known, indexed = _of_changed(library, index, library.changed_since(index.reached()))
    return len(known - indexed) + max(0, _others_lacking(library, index, known, indexed))


def _of_changed(
    library: LibraryReader, index: PassageIndex, changed: Collection[str]
) -> tuple[frozenset[str], frozenset[str]]:
    if not changed:
        return frozenset(), frozenset()
    return library.passage_ids(changed), index.ids(changed)


def _others_lacking(
    library: LibraryReader, index: PassageIndex, known: frozenset[str], indexed: frozenset[str]
) -> int:
    """By how many fewer the index has of all other documents; negative where it has more."""
    return library.counts()["passages"] - len(known) - (index.count() - len(indexed))


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
        """How many passages cannot be found; raise `LibraryUnavailable` or `IndexUnavailable`."""
        with self._turn:
            changes, now = self._library.changes(), self._clock()
            if not self._holds(changes, now):
                self._missing = missing(self._library, self._index)
                self._compared = changes, now
            return self._missing

    def _holds(self, changes: int, now: float) -> bool:
        """Whether the last comparison still tells; one that missed something never does."""
        if self._compared is None or self._missing:
            return False
        before, when = self._compared
        return before == changes and now - when < LOOK_AGAIN
