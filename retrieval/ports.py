"""What retrieval needs from the outside, each as small as it can be.

Every implementation passes the one contract suite of its port in `tests/contracts/`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.scores import Scores
from retrieval.types import ParsedDocument


class Parser(Protocol):
    """Turns the bytes of one file into fragments with their places."""

    def __call__(self, content: bytes) -> ParsedDocument:
        """Raise `UnreadableDocument`, with the reason, for what cannot be read."""
        ...


class Embedder(Protocol):
    """A bi-encoder."""

    @property
    def name(self) -> str:
        """Identifies the model and its weights; an index belongs to one name."""
        ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension); empty texts are allowed."""
        ...


class CrossEncoder(Protocol):
    """A model that reads two texts together."""

    @property
    def name(self) -> str: ...

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Raw scores, shape (len(pairs), labels); `pairs` is not empty."""
        ...


@dataclass(frozen=True, slots=True)
class RerankPair:
    """A question and a passage text, with what earlier stages know of the pair."""

    question: str
    text: str
    """With its heading in front, on a line of its own."""
    scores: Scores
    """What no stage gave is absent."""


@dataclass(frozen=True, slots=True)
class RerankScore:
    """What the cross-encoder says of a pair, and what that means."""

    logit: float
    """Raw, unbounded."""
    relevance: float
    """The calibrated probability, 0 to 1, that the text answers the question."""


class Reranker(Protocol):
    """A cross-encoder whose scores are calibrated on labelled questions."""

    @property
    def name(self) -> str: ...

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]: ...


@dataclass(frozen=True, slots=True)
class EntailmentPair:
    """Does the premise, a cited passage, say what the claim says?"""

    premise: str
    claim: str


class Entailment(Protocol):
    """A model of natural language inference; never the one that wrote the claim."""

    @property
    def name(self) -> str: ...

    def supported(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        """The probability, 0 to 1, that each premise entails its claim."""
        ...


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What an index keeps of a passage: who may read it, its vector and its words."""

    passage_id: str
    document_id: str
    access_id: str
    """`filters.access_id` of the document's rule: the only thing a search filters by."""
    vector: Sequence[float] | NDArray[np.float32]
    words: str
    """For the lexical search; the text itself lives in the library."""


@dataclass(frozen=True, slots=True)
class Match:
    """A passage that a search found; `score` is a cosine or a BM25 score."""

    passage_id: str
    score: float


class PassageIndex(Protocol):
    """Dense and lexical search over entries that a scope may read.

    `allowed` are the access ids that the reference matcher lets through. It is applied
    before ranking: an excluded entry neither comes back nor takes a place. An empty
    `allowed` finds nothing.
    """

    def upsert(self, entries: Sequence[IndexEntry]) -> None:
        """Add entries, replacing those with the same passage id.

        Of two entries with one id in the same call, the last is kept.
        """
        ...

    def delete(self, passage_ids: Collection[str]) -> None:
        """Remove entries; an id that is not there is no error."""
        ...

    def ids(self) -> frozenset[str]:
        """Every passage id in the index."""
        ...

    def nearest(
        self, vector: NDArray[np.float32], allowed: Collection[str], limit: int
    ) -> list[Match]:
        """The closest entries by cosine, best first; exact, ties by passage id."""
        ...

    def lexical(self, words: str, allowed: Collection[str], limit: int) -> list[Match]:
        """The best entries by BM25, best first; those that share no word are left out."""
        ...

    def vectors(self, passage_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """Vectors by passage id; an id that is not there is left out."""
        ...

    def optimize(self) -> None:
        """Fold what was written into the search structures; cheap where nothing was."""
        ...
