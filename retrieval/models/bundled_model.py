"""A model in the form that ships with Vouch is read and checked when it is first used."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.models.manifest import MANIFEST, NETWORK, TOKENIZER, Manifest, read_manifest
from retrieval.models.onnx import OnnxModel

BUNDLED = Path(__file__).parent / "bundled"
"""A folder for each: `embedder`, `reranker`, `entailment`; and the word embeddings of all."""


def in_shipped_form(folder: Path) -> bool:
    """Whether it is, as far as its files' names tell; a folder that is closed to us is not."""
    return any(folder.glob(MANIFEST))


class BundledModel:
    """It is ONNX int8 with a tokenizer; whatever reads a file may raise `ModelUnavailable`."""

    def __init__(self, kind: str, folder: Path | None, threads: int) -> None:
        """`kind` is one of `manifest.WHAT`; no folder stands for the bundled one."""
        self._kind = kind
        self._folder = folder or BUNDLED / kind
        self._threads = threads

    @property
    def name(self) -> str:
        """Reads `model.json` alone: whoever asks for a name waits for no model."""
        return self._manifest.identity

    @property
    def width(self) -> int:
        return self._model.width

    def __call__(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """A row for each text or pair, in the order given; `texts` is not empty."""
        return self._model(texts)

    @cached_property
    def _manifest(self) -> Manifest:
        return read_manifest(self._folder)

    @cached_property
    def _model(self) -> OnnxModel:
        self._manifest.check(self._folder, self._kind)
        network, tokenizer = self._folder / NETWORK, self._folder / TOKENIZER
        stated = self._manifest.words
        words = None if stated is None else self._folder / stated
        return OnnxModel(network, tokenizer, self._manifest.max_tokens, self._threads, words)
