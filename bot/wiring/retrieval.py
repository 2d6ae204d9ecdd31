"""What brings documents into library and index, and what finds passages there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bot.settings import Settings
from bot.wiring.stores_and_models import ModelsInUse

if TYPE_CHECKING:
    from bot.wiring.learned_questions import AuditedQuestions
    from retrieval.documents.port import LibraryReader
    from retrieval.index.certificate import Space
    from retrieval.ingest.chunking import Chunking
    from retrieval.ingest.expansion import Expansion
    from retrieval.ingest.parser_pool import ParserPool
    from retrieval.ingest.sync import Ingest
    from retrieval.language.glossary import Glossary
    from retrieval.ports import EntryKind, PassageIndex
    from retrieval.search.query_understanding import PlainWords
    from retrieval.search.search import Search
    from retrieval.search.selection import Around

PACKAGES = {"lancedb": "lancedb", "weaviate": "weaviate-client"}
"""What an engine is installed as."""


def index_of(
    settings: Settings,
    library: "LibraryReader",
    spaces: "Mapping[str, Space]",
    facets: Sequence[str],
    made_by: "Mapping[EntryKind, str]",
) -> "PassageIndex":
    """The index of the settings; one on a server is named for its library.

    `made_by`: what makes entries of other kinds than passages.
    """
    if settings.index == "lancedb":
        from retrieval.index.lance_index import LanceIndex

        return LanceIndex(settings.home / "index", spaces, facets, made_by=made_by)
    from retrieval.index.weaviate_index import WeaviateIndex
    from retrieval.index.weaviate_server import Address, Server

    address = Address(
        settings.weaviate_url.get_secret_value(),
        settings.weaviate_grpc_port,
        settings.weaviate_key.get_secret_value(),
        settings.weaviate_timeout_seconds,
    )
    return WeaviateIndex(
        Server(address),
        f"Vouch_{library.library_id()}",
        spaces,
        facets,
        consistency=settings.weaviate_consistency,
        replicas=settings.weaviate_replicas,
        made_by=made_by,
    )


MOST_PARSING = 4
"""Processes that read documents, unless the settings say more: each may take a gigabyte."""


@dataclass(frozen=True)
class Ingesting(ModelsInUse):
    """Builds each part of an ingest once, when it is first asked for."""

    @cached_property
    def index(self) -> "PassageIndex":
        from retrieval.index.certificate import Space

        spaces = {
            space: Space(embedder.name, embedder.dimension)
            for space, embedder in self.models.embedders.items()
        }
        return index_of(
            self.settings, self.library, spaces, self.ontology.facets, self.expansion.made_by
        )

    @property
    def index_files(self) -> Path | None:
        """The folder of the index; None on a server, whose files are its own."""
        return self.home / "index" if self.settings.index == "lancedb" else None

    @property
    def entry_kinds(self) -> "tuple[EntryKind, ...]":
        from retrieval.ports import EntryKind

        return tuple(map(EntryKind, self.settings.entry_kinds))

    @cached_property
    def expansion(self) -> "Expansion":
        """What makes further entries of passages for the index."""
        from retrieval.ingest.confirmed_questions import WithLearned
        from retrieval.ingest.expansion import NO_EXPANSION, WithoutAsked
        from retrieval.ingest.rule_expansion import RuleExpansion

        kinds = self.entry_kinds
        if not kinds:
            return NO_EXPANSION
        by_openai = self.settings.entries_by == "openai"
        made: Expansion = self._written_expansion if by_openai else RuleExpansion(kinds)
        if self.readers:
            made = WithLearned(made, self.library, self.readers.texts)
        return WithoutAsked(made, self.asked) if self.asked else made

    @property
    def _written_expansion(self) -> "Expansion":
        """By a language model, but for sentences."""
        from retrieval.ingest.expansion import Together, WrittenExpansion
        from retrieval.ingest.rule_expansion import RuleExpansion
        from retrieval.ports import EntryKind

        written = tuple(map(EntryKind, self.settings.written_entries))
        by_rules = tuple(kind for kind in self.entry_kinds if kind not in written)
        by_model = WrittenExpansion(self._chat.lead_writers(), self.library, written)
        return Together([by_model, RuleExpansion(by_rules)] if by_rules else [by_model])

    @cached_property
    def readers(self) -> "AuditedQuestions | None":
        """Whose questions the index learns, but those by which quality is measured."""
        if not self.settings.learn_questions:
            return None
        from bot.wiring.learned_questions import AuditedQuestions

        return AuditedQuestions(self.audit_reader, self._labelled)

    def _labelled(self) -> list[str]:
        """The questions by which quality is measured."""
        from bot.quality.questions import load_questions

        named = self.settings.quality_questions
        return [each.question for each in load_questions(named, split=None)] if named else []

    @property
    def chunking(self) -> "Chunking":
        from retrieval.ingest.chunking import PARAGRAPHS

        return self.cut_by or PARAGRAPHS

    @property
    def parsing(self) -> "ParserPool":
        from retrieval.ingest.parser_pool import ParserPool, ParsingLimits
        from retrieval.models.onnx import usable_processors
        from retrieval.parsing.recognition import OFF, Recognition

        settings = self.settings
        on = Recognition(
            settings.ocr_languages, settings.ocr_seconds, is_required=settings.ocr == "required"
        )
        return ParserPool(
            settings.parsing_workers or min(usable_processors(), MOST_PARSING),
            ParsingLimits(
                settings.parsing_megabytes,
                settings.parsing_processor_seconds,
                settings.parsing_seconds,
            ),
            OFF if settings.ocr == "off" else on,
        )

    @cached_property
    def ingest(self) -> "Ingest":
        from retrieval.ingest.indexed_library import IndexedLibrary
        from retrieval.ingest.sync import Ingest

        return Ingest(
            IndexedLibrary(self.library, self.index, self.models.embedders, self.expansion),
            self.ontology,
            self.settings.largest_megabytes,
            self.parsing,
            chunking=self.chunking,
            readers=self.readers,
        )

    def forget_old_versions(self) -> int:
        """Let go of the text of what left long ago, but for what an answer cites; how many."""
        from datetime import UTC, datetime, timedelta

        before = datetime.now(UTC) - timedelta(days=self.settings.keep_versions_days)
        return self.ingest.forget_versions(before, self.is_cited)

    def source_of(self, document_id: str, version: str) -> str:
        """The text of a document's version, which offsets count in; empty where there is none."""
        parsed = self.library.parsed(document_id, version)
        return parsed.source if parsed else ""


@dataclass(frozen=True)
class Retrieving(Ingesting):
    """Builds each part of the search once, when it is first asked for."""

    @cached_property
    def search(self) -> "Search":
        from retrieval.search.retrievers import (
            EntryRetriever,
            LexicalRetriever,
            dense_retrievers,
        )
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
                *(EntryRetriever(self.index, most[kind], kind) for kind in self.entry_kinds),
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
