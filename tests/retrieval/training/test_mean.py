"""Several runs of one model become one that ships."""

import shutil
from pathlib import Path
from typing import cast

import numpy as np
import pytest
import torch
from transformers import PreTrainedModel

from retrieval.models.cross_encoders import BundledCrossEncoder
from retrieval.models.embedders import BundledEmbedder
from retrieval.training import CannotTrain
from retrieval.training.encoder import load_classifier, load_trunk
from retrieval.training.export import write_mean

PAIRS = [("how much leave", "You have 25 days."), ("when is it open", "At nine.")]


def moved(network: torch.nn.Module, seed: int) -> torch.nn.Module:
    """As another run would leave it: each weight a little elsewhere."""
    torch.manual_seed(seed)
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(torch.randn_like(weight) * 0.05)
    return network


def saved(network: torch.nn.Module, start: Path, folder: Path) -> Path:
    """In the form of a finished run; its folder."""
    cast(PreTrainedModel, network).save_pretrained(folder / "weights")
    shutil.copyfile(start / "tokenizer.json", folder / "weights" / "tokenizer.json")
    return folder


@pytest.fixture(scope="module")
def embedders(tiny_weights: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("embedders")
    return [
        saved(moved(load_trunk(tiny_weights), seed), tiny_weights, folder / str(seed))
        for seed in (1, 2, 3)
    ]


@pytest.fixture(scope="module")
def rerankers(tiny_weights: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("rerankers")
    return [
        saved(
            moved(load_classifier(tiny_weights, ("relevance",), seed), seed),
            tiny_weights,
            folder / str(seed),
        )
        for seed in (1, 2)
    ]


def test_every_weight_is_the_mean_of_the_runs(embedders: list[Path], tmp_path: Path) -> None:
    write_mean(embedders, tmp_path)
    runs = [load_trunk(folder / "weights").state_dict() for folder in embedders]
    mean = load_trunk(tmp_path / "weights").state_dict()
    for name, weight in mean.items():
        assert torch.allclose(weight, sum(run[name] for run in runs) / len(runs), atol=1e-6)
        assert not torch.allclose(weight, runs[0][name], atol=1e-6)


def test_the_mean_of_embedders_ships_and_can_be_averaged_again(
    embedders: list[Path], tmp_path: Path
) -> None:
    write_mean(embedders[:2], tmp_path / "two")
    write_mean([tmp_path / "two", embedders[2] / "weights"], tmp_path / "three")
    two, three = (
        BundledEmbedder(tmp_path / n / "shipped").embed(["leave"]) for n in ("two", "three")
    )
    assert np.linalg.norm([two, three], axis=2) == pytest.approx(1, abs=1e-4)
    assert not np.allclose(two, three, atol=1e-3)


def test_the_mean_of_rerankers_ships_with_its_head(rerankers: list[Path], tmp_path: Path) -> None:
    write_mean(rerankers, tmp_path)
    logits = BundledCrossEncoder("reranker", tmp_path / "shipped").logits(PAIRS)
    assert logits.shape == (2, 1)
    heads = [
        load_classifier(folder / "weights", ("relevance",), 0).state_dict()["classifier.weight"]
        for folder in (*rerankers, tmp_path)
    ]
    assert torch.allclose(heads[2], (heads[0] + heads[1]) / 2, atol=1e-6)


def test_runs_of_other_models_have_no_mean(
    embedders: list[Path], rerankers: list[Path], tiny_weights: Path, tmp_path: Path
) -> None:
    network = load_classifier(tiny_weights, ("entailment", "neutral", "contradiction"), 1)
    entailment = saved(network, tiny_weights, tmp_path / "entailment")
    for other in (embedders[0], entailment):
        with pytest.raises(CannotTrain, match="hold different models"):
            write_mean([rerankers[0], other], tmp_path / "mean")
    assert not (tmp_path / "mean").exists()


def test_a_mean_is_not_written_over_a_run_that_it_is_made_of(embedders: list[Path]) -> None:
    before = (embedders[0] / "weights" / "model.safetensors").read_bytes()
    with pytest.raises(CannotTrain, match="Name another with --out"):
        write_mean(embedders, embedders[0])
    assert (embedders[0] / "weights" / "model.safetensors").read_bytes() == before
