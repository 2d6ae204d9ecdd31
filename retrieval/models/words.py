"""Word embeddings stand in a file of their own, so that models that share them ship them once."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


class WordEmbeddings:
    """A table of int8 whose rows, one for each word piece, have a scale each."""

    def __init__(self, whole: NDArray[np.int8], scale: NDArray[np.float32]) -> None:
        """`whole`: shape (word pieces, width); `scale`: shape (word pieces, 1)."""
        self._whole, self._scale = whole, scale

    def __call__(self, ids: Sequence[int]) -> NDArray[np.float32]:
        """Shape (len(ids), width)."""
        rows = list(ids)
        return np.asarray(self._whole[rows] * self._scale[rows], np.float32)

    def write(self, file: Path) -> None:
        with file.open("wb") as into:
            np.savez(into, int8=self._whole, scale=self._scale)


@cache
def read_words(file: Path) -> WordEmbeddings:
    """Once in a process, however many models share it; raise `OSError` or `ValueError`."""
    with np.load(file, allow_pickle=False) as arrays:
        return WordEmbeddings(arrays["int8"], arrays["scale"])
