"""A whole run of the command that trains: what it leaves behind, and how it goes wrong."""

import json
import re
import shutil
import subprocess
import sys
from collections import namedtuple
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
import torch
import typer
from numpy.typing import NDArray

from retrieval.models.bundled_model import BUNDLED
from retrieval.training import embedder, entailment, reranker
from retrieval.training import run as run_module
from retrieval.training.__main__ import Device, Name, _model, main
from retrieval.training.card import LICENCES, Examples, Result, card, examples, machine
from retrieval.training.data import TrainingData
from retrieval.training.encoder import load_trunk
from retrieval.training.export import write_encoder
from retrieval.training.labels import LABEL_FILES, ContrastPairs, JudgedQuestion, Labels
from retrieval.training.loop import Plan
from retrieval.training.run import CannotTrain, Model, Start, run

PLAN = replace(embedder.PLAN, steps=4, keep_every=2, threads=1)
CPU = torch.device("cpu")
Disk = namedtuple("Disk", "total used free")


class Stopped(Exception):
    """Somebody pressed the keys that end a program."""


class StoppedAtStep3(embedder.EmbedderTask):
    steps = 0

    def loss(self, batch):  # of any task
        self.steps += 1
        if self.steps == 3:
            raise Stopped
        return super().loss(batch)


def shipped(network: torch.nn.Module, tokenizer: Path, folder: Path) -> None:
    """What ships, and the dtype that the network had."""
    write_encoder(network, tokenizer, folder)
    (folder / "dtype").write_text(str(next(network.parameters()).dtype))


MODEL = Model("embedder", PLAN, embedder.EmbedderTask, shipped)


@pytest.fixture(scope="module")
def start(tiny_weights: Path) -> Start:
    return Start(tiny_weights, "two random layers")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, training_folder: Path, start: Start) -> Path:
    out = tmp_path_factory.mktemp("run")
    run(MODEL, training_folder, start, out, CPU, print)
    return out


def test_a_run_leaves_weights_card_and_what_ships(finished: Path) -> None:
    assert (finished / "shipped" / "tokenizer.json").exists()
    assert (finished / "shipped" / "dtype").read_text() == "torch.float32"
    weights = load_trunk(finished / "weights").state_dict()
    assert {each.dtype for each in weights.values() if each.is_floating_point()} == {torch.float32}


def test_training_can_start_from_the_weights_of_a_run(
    finished: Path, training_folder: Path, tmp_path: Path
) -> None:
    begun = Start(finished / "weights", "weights of an earlier run")
    run(MODEL, training_folder, begun, tmp_path, CPU, print)
    assert "weights of an earlier run" in (tmp_path / "card.md").read_text()


def test_the_card_tells_what_the_run_knows(finished: Path) -> None:
    text = (finished / "card.md").read_text()
    assert "two random layers, SHA-256 " in text
    assert "| Seed | 20 |" in text
    assert "| Learning rate | 5e-05 |" in text
    assert "4, of at most 48 examples each" in text
    assert torch.__version__ in text
    for source in ("meltano", "families", "squad"):
        assert f"| {source} | " in text
    assert LICENCES["squad"] in text
    assert "| clef P@1 | " in text
    assert "| general nDCG@10 | " in text


def test_the_card_says_how_well_what_ships_does(
    finished: Path, training_folder: Path, tmp_path: Path, start: Start
) -> None:
    """In eight bits of its own: where it was spoilt, the figures of the network stay good."""

    def spoilt(_: torch.nn.Module, tokenizer: Path, folder: Path) -> None:
        other = load_trunk(start.folder)
        torch.nn.init.zeros_(other.get_parameter("encoder.layer.1.output.LayerNorm.weight"))
        write_encoder(other, tokenizer, folder)

    run(replace(MODEL, ship=spoilt), training_folder, start, tmp_path, CPU, print)
    good, bad = (figures_of(folder / "card.md") for folder in (finished, tmp_path))
    assert {name: row[:3] for name, row in good.items()} == {
        name: row[:3] for name, row in bad.items()
    }
    assert all(float(row[3]) == pytest.approx(float(row[1]), abs=0.15) for row in good.values())
    assert float(bad["clef MRR"][3]) < 0.1 < float(good["clef MRR"][3])


class Knowing:
    """Stands for a cross-encoder that ships and is always right about the handbooks."""

    right: ClassVar[set[tuple[str, str]]] = set()
    outputs: ClassVar[int] = 1

    def __init__(self, kind: str, folder: Path) -> None:
        assert kind == ("reranker" if self.outputs == 1 else "entailment")
        assert folder == Path.cwd() / "shipped"  # else it would be sought among the bundled ones

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        first = [50.0 if pair in self.right else -50.0 for pair in pairs]
        return np.array([[each] + [0.0] * (self.outputs - 1) for each in first], np.float32)


def test_what_ships_of_a_reranker_is_measured_by_its_own_logits(
    training_folder: Path, tiny_weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = TrainingData(training_folder)
    right = {(q, data.passages[i.passage_id].whole) for i in data.items for q in i.questions}
    monkeypatch.setattr(Knowing, "right", right)
    monkeypatch.setattr(reranker, "BundledCrossEncoder", Knowing)
    monkeypatch.chdir(tmp_path)
    figures = reranker.RerankerTask(data, tiny_weights, CPU).figures(Path("shipped"))
    for source in ("clef", "meltano", "families", "tables", "artsy"):
        assert figures[f"{source} P@1"] == figures[f"{source} AUROC near"] == 1


def test_what_ships_of_an_entailment_model_is_measured_by_its_own_logits(
    training_folder: Path, tiny_weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = TrainingData(training_folder)
    true = {(data.passages[item.passage_id].whole, item.yes) for item in data.items if item.yes}
    monkeypatch.setattr(Knowing, "right", true)
    monkeypatch.setattr(Knowing, "outputs", 3)
    monkeypatch.setattr(entailment, "BundledCrossEncoder", Knowing)
    monkeypatch.chdir(tmp_path)
    task = entailment.EntailmentTask(data, tiny_weights, CPU)
    figures = task.figures(Path("shipped"))
    assert figures["handbook balanced accuracy"] == figures["families balanced accuracy"] == 1
    assert figures["snli balanced accuracy"] == 0.5  # of which it knows nothing


def figures_of(file: Path) -> dict[str, list[str]]:
    """Before, after, change, as it ships: by the figure's name."""
    table = file.read_text().split("| figure |")[1].split("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    return {name: values for name, *values in rows}


def test_the_card_names_neither_the_machine_nor_a_folder(
    finished: Path, training_folder: Path
) -> None:
    import platform

    text = (finished / "card.md").read_text()
    assert platform.node() not in text
    for folder in (finished, training_folder, Path.cwd()):
        assert str(folder) not in text


def test_what_ships_with_the_program_is_counted_where_it_is_trained_on(
    training_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = TrainingData(training_folder)
    trained, other = [p.passage_id for p in data.passages.values() if not p.dev][:2]
    held_out = next(p.passage_id for p in data.passages.values() if p.dev)
    asked = JudgedQuestion("meltano", "am I paid?", False, (trained,), (), (other,))
    labels = Labels(
        unread=[
            asked,
            replace(asked, question="a gym?", answers=()),
            replace(asked, dev=True),
            replace(asked, answers=(), partial=(trained,)),  # answered in part: not used
            replace(asked, answers=(held_out,)),
        ],
        contrast_pairs=[
            ContrastPairs(trained, (("yes", "no"),), "maybe"),
            ContrastPairs(held_out, (), "maybe"),
        ],
        followups=[replace(asked, previous=("am I insured?",))],
    )
    monkeypatch.setattr(Labels, "shipped", lambda: labels)
    assert examples("reranker", data)["asked unread"] == Examples(2, 1)
    assert examples("reranker", data)["follow-ups"] == Examples(1, 0)
    assert examples("entailment", data)["contrast pairs"] == Examples(3, 1)
    assert examples("embedder", data)["asked unread"] == Examples(1, 1)
    assert "contrast pairs" not in examples("embedder", data)


@pytest.mark.parametrize("name", list(Name))
def test_the_command_hands_on_what_ships_to_what_is_trained(name: Name) -> None:
    task = _model(name, Device.CPU).task
    assert isinstance(task, partial)
    assert task.keywords["labels"] == Labels.shipped()


@pytest.mark.parametrize("name", list(Name))
def test_a_gpu_is_given_larger_batches(name: Name) -> None:
    small, large = (_model(name, device).plan for device in (Device.CPU, Device.CUDA))
    assert large.batch > small.batch


def test_what_the_command_is_told_stands_instead_of_the_plans() -> None:
    told: dict[str, Any] = {"steps": 7, "seed": 0, "dropout": 0.0, "learning_rate": 2e-4}
    plan = _model(Name.RERANKER, Device.CUDA).plan
    assert _model(Name.RERANKER, Device.CUDA, **told, threads=None).plan == replace(plan, **told)


@pytest.mark.parametrize(
    ("built_for", "said"),
    [(None, r"PyTorch's CPU build.*pip install torch===2\.13\.0`"), ("13.0", "sees no GPU here")],
)
def test_without_a_gpu_it_is_said_why_and_what_to_do(
    built_for: str | None,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("torch.version.cuda", built_for)
    monkeypatch.setattr("torch.__version__", "2.13.0+some")
    with pytest.raises(typer.Exit):
        main(Name.EMBEDDER, tmp_path, tmp_path, start=tmp_path, device=Device.CUDA)
    err = capsys.readouterr().err
    assert re.search(said, err)
    assert "to train on the CPU" in err


def test_labels_that_ship_belong_to_what_makes_a_run_this_run(finished: Path) -> None:
    kept = json.loads((finished / "run.json").read_text())["identity"]
    assert {path.name for path in LABEL_FILES} <= set(kept)


def test_a_card_says_how_far_every_figure_moved() -> None:
    result = Result(
        "entailment",
        "weights",
        Plan(steps=10, learning_rate=1e-5, batch=8),
        {"snli": Examples(1234, 56)},
        machine(CPU),
        {"clef AUROC": 0.5},
        {"clef AUROC": 0.8125},
        {"clef AUROC": 0.7912},
    )
    text = card(result)
    assert "| clef AUROC | 0.500 | 0.812 | +0.312 | 0.791 |" in text
    assert "| snli | 1,234 | 56 | CC BY-SA 4.0 |" in text


SHIPPED_CARD = (BUNDLED / "README.md").read_text(encoding="utf-8")


def test_the_card_of_what_ships_names_every_source_with_its_licence() -> None:
    table = SHIPPED_CARD.split("| licence | sources |")[1].split("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    named = {source.strip("`"): licence for licence, some in rows for source in some.split(", ")}
    assert named == LICENCES


def test_examples_are_counted_by_source_and_the_held_out_ones_apart(
    training_folder: Path,
) -> None:
    data = TrainingData(training_folder)
    # 8 training files and 4 held-out ones of 3 or 4 annotated passages; families of 4.
    asked = examples("embedder", data)
    assert asked["meltano"] == Examples(trained=8 * (3 * 2 + 3), held_out=4 * 4 * 2)
    assert asked["tables"] == Examples(trained=12 * 4, held_out=2 * 4)
    assert asked["artsy"] == Examples(trained=4 * 3, held_out=4 * 3)
    assert "written claims" not in asked
    assert asked["families"] == Examples(trained=4 * 4 * 2, held_out=4 * 2)
    assert asked["clef"].trained == 0
    held_out = sum(question.dev for question in data.general_questions)
    assert asked["squad"] == Examples(len(data.general_questions) - held_out, held_out)


def test_an_entailment_model_counts_claims(training_folder: Path) -> None:
    claimed = examples("entailment", TrainingData(training_folder))
    assert claimed["families"] == Examples(trained=4 * 4 * 3, held_out=4 * 3)
    assert claimed["snli"].trained + claimed["snli"].held_out == 180
    assert claimed["snli"].held_out % 3 == 0
    assert "squad" not in claimed
    assert claimed["meltano"].trained == 8 * 3 * 3
    assert claimed["written claims"] == Examples(trained=10 * 4, held_out=2 * 4)
    assert claimed["tables"] == Examples(trained=12 * 2, held_out=2 * 2)
    assert claimed["artsy"] == Examples(trained=4 * 4, held_out=4 * 4)


def test_a_run_that_was_stopped_goes_on_and_is_not_measured_anew(
    tmp_path: Path, training_folder: Path, start: Start
) -> None:
    stopping = replace(MODEL, task=StoppedAtStep3)
    with pytest.raises(Stopped):
        run(stopping, training_folder, start, tmp_path, CPU, print)
    kept = json.loads((tmp_path / "run.json").read_text())
    said: list[str] = []
    run(MODEL, training_folder, start, tmp_path, CPU, said.append)
    assert next(line for line in said if line.startswith("step")).startswith("step 4")
    after = json.loads((tmp_path / "run.json").read_text())
    assert after["before"] == kept["before"]


def test_another_run_is_not_written_over(
    finished: Path, training_folder: Path, start: Start
) -> None:
    other = replace(MODEL, plan=replace(PLAN, steps=5))
    with pytest.raises(CannotTrain, match=r"differs in steps\. Name another folder with --out"):
        run(other, training_folder, start, finished, CPU, print)


def test_a_run_that_another_program_began_is_not_gone_on_with(
    finished: Path, training_folder: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "_program", lambda: "a constant that was changed since")
    with pytest.raises(CannotTrain, match=r"differs in program\. Name another folder with --out"):
        run(MODEL, training_folder, start, finished, CPU, print)


def test_a_damaged_checkpoint_is_named_with_what_to_do(
    finished: Path, training_folder: Path, start: Start, tmp_path: Path
) -> None:
    shutil.copyfile(finished / "run.json", tmp_path / "run.json")
    whole = (finished / "checkpoint.pt").read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], b"not a checkpoint"):
        (tmp_path / "checkpoint.pt").write_bytes(damaged)
        with pytest.raises(CannotTrain, match="Delete it and start again"):
            run(MODEL, training_folder, start, tmp_path, CPU, print)


def test_a_damaged_record_of_a_run_is_named_with_what_to_do(
    training_folder: Path, start: Start, tmp_path: Path
) -> None:
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(CannotTrain, match=r"run.json is damaged.*Name another folder"):
        run(MODEL, training_folder, start, tmp_path, CPU, print)


def test_damaged_data_are_named_with_what_to_do(
    training_folder: Path, start: Start, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    shutil.copytree(training_folder, data)
    whole = (data / "handbook_items.jsonl.xz").read_bytes()
    (data / "handbook_items.jsonl.xz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CannotTrain, match=r"are damaged .* Fetch them again"):
        run(MODEL, data, start, tmp_path / "out", CPU, print)


def test_missing_data_are_named_with_what_to_do(start: Start, tmp_path: Path) -> None:
    with pytest.raises(CannotTrain, match=r"lacks handbook_passages.*--data"):
        run(MODEL, tmp_path, start, tmp_path / "out", CPU, print)


def test_a_source_without_a_known_licence_stops_the_run(
    training_folder: Path, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(LICENCES, "squad")
    with pytest.raises(CannotTrain, match="No licence is known of squad"):
        run(MODEL, training_folder, start, tmp_path, CPU, print)


def test_a_disk_without_space_stops_the_run_before_it_begins(
    training_folder: Path, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Disk(2e9, 1.6e9, 4e8))
    with pytest.raises(CannotTrain, match=r"0\.4 GB left.*needs 1\.5 GB"):
        run(MODEL, training_folder, start, tmp_path, CPU, print)


def test_a_disk_that_fills_up_is_told_from_other_failures(
    training_folder: Path, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Filling(embedder.EmbedderTask):
        def loss(self, batch):  # of any task
            monkeypatch.setattr(shutil, "disk_usage", lambda _: Disk(2e9, 2e9, 0))
            raise OSError(28, "No space left on device")

    with pytest.raises(CannotTrain, match=r"is full .*goes on from its last checkpoint"):
        run(replace(MODEL, task=Filling), training_folder, start, tmp_path, CPU, print)


def test_the_command_trains_measures_and_ships(
    training_folder: Path, tiny_weights: Path, tmp_path: Path
) -> None:
    done = command(
        *("embedder", "--data", training_folder, "--out", tmp_path, "--start", tiny_weights),
        *("--steps", "2", "--threads", "1", "--seed", "7"),
        *("--dropout", "0.2", "--learning-rate", "3e-4"),
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "shipped" / "tokenizer.json").exists()
    text = (tmp_path / "card.md").read_text()
    for told in (
        "| Seed | 7 |",
        "| Dropout | 0.2 |",
        "| Learning rate | 0.0003 |",
    ):
        assert told in text


def test_the_command_says_in_a_line_what_is_missing(tmp_path: Path, tiny_weights: Path) -> None:
    done = command("embedder", "--data", tmp_path, "--out", tmp_path, "--start", tiny_weights)
    assert done.returncode == 1
    assert "Name the folder of the training data with --data." in done.stderr
    assert "Traceback" not in done.stderr


def command(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "retrieval.training", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=200,
    )
