"""A whole run of the command that trains: what it leaves behind, and how it goes wrong."""

import json
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch

from retrieval.training import CannotTrain, embedder
from retrieval.training import run as run_module
from retrieval.training.__main__ import Device, Name, _model
from retrieval.training.encoder import load_trunk
from retrieval.training.export import write_encoder
from retrieval.training.labels import LABEL_FILES, Labels
from retrieval.training.run import Model, run

PLAN = replace(embedder.PLAN, steps=4, keep_every=2, threads=1)
CPU = torch.device("cpu")


def shipped(network: torch.nn.Module, tokenizer: Path, folder: Path) -> None:
    """What ships, and the dtype that the network had."""
    write_encoder(network, tokenizer, folder)
    (folder / "dtype").write_text(str(next(network.parameters()).dtype))


MODEL = Model("embedder", PLAN, embedder.EmbedderTask, shipped)


@pytest.fixture(scope="module")
def finished(
    tmp_path_factory: pytest.TempPathFactory, training_folder: Path, tiny_weights: Path
) -> Path:
    out = tmp_path_factory.mktemp("run")
    run(MODEL, training_folder, tiny_weights, out, CPU, print)
    return out


def test_a_run_leaves_weights_and_what_ships(finished: Path) -> None:
    assert (finished / "shipped" / "tokenizer.json").exists()
    assert (finished / "shipped" / "dtype").read_text() == "torch.float32"
    weights = load_trunk(finished / "weights").state_dict()
    assert {each.dtype for each in weights.values() if each.is_floating_point()} == {torch.float32}


@pytest.mark.parametrize("name", list(Name))
def test_the_command_hands_on_what_ships_and_larger_batches_for_a_gpu(name: Name) -> None:
    small, large = (_model(name, device, {}) for device in (Device.CPU, Device.CUDA))
    assert large.plan.batch > small.plan.batch
    assert isinstance(small.task, partial)
    assert small.task.keywords["labels"] == Labels.shipped()


def test_what_the_command_is_told_stands_instead_of_the_plans() -> None:
    told: dict[str, Any] = {"steps": 7, "seed": 0, "dropout": 0.0, "learning_rate": 2e-4}
    plan = _model(Name.RERANKER, Device.CUDA, {}).plan
    given = told | {"threads": None}
    assert _model(Name.RERANKER, Device.CUDA, given).plan == replace(plan, **told)


def test_another_run_is_not_written_over(
    finished: Path, training_folder: Path, tiny_weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = json.loads((finished / "run.json").read_text())
    assert {path.name for path in LABEL_FILES} <= set(kept)
    other = replace(MODEL, plan=replace(PLAN, steps=5))
    with pytest.raises(CannotTrain, match=r"differs in steps\. Name another folder with --out"):
        run(other, training_folder, tiny_weights, finished, CPU, print)
    monkeypatch.setattr(run_module, "_program", lambda: "a constant that was changed since")
    with pytest.raises(CannotTrain, match=r"differs in program\. Name another folder with --out"):
        run(MODEL, training_folder, tiny_weights, finished, CPU, print)


def test_the_command_trains_and_ships(
    training_folder: Path, tiny_weights: Path, tmp_path: Path
) -> None:
    folders = "--data", training_folder, "--out", tmp_path, "--start", tiny_weights
    plan = "--steps=2", "--threads=1", "--seed=7", "--dropout=0.2", "--learning-rate=3e-4"
    done = subprocess.run(
        [sys.executable, "-m", "retrieval.training", "train", "embedder", *folders, *plan],
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "shipped" / "tokenizer.json").exists()
    kept = json.loads((tmp_path / "run.json").read_text())
    told = {"seed": "7", "dropout": "0.2", "learning_rate": "0.0003", "steps": "2"}
    assert kept | told == kept
