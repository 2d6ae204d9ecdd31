"""A library and its index that tests fill by hand, with models that see words alone."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from fakes import StatedReranker, WordsEmbedder, lance_index
from libraries import library_in

from retrieval.documents.holdings import Acquisition, Fingerprint
from retrieval.ingest.indexed_library import IndexedLibrary
from retrieval.metadata.ontology import load_ontology
from retrieval.ports import Reranker
from retrieval.search.ranking import DenseRetriever, LexicalRetriever
from retrieval.search.reranking import WindowReranker
from retrieval.search.search import Search, SearchSettings
from retrieval.search.selection import OrganisationalSelection, Selection
from retrieval.search.timing import Stages
from retrieval.types import Document, Evidence, Metadata, Passage, Scope, Sentence

TODAY = date(2026, 3, 2)
GUEST = Scope({}, TODAY)


class Shelves:
    def __init__(self, folder: Path) -> None:
        self.library = library_in(folder)
        self.index = lance_index(folder / "index")
        self.indexed = IndexedLibrary(self.library, self.index, WordsEmbedder())

    def add(
        self,
        name: str,
        *texts: str,
        metadata: Metadata | None = None,
        sections: Sequence[tuple[str, ...]] = (),
        title: str = "",
    ) -> Document:
        """A document with a passage for each text; their ids are name-0, name-1, ..."""
        paths = sections or [()] * len(texts)
        document = Document(
            name,
            f"{name}.md",
            self.library.next_version(name),
            datetime.now(UTC),
            title or name,
            metadata or Metadata(),
        )
        passages = [
            Passage(f"{name}-{n}", document, n, paths[n], (Sentence(text, 0, len(text)),), text)
            for n, text in enumerate(texts)
        ]
        fingerprint = Fingerprint(0, 0, "", "")
        self.indexed.store([Acquisition("docs", document, fingerprint, passages)], Stages())
        return document

    def search(
        self,
        query: str,
        scope: Scope = GUEST,
        settings: SearchSettings | None = None,
        parts: Sequence[str] = (),
        window_reranker: WindowReranker | None = None,
        selection: Selection | None = None,
    ) -> Evidence:
        search = replace(
            self.composed(settings),
            window_reranker=window_reranker,
            selection=selection or OrganisationalSelection(),
        )
        return search(query, scope, Stages(), parts)

    def composed(self, settings: SearchSettings | None = None) -> Search:
        most = (settings or SearchSettings()).candidates
        return Search(
            self.library,
            self.index,
            WordsEmbedder(),
            load_ontology(),
            (DenseRetriever(self.index, most), LexicalRetriever(self.index, most)),
            StatedReranker(),
            settings=settings or SearchSettings(),
        )

    def composed_with(self, reranker: Reranker) -> Search:
        return replace(self.composed(), reranker=reranker)
