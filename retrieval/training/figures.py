"""Figures on held-out data, as MEASURES of the README name them."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def ranking_figures(ranks: NDArray[np.int64]) -> dict[str, float]:
    """P@1, MRR and nDCG@10 from the rank (from 0) of each question's one right passage."""
    gain = np.where(ranks < 10, 1 / np.log2(ranks + 2), 0.0)
    return {
        "P@1": float((ranks == 0).mean()),
        "MRR": float((1 / (ranks + 1)).mean()),
        "nDCG@10": float(gain.mean()),
    }


def ranks_of(scores: Floats, right: Sequence[int]) -> NDArray[np.int64]:
    """Of each row's right column; a tie counts against it."""
    rows = np.arange(len(right))
    own = scores[rows, list(right)]
    return np.asarray((scores >= own[:, None]).sum(axis=1) - 1, np.int64)


def named(prefix: str, figures: Mapping[str, float]) -> dict[str, float]:
    return {f"{prefix} {name}": value for name, value in figures.items()}
