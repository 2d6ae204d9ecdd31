"""The embedder is the bundled bi-encoder, or any other by name."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import ModelUnavailable
from retrieval.models.bundled_model import BundledModel
from retrieval.models.named import CROSS_ENCODER, identity, load_named


class BundledEmbedder:
    """It ships with Vouch as ONNX int8, and loads at its first use."""

    def __init__(self, folder: Path | None = None, threads: int = 2) -> None:
        """`folder` holds another in the same form."""
        self._model = BundledModel("embedder", folder, threads)

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def dimension(self) -> int:
        return self._model.width

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        return self._model(texts)


class NamedEmbedder:
    """It has a folder's or a hub's name, and loads at its first use."""

    def __init__(self, setting: str) -> None:
        self._setting = setting

    @cached_property
    def name(self) -> str:
        return identity(self._setting)

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
        def load(source: str):  # type: ignore[no-untyped-def]  # the same
            from sentence_transformers import SentenceTransformer

            model = SentenceTransformer(source)
            config = getattr(model.transformers_model, "config", None)
            architectures = getattr(config, "architectures", None) or []
            if any(each.endswith(CROSS_ENCODER) for each in architectures):
                raise self._no_embedder()
            return model

        return load_named(self._setting, load)

    def _no_embedder(self) -> ModelUnavailable:
        """Its hidden layers would be averaged into vectors that mean nothing."""
        return ModelUnavailable(
            f"The model {self._setting!r} is no embedder: it reads two texts together. Name a "
            "bi-encoder in VOUCH_EMBEDDER instead, or leave it out for the bundled one."
        )
