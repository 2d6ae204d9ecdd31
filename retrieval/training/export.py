"""A trained network, or the mean of several, becomes the folder that ships: ONNX in eight bits."""

import copy
import shutil
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from transformers import BertConfig

from retrieval.models.bundled_model import (
    MANIFEST,
    NETWORK,
    TOKENIZER,
    WHAT,
    WORDS,
    ModelManifest,
    digest_of,
    read_manifest,
)
from retrieval.training import CannotTrain
from retrieval.training.encoder import MAX_TOKENS, load_classifier, load_trunk, mean_pooled
from retrieval.training.int8 import quantise
from retrieval.training.run import write_weights
from retrieval.training.start import START_FILES, require

VERSIONS = {"embedder": 5, "reranker": 8, "entailment": 5}
"""Of the shipped models."""
START = "bge-small-en-v1.5 (MIT), trained by retrieval/training"
INPUTS = ["input_ids", "attention_mask", "token_type_ids"]


def write_encoder(network: torch.nn.Module, tokenizer_file: Path, folder: Path) -> None:
    """A `BertModel` that becomes: text in, mean-pooled unit vector out."""

    def vector(inputs: dict[str, torch.Tensor], encoder: torch.nn.Module) -> torch.Tensor:
        return mean_pooled(encoder(**inputs).last_hidden_state, inputs["attention_mask"])

    _write("embedder", _Traced(network, vector), tokenizer_file, folder)


def write_cross_encoder(network: torch.nn.Module, tokenizer_file: Path, folder: Path) -> None:
    """A `BertForSequenceClassification`: one logit is a reranker, three are entailment."""

    def logits(inputs: dict[str, torch.Tensor], model: torch.nn.Module) -> torch.Tensor:
        return torch.as_tensor(model(**inputs).logits)

    kind = {1: "reranker", 3: "entailment"}[int(network.config.num_labels)]
    _write(kind, _Traced(network, logits), tokenizer_file, folder)


class _Traced(torch.nn.Module):
    """It is a float32 copy on the CPU with positional inputs, as tracing wants them."""

    def __init__(
        self,
        network: torch.nn.Module,
        read: Callable[[dict[str, torch.Tensor], torch.nn.Module], torch.Tensor],
    ) -> None:
        super().__init__()
        self.network = copy.deepcopy(network).float().cpu().eval()
        self._read = read

    def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
        return self._read(dict(zip(INPUTS, inputs, strict=True)), self.network)


def _write(kind: str, network: torch.nn.Module, tokenizer_file: Path, folder: Path) -> None:
    """Made beside its place; the manifest comes last, without which nothing is finished."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as made:
        exported = Path(made) / "float32.onnx"
        _export(network, exported)
        quantise(exported, Path(made) / NETWORK, Path(made) / WORDS)
        for file in (NETWORK, WORDS):
            (Path(made) / file).replace(folder / file)
    shutil.copyfile(tokenizer_file, folder / TOKENIZER)
    digests = {file: digest_of(folder / file) for file in (NETWORK, TOKENIZER, WORDS)}
    name = f"vouch-{kind}-{VERSIONS[kind]}"
    ModelManifest(name, WHAT[kind], MAX_TOKENS, START, digests).write(folder)


def share_words(folders: Sequence[Path]) -> None:
    """Keep the same word embeddings once, above the folders. Raise `ValueError` for others."""
    manifests = {folder: read_manifest(folder) for folder in folders}
    if len({each.files[WORDS] for each in manifests.values()}) > 1:
        raise ValueError("These models have word embeddings of their own each.")
    for folder, manifest in manifests.items():
        (folder / WORDS).replace(folder.parent / WORDS)
        files = {f"../{WORDS}" if name == WORDS else name: d for name, d in manifest.files.items()}
        replace(manifest, files=files).write(folder)


def _export(network: torch.nn.Module, file: Path) -> None:
    # Two texts of unlike length, so that the padding's part in the graph is traced.
    ids = torch.tensor([[101, 7592, 2088, 102], [101, 7592, 102, 0]])
    example: tuple[Any, ...] = (ids, (ids > 0).long(), torch.zeros_like(ids))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of tracing; tests hold the output to the network's
        torch.onnx.export(
            network,
            example,
            str(file),
            input_names=INPUTS,
            output_names=["output"],
            dynamic_axes={name: {0: "texts", 1: "tokens"} for name in INPUTS},
            opset_version=18,
            dynamo=False,  # one file, and no further package to install
        )


Weights = Mapping[str, torch.Tensor]


def write_mean(folders: Sequence[Path], out: Path) -> None:
    """Into `weights/` and `shipped/`, as a run does. Raise `CannotTrain`."""
    sources = [_weights_of(folder) for folder in folders]
    if (out / "weights").resolve() in [source.resolve() for source in sources]:
        raise CannotTrain(f"{out} holds weights that are averaged. Name another with --out.")
    mean = _mean(sources)
    headed = "classifier.weight" in mean
    network = _headed(sources[0]) if headed else load_trunk(sources[0])
    network.load_state_dict(mean)
    write_weights(network.eval(), sources[0], out / "weights")
    ship = write_cross_encoder if headed else write_encoder
    ship(network, sources[0] / "tokenizer.json", out / "shipped")


def _weights_of(folder: Path) -> Path:
    inside = folder / "weights"
    source = inside if inside.is_dir() else folder
    require(source, START_FILES, "Name the folder of a finished run.")
    return source


def _headed(source: Path) -> torch.nn.Module:
    labels = BertConfig.from_pretrained(source).id2label or {}
    return load_classifier(source, list(labels.values()), seed=0)


def _mean(sources: Sequence[Path]) -> Weights:
    """One folder after another is added: several are never in memory together."""
    total = {
        name: weight.double()
        for name, weight in load_file(sources[0] / "model.safetensors").items()
    }
    for source in sources[1:]:
        weights = load_file(source / "model.safetensors")
        if _shapes(weights) != _shapes(total):
            raise CannotTrain(
                f"{source} and {sources[0]} hold different models: a mean needs runs of one "
                "model, of the same size and with the same head."
            )
        for name, weight in weights.items():
            total[name] += weight
    return {name: (weight / len(sources)).float() for name, weight in total.items()}


def _shapes(weights: Weights) -> dict[str, torch.Size]:
    return {name: weight.shape for name, weight in weights.items()}
