"""What ships is often the mean of several runs, which is surer than each of them.

    python -m retrieval.training.mean build/models/one build/models/two --out build/models/mean

A folder is that of a run, of a mean or of `recover`ed weights. One that is named twice counts
twice, so that earlier weights can be half of the whole. Only runs that began with the same
weights have a mean that is of use.
"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from retrieval.training import CannotTrain
from retrieval.training.start import require_installed


def main(
    folders: Annotated[list[Path], typer.Argument(help="Folders of runs of one model.")],
    out: Annotated[Path, typer.Option(help="Where their mean is written, as what ships.")],
) -> None:
    """Average the weights of several runs, and write the mean as what ships."""
    require_installed()
    from retrieval.training.export import write_mean

    try:
        write_mean(folders, out)
    except CannotTrain as error:
        sys.exit(str(error))
    typer.echo(f"The mean of {len(folders)} is written: {out / 'shipped'} is what ships")


if __name__ == "__main__":
    typer.run(main)
