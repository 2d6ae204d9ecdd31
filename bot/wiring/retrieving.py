"""What finds passages: each concrete model and index is named here and nowhere else."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bot.settings.models import BUNDLED
from bot.wiring.fitted import RANK_CONSTANT
from bot.wiring.stores import Stores

if TYPE_CHECKING:
    from bot.answering.calibration import Calibration
    from bot.learned_questions import AuditedQuestions
    from bot.wiring.fitted import Fitted
    from bot.wiring.language_models import LanguageModels
    from bot.wiring.models import Models
    from retrieval.context import Around
    from retrieval.ingest.chunking import Chunking
    from retrieval.ingest.expansion.port import Expansion
    from retrieval.ingest.pool import ParserPool
    from retrieval.ingest.sync import Ingest
    from retrieval.language.glossary import Glossary
    from retrieval.plain_words import PlainWords
    from retrieval.ports import (
        CrossEncoder,
        Embedder,
        Entailment,
        EntryKind,
        ListwiseReranker,
        PassageIndex,
        Reranker,
    )
    from retrieval.rerank import SentenceReranker
    from retrieval.retrievers import Retriever
    from retrieval.search import Search

MOST_PARSING = 4
"""Processes that read documents, unless the settings say more: each may take a gigabyte."""


@dataclass(frozen=True)
class Retrieving(Stores):
    """Builds each part of the search once, when it is first asked for."""

    @property
    def _threads(self) -> int:
        from retrieval.models.processors import usable_processors

        return self.settings.threads or usable_processors()

    @cached_property
    def models(self) -> "Models":
        from bot.wiring.models import Models, Server

        if self.shared_models is not None:
            return self.shared_models
        named = self.settings
        reranker = BUNDLED if named.reranks_by_language_model else named.reranker
        entailment = BUNDLED if named.checks_by_language_model else named.entailment
        return Models(
            named.embedder,
            reranker,
            entailment,
            self._threads,
            more_embedders=named.further_embedders,
            server=Server(*named.embeddings_server, named.openai_timeout_seconds),
        )

    @property
    def embedder(self) -> "Embedder":
        return self.models.embedder

    @cached_property
    def index(self) -> "PassageIndex":
        from bot.wiring.indexes import index_of
        from retrieval.index.certificate import Space

        spaces = {
            space: Space(embedder.name, embedder.dimension)
            for space, embedder in self.models.embedders.items()
        }
        return index_of(
            self.settings, self.library, spaces, self.ontology.facets, self.expansion.made_by
        )

    @cached_property
    def expansion(self) -> "Expansion":
        """What makes further entries of passages for the index."""
        from retrieval.ingest.expansion.learned import WithLearned
        from retrieval.ingest.expansion.port import NO_EXPANSION
        from retrieval.ingest.expansion.rules import RuleExpansion
        from retrieval.ingest.expansion.without import WithoutAsked

        kinds = self.entry_kinds
        if not kinds:
            return NO_EXPANSION
        by_openai = self.settings.entries_by == "openai"
        made: Expansion = self._written_expansion if by_openai else RuleExpansion(kinds)
        if self.readers:
            made = WithLearned(made, self.library, self.readers.texts)
        return WithoutAsked(made, self.asked) if self.asked else made

    @cached_property
    def readers(self) -> "AuditedQuestions | None":
        """Whose questions the index learns, but those by which quality is measured."""
        if not self.settings.learn_questions:
            return None
        from bot.learned_questions import AuditedQuestions

        return AuditedQuestions(self.audit_reader, self._labelled)

    def _labelled(self) -> list[str]:
        """The questions by which quality is measured."""
        from bot.evaluation.questions import load_questions

        named = self.settings.quality_questions
        return [each.question for each in load_questions(named, split=None)] if named else []

    @property
    def _written_expansion(self) -> "Expansion":
        """By a language model, but for sentences."""
        from retrieval.ingest.expansion.rules import RuleExpansion
        from retrieval.ingest.expansion.together import Together
        from retrieval.ingest.expansion.written import WrittenExpansion
        from retrieval.ports import EntryKind

        written = tuple(map(EntryKind, self.settings.written_entries))
        by_rules = tuple(kind for kind in self.entry_kinds if kind not in written)
        by_model = WrittenExpansion(self._chat.lead_writers(), self.library, written)
        return Together([by_model, RuleExpansion(by_rules)] if by_rules else [by_model])

    @property
    def entry_kinds(self) -> "tuple[EntryKind, ...]":
        from retrieval.ports import EntryKind

        return tuple(map(EntryKind, self.settings.entry_kinds))

    @property
    def index_files(self) -> Path | None:
        """The folder of the index; None on a server, whose files are its own."""
        return self.home / "index" if self.settings.index == "lancedb" else None

    def source_of(self, document_id: str, version: str) -> str:
        """The text of a document's version, which offsets count in; empty where there is none."""
        parsed = self.library.parsed(document_id, version)
        return parsed.source if parsed else ""

    @property
    def index_engine(self) -> str:
        """The index's name; making the index would ask the embedder for its dimension."""
        return self.settings.index

    @cached_property
    def fitted(self) -> "Fitted":
        """The calibration of the settings, as far as it belongs to models and writer in use."""
        from bot.wiring.fitted import fitted_calibration

        settings = self.settings
        writer = settings.writer_in_use
        return fitted_calibration(settings.calibration, self.model_names, writer, self.index_engine)

    @cached_property
    def calibration(self) -> "Calibration":
        return self.calibrated_as or self.fitted.calibration

    def save_calibration(self, calibration: "Calibration", path: Path) -> None:
        """Write it with the names of models, writer and index in use, which it belongs to."""
        from bot.answering.calibration import save_calibration

        belonging = replace(
            calibration,
            models=self.model_names,
            writer=self.settings.writer_in_use,
            index=self.index_engine,
        )
        save_calibration(belonging, path)

    @cached_property
    def _chat(self) -> "LanguageModels":
        from bot.wiring.language_models import LanguageModels

        return LanguageModels(self.settings)

    @property
    def cross_encoder(self) -> "CrossEncoder":
        return self.models.cross_encoder

    @cached_property
    def reranker(self) -> "Reranker":
        from retrieval.rerank import CalibratedReranker

        calibration = self.calibration
        return CalibratedReranker(
            self.cross_encoder, calibration.relevance.reranking, calibration.name
        )

    @property
    def sentence_reranker(self) -> "SentenceReranker | None":
        from retrieval.rerank import SentenceReranker

        relevance = self.calibration.relevance
        order, answering = relevance.sentence_reranking, relevance.of_reread
        if order is None or answering is None:
            return None
        return SentenceReranker(self.cross_encoder, self.embedder, order, answering)

    @cached_property
    def listwise_reranker(self) -> "ListwiseReranker | None":
        """None where no language model is asked what is relevant."""
        if not self.settings.reranks_by_language_model:
            return None
        return self._chat.reranker()

    @property
    def _listwise_name(self) -> Mapping[str, str]:
        return {"listwise": self.listwise_reranker.name} if self.listwise_reranker else {}

    @cached_property
    def entailment(self) -> "Entailment":
        """What claims are checked with: one of the models here, or a language model."""
        if self.settings.checks_by_language_model:
            return self._chat.entailment()
        return self.models.entailment

    @property
    def model_names(self) -> Mapping[str, str]:
        """Of the models in use, by what they do, and of what else their scores depend on."""
        k = self.settings.rrf_k
        another = (
            {RANK_CONSTANT: str(k)}
            if k != type(self.settings).model_fields["rrf_k"].default
            else {}
        )
        entailment = {"entailment": self.entailment.name}
        return {**self.models.names, **entailment, **self._listwise_name, **another}

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

    @cached_property
    def chunking(self) -> "Chunking":
        """How documents are cut, always by what is bundled: no text leaves for it."""
        settings = self.settings
        if settings.chunking == "fixed":
            from retrieval.ingest.chunking.fixed import Fixed
            from retrieval.models.word_pieces import BundledWordPieces

            return Fixed(BundledWordPieces(), settings.chunk_tokens, settings.chunk_overlap)
        if settings.chunking == "semantic":
            from retrieval.ingest.chunking.semantic import Semantic
            from retrieval.models.embedders import BundledEmbedder

            return Semantic(BundledEmbedder(threads=self._threads), settings.chunk_most_words)
        from retrieval.ingest.chunking import Paragraphs

        return Paragraphs(settings.chunk_enough_words, settings.chunk_most_words)

    def forget_old_versions(self) -> int:
        """Let go of the text of what left long ago, but for what an answer cites; how many."""
        from datetime import UTC, datetime, timedelta

        before = datetime.now(UTC) - timedelta(days=self.settings.keep_versions_days)
        return self.ingest.forget_versions(before, self.is_cited)

    @property
    def parsing(self) -> "ParserPool":
        from retrieval.ingest.pool import ParserPool
        from retrieval.ingest.worker import ParsingLimits
        from retrieval.models.processors import usable_processors
        from retrieval.parsing.recognition.tesseract import OFF, Recognition

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
    def search(self) -> "Search":
        from retrieval.retrievers import LexicalRetriever, dense_retrievers
        from retrieval.search import Search, SearchSettings
        from retrieval.selection import OrganisationalSelection

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
            self.sentence_reranker,
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
        from retrieval.blending import BlendedRetriever
        from retrieval.retrievers import EntryRetriever

        if kind == "question" and self.settings.entry_scores == "blend":
            return BlendedRetriever(self.index, most)
        return EntryRetriever(self.index, most, kind)

    @cached_property
    def plain_words(self) -> "PlainWords":
        from retrieval.language.spelling import SpellingProposals
        from retrieval.plain_words import PlainWords

        return PlainWords(self.library, self.index, SpellingProposals(), self.glossary)

    @cached_property
    def glossary(self) -> "Glossary":
        """Empty where none is named; raise `BadGlossary`."""
        from retrieval.language.glossary import Glossary, load_glossary

        named = self.settings.glossary
        return load_glossary(named) if named else Glossary()

    @property
    def _context(self) -> "Around":
        from retrieval.context import neighbours_of, nothing_around, sections_of

        ways = {"neighbours": neighbours_of, "section": sections_of, "none": nothing_around}
        return ways[self.settings.context]

    @property
    def language_models(self) -> "LanguageModels | None":
        """None where none understands and writes."""
        return self._chat if self.settings.writer == "openai" else None
