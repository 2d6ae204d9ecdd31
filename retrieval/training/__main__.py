"""`python -m retrieval.training` makes the models that ship with Vouch, and what measures them."""

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from retrieval import errors
from retrieval.errors import MissingExtra
from retrieval.models.embedders import BundledEmbedder
from retrieval.training import CannotTrain

if TYPE_CHECKING:
    from retrieval.training.run import Model

app = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False)
Out = Annotated[Path, typer.Option(help="Folder that is written.")]
Data = Annotated[Path, typer.Option(help="Folder of the training data.")]
INSTEAD = "Instead of the plan's."


class Name(StrEnum):
    """These models ship."""

    EMBEDDER = "embedder"
    RERANKER = "reranker"
    ENTAILMENT = "entailment"


class Device(StrEnum):
    CPU = "cpu"
    CUDA = "cuda"


@contextmanager
def _said_plainly() -> Iterator[None]:
    """What is missing is said in a line, and ends the command with status 1."""
    try:
        errors.require(errors.TRAIN, "torch", "transformers", "onnx")
        yield
    except (CannotTrain, MissingExtra) as error:
        sys.exit(str(error))


@app.command()
def train(
    model: Annotated[Name, typer.Argument(help="What to train.")],
    data: Data,
    out: Annotated[Path, typer.Option(help="Folder of this run; a stopped run goes on there.")],
    start: Annotated[
        Path | None, typer.Option(help="Folder of weights to start from; `start` makes it.")
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help=INSTEAD)] = None,
    seed: Annotated[int | None, typer.Option(min=0, help=INSTEAD)] = None,
    dropout: Annotated[float | None, typer.Option(min=0.0, max=0.9, help=INSTEAD)] = None,
    learning_rate: Annotated[float | None, typer.Option(min=1e-9, max=1.0, help=INSTEAD)] = None,
    threads: Annotated[int | None, typer.Option(min=1, help=INSTEAD)] = None,
    device: Annotated[Device, typer.Option(help="Where to compute.")] = Device.CPU,
) -> None:
    """Train one of the models that ship with Vouch."""
    with _said_plainly():
        import torch
        import transformers

        from retrieval.training.run import run
        from retrieval.training.start import start_of

        # Else every load is reported at length; that heads are left out or new is meant so.
        transformers.utils.logging.set_verbosity_error()
        transformers.utils.logging.disable_progress_bar()
        instead = {
            "steps": steps,
            "seed": seed,
            "dropout": dropout,
            "learning_rate": learning_rate,
            "threads": threads,
        }
        try:
            place = torch.device(device)
            run(_model(model, instead), data, start_of(start), out, place, typer.echo)
        except KeyboardInterrupt as interrupt:
            typer.echo("Stopped. The same command goes on from the last checkpoint.", err=True)
            raise typer.Exit(130) from interrupt


@app.command()
def start(
    package: Annotated[Path, typer.Argument(help="Jar of bge-small-en-v1.5, as docs name it.")],
    out: Out,
) -> None:
    """Write the folder of weights that training starts from."""
    with _said_plainly():
        from retrieval.training.start import write_start

        write_start(package, out)
        typer.echo(f"{out} is what --start names")


@app.command()
def mean(
    folders: Annotated[list[Path], typer.Argument(help="Folders of runs, or means, of one model.")],
    out: Out,
) -> None:
    """Average the weights of several runs, surer than each; one named twice counts twice.

    Only runs that began with the same weights have a mean that is of use.
    """
    with _said_plainly():
        from retrieval.training.export import write_mean

        write_mean(folders, out)
        typer.echo(f"The mean of {len(folders)} is written: {out / 'shipped'} is what ships")


@app.command()
def corpora(data: Data, out: Out) -> None:
    """Write what is held out of the data, for `vouch evaluate` and `vouch evaluate-claims`."""
    with _said_plainly():
        from retrieval.training.corpora import write_claims, write_corpora
        from retrieval.training.data import TrainingData
        from retrieval.training.labels import Labels

        held = TrainingData(data)
        for source, questions in write_corpora(held, out, Labels.shipped()).items():
            typer.echo(f"{source}: {questions} questions")
        typer.echo(f"{write_claims(held, out / 'claims.jsonl')} claims")


@app.command()
def lines() -> None:
    """Fit what tells meanings and questions about the library, as each new embedder needs."""
    from retrieval.training.labelled_lines import fit_all

    fit_all(BundledEmbedder())


def _model(name: Name, instead: Mapping[str, Any]) -> "Model":
    """What is trained, with its module's plan; `instead` are fields of that, unless None."""
    from retrieval.training import export
    from retrieval.training.labels import Labels
    from retrieval.training.run import Model

    module = importlib.import_module(f"retrieval.training.{name}")
    task = getattr(module, f"{name.capitalize()}Task")
    plan = replace(
        module.PLAN, **{field: value for field, value in instead.items() if value is not None}
    )
    ship = export.write_encoder if name is Name.EMBEDDER else export.write_cross_encoder
    return Model(name, plan, partial(task, labels=Labels.shipped()), ship)


if __name__ == "__main__":
    app()
