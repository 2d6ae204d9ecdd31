"""Weights to go on training from are recovered where only a model's eight bits are left.

    python -m retrieval.training.recover FOLDER --start build/models/start --out build/models/older
    python -m retrieval.training reranker --start build/models/older --data ... --out ...

FOLDER is one of retrieval/models/bundled; its word embeddings are those that training started
from. So the next version, or one for an organisation of one's own, can start from what ships.
"""

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from retrieval.training import CannotTrain
from retrieval.training.start import require_installed, start_of

if TYPE_CHECKING:
    import transformers


def main(
    folder: Annotated[Path, typer.Argument(help="Folder of a model in eight bits.")],
    out: Annotated[Path, typer.Option(help="Where its weights are written in float32.")],
    start: Annotated[
        Path | None, typer.Option(help="Folder of the weights that it was trained from.")
    ] = None,
) -> None:
    """Write a folder that training can start from."""
    require_installed()
    from retrieval.training.int8 import NotRecoverable, recover

    files = sorted(folder.rglob("*.onnx"))
    try:
        trunk = start_of(start)
        network = recover(files[0], trunk)
    except CannotTrain as error:
        sys.exit(str(error))
    except (IndexError, NotRecoverable) as error:
        sys.exit(f"{folder} holds no model in eight bits: {error}")
    cast("transformers.PreTrainedModel", network).save_pretrained(out)
    shutil.copyfile(trunk / "tokenizer.json", out / "tokenizer.json")


if __name__ == "__main__":
    typer.run(main)
