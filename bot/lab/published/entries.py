"""Further entries lead to a passage: their vectors stand in memory, beside the index.

What leads to a passage leads to it alone, for those who may read it. As published (Vadlapati,
"Index-RAG", 2026), a question that is asked never meets an entry that is worded so.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from retrieval.index.entries import match
from retrieval.metadata.access import permits
from retrieval.ports import Embedder, Match
from retrieval.search.ranking import Query
from retrieval.search.search import Search
from retrieval.types import Passage, Scope

OF_PASSAGE, OF_QUESTION = 0.6, 0.4
"""Published weights, see `blended`."""
BLEND: Final = "blend"
"""0.6 of the passage's cosine and 0.4 of that of its document's nearest question, -1 to 1; the
passage's alone where its document has no questions."""
BLEND_RANK: Final = "blend_rank"
"""The place by that blend, a whole number from 1."""


@dataclass(frozen=True, slots=True)
class Entries:
    """Each leads to a passage, and has a row of `vectors`."""

    passages: Sequence[Passage]
    vectors: NDArray[np.float32]
    """Of unit length; shape (entries, dimension)."""
    texts: Sequence[str] = ()
    """Of each, but for case and marks; empty for passages' own entries."""

    def near(self, query: Query, scope: Scope) -> Iterator[tuple[Passage, float]]:
        """Each passage that the scope may read, with the cosine of its nearest entry."""
        asked, best = folded(query.text), dict[str, tuple[Passage, float]]()
        cosines = (self.vectors @ query.vector).tolist()
        for at, (passage, cosine) in enumerate(zip(self.passages, cosines, strict=True)):
            _, nearest = best.get(passage.passage_id, (passage, -2.0))
            if cosine > nearest and not (self.texts and self.texts[at] == asked):
                best[passage.passage_id] = passage, cosine
        return (each for each in best.values() if _is_readable(each[0], scope))


def _is_readable(passage: Passage, scope: Scope) -> bool:
    document = passage.document
    is_meant = scope.documents is None or document.document_id in scope.documents
    return is_meant and permits(document.metadata.access, scope)


def entries_of(make: Callable[[Passage], Sequence[str]], search: Search) -> Entries:
    """What is made of each passage of the library that a search reads."""
    made = [(each, text) for each in search.library.all_passages() for text in make(each)]
    texts = [text for _, text in made]
    vectors = _embedded(texts, search.embedder)
    return Entries([passage for passage, _ in made], vectors, list(map(folded, texts)))


def _embedded(texts: list[str], embedder: Embedder) -> NDArray[np.float32]:
    return embedder.embed(texts) if texts else np.zeros((0, embedder.dimension), np.float32)


def entries_by(embedder: Embedder, search: Search) -> Entries:
    """What the index would hold of each passage, were it another embedder's."""
    passages = list(search.library.all_passages())
    return Entries(passages, _embedded([each.with_heading for each in passages], embedder))


def own_entries(search: Search) -> Entries:
    """What the index holds of each passage."""
    passages = list(search.library.all_passages())
    vectors = search.index.vectors([each.passage_id for each in passages])
    held = [each for each in passages if each.passage_id in vectors]
    rows = [vectors[each.passage_id] for each in held]
    return Entries(held, np.array(rows, np.float32).reshape(-1, search.embedder.dimension))


def folded(text: str) -> str:
    """Case, white space and marks at the end make no other question."""
    return " ".join(text.casefold().split()).rstrip(" ?!.")


@dataclass(frozen=True, slots=True)
class EntryRetriever:
    """It finds the passages whose entries of one kind are closest to the query."""

    name: str
    entries: Entries
    most: int
    embedder: Embedder | None = None
    """Whose vectors those of the entries are; None: the search's own."""

    @property
    def score(self) -> str:
        return f"{self.name}_entry_cosine"

    @property
    def rank(self) -> str:
        return f"{self.name}_entry_rank"

    def __call__(self, query: Query, scope: Scope) -> list[Match]:
        if self.embedder:
            query = replace(query, vector=self.embedder.embed([query.text])[0])
        return _best(self.entries.near(query, scope), self.most)


@dataclass(frozen=True, slots=True)
class BlendedRetriever:
    """It finds passages by their own cosine and their document's nearest question's.

    What is published scores documents. Here each passage has its own cosine in the place of the
    best one, so that a document's best passage has the published score, and the others follow.
    """

    own: Entries
    questions: Entries
    most: int
    name: str = "question"
    score: str = BLEND
    rank: str = BLEND_RANK

    def __call__(self, query: Query, scope: Scope) -> list[Match]:
        of_document: dict[str, float] = {}
        for passage, cosine in self.questions.near(query, scope):
            document_id = passage.document.document_id
            of_document[document_id] = max(cosine, of_document.get(document_id, -1.0))
        scored = (
            (passage, blended(cosine, of_document.get(passage.document.document_id)))
            for passage, cosine in self.own.near(query, scope)
        )
        return _best(scored, self.most)


def blended(passage: float, question: float | None) -> float:
    """Of two cosines one score, as Vadlapati, "Index-RAG" (2026) has it for a document.

    `question` is that of its nearest question; None where it has none, and then the passage's
    stands alone.
    """
    return passage if question is None else OF_PASSAGE * passage + OF_QUESTION * question


def _best(scored: Iterable[tuple[Passage, float]], most: int) -> list[Match]:
    matches = (match(each.passage_id, each.document.document_id, score) for each, score in scored)
    return sorted(matches, key=lambda each: (-each.score, each.passage_id))[:most]
