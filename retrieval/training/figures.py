"""Figures on held-out data are named as in docs/measurements.md."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

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


def judged_figures(asked: Sequence[tuple[Floats, int]]) -> dict[str, float]:
    """From each question's scores, of what answers it first, and how many those are.

    `P@1` of those that are answered; `AUROC` of each question's best score, answered against
    not; `right at 5 %`: the answered ones with an answer first, and above 95 of 100 of those
    that nothing answers.
    """
    best = np.array([scores.max() for scores, _ in asked])
    answered = np.array([right > 0 for _, right in asked])
    first = np.array([_is_first(scores, right) for scores, right in asked])
    bar = np.quantile(best[~answered], 0.95)
    return {
        "P@1": float(first[answered].mean()),
        "AUROC": float(roc_auc_score(answered, best)),
        "right at 5 %": float((first & (best > bar))[answered].mean()),
    }


def _is_first(scores: Floats, right: int) -> bool:
    """A tie counts against it."""
    return right > 0 and bool(scores[:right].max() > scores[right:].max(initial=-np.inf))


def named(prefix: str, figures: Mapping[str, float]) -> dict[str, float]:
    return {f"{prefix} {name}": value for name, value in figures.items()}
