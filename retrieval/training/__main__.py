"""`python -m retrieval.training embedder --data ... --out ...` trains a model."""

import importlib
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import get_console

from retrieval.training import CannotTrain
from retrieval.training.start import require_installed, start_of

if TYPE_CHECKING:
    import torch

    from retrieval.training.run import Model


class Name(StrEnum):
    """These models ship."""

    EMBEDDER = "embedder"
    RERANKER = "reranker"
    ENTAILMENT = "entailment"


class Device(StrEnum):
    CPU = "cpu"
    CUDA = "cuda"


def main(
    model: Annotated[Name, typer.Argument(help="What to train.")],
    data: Annotated[Path, typer.Option(help="Folder of the training data.")],
    out: Annotated[Path, typer.Option(help="Folder of this run; a stopped run goes on there.")],
    start: Annotated[
        Path | None,
        typer.Option(help="Folder of weights to start from; `retrieval.training.start` makes it."),
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Instead of the plan's.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Instead of the plan's.")] = None,
    dropout: Annotated[
        float | None, typer.Option(min=0.0, max=0.9, help="Instead of the plan's.")
    ] = None,
    learning_rate: Annotated[
        float | None, typer.Option(min=1e-9, max=1.0, help="Instead of the plan's.")
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Instead of the plan's.")] = None,
    device: Annotated[Device, typer.Option(help="Where to compute.")] = Device.CPU,
) -> None:
    """Train one of the models that ship with Vouch."""
    require_installed()
    import transformers

    from retrieval.training.run import run

    # Else every load is reported at length; that heads are left out or new is meant so.
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    try:
        place = _device(device)
        instead = {
            "steps": steps,
            "seed": seed,
            "dropout": dropout,
            "learning_rate": learning_rate,
            "threads": threads,
        }
        run(_model(model, device, instead), data, start_of(start), out, place, _say)
    except CannotTrain as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
    except KeyboardInterrupt as interrupt:
        typer.echo("Stopped. The same command goes on from the last checkpoint.", err=True)
        raise typer.Exit(130) from interrupt


def _say(line: str) -> None:
    """Above the progress bar, which is of the same console."""
    get_console().print(line, markup=False, highlight=False)


def _model(name: Name, device: Device, instead: Mapping[str, Any]) -> "Model":
    """What is trained, with its module's plan.

    `instead` are fields of the plan; those that are None stay as they are.
    """
    from retrieval.training import export
    from retrieval.training.labels import Labels
    from retrieval.training.run import Model

    module = importlib.import_module(f"retrieval.training.{name}")
    plan = module.GPU_PLAN if device is Device.CUDA else module.PLAN
    task = getattr(module, f"{name.capitalize()}Task")
    plan = replace(plan, **{field: value for field, value in instead.items() if value is not None})
    ship = export.write_encoder if name is Name.EMBEDDER else export.write_cross_encoder
    return Model(name, plan, partial(task, labels=Labels.shipped()), ship)


def _device(device: Device) -> "torch.device":
    import torch

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
