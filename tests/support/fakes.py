"""Models small enough to see through: which texts are close, and which answer, is plain."""

import re
import zlib
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.index.entries import Certificate
from retrieval.index.lance_index import GRACE, LanceIndex
from retrieval.metadata.ontology import load_ontology
from retrieval.ports import EntailmentPair, RerankPair, RerankScore

DIMENSION = 64
_STATED = re.compile(r"\b0\.\d+")


def lance_index(
    folder: Path, embedder: str = "words", dimension: int = DIMENSION, grace: timedelta = GRACE
) -> LanceIndex:
    """An index of one embedder's vectors, for readers by the shipped ontology."""
    mine = Certificate(embedder, dimension, tuple(load_ontology().facets))
    return LanceIndex(folder, mine, grace)


class WordsEmbedder:
    name = "words"
    dimension = DIMENSION

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), DIMENSION), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()) or [""]:
                vector[zlib.crc32(word.encode()) % DIMENSION] += 1
            vector /= np.linalg.norm(vector)
        return vectors


class StatedReranker:
    """A text answers as well as it says: "Dogs, 0.9." is relevant at 0.9."""

    name = "stated"

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        stated = (_STATED.search(pair.text) for pair in pairs)
        relevances = [float(found[0]) if found else 0.0 for found in stated]
        return [RerankScore(logit=10 * each - 5, relevance=each) for each in relevances]


class SameEntailment:
    """Finds every claim equally entailed, whatever its premise: at 0 none, at 1 all."""

    name = "same"

    def __init__(self, probability: float) -> None:
        self._probability = probability

    def supported(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        return [self._probability] * len(pairs)
