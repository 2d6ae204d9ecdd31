"""The container: each concrete store, model and client is named here and nowhere else.

Every import of something heavy stands in the function that needs it, so that a command
loads only what it uses: `vouch audit list` opens a database and nothing else.
"""

import hashlib
import importlib.metadata
import logging
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bot.address import Address
from bot.errors import BadConfiguration
from bot.settings import BUNDLED, Settings

if TYPE_CHECKING:
    from pydantic import JsonValue

    from audit.log import AuditReader, AuditWriter
    from audit.record import Versions
    from bot.answering.calibration import Calibration
    from bot.answering.evidence import EvidenceFinder
    from bot.answering.fallback import Fallback
    from bot.answering.gate import Gate, GateCalibration
    from bot.answering.pipeline import AnsweringPipeline
    from bot.answering.query_rewriting import QueryRewriting
    from bot.answering.recording import Circumstances
    from bot.answering.verification import ClaimVerifier
    from bot.answering.writers.port import Writer
    from bot.evaluation.questions import LabelledQuestion
    from bot.evaluation.run import Evaluation
    from bot.live_access import LiveAccess
    from bot.wiring.fitted import Fitted
    from bot.wiring.language_models import LanguageModels
    from bot.wiring.models import Models
    from retrieval.documents.port import Library
    from retrieval.ingest.sync import Ingest
    from retrieval.ingest.worker import ParserWorker
    from retrieval.language.identification import EnglishIdentifier
    from retrieval.metadata.ontology import Ontology
    from retrieval.ports import CrossEncoder, Embedder, Entailment, PassageIndex, Reranker
    from retrieval.rerank import SentenceReranker
    from retrieval.search import Search
    from retrieval.types import Scope

log = logging.getLogger(__name__)

RECORDED = (
    "embedder",
    "reranker",
    "entailment",
    "entailment_model",
    "calibration",
    "ontology",
    "writer",
    "openai_base_url",
    "openai_model",
    "openai_timeout_seconds",
    "openai_stream",
    "on_writer_failure",
    "consistency_runs",
    "hyde",
    "organisation",
    "unsupported_claims",
    "candidates",
    "relevance_threshold",
    "reading_floor",
    "most_passages",
    "answer_at",
    "partial_at",
)
"""Settings that an audit record shows, since answers depend on them; no other one, so that a
new one cannot be shown by mistake."""


@dataclass(frozen=True)
class Container:
    """Builds each part once, when it is first asked for."""

    settings: Settings
    calibrated_as: "Calibration | None" = None
    shared_models: "Models | None" = None

    @property
    def home(self) -> Path:
        return self.settings.home

    def moved_to(self, home: Path, people: Path | None) -> "Container":
        """The same container with another home, for an evaluation.

        The people stay, where no other file of them is given.
        """
        known = people or self.home / "people.yaml"
        if known.exists():
            shutil.copyfile(known, home / "people.yaml")
        settings = self.settings.model_copy(
            update={"home": home, "audit_url": Address(""), "library_url": Address("")}
        )
        return Container(settings, shared_models=self.shared_models)

    def calibrated(self, calibration: "Calibration") -> "Container":
        """The same container with another calibration."""
        return Container(self.settings, calibration, self.shared_models)

    def caching(self) -> "Container":
        """The same container, whose models read every text once; for it and all made of it."""
        models = replace(self.models, remembered=None)
        return Container(self.settings, self.calibrated_as, models)

    @cached_property
    def ontology(self) -> "Ontology":
        from retrieval.metadata.ontology import load_ontology

        return load_ontology(self.settings.ontology)

    @cached_property
    def access(self) -> "LiveAccess":
        from bot.access import Access, Channels, People
        from bot.live_access import LiveAccess

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
    def models(self) -> "Models":
        from bot.wiring.models import Models

        if self.shared_models is not None:
            return self.shared_models
        named = self.settings
        entailment = BUNDLED if named.checks_by_language_model else named.entailment
        return Models(named.embedder, named.reranker, entailment, named.threads)

    @property
    def embedder(self) -> "Embedder":
        return self.models.embedder

    @cached_property
    def index(self) -> "PassageIndex":
        from retrieval.index.certificate import Space
        from retrieval.index.lance import LanceIndex
        from retrieval.ports import TEXT_SPACE

        space = Space(self.embedder.name, self.embedder.dimension)
        return LanceIndex(self.index_folder, {TEXT_SPACE: space}, self.ontology.facets)

    @property
    def index_engine(self) -> str:
        """The index's name; making the index would ask the embedder for its dimension."""
        from retrieval.index.lance import LanceIndex

        return LanceIndex.name

    @property
    def index_folder(self) -> Path:
        return self.home / "index"

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

    @property
    def cross_encoder(self) -> "CrossEncoder":
        return self.models.cross_encoder

    @cached_property
    def entailment(self) -> "Entailment":
        """What claims are checked with: one of the models here, or a language model."""
        from bot.wiring.language_models import LanguageModels

        if self.settings.checks_by_language_model:
            return LanguageModels(self.settings).entailment()
        return self.models.entailment

    @property
    def model_names(self) -> Mapping[str, str]:
        """Of the models in use, by what they do."""
        return {**self.models.names, "entailment": self.entailment.name}

    @cached_property
    def ingest(self) -> "Ingest":
        from retrieval.ingest.indexed_library import IndexedLibrary
        from retrieval.ingest.sync import Ingest

        return Ingest(
            IndexedLibrary(self.library, self.index, self.embedder),
            self.ontology,
            self.settings.largest_megabytes,
            self.parsing,
        )

    @property
    def parsing(self) -> "ParserWorker":
        from retrieval.ingest.worker import ParserWorker, ParsingLimits

        settings = self.settings
        return ParserWorker(
            ParsingLimits(
                settings.parsing_megabytes,
                settings.parsing_processor_seconds,
                settings.parsing_seconds,
            )
        )

    @property
    def index_is_outdated(self) -> bool:
        """Whether an ingest must make it anew first, as after an upgrade."""
        from retrieval.index.certificate import read_certificate

        found = read_certificate(self.index_folder)
        return found is not None and found[0].is_outdated(self.ontology.facets)

    def clear_index(self) -> None:
        """Forget all vectors; the library keeps the text to make them anew."""
        from retrieval.errors import IndexUnavailable

        try:
            shutil.rmtree(self.index_folder)
        except FileNotFoundError:
            return
        except OSError as error:
            raise IndexUnavailable(
                f"The index in {self.index_folder} cannot be removed ({error.strerror}). "
                "Make the folder writable, or remove it, and try again."
            ) from error

    def evaluation(self, questions: "Sequence[LabelledQuestion]", today: date) -> "Evaluation":
        from bot.evaluation.run import Evaluation

        return Evaluation(
            questions=questions,
            person_of=lambda name: None if name is None else self.access.people.find(name),
            passages=list(self.library.all_passages()),
            today=today,
        )

    @cached_property
    def search(self) -> "Search":
        from retrieval.retrievers import DenseRetriever, LexicalRetriever
        from retrieval.search import Search, SearchSettings
        from retrieval.selection import OrganisationalSelection

        most = self.settings.candidates
        return Search(
            self.library,
            self.index,
            self.embedder,
            self.ontology,
            (DenseRetriever(self.index, most), LexicalRetriever(self.index, most)),
            self.reranker,
            self.sentence_reranker,
            OrganisationalSelection(
                self.settings.relevance_threshold,
                self.settings.most_passages,
                floor=self.settings.reading_floor if self.language_models else None,
            ),
            settings=SearchSettings(candidates=most),
        )

    @cached_property
    def evidence(self) -> "EvidenceFinder":
        from bot.answering.evidence import EvidenceFinder

        return EvidenceFinder(self.access.scope_for, self.search, self.understanding)

    @cached_property
    def language_models(self) -> "LanguageModels | None":
        """None where no setting asks for one."""
        from bot.wiring.language_models import LanguageModels

        return LanguageModels(self.settings) if self.settings.writer == "openai" else None

    @cached_property
    def copying_writer(self) -> "Writer":
        from bot.answering.writers.extractive import ExtractiveWriter

        return ExtractiveWriter(self.reranker, self.embedder)

    @cached_property
    def writer(self) -> "Writer":
        if self.language_models is None:
            return self.copying_writer
        return self.language_models.writer()

    @cached_property
    def is_english(self) -> "EnglishIdentifier":
        from retrieval.language.identification import EnglishIdentifier

        return EnglishIdentifier()

    @cached_property
    def understanding(self) -> "QueryRewriting":
        """With a language model where one writes; else left to rules."""
        from bot.answering.query_rewriting import QueryRewriting

        if self.language_models is None:
            return QueryRewriting(is_english=self.is_english)
        return self.language_models.understanding()

    @cached_property
    def verification(self) -> "ClaimVerifier":
        return self._verifying(self.entailment, self.settings.checks_by_language_model)

    def _verifying(self, entailment: "Entailment", by_language_model: bool) -> "ClaimVerifier":
        from bot.answering.own_name import Organisation
        from bot.answering.verification import ClaimVerifier

        units = frozenset(level.name for level in self.ontology.levels if level.facet is not None)
        organisation = Organisation(self.settings.organisation_names, units)
        return ClaimVerifier(
            entailment, organisation=organisation, by_language_model=by_language_model
        )

    @cached_property
    def answering(self) -> "AnsweringPipeline":
        from bot.answering.pipeline import AnsweringPipeline
        from bot.answering.quoting import NearestQuoter
        from retrieval.completeness import IndexCompleteness

        if not self.calibrated_as and self.fitted.misfit:
            log.warning("%s", self.fitted.misfit)
        written_by = self.settings.openai_model if self.language_models else self.reranker.name
        return AnsweringPipeline(
            evidence=self.evidence,
            writer=self.writer,
            verification=self.verification,
            gate=self._gate(self.calibration.gate),
            record=self.audit_writer.append,
            circumstances=self._circumstances(self.writer, written_by, self.calibration.name),
            keep_shown=self.library.keep_shown,
            quote=NearestQuoter(self.embedder, self.calibration.relevance.near),
            unsearched=IndexCompleteness(self.library, self.index),
            near=self.calibration.relevance.near,
            contact=self.contact,
            fallback=self.fallback,
            consistency=self.language_models.consistency(self.embedder)
            if self.language_models
            else None,
        )

    @property
    def contact(self) -> Callable[["Scope"], str]:
        """Whom an audience may ask: in its own unit, else in the organisation."""
        from retrieval.metadata.contacts import check_owner

        if wrong := check_owner(self.settings.contact):
            raise BadConfiguration(f"VOUCH_CONTACT {wrong}.")
        return lambda scope: self.ontology.contact_of(scope) or self.settings.contact

    @property
    def fallback(self) -> "Fallback | None":
        """None where sentences are copied anyway, or where a failure is to be said."""
        if self.language_models is None or self.settings.on_writer_failure == "error":
            return None
        from bot.answering.fallback import Fallback
        from bot.wiring.fitted import gate_of_copies

        named, relevance = self.settings.calibration, self.calibration.relevance
        copies = gate_of_copies(named, self.models.names, self.index_engine, relevance)
        writer = self.copying_writer
        return Fallback(
            writer,
            self.settings.relevance_threshold,
            self._verifying(self.models.entailment, by_language_model=False),
            self._gate(copies.gate),
            self._circumstances(writer, self.reranker.name, copies.name),
        )

    def _gate(self, calibration: "GateCalibration") -> "Gate":
        from bot.answering.gate import MARKED, Gate

        return Gate(
            calibration,
            self.settings.answer_at,
            self.settings.partial_at,
            marked=MARKED[self.settings.unsupported_claims],
        )

    def _circumstances(self, writer: "Writer", model: str, calibration: str) -> "Circumstances":
        from bot.answering.recording import Circumstances

        return Circumstances(
            versions=self.versions,
            embedding_model=self.embedder.name,
            writer=writer.name,
            writer_model=model,
            calibration=calibration,
        )

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

    @cached_property
    def versions(self) -> "Versions":
        """What an auditor needs to know of how an answer was made."""
        from audit.record import SettingsRecord, Versions

        values = recorded(self.settings)
        digest = hashlib.sha256(repr(sorted(values.items())).encode()).hexdigest()
        return Versions(
            software=importlib.metadata.version("vouch"),
            index=f"{self.index_engine} {importlib.metadata.version(self.index_engine)}",
            models={
                "embedder": self.embedder.name,
                "reranker": self.reranker.name,
                "entailment": self.entailment.name,
                "writer": self.writer.name,
            },
            settings=SettingsRecord(hash=f"sha256:{digest}", values=values),
        )


def recorded(settings: Settings) -> "dict[str, JsonValue]":
    """What an audit record shows of the settings, and what its hash is made of.

    No hash of a secret is kept: a short one could be guessed from it.
    """
    values = settings.model_dump(mode="json", include=set(RECORDED))
    shown = {
        name: str(value) for name in values if isinstance(value := getattr(settings, name), Address)
    }
    return values | shown
