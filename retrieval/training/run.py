"""One run goes from its start to the files that ship, and may be stopped at any moment.

In the folder of a run lie the checkpoint of `loop`, `run.json` (what the run is), and at its end
`weights/` and `shipped/`. How well it does `corpora` and `vouch evaluate` tell.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

import torch
import transformers

from retrieval.training import CannotTrain
from retrieval.training.data import TrainingData
from retrieval.training.labels import LABEL_FILES
from retrieval.training.loop import Plan, Task, train
from retrieval.training.start import START_FILES, require

DATA_FILES = (
    "handbook_passages.jsonl.xz",
    "handbook_items.jsonl.xz",
    "families.jsonl.xz",
    "short_questions.jsonl.xz",
    "tables.jsonl.xz",
    "written_claims.jsonl.xz",
    "more_passages.jsonl.xz",
    "more_items.jsonl.xz",
    "r_passages.json.xz",
    "r_questions.json.xz",
    "e_train.jsonl.xz",
)
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")
SPACE = 1_500_000_000
"""Bytes: two checkpoints of 350 MB, 130 MB of weights, and the networks on their way to int8."""


@dataclass(frozen=True, slots=True)
class Model:
    name: str
    plan: Plan
    task: Callable[[TrainingData, Path, torch.device, Plan], Task]
    ship: Callable[[torch.nn.Module, Path, Path], object]
    """Writes a float32 network and its tokenizer file into a folder, in the form that ships."""


def run(
    model: Model,
    folder: Path,
    start: Path,
    out: Path,
    device: torch.device,
    say: Callable[[str], None],
) -> None:
    """Train on a folder's data and write everything into `out`, going on where it was stopped.

    Raise `CannotTrain` where something is missing, damaged, or of another run.
    """
    require(folder, DATA_FILES, "Name the folder of the training data with --data.")
    require(start, START_FILES, "Name a folder with a BERT model and its tokenizer.")
    out.mkdir(parents=True, exist_ok=True)
    _begin(out, _identity(model, folder, start))
    _check_space(out)
    transformers.set_seed(model.plan.seed)
    torch.set_num_threads(model.plan.threads)
    task = model.task(TrainingData(folder), start, device, model.plan)
    train(task, model.plan, out, say)
    write_weights(task.network.float().cpu().eval(), start, out / "weights")
    model.ship(task.network, out / "weights" / "tokenizer.json", out / "shipped")
    say(f"Done: {out / 'shipped'} is what ships")


def _identity(model: Model, folder: Path, start: Path) -> dict[str, str]:
    """What makes a run this run; a checkpoint of another one is of no use to it."""
    return {
        "model": model.name,
        "start": _digest(start / "model.safetensors"),
        **{name: _digest(folder / name) for name in DATA_FILES},
        **{path.name: _digest(path) for path in LABEL_FILES},
        **{name: str(value) for name, value in asdict(model.plan).items()},
        "program": _program(),
    }


def _program() -> str:
    """Of this package's modules, whose numbers and rules make a run this run."""
    modules = sorted(Path(__file__).parent.rglob("*.py"))
    return hashlib.sha256("".join(map(_digest, modules)).encode()).hexdigest()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _begin(out: Path, identity: Mapping[str, str]) -> None:
    """Note what the run is; raise `CannotTrain` where another one stands there."""
    path = out / "run.json"
    anew = f"Name another folder with --out, or delete {out} to begin anew."
    if not path.exists():
        path.write_text(json.dumps(identity, indent=1), encoding="utf-8")
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        other = sorted(name for name, _ in kept.items() ^ identity.items())
    except (ValueError, AttributeError, TypeError) as error:
        raise CannotTrain(f"{path} is damaged ({error}). {anew}") from error
    if other:
        told = ", ".join(dict.fromkeys(other))
        raise CannotTrain(f"In {out} stands another run; it differs in {told}. {anew}")


def _check_space(out: Path) -> None:
    free = shutil.disk_usage(out).free
    if free < SPACE:
        raise CannotTrain(
            f"The disk with {out} has {free / 1e9:.1f} GB left, and a run needs "
            f"{SPACE / 1e9:.1f} GB. Free some space, or name another folder with --out."
        )


def write_weights(network: torch.nn.Module, start: Path, folder: Path) -> None:
    """In float32, in the form that transformers and a later --start read."""
    cast(transformers.PreTrainedModel, network).save_pretrained(folder)
    for name in TOKENIZER_FILES:
        if (start / name).exists():
            shutil.copyfile(start / name, folder / name)
