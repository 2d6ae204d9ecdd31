"""What finds passages."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bot.wiring.ingesting import Ingesting

if TYPE_CHECKING:
    from retrieval.language.glossary import Glossary
    from retrieval.ports import EntryKind
    from retrieval.search.query_understanding import PlainWords
    from retrieval.search.retrievers import Retriever
    from retrieval.search.search import Search
    from retrieval.search.selection import Around


@dataclass(frozen=True)
class Retrieving(Ingesting):
    """Builds each part of the search once, when it is first asked for."""

    @cached_property
    def search(self) -> "Search":
        from retrieval.search.retrievers import LexicalRetriever, dense_retrievers
        from retrieval.search.search import Search, SearchSettings
        from retrieval.search.selection import OrganisationalSelection

        embedders, most = self.models.embedders, self.settings.retrieved_by
        return Search(
            self.library,
            self.index,
            embedders,
            self.ontology,
            (
                *dense_retrievers(self.index, list(embedders), most),
                LexicalRetriever(self.index, most["bm25"]),
                *(self._entry_retriever(kind, most[kind]) for kind in self.entry_kinds),
            ),
            self.reranker,
            self.window_reranker,
            self.listwise_reranker,
            OrganisationalSelection(
                self.settings.relevance_threshold,
                self.settings.most_passages,
                floor=self.settings.reading_floor if self.language_models else None,
                most_per_stream=self.settings.most_per_stream or None,
            ),
            context=self._context,
            settings=SearchSettings(self.settings.candidates, self.settings.rrf_k),
        )

    def _entry_retriever(self, kind: "EntryKind", most: int) -> "Retriever":
        from retrieval.search.retrievers import BlendedRetriever, EntryRetriever

        if kind == "question" and self.settings.entry_scores == "blend":
            return BlendedRetriever(self.index, most)
        return EntryRetriever(self.index, most, kind)

    @cached_property
    def plain_words(self) -> "PlainWords":
        from retrieval.language.spelling import SpellingProposals
        from retrieval.search.query_understanding import PlainWords

        return PlainWords(self.library, self.index, SpellingProposals(), self.glossary)

    @cached_property
    def glossary(self) -> "Glossary":
        """Empty where none is named; raise `BadGlossary`."""
        from retrieval.language.glossary import Glossary, load_glossary

        named = self.settings.glossary
        return load_glossary(named) if named else Glossary()

    @property
    def _context(self) -> "Around":
        from retrieval.search.selection import neighbours_of, nothing_around, sections_of

        ways = {"neighbours": neighbours_of, "section": sections_of, "none": nothing_around}
        return ways[self.settings.context]
