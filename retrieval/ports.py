"""What retrieval needs from the outside, each as small as it can be.

Every implementation passes the one contract suite of its port in `tests/contracts/`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.search.scores import Scores
from retrieval.types import AccessRule, ParsedDocument, Passage, Scope


class Parser(Protocol):
    """Turns the bytes of one file into fragments with their places."""

    def __call__(self, content: bytes) -> ParsedDocument:
        """Raise `UnreadableDocument`, with the reason, for what cannot be read."""
        ...


class Embedder(Protocol):
    @property
    def name(self) -> str:
        """Identifies the model and its weights; an index belongs to one name."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has, 1 or more."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors in the order of the texts, at least one, (len(texts), dimension)."""
        ...


class CrossEncoder(Protocol):
    """A model that reads two texts together."""

    @property
    def name(self) -> str:
        """Identifies the model and its weights; a calibration belongs to one name."""
        ...

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Raw scores in the order of the pairs, at least one, (len(pairs), labels)."""
        ...


@dataclass(frozen=True, slots=True)
class RerankPair:
    """A question and a text of a passage, with what earlier stages know of the passage."""

    question: str
    text: str
    """With its heading in front, on a line of its own."""
    scores: Scores = field(default_factory=dict)
    """What no stage gave is absent; for a reranker that reads no text."""


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
    def name(self) -> str:
        """The model's name, and that of what its scores were calibrated on."""
        ...

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        """One score for each pair, in their order; none for no pairs."""
        ...


@dataclass(frozen=True, slots=True)
class ListwiseReading:
    """What a reader of several passages makes of each."""

    relevance: Mapping[str, float]
    """By passage id the probability, 0 to 1, that it answers."""
    tokens: Mapping[str, int] = field(default_factory=dict)
    degraded: str = ""
    """Why it could not read, in words for people, where that is done without; else empty."""


class ListwiseReranker(Protocol):
    """A model that reads several passages together with a question."""

    @property
    def name(self) -> str:
        """Identifies the model; a calibration of the gate belongs to one name."""
        ...

    def __call__(self, question: str, passages: Sequence[Passage], /) -> ListwiseReading:
        """Raise where it cannot read, and that is not to be done without."""
        ...


@dataclass(frozen=True, slots=True)
class EntailmentPair:
    """Does the premise, a cited passage, say what the claim says?"""

    premise: str
    claim: str


class Entailment(Protocol):
    """A model of natural language inference; never the one that wrote the claim."""

    @property
    def name(self) -> str:
        """Identifies the model and its weights; a calibration belongs to one name."""
        ...

    def supported(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        """The probability, 0 to 1, that each premise entails its claim, in their order."""
        ...


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What an index keeps of a passage, whose text lives in the library."""

    passage_id: str
    document_id: str
    rule: AccessRule
    """The document's."""
    vector: Sequence[float] | NDArray[np.float32]
    """Of unit length, as embedders make them."""
    words: str
    """For the lexical search."""


MATCH_DIGITS = 5
"""Of a match's score, which is single precision: further digits differ between equal passages."""


@dataclass(frozen=True, slots=True)
class Match:
    """A passage that a search found; `score` is a cosine or a BM25 score."""

    passage_id: str
    document_id: str
    """Of the document that the passage is of."""
    score: float


class PassageIndex(Protocol):
    """Dense and lexical search over passages that a scope may read.

    What `filters.permits` does not let through is excluded before ranking: it neither comes back
    nor takes a place. Every method raises `IndexMismatch` where what is stored was made by another
    embedder or for other facets, and `IndexUnavailable` where the engine cannot be used.
    """

    @property
    def name(self) -> str:
        """The engine's; a calibration names it, since BM25 differs from engine to engine."""
        ...

    def upsert(self, entries: Sequence[IndexEntry]) -> None:
        """Add entries, replacing those of the same passages; the last of two in one call.

        Raise `ValueError` for a vector of another dimension or with no direction.
        """
        ...

    def delete(self, passage_ids: Collection[str]) -> None:
        """Remove the entries of passages; an id that is not there is no error."""
        ...

    def ids(self, document_ids: Collection[str] | None = None) -> frozenset[str]:
        """The id of every passage that has an entry; of these documents, where they are given."""
        ...

    def count(self) -> int:
        """How many passages have an entry; quick, however many there are."""
        ...

    def reached(self) -> int:
        """The number that `reach` noted last; 0 where nobody did, or the index was lost since."""
        ...

    def reach(self, change: int) -> None:
        """Note up to which of the library's changes this index was brought in line with it."""
        ...

    @property
    def is_outdated(self) -> bool:
        """Whether it must be made anew first, as after an upgrade; False where there is none."""
        ...

    def clear(self) -> None:
        """Forget everything, also in the engine's files, and what `renew` began."""
        ...

    def renew(self, change: int) -> AbstractContextManager["PassageIndex"]:
        """Yield an index beside this one, which takes its place when the block ends well.

        It is empty, or holds what a block that was killed wrote for the same change of the library,
        embedder and facets.
        """
        ...

    def nearest(self, vector: NDArray[np.float32], scope: Scope, limit: int) -> list[Match]:
        """The closest passages by cosine, best first, ties by passage id, at most `limit`.

        `vector` has the shape (dimension,); raise `ValueError` for another one. Where entries are
        many, an engine may miss some (docs/measurements.md), never find what may not be read, and
        of more equal ones than it gives at once give any.
        """
        ...

    def lexical(self, words: str, scope: Scope, limit: int) -> list[Match]:
        """The best by BM25, as `nearest`; none that share no word with `words`."""
        ...

    def vectors(self, passage_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """By passage id; what is not there is left out."""
        ...

    def optimize(self) -> None:
        """Fold what was written into the search structures; cheap where nothing was."""
        ...


@dataclass(frozen=True, slots=True)
class SourceFile:
    path: str
    """Its id: below the source, with forward slashes. Whoever writes there chose it; it may be
    anything."""
    etag: str = ""
    modified: datetime | None = None
    size: int | None = None
    """In bytes."""
    is_link: bool = False
    """To whatever: links are not followed."""
    audience: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Whom its source lets read it, as in `AccessRule`; it only narrows what else is said."""
    main_text_only: bool = False
    """Whether menus and the like are no part of what a page says, as `parsing.main_text` has it."""

    @property
    def mark(self) -> str:
        """What changes with its content; empty where the listing does not tell."""
        if self.etag:
            return self.etag
        return f"{self.modified.isoformat()} {self.size}" if self.modified else ""


@dataclass(frozen=True, slots=True)
class SourceListing:
    """All that stands in a source, but for what stands in folders that may not be listed."""

    files: tuple[SourceFile, ...]
    unlisted: Mapping[str, str] = field(default_factory=dict)
    """Folders that may not be listed, by path (`.` is the source itself), and why."""
    tells_readers: bool = False
    """Whether it says who may read each file, and has those alone that its reader may."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The content of a file, to be read once."""

    chunks: Iterable[bytes]
    """Raise as `DocumentSource.fetch` does."""
    mark: str = ""
    """What `fetch` is told next time, where the listing has no mark."""


class DocumentSource(Protocol):
    """Where documents live.

    What passes by itself (a time limit, a server's fault, half a listing) raises
    `SourceUnavailable`, and no message holds a secret, or words of a server.
    """

    def listing(self) -> SourceListing:
        """Return all files. Raise `SourceUnavailable`, also where it cannot be whole."""
        ...

    def fetch(self, file: SourceFile, held: str = "") -> Fetched | None:
        """Return a listed file; None where it is as it was when `held` was its mark.

        Raise `UnreadableDocument` for one that is gone or closed to us, and `SourceUnavailable`.
        """
        ...

    def link(self, path: str) -> str:
        """Return where people open a listed file in a browser; empty where they cannot."""
        ...
