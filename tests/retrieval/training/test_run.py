"""A training run: the same from the same seed, gone on with, and what it leaves behind."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from retrieval.training import CannotTrain, embedder
from retrieval.training import run as run_module
from retrieval.training.__main__ import Name, _model
from retrieval.training.data import TrainingData
from retrieval.training.embedder import EmbedderTask
from retrieval.training.encoder import load_trunk
from retrieval.training.export import write_encoder
from retrieval.training.labels import LABEL_FILES, Labels
from retrieval.training.run import MasteredAdamW, Model, Plan, rate_at, run, seeded, train

PLAN = Plan(steps=20, learning_rate=0.05, batch=4, keep_every=5, threads=1)
CPU = torch.device("cpu")


class Stopped(Exception):
    """Somebody pressed the keys that end a program."""


class LineTask:
    """Learns a sum with weights; implements `loop.Task`."""

    def __init__(self, stop_at: int | None = None, dtype: torch.dtype = torch.bfloat16) -> None:
        torch.manual_seed(1)
        self._layer = torch.nn.Linear(3, 1).to(dtype)
        self.network = torch.nn.Sequential(torch.nn.Dropout(0.1), self._layer)
        self._steps = count(1)
        self._stop_at = stop_at

    def batches(self, seed: int) -> Iterator[list[tuple[float, float, float]]]:
        dice = seeded(seed)
        while True:
            yield [(dice.random(), dice.random(), dice.random()) for _ in range(PLAN.batch)]

    def loss(self, batch: list[tuple[float, float, float]]) -> torch.Tensor:
        if next(self._steps) == self._stop_at:
            raise Stopped
        inputs = torch.tensor(batch, dtype=self._layer.weight.dtype)
        wanted = inputs @ torch.tensor([[1.0], [-2.0], [3.0]], dtype=inputs.dtype)
        return ((self.network(inputs) - wanted).float() ** 2).mean()


def trained(task: LineTask, folder: Path, plan: Plan = PLAN) -> torch.Tensor:
    train(task, plan, folder, lambda _: None)
    return task.network[1].weight.detach().clone()


def test_the_same_seed_makes_the_same_weights(tmp_path: Path) -> None:
    first = trained(LineTask(), tmp_path / "a")
    second = trained(LineTask(), tmp_path / "b")
    other = trained(LineTask(), tmp_path / "c", replace(PLAN, seed=21))
    assert torch.equal(first, second)
    assert not torch.equal(first, other)


@pytest.mark.parametrize("step", [1, 5, 6, 14, 20])
def test_a_run_that_was_stopped_ends_as_if_it_never_was(tmp_path: Path, step: int) -> None:
    wanted = trained(LineTask(), tmp_path / "whole")
    with pytest.raises(Stopped):
        trained(LineTask(stop_at=step), tmp_path / "stopped")
    assert torch.equal(trained(LineTask(), tmp_path / "stopped"), wanted)


@pytest.mark.parametrize("stop_at", [None, 45, 53, 60])
def test_a_run_ends_as_the_mean_of_what_it_was_in_its_last_fifth(
    tmp_path: Path, stop_at: int | None
) -> None:
    plan = replace(PLAN, steps=60)
    before: list[torch.Tensor] = []

    class Watched(LineTask):
        def loss(self, batch: list[tuple[float, float, float]]) -> torch.Tensor:
            before.append(self.network[1].weight.detach().clone())
            return super().loss(batch)

    trained(Watched(dtype=torch.float32), tmp_path / "watched", plan)
    if stop_at:
        with pytest.raises(Stopped):
            trained(LineTask(stop_at, torch.float32), tmp_path / "run", plan)
    weights = trained(LineTask(dtype=torch.float32), tmp_path / "run", plan)
    kept = torch.load(tmp_path / "run" / "checkpoint.pt", weights_only=True)
    last = kept["optimizer"]["masters"][0]
    assert torch.allclose(weights, torch.stack([before[50], before[55], last]).mean(0), atol=1e-6)
    assert not torch.allclose(weights, last, atol=1e-4)


def test_an_embedder_that_was_stopped_ends_as_if_it_never_was(
    tmp_path: Path, training_folder: Path, tiny_weights: Path
) -> None:
    """Its negatives are mined by the first weights, in whatever process that happens."""
    plan = Plan(steps=4, learning_rate=0.01, batch=48, keep_every=2, threads=1)

    class Interrupted(EmbedderTask):
        def loss(self, batch):  # of any task
            if (tmp_path / "stopped" / "checkpoint.pt").exists():
                raise Stopped
            return super().loss(batch)

    def weights(kind: type[EmbedderTask], folder: str) -> torch.Tensor:
        task = kind(TrainingData(training_folder), tiny_weights, CPU, plan)
        train(task, plan, tmp_path / folder, lambda _: None)
        return torch.cat([each.detach().float().flatten() for each in task.network.parameters()])

    wanted = weights(EmbedderTask, "whole")
    with pytest.raises(Stopped):
        weights(Interrupted, "stopped")
    assert torch.equal(weights(EmbedderTask, "stopped"), wanted)


def test_the_loss_since_the_last_checkpoint_is_said_at_each(tmp_path: Path) -> None:
    said: list[str] = []
    train(LineTask(), replace(PLAN, steps=12), tmp_path, said.append)
    told = [re.fullmatch(r"step (\d+) of 12: loss ([\d.]+)", line) for line in said]
    assert [each and each[1] for each in told] == ["5", "10", "12"]
    losses = [float(each[2]) for each in told if each]
    assert losses[0] > losses[-1]


@given(steps=st.integers(1, 3000), warmup=st.floats(0, 1))
def test_the_learning_rate_rises_once_and_falls_once(steps: int, warmup: float) -> None:
    plan = replace(PLAN, steps=steps, warmup=warmup)
    rates = [rate_at(step, plan) for step in range(1, steps + 1)]
    assert all(0 < rate <= 1 for rate in rates)
    top = rates.index(max(rates))
    assert rates[: top + 1] == sorted(rates[: top + 1])
    assert rates[top:] == sorted(rates[top:], reverse=True)
    assert max(rates) == pytest.approx(1)


def test_bfloat16_weights_learn_at_a_rate_that_bfloat16_would_round_away() -> None:
    plan = replace(PLAN, learning_rate=1e-3, weight_decay=0.0)
    mastered, plain = (torch.nn.Parameter(torch.ones(8, dtype=torch.bfloat16)) for _ in range(2))
    ours = MasteredAdamW([mastered], plan)
    theirs = torch.optim.AdamW([plain], lr=plan.learning_rate, weight_decay=0.0)
    for _ in range(200):
        for weight in (mastered, plain):
            weight.grad = torch.ones_like(weight)
        ours.step(plan.learning_rate)
        theirs.step()
    assert mastered.dtype == torch.bfloat16
    assert torch.equal(plain, torch.ones_like(plain))
    assert torch.allclose(mastered.float(), torch.full((8,), 0.8), atol=0.01)


SHORT = replace(embedder.PLAN, steps=4, keep_every=2, threads=1, batch=48, dropout=0.0)


def shipped(network: torch.nn.Module, tokenizer: Path, folder: Path) -> None:
    """What ships, and the dtype that the network had."""
    write_encoder(network, tokenizer, folder)
    (folder / "dtype").write_text(str(next(network.parameters()).dtype))


MODEL = Model("embedder", SHORT, embedder.EmbedderTask, shipped)


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
def test_the_command_hands_on_the_labels_that_ship(name: Name) -> None:
    task = _model(name, {}).task
    assert isinstance(task, partial)
    assert task.keywords["labels"] == Labels.shipped()


def test_what_the_command_is_told_stands_instead_of_the_plans() -> None:
    told: dict[str, Any] = {"steps": 7, "seed": 0, "dropout": 0.0, "learning_rate": 2e-4}
    plan = _model(Name.RERANKER, {}).plan
    given = told | {"threads": None}
    assert _model(Name.RERANKER, given).plan == replace(plan, **told)


def test_another_run_is_not_written_over(
    finished: Path, training_folder: Path, tiny_weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = json.loads((finished / "run.json").read_text())
    assert {path.name for path in LABEL_FILES} <= set(kept)
    other = replace(MODEL, plan=replace(SHORT, steps=5))
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
