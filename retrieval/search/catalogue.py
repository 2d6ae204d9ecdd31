"""What stands in the library on something, by titles, kinds, headings and likeness.

Whatever index and library say, a document is named where the scope may read it, and else nothing
tells of it: neither a number nor an order.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from retrieval.documents.port import LibraryReader
from retrieval.language.words import stems, words_of
from retrieval.metadata.access import permits
from retrieval.ports import Embedder, Match, PassageIndex
from retrieval.types import Document, Passage, Scope

MOST_PASSAGES = 300
"""That each search looks at for documents on something."""
ENOUGH = 50
"""Documents that are called so, from which on headings and likeness are not looked at, as where any
is of such a kind: counted are then those that are called so alone."""
SAME_TOPIC_SHARE = 0.75
"""Share of the best cosine from which another document is on the same thing. Not measured; chosen
so that "leave policies" does not bring the other policies."""
MOST_TITLES = 20
"""Of the documents that come nearest, which are compared with what is asked about."""
CALLED = 0.6
"""Cosine of a title and what a document was called, from which it may be meant where no title has
the words. Not measured; "expenses policy" and "Leave policy" have 0.39."""


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A document stands in the library, and speaks of something here."""

    document: Document
    passage: Passage | None = None
    """None where the document as a whole does."""
    by_heading: bool = False
    """Whether the headings of the passage say so."""


@dataclass(frozen=True, slots=True)
class OnTopic:
    """These documents are on something, best first."""

    documents: tuple[CatalogueEntry, ...]
    complete: bool
    """Else there may be more of them."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    library: LibraryReader
    index: PassageIndex
    embedder: Embedder
    """The index's."""
    readable: Callable[[Scope], Sequence[Document]]
    """The documents that may be read in a scope."""
    near: float
    """The cosine from which a document is on something that another one names; 1 for an embedder
    that nobody measured."""
    alone: float
    """The cosine from which it is where none names it; 1 likewise."""

    def all(self, scope: Scope) -> list[Document]:
        """All that may be read, what was read in last first."""
        mine = self.readable(scope)
        if scope.documents is not None:
            mine = [each for each in mine if each.document_id in scope.documents]
        return sorted(mine, key=lambda each: (each.ingested_at, each.file), reverse=True)

    def on(self, topic: str, scope: Scope) -> OnTopic:
        """What is on a topic: by its name first, then by a heading, then by likeness.

        Where nothing is, what has all its words in a passage.

        BM25 finds headings and orders nothing: it moves with words that the reader may not see.
        """
        mine = {each.document_id: each for each in self.all(scope)}
        wanted = stems(words_of(topic))
        named = [each for each in mine.values() if wanted <= stems(words_of(_names(each)))]
        named.sort(key=lambda each: (_others(each, wanted), each.title, each.file))
        found = {each.document_id: CatalogueEntry(each) for each in named}
        of_a_kind = any(wanted <= stems(words_of(_kind(each))) for each in named)
        if of_a_kind or len(named) >= ENOUGH:
            return OnTopic(tuple(found.values()), complete=True)
        matched = self.index.lexical(topic, scope, MOST_PASSAGES)
        vector = self._vector(topic)
        near = self.index.nearest(vector, scope, MOST_PASSAGES)
        read = self.library.passages({each.passage_id for each in (*matched, *near)})
        passages = {name: each for name, each in read.items() if _is_open(each, scope)}
        near = [each for each in near if each.passage_id in passages]
        in_order = (passages[m.passage_id] for m in matched if m.passage_id in passages)
        for passage in sorted(in_order, key=lambda each: (each.heading, each.ordinal)):
            headings = f"{passage.heading} {_names(passage.document)}"
            if wanted <= stems(words_of(headings)):
                headed = CatalogueEntry(passage.document, passage, by_heading=True)
                found.setdefault(passage.document.document_id, headed)
        alike = self._alike(vector, near, mine)
        least = max(
            self.near if found else self.alone, SAME_TOPIC_SHARE * max(alike.values(), default=0.0)
        )
        places = {each.document_id: each.passage_id for each in reversed(near)}
        for document_id, cosine in alike.items():
            if cosine >= least:
                passage = passages[places[document_id]]
                found.setdefault(document_id, CatalogueEntry(mine[document_id], passage))
        if not found:
            for passage in sorted(passages.values(), key=lambda each: each.ordinal):
                if wanted <= stems(words_of(passage.text)):
                    mention = CatalogueEntry(passage.document, passage)
                    found.setdefault(passage.document.document_id, mention)
        kept = tuple(each for document_id, each in found.items() if document_id in mine)
        return OnTopic(kept, len(matched) < MOST_PASSAGES)

    def _alike(
        self, vector: NDArray[np.float32], near: Sequence[Match], mine: Mapping[str, Document]
    ) -> dict[str, float]:
        """The cosine of each document that comes near: of its nearest passage, or of its title."""
        cosines: dict[str, float] = {}
        for match in near:
            if match.document_id in mine and len(cosines) < MOST_TITLES:
                cosines.setdefault(match.document_id, match.score)
        if not cosines:
            return {}
        titles = self.embedder.embed([mine[each].title for each in cosines]) @ vector
        of_title = dict(zip(cosines, titles.tolist(), strict=True))
        best = {each: max(cosine, of_title[each]) for each, cosine in cosines.items()}
        return dict(sorted(best.items(), key=lambda each: -each[1]))

    def called(self, name: str, scope: Scope) -> list[Document]:
        """The documents that are meant by a name, those that fit equally well; none where none.

        One whose title has the words comes before one whose kind or file has.
        """
        mine = self.all(scope)
        wanted = stems(words_of(name))
        if not wanted:
            return []
        named = [each for each in mine if wanted <= stems(words_of(_titles(each)))]
        titled = [each for each in named if wanted <= stems(words_of(each.title))]
        if named:
            fewest = min(_others(each, wanted) for each in titled or named)
            return [each for each in titled or named if _others(each, wanted) == fewest]
        known = {each.document_id: each for each in mine}
        vector = self._vector(name)
        matches = self.index.nearest(vector, scope, MOST_TITLES)
        near = [
            known[each] for each in dict.fromkeys(m.document_id for m in matches) if each in known
        ]
        if not near or self.alone >= 1.0:
            return []
        cosines = self.embedder.embed([each.title for each in near]) @ vector
        best = int(cosines.argmax())
        return [near[best]] if cosines[best] >= CALLED else []

    def begins(self, documents: Sequence[Document], scope: Scope) -> Mapping[str, Passage]:
        """The first passage of each, by the document's id."""
        first = self.library.first_passages([each.document_id for each in documents])
        return {name: each for name, each in first.items() if _is_open(each, scope)}

    def text(self, document: Document, scope: Scope) -> list[Passage]:
        passages = self.library.passages(self.library.passage_ids([document.document_id])).values()
        mine = (each for each in passages if _is_open(each, scope))
        return sorted(mine, key=lambda each: each.ordinal)

    def _vector(self, text: str) -> NDArray[np.float32]:
        return np.asarray(self.embedder.embed([text])[0], np.float32)


def _is_open(passage: Passage, scope: Scope) -> bool:
    """Asked of each passage again: an ingest may have been quicker."""
    return permits(passage.document.metadata.access, scope)


def _others(document: Document, wanted: frozenset[str]) -> int:
    """How many other words its title has."""
    return len(stems(words_of(document.title)) - wanted)


def _titles(document: Document) -> str:
    """What it is called, and what it is."""
    return f"{document.title} {document.metadata.subtype} {PurePosixPath(document.file).name}"


def _kind(document: Document) -> str:
    return f"{document.metadata.subtype} {document.metadata.level}"


def _names(document: Document) -> str:
    """The same, where it stands and whose it is."""
    metadata = document.metadata
    return f"{_titles(document)} {_kind(document)} {document.file} {metadata.owner}"
