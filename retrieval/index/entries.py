"""What every engine does alike with entries, days and matches."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import MATCH_DIGITS, IndexEntry, Match

FIRST_DAY, LAST_DAY = date.min.toordinal(), date.max.toordinal()
"""Of what is valid at any time."""


def distinct(entries: Iterable[IndexEntry]) -> list[IndexEntry]:
    """Of two entries of one passage the last."""
    return list({entry.passage_id: entry for entry in entries}.values())


def demand_direction(vectors: NDArray[np.float32], dimension: int) -> None:
    """Raise `ValueError` where one of them is of another dimension or points nowhere.

    `vectors` has the shape (how many, dimension).
    """
    if vectors.shape[1:] != (dimension,):
        raise ValueError(f"a vector must have {dimension} dimensions")
    if not (np.isfinite(vectors).all() and vectors.any(axis=1).all()):
        raise ValueError("a vector must be finite and not all zeros: it has no direction")


def ordinal(day: date | None, otherwise: int) -> int:
    """A day as a number, as `date.toordinal`."""
    return otherwise if day is None else day.toordinal()


def clean(words: str) -> str:
    """Without lone surrogates, which no UTF-8 can hold."""
    return words.encode("utf-8", "ignore").decode()


def batches(ids: Collection[str], at_once: int) -> Iterator[list[str]]:
    """Each id once, in order."""
    in_order = sorted(set(ids))
    for start in range(0, len(in_order), at_once):
        yield in_order[start : start + at_once]


def match(passage_id: str, document_id: str, score: float) -> Match:
    return Match(passage_id, document_id, round(float(score), MATCH_DIGITS))


def best(search: Callable[[int], Sequence[Match]], limit: int, most: int) -> list[Match]:
    """The best matches; equal ones by id, however they are stored.

    `search` returns so many at most, best first. All that equal the last one must be seen before
    it is known which is last; but no more than `most`, which is what an engine gives at once.
    """
    asked = min(limit + 1, most)
    while True:
        found = search(asked)
        ranked = sorted(found, key=lambda each: (-each.score, each.passage_id))
        is_settled = len(ranked) > limit and found[-1].score < ranked[limit - 1].score
        if len(found) < asked or is_settled or asked == most:
            return ranked[:limit]
        asked = min(asked * 8, most)
