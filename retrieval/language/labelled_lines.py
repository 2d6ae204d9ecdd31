"""What a line is, told by how like it is to lines that people labelled.

Likeness is that of the bundled embedder's vectors, and of the words in their order, for what a line
is about says little of what it does.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import Embedder

NEARNESS = 1.0
"""How fast likeness falls with the distance of two vectors."""
WORDS = 0.5
"""What words count beside vectors."""
LONGEST = 600
"""Characters that are looked at: what somebody does, they show at the beginning."""
_WORD = re.compile(r"\w+(?:'\w+)?|[?!*.,:]")


class LabelledLines:
    """Tells how like a line is to those of each label; safe to share between threads."""

    def __init__(self, embedder: Embedder, file: Path) -> None:
        """`embedder` is the one by which the file was fitted, and loads at its first use."""
        self._embedder, self._file = embedder, file

    def __call__(self, line: str) -> Mapping[str, float]:
        """By label, about -1 to 1 each. Raise what the embedder raises."""
        fitted = self.fitted
        vector = self._embedder.embed([line[:LONGEST]])[0]
        scores = likeness(vector, fitted.vectors) @ fitted.by_line
        known = [fitted.places[each] for each in terms(line) if each in fitted.places]
        if known:
            scores = scores + WORDS * fitted.by_term[known].sum(0) / np.sqrt(len(known))
        return dict(zip(fitted.labels, scores.tolist(), strict=True))

    @cached_property
    def fitted(self) -> "Fitted":
        """Raise `OSError` or `ValueError`."""
        return Fitted.read(self._file)


@dataclass(frozen=True, slots=True)
class Fitted:
    """What was learnt of the labelled lines."""

    labels: Sequence[str]
    vectors: NDArray[np.float32]
    """Shape (lines, width)."""
    by_line: NDArray[np.float32]
    """Shape (lines, labels)."""
    places: dict[str, int]
    """Of the terms that several lines have."""
    by_term: NDArray[np.float32]
    """Shape (terms, labels)."""
    frame: frozenset[str] = frozenset()
    """Stems of the words around what a line is about, where people marked that."""

    @classmethod
    def read(cls, file: Path) -> "Fitted":
        """Raise `OSError` or `ValueError`."""
        with np.load(file, allow_pickle=False) as arrays:
            return cls(
                [str(each) for each in arrays["meanings"]],
                arrays["vectors"].astype(np.float32) / 127,
                arrays["by_line"].astype(np.float32),
                {str(each): place for place, each in enumerate(arrays["terms"])},
                arrays["by_term"].astype(np.float32),
                frozenset(map(str, arrays["frame"])) if "frame" in arrays else frozenset(),
            )


def likeness(vectors: NDArray[np.float32], lines: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of unit vectors to those of lines: 1 for the same, towards 0 with their distance."""
    return np.asarray(np.exp(-NEARNESS * (2 - 2 * vectors @ lines.T)), np.float32)


def terms(line: str) -> frozenset[str]:
    """Its words and marks and their runs of two and three, with its beginning and end."""
    plain = unicodedata.normalize("NFKC", line[:LONGEST]).casefold().replace("\u2019", "'")
    words = ["^", *_WORD.findall(plain), "$"]
    return frozenset(" ".join(run) for size in (1, 2, 3) for run in _runs(words, size))


def _runs(words: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (words[start : start + size] for start in range(len(words) - size + 1))
