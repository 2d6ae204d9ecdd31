"""Each retriever ranks the passages that a reader may see in its own way."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import Match, PassageIndex
from retrieval.search.scores import BM25, BM25_RANK, COSINE, DENSE_RANK
from retrieval.types import Scope

DENSE = "dense"


@dataclass(frozen=True, slots=True)
class Query:
    """A retriever may search with this."""

    text: str
    vector: NDArray[np.float32]
    """Of length 1."""


class Retriever(Protocol):
    """A retriever is one way to find passages."""

    @property
    def name(self) -> str:
        """The name by which a recipe chooses it; no two of a search have the same."""
        ...

    @property
    def score(self) -> str:
        """The name under which a hit keeps a match's score."""
        ...

    @property
    def rank(self) -> str:
        """The name under which a hit keeps a match's place, from 1."""
        ...

    def __call__(self, query: Query, scope: Scope) -> Sequence[Match]:
        """At most as many as it was made to return, best first, of what the scope may read.

        Each passage once; empty where nothing is found. Raise `IndexUnavailable`, or
        `IndexMismatch` where the index is another embedder's.
        """
        ...


@dataclass(frozen=True, slots=True)
class DenseRetriever:
    """It finds the passages whose vectors are closest to the query's."""

    index: PassageIndex
    most: int
    name: str = DENSE
    score: str = COSINE
    rank: str = DENSE_RANK

    def __call__(self, query: Query, scope: Scope) -> Sequence[Match]:
        return self.index.nearest(query.vector, scope, self.most)


@dataclass(frozen=True, slots=True)
class LexicalRetriever:
    """It finds the passages that share the rarest words with the query, by BM25."""

    index: PassageIndex
    most: int
    name: str = "bm25"
    score: str = BM25
    rank: str = BM25_RANK

    def __call__(self, query: Query, scope: Scope) -> Sequence[Match]:
        return self.index.lexical(query.text, scope, self.most)
