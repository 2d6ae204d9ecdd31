"""What somebody does by saying something, told by how like it is to lines that people labelled.

Likeness is that of the bundled embedder's vectors, and of the words in their order, for what a line
is about says little of what it does: "when is lunch" asks the documents, "lunch?" asks a colleague.
`retrieval/training/meanings.jsonl` has the lines, and `python -m retrieval.training.meanings` fits
the weights anew, as it must for every new embedder.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import Embedder

FITTED = Path(__file__).parents[1] / "models" / "bundled" / "meanings.npz"
NEARNESS = 1.0
"""How fast likeness falls with the distance of two vectors."""
WORDS = 0.5
"""What words count beside vectors."""
LONGEST = 600
"""Characters that are looked at: what somebody does, they show at the beginning."""
_WORD = re.compile(r"\w+(?:'\w+)?|[?!*.,:]")


class Meaning(StrEnum):
    """What a line does."""

    QUESTION = "question"
    SITUATION = "situation"
    """Tells of a case of one's own, for which an answer is wanted: "I'm a part-timer"."""
    CORRECTION = "correction"
    """Mends what was asked: "typo, I meant Tuesday"."""
    THANKS = "thanks"
    """Or takes note: "got it, will hand it in tomorrow"."""
    PEOPLE = "people"
    """What people say to each other, or to nobody."""
    HELLO = "hello"
    """Greets, or wants to know what the bot can do."""
    ABOUT = "about"
    """Wants to know who or what the bot is."""
    BYE = "bye"


ASKS = (Meaning.QUESTION, Meaning.SITUATION, Meaning.CORRECTION)
"""What wants an answer out of the documents."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a line does, most likely."""

    meaning: Meaning
    asking: float
    """How much more it is like what wants an answer than like all else; below 0: it is less so."""


class Meanings:
    """Tells what a line does, in a few milliseconds; safe to share between threads."""

    def __init__(self, embedder: Embedder, file: Path = FITTED) -> None:
        """`embedder` is the one by which the file was fitted, and loads at its first use."""
        self._embedder, self._file = embedder, file

    def __call__(self, line: str) -> Said:
        """`line`: plain words, without markup. Raise what the embedder raises."""
        fitted = self._fitted
        vector = self._embedder.embed([line[:LONGEST]])[0]
        scores = likeness(vector, fitted.vectors) @ fitted.by_line
        known = [fitted.places[each] for each in terms(line) if each in fitted.places]
        if known:
            scores = scores + WORDS * fitted.by_term[known].sum(0) / np.sqrt(len(known))
        by_meaning = dict(zip(fitted.meanings, scores.tolist(), strict=True))
        best = max(by_meaning, key=by_meaning.__getitem__)
        asks = max(by_meaning[each] for each in ASKS)
        other = max(score for each, score in by_meaning.items() if each not in ASKS)
        return Said(best, asks - other)

    @cached_property
    def _fitted(self) -> "Fitted":
        return Fitted.read(self._file)


@dataclass(frozen=True, slots=True)
class Fitted:
    """What was learnt of the labelled lines."""

    meanings: Sequence[Meaning]
    vectors: NDArray[np.float32]
    """Shape (lines, width)."""
    by_line: NDArray[np.float32]
    """Shape (lines, meanings)."""
    places: dict[str, int]
    """Of the terms that several lines have."""
    by_term: NDArray[np.float32]
    """Shape (terms, meanings)."""

    @classmethod
    def read(cls, file: Path) -> "Fitted":
        """Raise `OSError` or `ValueError`."""
        with np.load(file, allow_pickle=False) as arrays:
            return cls(
                [Meaning(str(each)) for each in arrays["meanings"]],
                arrays["vectors"].astype(np.float32) / 127,
                arrays["by_line"].astype(np.float32),
                {str(each): place for place, each in enumerate(arrays["terms"])},
                arrays["by_term"].astype(np.float32),
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
