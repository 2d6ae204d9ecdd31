"""The shipped models are measured beside the same ones in PyTorch, float32.

Each is measured in a process of its own, one after the other, so that memory is its own.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from rich.table import Table

MODELS = ("embedder", "reranker", "entailment")
COSTS = {"load_s": ".2f", "read_s": ".2f", "peak_mb": ".0f"}
"""As `retrieval.models.measure` names them, and how they are written."""


def models_table(pairs: Sequence[tuple[str, str]]) -> Table:
    """One row for each shipped model; an embedder reads the second text of each pair."""
    title = f"Models: shipped int8 / PyTorch float32 (share), {len(pairs)} pairs on two threads"
    table = Table("model", title=title)
    for column in ("seconds to load", "seconds to read", "peak MB"):
        table.add_column(column, justify="right")
    for model in MODELS:
        with tempfile.TemporaryDirectory(prefix="vouch-bench-") as weights:
            _program("save", model, weights, pairs)
            ours = json.loads(_program("shipped", model, weights, pairs))
            theirs = json.loads(_program("pytorch", model, weights, pairs))
        table.add_row(model, *(_beside(ours[c], theirs[c], form) for c, form in COSTS.items()))
    return table


def _beside(ours: float, theirs: float, form: str) -> str:
    return f"{ours:{form}} / {theirs:{form}} ({ours / theirs:.0%})"


def _program(what: str, model: str, weights: str, pairs: Sequence[tuple[str, str]]) -> str:
    command = [sys.executable, "-m", "retrieval.models.measure", what, model, weights]
    finished = subprocess.run(  # noqa: S603  # our own program
        command, input=json.dumps(pairs), check=True, stdout=subprocess.PIPE, text=True
    )
    return finished.stdout
