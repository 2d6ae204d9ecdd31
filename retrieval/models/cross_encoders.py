"""The reranker and the entailment model: bundled cross-encoders, or any others by name."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import ModelUnavailable
from retrieval.models.bundled_model import BundledModel
from retrieval.models.named import CROSS_ENCODER, identity, load_named
from retrieval.ports import CrossEncoder, EntailmentPair


class BundledCrossEncoder(BundledModel):
    """It ships with Vouch as ONNX int8, and loads at its first use."""

    def __init__(self, kind: str, folder: Path | None = None, threads: int = 2) -> None:
        """`kind` is `reranker` or `entailment`; `folder` holds another in the same form."""
        super().__init__(kind, folder, threads)

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        return self._model(list(pairs))


class NamedCrossEncoder:
    """It is any cross-encoder that sentence-transformers can load: a folder or a hub's name."""

    def __init__(self, setting: str) -> None:
        self.setting = setting

    @cached_property
    def name(self) -> str:
        return identity(self.setting)

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        model = self._model
        import torch

        scores = model.predict(
            list(pairs), activation_fn=torch.nn.Identity(), show_progress_bar=False
        )
        return np.asarray(scores, np.float32).reshape(len(pairs), -1)

    @cached_property
    def label_names(self) -> dict[int, str]:
        """Label number to name, as the model's configuration states it."""
        return {int(i): str(name) for i, name in self._model.config.id2label.items()}

    @cached_property
    def _model(self):  # type: ignore[no-untyped-def]  # the library's own, untyped here
        def load(source: str):  # type: ignore[no-untyped-def]  # the same
            from sentence_transformers import CrossEncoder as SentenceTransformersCrossEncoder
            from transformers import AutoConfig

            architectures = AutoConfig.from_pretrained(source).architectures or []
            if not any(each.endswith(CROSS_ENCODER) for each in architectures):
                raise self._no_cross_encoder(architectures)
            return SentenceTransformersCrossEncoder(source)

        return load_named(self.setting, load)

    def _no_cross_encoder(self, architectures: Sequence[str]) -> ModelUnavailable:
        """Loaded all the same it would get a head of random numbers."""
        found = ", ".join(architectures) or "none"
        return ModelUnavailable(
            f"The model {self.setting!r} reads no two texts together: its architecture is "
            f"{found}, and should end in {CROSS_ENCODER}. Name a cross-encoder instead, or leave "
            "the setting out for the bundled one."
        )


class NamedReranker(NamedCrossEncoder):
    """It is a cross-encoder by name whose only label is how well the passage answers."""

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Raise `ModelUnavailable` where there is not exactly one label."""
        labels = self.label_names
        if len(labels) != 1:
            raise ModelUnavailable(
                f"The model {self.setting!r} is no reranker: it has {len(labels)} labels "
                f"({', '.join(labels.values())}). Set VOUCH_RERANKER to a cross-encoder with one "
                "label, such as cross-encoder/ms-marco-MiniLM-L6-v2, or leave it out for the "
                "bundled one."
            )
        return super().logits(pairs)


class CrossEncoderEntailment:
    """It gives the probability of an inference model's entailment label."""

    def __init__(self, model: CrossEncoder) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def _label(self) -> int:
        """Its column of the logits: the first, as in the bundled model."""
        return 0

    def supported(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        if not pairs:
            return []
        label = self._label
        logits = self._model.logits([(pair.premise, pair.claim) for pair in pairs])
        exponents = np.exp(logits - logits.max(axis=1, keepdims=True))
        return [float(p) for p in (exponents / exponents.sum(axis=1, keepdims=True))[:, label]]


class NamedEntailment(CrossEncoderEntailment):
    """Its configuration says which label is entailment; raise `ModelUnavailable` where none is."""

    def __init__(self, setting: str) -> None:
        self._named = NamedCrossEncoder(setting)
        super().__init__(self._named)

    @cached_property
    def _label(self) -> int:
        labels = self._named.label_names
        for label, label_name in labels.items():
            if label_name.lower().startswith("entail"):
                return label
        raise ModelUnavailable(
            f"The model {self._named.setting!r} has no label named 'entailment' (it has "
            f"{', '.join(labels.values())}). Name a natural language inference model."
        )
