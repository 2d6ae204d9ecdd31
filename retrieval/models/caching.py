"""Models that read the same text once.

For runs that ask the same questions several times, and for a bot that reads the same
candidates again: for what only the asker may see, or for a part of the question.
"""

from collections.abc import Callable, Hashable, Sequence
from itertools import islice
from threading import Lock
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import CrossEncoder, Embedder

Vector = NDArray[np.float32]
Key = TypeVar("Key", bound=Hashable)


class _Memory(Generic[Key]):
    """What was read last: at most so many, or all; may be asked from several threads."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._known: dict[Key, Vector] = {}
        self._lock = Lock()

    def __call__(
        self, keys: Sequence[Key], read: Callable[[Sequence[Key]], NDArray[np.float32]]
    ) -> list[Vector]:
        """The vector of each key; `read` makes those that are not known."""
        with self._lock:
            known = {key: self._known[key] for key in keys if key in self._known}
        unread = list(dict.fromkeys(key for key in keys if key not in known))
        if unread:
            fresh = dict(zip(unread, read(unread), strict=True))
            known |= fresh
            self._keep(fresh)
        return [known[key] for key in keys]

    def _keep(self, fresh: dict[Key, Vector]) -> None:
        with self._lock:
            self._known |= fresh
            if self._most is not None:
                over = max(len(self._known) - self._most, 0)
                for key in list(islice(self._known, over)):
                    del self._known[key]


class CachingCrossEncoder:
    """Implements `CrossEncoder`."""

    def __init__(self, model: CrossEncoder, most: int | None = None) -> None:
        """`most`: pairs that are kept; None keeps all."""
        self._model = model
        self._memory = _Memory[tuple[str, str]](most)

    @property
    def name(self) -> str:
        return self._model.name

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        return np.stack(self._memory(pairs, self._model.logits))


class CachingEmbedder:
    """Implements `Embedder`."""

    def __init__(self, model: Embedder, most: int | None = None) -> None:
        self._model = model
        self._memory = _Memory[str](most)

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def dimension(self) -> int:
        return self._model.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        return np.stack(self._memory(texts, self._model.embed))
