"""Stores and models of the settings, each built once, and the calibration that belongs to them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bot.settings import Settings
from bot.settings.answering import BUNDLED

if TYPE_CHECKING:
    from audit.log import Appended, AuditReader, AuditWriter
    from bot.access.people import LiveAccess
    from bot.access.reading import RecordAccess
    from bot.answering.calibration import Calibration
    from bot.slack.inbox.beside import Installations, StoredUserGroups
    from bot.wiring.calibration import Fitted
    from bot.wiring.models import LanguageModels, Models
    from retrieval.documents.sql_library import SqlLibrary
    from retrieval.metadata.ontology import Ontology
    from retrieval.ports import Entailment, ListwiseReranker, Reranker


@dataclass(frozen=True)
class Stores:
    """What an organisation keeps and says, each opened once, when it is first asked for."""

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
        from retrieval.documents.seal import stated_keys, stored_key
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
    """The models that read, judge and write, and how they are calibrated.

    Each is made once, when it is first asked for, and loads when it is first used.
    """

    settings: Settings
    calibrated_as: "Calibration | None" = None
    """In place of what the settings name or what ships."""
    shared: "Models | None" = None
    """Of another bot with the same settings of models, which need not load them again."""

    @cached_property
    def named(self) -> "Models":
        """Those that the settings name; a language model that judges stands beside them."""
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
        """The calibration of the settings, as far as it belongs to models and writer in use.

        The relevance of a reranker that nobody calibrated is fitted once, in minutes, and kept.
        """
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
        from bot.answering.calibration import save_calibration

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
        """Of the models in use, by what they do."""
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
        """None where none understands and writes."""
        return self.chat if self.settings.writer == "openai" else None
