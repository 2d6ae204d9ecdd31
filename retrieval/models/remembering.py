"""Models that read the same text once: for runs that ask the same questions several times."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import CrossEncoder, Embedder


class RememberingCrossEncoder:
    """Implements `CrossEncoder`; keeps every pair's scores for as long as it lives."""

    def __init__(self, model: CrossEncoder) -> None:
        self._model = model
        self._known: dict[tuple[str, str], NDArray[np.float32]] = {}

    @property
    def name(self) -> str:
        return self._model.name

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        unread = list(dict.fromkeys(pair for pair in pairs if pair not in self._known))
        if unread:
            self._known.update(zip(unread, self._model.logits(unread), strict=True))
        return np.stack([self._known[pair] for pair in pairs])


class RememberingEmbedder:
    """Implements `Embedder` in the same way."""

    def __init__(self, model: Embedder) -> None:
        self._model = model
        self._known: dict[str, NDArray[np.float32]] = {}

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def dimension(self) -> int:
        return self._model.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        unread = list(dict.fromkeys(text for text in texts if text not in self._known))
        if unread:
            self._known.update(zip(unread, self._model.embed(unread), strict=True))
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        return np.stack([self._known[text] for text in texts])
