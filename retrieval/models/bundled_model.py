"""A model that ships with Vouch: its folder, read and checked when it is first used."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.models.manifest import NETWORK, TOKENIZER, Manifest, read_manifest
from retrieval.models.onnx import OnnxModel

BUNDLED = Path(__file__).parent / "bundled"
"""A folder for each: `embedder`, `reranker`, `entailment`."""


class BundledModel:
    """ONNX int8 and its tokenizer; everything that reads a file may raise `ModelUnavailable`."""

    def __init__(self, folder: Path, threads: int) -> None:
        self._folder = folder
        self._threads = threads

    @property
    def name(self) -> str:
        """Reads `model.json` alone: whoever asks for a name waits for no model."""
        return self._manifest.identity

    def __call__(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """A row for each text or pair, in the order given; `texts` is not empty."""
        return self._model(texts)

    @cached_property
    def _manifest(self) -> Manifest:
        return read_manifest(self._folder)

    @cached_property
    def _model(self) -> OnnxModel:
        self._manifest.check(self._folder)
        network, tokenizer = self._folder / NETWORK, self._folder / TOKENIZER
        return OnnxModel(network, tokenizer, self._manifest.max_tokens, self._threads)
