"""Each retriever ranks the passages that a reader may see in its own way.

Each embedder has a vector space of its own in the index: vectors of two cannot be compared, so a
text is embedded by each, and searched for in each space by itself; what the searches find is fused
by rank.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import TEXT_SPACE, Embedder, Match, PassageIndex
from retrieval.scores import BM25, BM25_RANK, COSINE, DENSE_RANK
from retrieval.types import Scope

Embedders = Mapping[str, Embedder]
"""By vector space; the first one's is `ports.TEXT_SPACE`, whose cosine a calibration weighs."""
Vectors = Mapping[str, NDArray[np.float32]]
"""Of one text, by vector space, each of length 1."""


def space_of(number: int) -> str:
    """The name of an embedder's space by its place in the settings, from 1: also an SQL name."""
    return TEXT_SPACE if number == 1 else f"{TEXT_SPACE}{number}"


def embedded(embedders: Embedders, texts: Sequence[str]) -> list[Vectors]:
    """The vectors of each text, in the order of the texts."""
    made = {space: embedder.embed(texts) for space, embedder in embedders.items()}
    return [{space: rows[at] for space, rows in made.items()} for at in range(len(texts))]


def sought(
    embedders: Embedders, spaces: Collection[str], text: str, hypothetical: str = ""
) -> Vectors:
    """What to search for in these spaces: the text, or halfway to a hypothetical passage.

    HyDE averages the question with the hypothetical passages as well (Gao et al.,
    "Precise zero-shot dense retrieval without relevance labels", 2023, section 3.2).
    """
    texts = [text, hypothetical] if hypothetical else [text]
    return {space: _mean(embedders[space].embed(texts)) for space in spaces}


def _mean(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of length 1; `vectors` has the shape (1 or 2, dimension)."""
    mean = vectors[0] if len(vectors) == 1 else vectors.sum(axis=0)
    length = 1 if len(vectors) == 1 else np.linalg.norm(mean)
    return np.asarray(mean / length, dtype=np.float32)


DENSE = "dense"
"""The name of the first embedder's retriever; of further ones a number follows."""


@dataclass(frozen=True, slots=True)
class Query:
    """A retriever may search with this."""

    text: str
    vectors: Vectors
    """The question's, or where a hypothetical passage helps, halfway to it; in the spaces of the
    retrievers that are asked."""


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

    @property
    def space(self) -> str | None:
        """The vector space that it searches; None for words."""
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
    space: str = TEXT_SPACE

    def __call__(self, query: Query, scope: Scope) -> Sequence[Match]:
        return self.index.nearest(query.vectors[self.space], scope, self.most, self.space)


@dataclass(frozen=True, slots=True)
class LexicalRetriever:
    """It finds the passages that share the rarest words with the query, by BM25."""

    index: PassageIndex
    most: int
    name: str = "bm25"
    score: str = BM25
    rank: str = BM25_RANK
    space: None = None

    def __call__(self, query: Query, scope: Scope) -> Sequence[Match]:
        return self.index.lexical(query.text, scope, self.most)


def dense_retrievers(index: PassageIndex, spaces: Sequence[str], most: int) -> list[DenseRetriever]:
    """One for each space: `dense`, `dense-2` and so on, with scores of their own names."""
    return [
        DenseRetriever(index, most, space=space)
        if number == 1
        else DenseRetriever(
            index,
            most,
            f"{DENSE}-{number}",
            f"{COSINE}_{number}",
            f"{DENSE_RANK}_{number}",
            space,
        )
        for number, space in enumerate(spaces, start=1)
    ]
