"""Any bi-encoder that sentence-transformers can load, by name."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import ModelUnavailable


class NamedEmbedder:
    """A folder or a hub's name; loads at its first use."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def dimension(self) -> int:
        return int(self._model.get_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        vectors = self._model.encode(
            list(texts), normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(vectors, np.float32)

    @cached_property
    def _model(self):  # type: ignore[no-untyped-def]  # the library's own, untyped here
        from sentence_transformers import SentenceTransformer

        try:
            return SentenceTransformer(self.name)
        except Exception as error:  # hub, network, file and format errors alike
            raise ModelUnavailable(
                f"The embedder {self.name!r} cannot be loaded ({error}). Name a folder that "
                "holds it, or a model of a hub that this machine reaches; or leave the setting "
                "out for the bundled one."
            ) from error
