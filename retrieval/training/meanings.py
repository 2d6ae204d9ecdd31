"""The weights by which a line's meaning is told are fitted to lines that people labelled.

    python -m retrieval.training.meanings

Kernel ridge regression, one score for each meaning; as little of a line as is needed is kept.
"""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.language.meanings import FITTED, WORDS, Meaning, likeness, terms
from retrieval.models.embedders import BundledEmbedder
from retrieval.ports import Embedder

LINES = Path(__file__).parent / "meanings.jsonl"
SMOOTHING = 0.2
"""Of the regression; as `NEARNESS` and `WORDS`, chosen by cross-validation on the lines."""
LINES_WITH_IT = 2
"""At least, for a term to count."""


def main(embedder: Embedder | None = None, lines: Path = LINES, out: Path = FITTED) -> None:
    """Write the weights."""
    labelled = [json.loads(each) for each in lines.read_text("utf-8").splitlines()]
    said = [str(each["said"]) for each in labelled]
    meanings = list(Meaning)
    wanted = np.array(
        [[2.0 * (each["meaning"] == one) - 1 for one in meanings] for each in labelled]
    )
    exact = (embedder or BundledEmbedder()).embed(said)
    kept = np.clip(np.round(exact * 127), -127, 127).astype(np.int8)
    vectors = np.asarray(kept / 127, np.float32)
    known, having = _having(said)
    alike = likeness(vectors, vectors) + WORDS * having @ having.T
    by_line = np.linalg.solve(alike + SMOOTHING * np.eye(len(said)), wanted)
    np.savez_compressed(
        out,
        meanings=np.array(meanings),
        vectors=kept,
        by_line=by_line.astype(np.float16),
        terms=np.array(known),
        by_term=(having.T @ by_line).astype(np.float16),
    )


def _having(said: Sequence[str]) -> tuple[list[str], NDArray[np.float32]]:
    """The terms of several lines, and which line has which: rows of length 1."""
    each = [terms(line) for line in said]
    counted = Counter(term for own in each for term in own)
    known = sorted(term for term, count in counted.items() if count >= LINES_WITH_IT)
    rows = np.array([[term in own for term in known] for own in each], np.float32)
    return known, rows / np.sqrt(np.maximum(rows.sum(1, keepdims=True), 1))


if __name__ == "__main__":
    main()
