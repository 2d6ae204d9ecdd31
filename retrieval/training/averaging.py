"""The weights of several runs of one model have a mean."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from transformers import BertConfig

from retrieval.training.encoder import load_classifier, load_trunk
from retrieval.training.export import write_cross_encoder, write_encoder
from retrieval.training.run import START_FILES, CannotTrain, require, write_weights

Weights = Mapping[str, torch.Tensor]


def write_mean(folders: Sequence[Path], out: Path) -> None:
    """Into `weights/` and `shipped/`, as a run does.

    Raise `CannotTrain` where a folder holds no weights, or those of another model.
    """
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
    total = {name: weight.double() for name, weight in _read(sources[0]).items()}
    for source in sources[1:]:
        weights = _read(source)
        if _shapes(weights) != _shapes(total):
            raise CannotTrain(
                f"{source} and {sources[0]} hold different models: a mean needs runs of one "
                "model, of the same size and with the same head."
            )
        for name, weight in weights.items():
            total[name] += weight
    return {name: (weight / len(sources)).float() for name, weight in total.items()}


def _read(source: Path) -> Weights:
    try:
        return load_file(source / "model.safetensors")
    except SafetensorError as error:
        raise CannotTrain(f"The weights in {source} are damaged ({error}).") from error


def _shapes(weights: Weights) -> dict[str, torch.Size]:
    return {name: weight.shape for name, weight in weights.items()}
