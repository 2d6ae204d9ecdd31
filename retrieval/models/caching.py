"""Caching models read the same text once.

For runs that ask the same questions several times, and for a bot that reads the same
candidates again: for what only the asker may see, or for a part of the question. What is
being read for somebody is waited for, not read a second time.
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from retrieval.ports import CrossEncoder, Embedder

Vector = NDArray[np.float32]
Key = TypeVar("Key", bound=Hashable)


class _Cache(Generic[Key]):
    """It keeps the vectors used last, so many or all; it is safe to share between threads."""

    def __init__(self, most: int | None) -> None:
        self._known = LRUCache[Key, Vector](math.inf if most is None else most)
        self._in_work: dict[Key, Future[Vector | None]] = {}
        self._lock = Lock()

    def __call__(
        self, keys: Sequence[Key], read: Callable[[Sequence[Key]], NDArray[np.float32]]
    ) -> list[Vector]:
        """The vector of each key; `read` makes those that nobody knows or makes, all at once.

        Own work comes before waiting for others', so no two wait for each other.
        """
        with self._lock:
            found = {key: self._known[key] for key in keys if key in self._known}
            unknown = [key for key in dict.fromkeys(keys) if key not in found]
            awaited = {key: self._in_work[key] for key in unknown if key in self._in_work}
            mine = {key: Future[Vector | None]() for key in unknown if key not in awaited}
            self._in_work.update(mine)
        if mine:
            found |= self._make(mine, read)
        others = {key: future.result() for key, future in awaited.items()}
        found |= {key: vector for key, vector in others.items() if vector is not None}
        failed = [key for key in others if key not in found]  # for somebody else, so try oneself
        if failed:
            found |= dict(zip(failed, read(failed), strict=True))
        return [found[key] for key in keys]

    def _make(
        self,
        mine: Mapping[Key, Future[Vector | None]],
        read: Callable[[Sequence[Key]], NDArray[np.float32]],
    ) -> Mapping[Key, Vector]:
        """Whoever waits is told in any case; of a vector that could not be made, None."""
        made: dict[Key, Vector] = {}
        try:
            made = dict(zip(mine, read(list(mine)), strict=True))
            return made
        finally:
            with self._lock:
                self._known.update(made)
                for key in mine:
                    del self._in_work[key]
            for key, future in mine.items():
                future.set_result(made.get(key))


class CachingCrossEncoder:
    """It implements `CrossEncoder`."""

    def __init__(self, model: CrossEncoder, most: int | None = None) -> None:
        """`most`: pairs that are kept, at least 1; None keeps all."""
        self._model = model
        self._cache = _Cache[tuple[str, str]](most)

    @property
    def name(self) -> str:
        return self._model.name

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        return np.stack(self._cache(pairs, self._model.logits))


class CachingEmbedder:
    """It implements `Embedder`."""

    def __init__(self, model: Embedder, most: int | None = None) -> None:
        self._model = model
        self._cache = _Cache[str](most)

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def dimension(self) -> int:
        return self._model.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        return np.stack(self._cache(texts, self._model.embed))
