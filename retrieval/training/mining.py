"""The passages that seem most like an answer and are none are mined."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.training.data import TrainingPassage

Embed = Callable[[Sequence[str]], NDArray[np.float32]]


class CachedVectors:
    """It embeds each text once: the same passages are looked through often."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        new = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if new:
            self._vectors.update(zip(new, self._embed(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])


def closest(
    questions: Sequence[str], pool: Sequence[TrainingPassage], embed: Embed, most: int
) -> list[list[tuple[TrainingPassage, float]]]:
    """For each question its `most` closest passages of the pool with their cosines, best first."""
    vectors = embed([passage.whole for passage in pool])
    scores = embed(questions) @ vectors.T
    found = np.argsort(-scores, axis=1)[:, :most]
    return [
        [(pool[i], float(row[i])) for i in order] for row, order in zip(scores, found, strict=True)
    ]
