"""The bundled reranker and entailment model, and any other by name.

Sources and figures of the bundled ones: `bundled/README.md`.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import ModelUnavailable
from retrieval.models.onnx import OnnxModel
from retrieval.ports import CrossEncoder, EntailmentPair

BUNDLED = Path(__file__).parent / "bundled"
MAX_TOKENS = 256
"""The length at which both bundled models were trained."""


class BundledCrossEncoder:
    """A cross-encoder that ships with Vouch as ONNX int8; loads at its first use."""

    def __init__(self, folder: str, threads: int = 2) -> None:
        self._folder = BUNDLED / folder
        self._threads = threads
        self.name = f"vouch-{folder}-1"

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        return self._model(list(pairs))

    @cached_property
    def _model(self) -> OnnxModel:
        network, tokenizer = self._folder / "model_int8.onnx", self._folder / "tokenizer.json"
        return OnnxModel(network, tokenizer, MAX_TOKENS, self._threads)


class NamedCrossEncoder:
    """Any cross-encoder that sentence-transformers can load: a folder or a hub's name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        import torch

        scores = self._model.predict(
            list(pairs), activation_fn=torch.nn.Identity(), show_progress_bar=False
        )
        return np.asarray(scores, np.float32).reshape(len(pairs), -1)

    @cached_property
    def label_names(self) -> dict[int, str]:
        """Label number to name, as the model's configuration states it."""
        return {int(i): str(name) for i, name in self._model.config.id2label.items()}

    @cached_property
    def _model(self):  # type: ignore[no-untyped-def]  # the library's own, untyped here
        from sentence_transformers import CrossEncoder as SentenceTransformersCrossEncoder

        try:
            return SentenceTransformersCrossEncoder(self.name)
        except Exception as error:  # hub, network, file and format errors alike
            raise ModelUnavailable(
                f"The model {self.name!r} cannot be loaded ({error}). Name a folder that holds "
                "it, or a model of a hub that this machine reaches; or leave the setting out "
                "for the bundled one."
            ) from error


class CrossEncoderEntailment:
    """A natural language inference model, as the probability of its entailment label."""

    def __init__(self, model: CrossEncoder, entailment_label: int = 0) -> None:
        """`entailment_label` is the column of the logits; the bundled model's is 0."""
        self._model = model
        self._label = entailment_label
        self.name = model.name

    def supported(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        if not pairs:
            return []
        logits = self._model.logits([(pair.premise, pair.claim) for pair in pairs])
        exponents = np.exp(logits - logits.max(axis=1, keepdims=True))
        return [
            float(p) for p in (exponents / exponents.sum(axis=1, keepdims=True))[:, self._label]
        ]


def named_entailment(name: str) -> CrossEncoderEntailment:
    """An entailment model by name; its configuration must say which label is entailment."""
    model = NamedCrossEncoder(name)
    for label, label_name in model.label_names.items():
        if label_name.lower().startswith("entail"):
            return CrossEncoderEntailment(model, label)
    raise ModelUnavailable(
        f"The model {name!r} has no label named 'entailment' (it has "
        f"{', '.join(model.label_names.values())}). Name a natural language inference model."
    )
