"""What is kept, and who may read it: each concrete store is named here and nowhere else."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bot.settings import Settings

if TYPE_CHECKING:
    from audit.log import AuditReader, AuditWriter
    from bot.answering.calibration import Calibration
    from bot.live_access import LiveAccess
    from bot.wiring.models import Models
    from retrieval.documents.port import Library
    from retrieval.metadata.ontology import Ontology


@dataclass(frozen=True)
class Stores:
    """Builds each store once, when it is first asked for."""

    settings: Settings
    calibrated_as: "Calibration | None" = None
    shared_models: "Models | None" = None
    asked: frozenset[str] = frozenset()
    """Of a measurement, the questions that it asks: no entry of the index may be worded so."""

    @property
    def home(self) -> Path:
        return self.settings.home

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
