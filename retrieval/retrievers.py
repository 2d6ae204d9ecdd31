"""Each retriever ranks the passages that a reader may see in its own way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from retrieval.ports import TEXT_SPACE, EntryKind, Match, PassageIndex
from retrieval.scores import BM25, BM25_RANK, COSINE, DENSE_RANK, ENTRY_COSINE, ENTRY_RANK
from retrieval.spaces import Vectors
from retrieval.types import Scope

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

    @property
    def weighed(self) -> bool:
        """Whether its ranks count for a hit's fusion score, which a calibration weighs.

        Else it helps to find candidates, as a hypothetical passage does, and what they are worth
        is judged as if others had found them.
        """
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
    weighed: bool = True

    def __call__(self, query: Query, scope: Scope) -> Sequence[Match]:
        return self.index.nearest(query.vectors[self.space], scope, self.most, space=self.space)


@dataclass(frozen=True, slots=True)
class LexicalRetriever:
    """It finds the passages that share the rarest words with the query, by BM25."""

    index: PassageIndex
    most: int
    name: str = "bm25"
    score: str = BM25
    rank: str = BM25_RANK
    space: None = None
    weighed: bool = True

    def __call__(self, query: Query, scope: Scope) -> Sequence[Match]:
        return self.index.lexical(query.text, scope, self.most)


def dense_retrievers(
    index: PassageIndex, spaces: Sequence[str], most: Mapping[str, int]
) -> list[DenseRetriever]:
    """One for each space: `dense`, `dense-2` and so on; `most` is by their names.

    Each further one's scores have names of their own.
    """
    return [
        DenseRetriever(index, most[DENSE], space=space)
        if number == 1
        else DenseRetriever(
            index,
            most[name := f"{DENSE}-{number}"],
            name,
            f"{COSINE}_{number}",
            f"{DENSE_RANK}_{number}",
            space,
        )
        for number, space in enumerate(spaces, start=1)
    ]


@dataclass(frozen=True, slots=True)
class EntryRetriever:
    """It finds the passages to which the entries of one kind lead that are closest to the query."""

    index: PassageIndex
    most: int
    kind: EntryKind
    space: str = TEXT_SPACE
    weighed: bool = False

    @property
    def name(self) -> str:
        return str(self.kind)

    @property
    def score(self) -> str:
        return ENTRY_COSINE.format(kind=self.kind)

    @property
    def rank(self) -> str:
        return ENTRY_RANK.format(kind=self.kind)

    def __call__(self, query: Query, scope: Scope) -> Sequence[Match]:
        return self.index.nearest(
            query.vectors[self.space], scope, self.most, {self.kind}, self.space
        )
