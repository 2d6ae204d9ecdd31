"""One run goes from its start to the files that ship, and may be stopped at any moment.

In its folder lie a checkpoint, `run.json` (what the run is), and at its end `weights/` and
`shipped/`. It is seeded. How well it does `corpora` and `vouch evaluate` tell.
"""

import hashlib
import json
import random
import shutil
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol, cast

import torch
import transformers

from retrieval.training import CannotTrain
from retrieval.training.changes.editing import WORDS_FILE
from retrieval.training.data import TrainingData
from retrieval.training.labels import LABEL_FILES
from retrieval.training.start import START_FILES, require


@dataclass(frozen=True, slots=True)
class Plan:
    steps: int
    learning_rate: float
    batch: int
    """Questions or pairs in a step."""
    seed: int = 20
    warmup: float = 0.1
    """Share of the steps in which the learning rate rises; afterwards it falls to 0."""
    weight_decay: float = 0.01
    most_gradient: float = 1.0
    """Norm at which gradients are clipped."""
    keep_every: int = 200
    """Steps from one checkpoint to the next."""
    threads: int = 2
    dropout: float = 0.0
    """Share of activations dropped; 0 in short runs, where it is only noise."""


class Task(Protocol):
    """A task has a network, and says where its batches come from."""

    @property
    def network(self) -> torch.nn.Module:
        """The same one at every call; what of it requires a gradient is trained."""
        ...

    def batches(self, seed: int) -> Iterator[Any]:
        """Without end, and the same in the same order for the same seed."""
        ...

    def loss(self, batch: Any) -> torch.Tensor:  # the task's own batches
        """A scalar with a gradient, of one batch."""
        ...


CHECKPOINT = "checkpoint.pt"
AVERAGED = 0.2
"""Last share of the steps: the mean of its states is what was trained."""
APART = 5
"""Steps from one state that counts to the next."""


class MasteredAdamW:
    """AdamW over float32 copies of weights in bfloat16, which would round small steps away."""

    def __init__(self, weights: Sequence[torch.nn.Parameter], plan: Plan) -> None:
        self._weights = weights
        self._masters = [each.detach().float().clone() for each in weights]
        self._means = [torch.zeros_like(each) for each in self._masters]
        self._states = 0
        self._plan = plan
        self._adam = torch.optim.AdamW(
            self._masters, lr=plan.learning_rate, weight_decay=plan.weight_decay
        )

    def step(self, learning_rate: float) -> None:
        for master, weight in zip(self._masters, self._weights, strict=True):
            master.grad = None if weight.grad is None else weight.grad.float()
            weight.grad = None
        torch.nn.utils.clip_grad_norm_(self._masters, self._plan.most_gradient)
        for group in self._adam.param_groups:
            group["lr"] = learning_rate
        self._adam.step()
        self._publish(self._masters)

    def note(self) -> None:
        """Count what the weights are now into their mean."""
        self._states += 1
        for mean, master in zip(self._means, self._masters, strict=True):
            mean.lerp_(master, 1 / self._states)

    def settle(self) -> None:
        """Let the weights be their mean."""
        self._publish(self._means)

    def state(self) -> dict[str, Any]:
        return {
            "masters": self._masters,
            "means": self._means,
            "states": self._states,
            "adam": self._adam.state_dict(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        for name, own in (("masters", self._masters), ("means", self._means)):
            for each, kept in zip(own, state[name], strict=True):
                each.copy_(kept)
        self._states = state["states"]
        self._adam.load_state_dict(state["adam"])
        self._publish(self._masters)

    @torch.no_grad()
    def _publish(self, values: Sequence[torch.Tensor]) -> None:
        for value, weight in zip(values, self._weights, strict=True):
            weight.copy_(value)


def train(task: Task, plan: Plan, folder: Path, say: Callable[[str], None]) -> None:
    """Train to the plan's last step, going on from `folder`'s checkpoint if there is one.

    The end is the mean of the last states. Batches are drawn anew from the seed and skipped up to
    the checkpoint, so that a run which was stopped sees what it would have seen.
    """
    torch.set_num_threads(plan.threads)
    torch.manual_seed(plan.seed)
    folder.mkdir(parents=True, exist_ok=True)
    trained = [each for each in task.network.parameters() if each.requires_grad]
    optimizer = MasteredAdamW(trained, plan)
    with _ahead(task.batches(plan.seed)) as batches:
        # resumed after the first batch: what that mines is mined by the starting weights
        done = _resume(folder, optimizer)
        for _ in range(done):
            next(batches)
        losses: list[float] = []
        task.network.train()
        for step in range(done + 1, plan.steps + 1):
            torch.manual_seed(plan.seed + step)
            loss = task.loss(next(batches))
            loss.backward()
            optimizer.step(plan.learning_rate * rate_at(step, plan))
            losses.append(float(loss.detach()))
            if is_averaged(step, plan):
                optimizer.note()
            if step == plan.steps:
                optimizer.settle()
            if step % plan.keep_every == 0 or step == plan.steps:
                say(f"step {step} of {plan.steps}: loss {sum(losses) / len(losses):.4f}")
                losses = []
                unfinished = folder / "checkpoint.part"
                torch.save({"step": step, "optimizer": optimizer.state()}, unfinished)
                unfinished.replace(folder / CHECKPOINT)
    optimizer.settle()  # where the last step was an earlier start's
    task.network.eval()


@contextmanager
def _ahead(batches: Iterator[Any], most: int = 4) -> Iterator[Iterator[Any]]:
    """The same batches, drawn in a thread while the network computes."""
    with ThreadPoolExecutor(1) as drawer:
        drawn = deque(drawer.submit(next, batches) for _ in range(most))
        wait([drawn[0]])

        def every() -> Iterator[Any]:
            while True:
                batch = drawn.popleft().result()
                drawn.append(drawer.submit(next, batches))
                yield batch

        try:
            yield every()
        finally:
            drawer.shutdown(cancel_futures=True)


def rate_at(step: int, plan: Plan) -> float:
    """Share of the learning rate at a step: a straight way up, then down to 0."""
    rising = max(1, round(plan.steps * plan.warmup))
    return min(step / rising, (plan.steps - step + 1) / (plan.steps - rising + 1))


def is_averaged(step: int, plan: Plan) -> bool:
    """Whether the state after this step counts for the mean; that after the last one does."""
    return step > plan.steps * (1 - AVERAGED) and (plan.steps - step) % APART == 0


def seeded(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311  # for training data, not for secrets


def _resume(folder: Path, optimizer: MasteredAdamW) -> int:
    """The step of the checkpoint; 0 where there is none."""
    if not (folder / CHECKPOINT).exists():
        return 0
    kept = torch.load(folder / CHECKPOINT, weights_only=True, map_location="cpu")
    optimizer.restore(kept["optimizer"])
    return int(kept["step"])


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
    """Train and write everything into `out`, going on where it was stopped. Raise `CannotTrain`."""
    require(folder, DATA_FILES, "Name the folder of the training data with --data.")
    require(start, START_FILES, "Name a folder with a BERT model and its tokenizer.")
    out.mkdir(parents=True, exist_ok=True)
    _begin(out, _identity(model, folder, start))
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
        **{path.name: _digest(path) for path in (*LABEL_FILES, WORDS_FILE)},
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
    if not path.exists():
        path.write_text(json.dumps(identity, indent=1), encoding="utf-8")
    kept = json.loads(path.read_text(encoding="utf-8"))
    if other := sorted({name for name, _ in kept.items() ^ identity.items()}):
        raise CannotTrain(
            f"In {out} stands another run; it differs in {', '.join(other)}. Name another folder "
            f"with --out, or delete {out} to begin anew."
        )


def write_weights(network: torch.nn.Module, start: Path, folder: Path) -> None:
    """In float32, in the form that transformers and a later --start read."""
    cast(transformers.PreTrainedModel, network).save_pretrained(folder)
    for name in TOKENIZER_FILES:
        if (start / name).exists():
            shutil.copyfile(start / name, folder / name)
