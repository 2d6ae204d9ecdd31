"""Stores and models of the settings, each built once, and the calibration that belongs to them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bot.settings import Settings
from bot.settings.answering import BUNDLED

if TYPE_CHECKING:
    from audit.log import AuditReader, AuditWriter
    from bot.access.people import LiveAccess
    from bot.answering.calibration import Calibration
    from bot.wiring.calibration import Fitted
    from bot.wiring.models import LanguageModels, Models
    from retrieval.documents.port import Library
    from retrieval.ingest.chunking import Chunking
    from retrieval.metadata.ontology import Ontology
    from retrieval.ports import CrossEncoder, Embedder, Entailment, ListwiseReranker, Reranker
    from retrieval.search.calibration import RelevanceCalibration
    from retrieval.search.reranking import WindowReranker


@dataclass(frozen=True)
class Stores:
    """Builds each store once, when it is first asked for."""

    settings: Settings
    calibrated_as: "Calibration | None" = None
    shared_models: "Models | None" = None
    asked: frozenset[str] = frozenset()
    """Of a measurement, the questions that it asks: no entry of the index may be worded so."""
    cut_by: "Chunking | None" = None
    """Of a measurement, how a published system cuts documents; None: at paragraphs."""

    @property
    def home(self) -> Path:
        return self.settings.home

    @cached_property
    def ontology(self) -> "Ontology":
        from retrieval.metadata.ontology import load_ontology

        return load_ontology(self.settings.ontology)

    @cached_property
    def access(self) -> "LiveAccess":
        from bot.access.people import Access, Channels, LiveAccess, People

        people, channels = self.home / "people.yaml", self.home / "channels.yaml"
        return LiveAccess(
            lambda: Access(
                People.load(people, self.ontology), Channels.load(channels, self.ontology)
            ),
            [people, channels],
        )

    @cached_property
    def library(self) -> "Library":
        from retrieval.documents.seal import kept_key
        from retrieval.documents.sql_library import SqlLibrary

        stated = self.settings.library_key.get_secret_value()
        key = stated.encode() if stated else kept_key(self.home / "library.key")
        return SqlLibrary(self.settings.library_database, key)

    @cached_property
    def audit_writer(self) -> "AuditWriter":
        from audit.log import open_writer

        return open_writer(self.settings.audit_database)

    @cached_property
    def audit_reader(self) -> "AuditReader":
        from audit.log import open_reader

        return open_reader(self.settings.audit_database)

    def is_cited(self, version: tuple[str, str]) -> bool:
        """Tell whether an answer of the audit store cites a version of a document."""
        document_id, number = version
        return number in self.audit_reader.cited_versions(document_id)


OWN_RELEVANCE = "reranker.json"
"""In the home: what the logits of a named reranker mean."""


@dataclass(frozen=True)
class ModelsInUse(Stores):
    """Builds each model once, when it is first asked for."""

    @property
    def _threads(self) -> int:
        from retrieval.models.onnx import usable_processors

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

    @property
    def cross_encoder(self) -> "CrossEncoder":
        return self.models.cross_encoder

    @cached_property
    def fitted(self) -> "Fitted":
        """The calibration of the settings, as far as it belongs to models and writer in use."""
        from bot.wiring.calibration import fitted_calibration

        settings = self.settings
        writer = settings.writer_in_use
        own = self._own_relevance
        return fitted_calibration(settings.calibration, self.model_names, writer, own=own)

    def _own_relevance(self) -> "RelevanceCalibration | None":
        """Of a reranker that nobody calibrated: fitted once, in minutes, and kept in the home."""
        from bot.wiring.calibration import kept_or_fitted

        return kept_or_fitted(
            self.cross_encoder, self.settings.relevance_threshold, self.home / OWN_RELEVANCE
        )

    @property
    def index_engine(self) -> str:
        """The index's name; making the index would ask the embedder for its dimension."""
        return self.settings.index

    @cached_property
    def calibration(self) -> "Calibration":
        return self.calibrated_as or self.fitted.calibration

    def save_calibration(self, calibration: "Calibration", path: Path) -> None:
        """Write it with the names of models and writer in use, which it belongs to."""
        from bot.answering.calibration import save_calibration

        belonging = replace(
            calibration,
            models=self.model_names,
            writer=self.settings.writer_in_use,
        )
        save_calibration(belonging, path)

    @cached_property
    def reranker(self) -> "Reranker":
        from retrieval.search.reranking import CalibratedReranker

        calibration = self.calibration
        return CalibratedReranker(self.cross_encoder, calibration.relevance, calibration.name)

    @property
    def window_reranker(self) -> "WindowReranker":
        from retrieval.search.reranking import WindowReranker

        return WindowReranker(self.cross_encoder, self.calibration.relevance)

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
        """Of the models in use, by what they do."""
        entailment = {"entailment": self.entailment.name}
        return {**self.models.names, **entailment, **self._listwise_name}

    @cached_property
    def _chat(self) -> "LanguageModels":
        from bot.wiring.models import LanguageModels

        return LanguageModels(self.settings)

    @property
    def language_models(self) -> "LanguageModels | None":
        """None where none understands and writes."""
        return self._chat if self.settings.writer == "openai" else None
