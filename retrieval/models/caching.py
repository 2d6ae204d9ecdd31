"""Models that read the same text once, in an evaluation and for a bot that is asked alike."""

import math
from collections.abc import Callable, Hashable, Sequence
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
        self._lock = Lock()

    def __call__(
        self, keys: Sequence[Key], read: Callable[[Sequence[Key]], NDArray[np.float32]]
    ) -> list[Vector]:
        """The vector of each key; `read` makes those that nobody knows, all at once."""
        with self._lock:
            found = {key: self._known[key] for key in keys if key in self._known}
        if unknown := [key for key in dict.fromkeys(keys) if key not in found]:
            made = dict(zip(unknown, read(unknown), strict=True))
            with self._lock:
                self._known.update(made)
            found |= made
        return [found[key] for key in keys]


class CachingCrossEncoder:
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
