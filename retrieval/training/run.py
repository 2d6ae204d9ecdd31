"""One run goes from its start to the files that ship, and may be stopped at any moment.

In the folder of a run lie the checkpoint of `loop`, `run.json` (what the run is, and what must
survive a stop), and at its end `weights/`, `shipped/` and `card.md`.
"""

import hashlib
import json
import lzma
import pickle
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol, cast

import torch
import transformers

from retrieval.errors import RetrievalError
from retrieval.training.card import LICENCES, Examples, Result, card, examples, machine
from retrieval.training.data import TrainingData
from retrieval.training.labels import LABEL_FILES
from retrieval.training.loop import Plan, Task, train

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
START_FILES = ("config.json", "model.safetensors", "tokenizer.json")
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")
SPACE = 1_500_000_000
"""Bytes: two checkpoints of 350 MB, 130 MB of weights, and the networks on their way to int8."""
FULL = 10_000_000
"""Bytes: with less than this left, a failed write failed for want of space."""


class CannotTrain(RetrievalError):
    """Something that training needs is missing, damaged or of another kind."""


class MeasuredTask(Task, Protocol):
    """It can also be measured on everything held out."""

    def figures(self, shipped: Path | None = None) -> dict[str, float]:
        """Of the network, or of what was `shipped` from it into that folder."""
        ...


@dataclass(frozen=True, slots=True)
class Model:
    """A model says what is trained, and how it ships."""

    name: str
    plan: Plan
    task: Callable[[TrainingData, Path, torch.device, Plan], MeasuredTask]
    ship: Callable[[torch.nn.Module, Path, Path], object]
    """Writes a float32 network and its tokenizer file into a folder, in the form that ships."""


@dataclass(frozen=True, slots=True)
class Start:
    """Training starts from these weights."""

    folder: Path
    name: str
    """For the card."""


@dataclass(frozen=True, slots=True)
class Progress:
    """So much of a run outlives its process, besides `loop`'s checkpoint."""

    identity: Mapping[str, str]
    before: Mapping[str, float]
    """Figures of the weights that it started from."""


def run(
    model: Model,
    data: Path,
    start: Start,
    out: Path,
    device: torch.device,
    say: Callable[[str], None],
) -> None:
    """Train and write everything into `out`, going on where an earlier start stopped.

    Raise `CannotTrain` where something is missing, damaged, or of another run.
    """
    require(data, DATA_FILES, "Name the folder of the training data with --data.")
    require(start.folder, START_FILES, "Name a folder with a BERT model and its tokenizer.")
    out.mkdir(parents=True, exist_ok=True)
    try:
        _run(model, TrainingData(data), start, out, device, say)
    except (OSError, RuntimeError) as error:  # torch raises the latter for files it cannot write
        if shutil.disk_usage(out).free > FULL:
            raise
        raise CannotTrain(
            f"The disk with {out} is full ({error}). Free some space and start again: "
            "training goes on from its last checkpoint."
        ) from error


def _run(
    model: Model,
    data: TrainingData,
    start: Start,
    out: Path,
    device: torch.device,
    say: Callable[[str], None],
) -> None:
    trained_on = _examples(model, data)
    identity = _identity(model, data, start)
    progress = _progress(out, identity)
    _check_space(out)
    _check_checkpoint(out / "checkpoint.pt")
    transformers.set_seed(model.plan.seed)
    torch.set_num_threads(model.plan.threads)
    task = model.task(data, start.folder, device, model.plan)
    if progress is None:
        say("Measuring the model that training starts from")
        progress = Progress(identity, task.figures())
        _keep(out, progress)
    train(task, model.plan, out, say)
    say("Measuring on everything held out")
    after = task.figures()
    write_weights(task.network.float().cpu().eval(), start.folder, out / "weights")
    model.ship(task.network, out / "weights" / "tokenizer.json", out / "shipped")
    say("Measuring what ships")
    result = Result(
        model.name,
        f"{start.name}, SHA-256 {identity['start'][:16]}",
        model.plan,
        trained_on,
        machine(device),
        progress.before,
        after,
        task.figures(out / "shipped"),
    )
    (out / "card.md").write_text(card(result), encoding="utf-8")
    say(f"Done: {out / 'card.md'} tells how well it does, {out / 'shipped'} is what ships")


def require(folder: Path, names: tuple[str, ...], remedy: str) -> None:
    """Raise `CannotTrain` where a file of these names is missing."""
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise CannotTrain(f"{folder} lacks {', '.join(missing)}. {remedy}")


def _examples(model: Model, data: TrainingData) -> dict[str, Examples]:
    """By source; every one with a licence that the card can name."""
    try:
        found = examples(model.name, data)
    except (lzma.LZMAError, EOFError, ValueError, KeyError) as error:
        raise CannotTrain(
            f"The training data in {data.folder} are damaged ({error!r}). Fetch them again."
        ) from error
    unknown = sorted(set(found) - set(LICENCES))
    if unknown:
        raise CannotTrain(
            f"No licence is known of {', '.join(unknown)}. Find out under which one they were "
            "published, and add it to LICENCES in retrieval/training/card.py."
        )
    return found


def _identity(model: Model, data: TrainingData, start: Start) -> dict[str, str]:
    """What makes a run this run; a checkpoint of another one is of no use to it."""
    return {
        "model": model.name,
        "start": _digest(start.folder / "model.safetensors"),
        **{name: _digest(data.folder / name) for name in DATA_FILES},
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


def _progress(out: Path, identity: Mapping[str, str]) -> Progress | None:
    """Of an earlier start of this run."""
    path = out / "run.json"
    if not path.exists():
        return None
    anew = f"Name another folder with --out, or delete {out} to begin anew."
    try:
        kept = Progress(**json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise CannotTrain(f"{path} is damaged ({error}). {anew}") from error
    other = sorted(
        name
        for name in {*kept.identity, *identity}
        if kept.identity.get(name) != identity.get(name)
    )
    if other:
        raise CannotTrain(f"In {out} stands another run; it differs in {', '.join(other)}. {anew}")
    return kept


def _keep(out: Path, progress: Progress) -> None:
    unfinished = out / "run.part"
    unfinished.write_text(json.dumps(asdict(progress), indent=1), encoding="utf-8")
    unfinished.replace(out / "run.json")


def _check_space(out: Path) -> None:
    free = shutil.disk_usage(out).free
    if free < SPACE:
        raise CannotTrain(
            f"The disk with {out} has {free / 1e9:.1f} GB left, and a run needs "
            f"{SPACE / 1e9:.1f} GB. Free some space, or name another folder with --out."
        )


def _check_checkpoint(path: Path) -> None:
    if not path.exists():
        return
    try:
        torch.load(path, weights_only=True, map_location="cpu")
    except (OSError, RuntimeError, EOFError, KeyError, pickle.UnpicklingError) as error:
        raise CannotTrain(
            f"The checkpoint {path} is damaged ({error}). Delete it and start again: training "
            "then begins at its first step."
        ) from error


def write_weights(network: torch.nn.Module, start: Path, folder: Path) -> None:
    """In float32, in the form that transformers and a later --start read."""
    cast(transformers.PreTrainedModel, network).save_pretrained(folder)
    for name in TOKENIZER_FILES:
        if (start / name).exists():
            shutil.copyfile(start / name, folder / name)
