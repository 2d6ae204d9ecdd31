"""The container: each concrete store, model and client is named here, and imported when used."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bot.settings import Settings
from bot.settings.answering import BUNDLED
from bot.web.addresses import CALLBACK, address_in
from bot.wording.redaction import Address

if TYPE_CHECKING:
    from audit.log import Appended, AuditReader, AuditWriter
    from bot.access.people import LiveAccess
    from bot.access.reading import RecordAccess
    from bot.answering.evidence import EvidenceFinder
    from bot.answering.gate import Calibration
    from bot.answering.observing.metrics import Metrics
    from bot.answering.pipeline import AnsweringPipeline
    from bot.quality.questions import LabelledQuestion
    from bot.quality.run import Evaluation
    from bot.slack.inbox.beside import Installations, StoredUserGroups
    from bot.wiring.calibration import Fitted
    from bot.wiring.models import LanguageModels, Models
    from retrieval.documents.sql_library import SqlLibrary
    from retrieval.ingest.chunking import Chunking
    from retrieval.ingest.sync import Ingest
    from retrieval.metadata.ontology import Ontology
    from retrieval.ports import Entailment, ListwiseReranker, PassageIndex, Reranker
    from retrieval.search.query_understanding import PlainWords
    from retrieval.search.search import Search


@dataclass(frozen=True)
class Stores:
    settings: Settings
    appended: "Appended | None" = None
    """Is told of each append to the audit store; None: nobody is."""

    @cached_property
    def ontology(self) -> "Ontology":
        from retrieval.metadata.ontology import load_ontology

        return load_ontology(self.settings.ontology, self.settings.slack_team)

    @cached_property
    def access(self) -> "LiveAccess":
        from bot.access.people import Access, LiveAccess

        home = self.settings.home
        return LiveAccess(
            lambda: Access.load(home, self.ontology),
            [home / "people.yaml", home / "channels.yaml"],
            lambda: self.user_groups.read(),
        )

    @cached_property
    def user_groups(self) -> "StoredUserGroups":
        """Of the inbox, which another process may own."""
        from bot.slack.inbox.beside import StoredUserGroups

        return StoredUserGroups(self.settings.inbox_database)

    @cached_property
    def installations(self) -> "Installations":
        """Of the inbox, likewise; where the bot can be installed in several workspaces."""
        from bot.slack.inbox.beside import Installations

        key = self.settings.slack_tokens_key.get_secret_value()
        return Installations(self.settings.inbox_database, key, lambda: datetime.now(UTC))

    @cached_property
    def library(self) -> "SqlLibrary":
        from retrieval.documents.database import stated_keys, stored_key
        from retrieval.documents.sql_library import SqlLibrary

        stated = self.settings.library_key.get_secret_value()
        keys = stated_keys(stated) if stated else (stored_key(self.settings.home / "library.key"),)
        return SqlLibrary(self.settings.library_database, *keys)

    @cached_property
    def audit_writer(self) -> "AuditWriter":
        from audit.log import open_writer, unobserved

        return open_writer(self.settings.audit_database, self.appended or unobserved)

    @cached_property
    def audit_reader(self) -> "AuditReader":
        from audit.log import open_reader

        return open_reader(self.settings.audit_database)


def record_access(stores: Stores) -> "RecordAccess":
    """What somebody may read of a record today."""
    from bot.access.reading import RecordAccess

    library = stores.library
    return RecordAccess(stores.access.scope_for, library.access_of, library.rules_at, date.today)


OWN_RELEVANCE = "reranker.json"
"""In the home: what the logits of a named reranker mean."""


@dataclass(frozen=True)
class ModelsInUse:
    """The models that read, judge and write, each made and loaded when first used."""

    settings: Settings
    calibrated_as: "Calibration | None" = None
    shared: "Models | None" = None
    """Of another bot with the same settings of models, which need not load them again."""

    @cached_property
    def named(self) -> "Models":
        from bot.wiring.models import Models, ModelServer
        from retrieval.models.onnx import usable_processors

        if self.shared is not None:
            return self.shared
        named = self.settings
        return Models(
            named.embedder,
            BUNDLED if named.reranks_by_language_model else named.reranker,
            BUNDLED if named.checks_by_language_model else named.entailment,
            named.threads or usable_processors(),
            server=ModelServer(*named.embeddings_server, named.openai_timeout_seconds),
        )

    @cached_property
    def fitted(self) -> "Fitted":
        """The calibration for models and writer in use; fitted once for an unknown reranker."""
        from bot.wiring.calibration import fitted_calibration, kept_or_fitted

        settings, model = self.settings, self.named.cross_encoder
        threshold, kept = settings.relevance_threshold, settings.home / OWN_RELEVANCE
        return fitted_calibration(
            settings.calibration,
            self.names,
            settings.writer_in_use,
            own=lambda: kept_or_fitted(model, threshold, kept),
        )

    @cached_property
    def calibration(self) -> "Calibration":
        return self.calibrated_as or self.fitted.calibration

    def save_calibration(self, calibration: "Calibration", path: Path) -> None:
        """Write it with the names of models and writer in use, which it belongs to."""
        from bot.answering.gate import save_calibration

        writer = self.settings.writer_in_use
        save_calibration(replace(calibration, models=self.names, writer=writer), path)

    @cached_property
    def reranker(self) -> "Reranker":
        from retrieval.search.reranking import CalibratedReranker

        calibration = self.calibration
        return CalibratedReranker(self.named.cross_encoder, calibration.relevance, calibration.name)

    @cached_property
    def listwise_reranker(self) -> "ListwiseReranker | None":
        """None where no language model is asked what is relevant."""
        return self.chat.reranker() if self.settings.reranks_by_language_model else None

    @cached_property
    def entailment(self) -> "Entailment":
        """What claims are checked with: one of the models here, or a language model."""
        by_chat = self.settings.checks_by_language_model
        return self.chat.entailment() if by_chat else self.named.entailment

    @property
    def names(self) -> Mapping[str, str]:
        entailment = {"entailment": self.entailment.name}
        return {**self.named.names, **entailment, **self.listwise_name}

    @property
    def listwise_name(self) -> Mapping[str, str]:
        return {"listwise": self.listwise_reranker.name} if self.listwise_reranker else {}

    @cached_property
    def chat(self) -> "LanguageModels":
        """On a server, which is reached when one of them is first asked."""
        from bot.wiring.models import LanguageModels

        return LanguageModels(self.settings)

    @property
    def language_models(self) -> "LanguageModels | None":
        return self.chat if self.settings.writer == "openai" else None


@dataclass(frozen=True)
class Container:
    """Has each part built once, when it is first asked for, and gives it to those built of it."""

    settings: Settings
    calibrated_as: "Calibration | None" = None
    shared_models: "Models | None" = None
    cut_by: "Chunking | None" = None
    """Of a measurement, how a published system cuts documents; None: at paragraphs."""

    @property
    def home(self) -> Path:
        return self.settings.home

    @cached_property
    def stores(self) -> Stores:
        return Stores(self.settings, self.metrics.appended if self.metrics else None)

    @cached_property
    def metrics(self) -> "Metrics | None":
        from bot.wiring.observing import build_metrics

        return build_metrics(self.settings)

    @cached_property
    def models(self) -> ModelsInUse:
        return ModelsInUse(self.settings, self.calibrated_as, self.shared_models)

    @cached_property
    def index(self) -> "PassageIndex":
        from bot.wiring.retrieval import build_index

        return build_index(self.settings, self.stores, self.models)

    @cached_property
    def ingest(self) -> "Ingest":
        from bot.wiring.retrieval import build_ingest

        return build_ingest(self.settings, self.stores, self.models, self.index, self.cut_by)

    @cached_property
    def search(self) -> "Search":
        from bot.wiring.retrieval import build_search

        return build_search(self.settings, self.stores, self.models, self.index)

    @cached_property
    def plain_words(self) -> "PlainWords":
        from bot.wiring.retrieval import build_plain_words

        return build_plain_words(self.settings, self.stores, self.index)

    @cached_property
    def evidence(self) -> "EvidenceFinder":
        from bot.wiring.answering import build_evidence

        return build_evidence(self.stores, self.models, self.search, self.plain_words)

    @cached_property
    def answering(self) -> "AnsweringPipeline":
        """How people are answered: nobody sees a reply that is not recorded."""
        from bot.answering.observing.observer import observed_by
        from bot.wiring.observing import build_traces

        looking_on = (self.metrics, build_traces(self.settings, self.models))
        return replace(
            self.answering_unrecorded,
            record=self.stores.audit_writer.append,
            keep_shown=self.stores.library.keep_shown,
            observe=observed_by([each for each in looking_on if each]),
        )

    @cached_property
    def answering_unrecorded(self) -> "AnsweringPipeline":
        """The same, leaving nothing behind: for questions that nobody asks and nobody is told."""
        from bot.wiring.answering import build_answering

        return build_answering(self.settings, self.stores, self.models, self.index, self.evidence)

    @contextmanager
    def aside(
        self,
        people: Path | None = None,
        settings: Mapping[str, object] | None = None,
        cut_by: "Chunking | None" = None,
    ) -> "Iterator[Container]":
        """The same with a home that is gone afterwards; `cut_by` cuts documents in another way."""
        with tempfile.TemporaryDirectory(prefix="vouch-aside-") as folder:
            changed = self.with_settings(settings) if settings else self
            moved = replace(changed.moved_to(Path(folder), people), cut_by=cut_by)
            try:
                yield moved
            finally:
                if "index" in vars(moved):  # else nothing was ever written to it
                    moved.index.clear()

    def moved_to(self, home: Path, people: Path | None = None) -> "Container":
        known = people or self.home / "people.yaml"
        if known.exists():
            shutil.copyfile(known, home / "people.yaml")
        elsewhere = {"home": home, "audit_url": Address(""), "library_url": Address("")}
        settings = self.settings.model_copy(update=elsewhere)
        return Container(settings, shared_models=self.shared_models)

    def with_settings(self, settings: Mapping[str, object]) -> "Container":
        """The same with some settings changed and models of its own; raise `ValueError`."""
        if unknown := settings.keys() - type(self.settings).model_fields.keys():
            raise ValueError(f"there is no setting {min(unknown)!r}")
        return Container(self.settings.model_copy(update=settings), self.calibrated_as)

    def calibrated(self, calibration: "Calibration") -> "Container":
        return Container(self.settings, calibration, self.shared_models)

    def caching(self) -> "Container":
        """The same container, whose models read every text once; for it and all made of it."""
        models = replace(self.models.named, remembered=None)
        return Container(self.settings, self.calibrated_as, models)

    def evaluation(self, questions: "Sequence[LabelledQuestion]", today: date) -> "Evaluation":
        from bot.quality.run import Evaluation

        return Evaluation(
            questions=questions,
            person_of=lambda name: None if name is None else self.stores.access.people.find(name),
            passages=list(self.stores.library.all_passages()),
            today=today,
        )

    def forget_old_versions(self) -> int:
        """Let go of the text of what left long ago, but for what an answer cites; how many."""
        before = datetime.now(UTC) - timedelta(days=self.settings.keep_versions_days)
        return self.ingest.forget_versions(
            before, lambda key: key[1] in self.stores.audit_reader.cited_versions(key[0])
        )


def pages_at(settings: Settings) -> str:
    """Where what is cited can be opened now; empty where it cannot."""
    if not settings.serves_pages:
        return ""
    return settings.web_base or address_in(settings.home)


def callback(settings: Settings) -> str:
    """Where Slack sends people back to who sign in."""
    return f"{settings.web_base}{CALLBACK}"


def sessions_file(home: Path) -> Path:
    return home / "web.sqlite"


def tokens_file(home: Path) -> Path:
    return home / "mcp.sqlite"
