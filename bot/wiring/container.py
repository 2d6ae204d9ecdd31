"""The container: with what it builds on, each concrete store, model and client is named here alone.

Every import of something heavy stands in the function that needs it, so that a command
loads only what it uses: `vouch audit list` opens a database and nothing else.
"""

import hashlib
import importlib.metadata
import logging
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import BadConfiguration
from bot.settings import recorded
from bot.web.addresses import CALLBACK, address_in
from bot.wiring.retrieval import PACKAGES, Retrieving
from bot.wording.redaction import Address

if TYPE_CHECKING:
    from audit.record import Versions
    from bot.answering.calibration import Calibration
    from bot.answering.chat.server import ChatServer
    from bot.answering.evidence import EvidenceFinder
    from bot.answering.fallback import Fallback
    from bot.answering.gate import Gate, GateCalibration
    from bot.answering.pipeline import AnsweringPipeline
    from bot.answering.query_rewriting import QueryRewriting
    from bot.answering.quoting import Nearness
    from bot.answering.recording import Circumstances
    from bot.answering.verification import ClaimVerifier
    from bot.answering.writers.port import Writer
    from bot.quality.questions import LabelledQuestion
    from bot.quality.run import Evaluation
    from retrieval.ingest.chunking import Chunking
    from retrieval.language.identification import EnglishIdentifier
    from retrieval.ports import Entailment
    from retrieval.types import Scope

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Container(Retrieving):
    """Builds each part once, when it is first asked for."""

    @contextmanager
    def aside(
        self,
        people: Path | None = None,
        settings: Mapping[str, object] | None = None,
        asked: Iterable[str] = (),
        cut_by: "Chunking | None" = None,
    ) -> "Iterator[Container]":
        """The same container with a home of its own, which is gone afterwards with all its index.

        The people stay, where no other file of them is given; so do all settings but `settings`.
        `asked` are the questions of a measurement, which are not to meet themselves in the index.
        `cut_by` cuts documents in another way than at paragraphs.
        """
        with tempfile.TemporaryDirectory(prefix="vouch-aside-") as folder:
            changed = self.with_settings(settings) if settings else self
            moved = replace(
                changed.moved_to(Path(folder), people), asked=frozenset(asked), cut_by=cut_by
            )
            try:
                yield moved
            finally:
                if "index" in vars(moved):  # else nothing was ever written to it
                    moved.index.clear()

    def moved_to(self, home: Path, people: Path | None = None) -> "Container":
        """The same container with this home, and with people copied there, where any are known."""
        known = people or self.home / "people.yaml"
        if known.exists():
            shutil.copyfile(known, home / "people.yaml")
        elsewhere = {"home": home, "audit_url": Address(""), "library_url": Address("")}
        nobody_asked = {"learn_questions": False}  # there, so there is nothing to learn of readers
        settings = self.settings.model_copy(update=elsewhere | nobody_asked)
        return Container(settings, shared_models=self.shared_models)

    def with_settings(self, settings: Mapping[str, object]) -> "Container":
        """The same container with some of the settings changed; it loads models of its own.

        Raise `ValueError` for a setting that there is not: it would quietly change nothing.
        """
        if unknown := settings.keys() - type(self.settings).model_fields.keys():
            raise ValueError(f"there is no setting {min(unknown)!r}")
        return Container(self.settings.model_copy(update=settings), self.calibrated_as)

    def calibrated(self, calibration: "Calibration") -> "Container":
        """The same container with another calibration."""
        return Container(self.settings, calibration, self.shared_models)

    def caching(self) -> "Container":
        """The same container, whose models read every text once; for it and all made of it."""
        models = replace(self.models, remembered=None)
        return Container(self.settings, self.calibrated_as, models)

    def reading_anew(self) -> "Container":
        """The same container, whose models read a text each time, known or not: to be timed."""
        models = replace(self.models, remembered=0)
        return Container(self.settings, self.calibrated_as, models)

    def evaluation(self, questions: "Sequence[LabelledQuestion]", today: date) -> "Evaluation":
        from bot.quality.run import Evaluation

        return Evaluation(
            questions=questions,
            person_of=lambda name: None if name is None else self.access.people.find(name),
            passages=list(self.library.all_passages()),
            today=today,
        )

    def asking(self, model: str) -> "ChatServer":
        """A server of that language model; raise `BadConfiguration` where none is named."""
        return self._chat.asking(model)

    def writes(self, model: str) -> bool:
        """Whether that language model is the writer's."""
        return self.language_models is not None and self.settings.openai_model == model

    @cached_property
    def evidence(self) -> "EvidenceFinder":
        from bot.answering.evidence import EvidenceFinder

        return EvidenceFinder(
            self.access.scope_for, self.search, self.understanding, self.plain_words
        )

    @cached_property
    def copying_writer(self) -> "Writer":
        from bot.answering.writers.extractive import ExtractiveWriter

        return ExtractiveWriter(self.reranker)

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
        """How people are answered: nobody sees a reply that is not recorded."""
        return replace(
            self.answering_unrecorded,
            record=self.audit_writer.append,
            keep_shown=self.library.keep_shown,
        )

    @cached_property
    def answering_unrecorded(self) -> "AnsweringPipeline":
        """The same, leaving nothing behind: for questions that nobody asks and nobody is told."""
        from bot.answering.pipeline import AnsweringPipeline
        from bot.answering.quoting import NearestQuoter
        from bot.citations.layout import CitationStyle
        from retrieval.search.completeness import IndexCompleteness

        if not self.calibrated_as and self.fitted.misfit:
            log.warning("%s", self.fitted.misfit)
        written_by = self.settings.openai_model if self.language_models else self.reranker.name
        return AnsweringPipeline(
            evidence=self.evidence,
            writer=self.writer,
            verification=self.verification,
            gate=self._gate(self.calibration.gate),
            record=lambda _: None,
            circumstances=self._circumstances(self.writer, written_by, self.calibration.name),
            quote=NearestQuoter(self.reranker, self.embedder, self._near),
            unsearched=IndexCompleteness(self.library, self.index),
            near=self._near,
            contact=self.contact,
            citation_style=CitationStyle(self.settings.citation_style),
            fallback=self.fallback,
            consistency=self.language_models.consistency(self.embedder)
            if self.language_models
            else None,
        )

    @property
    def contact(self) -> Callable[["Scope"], str]:
        """Whom an audience may ask: in its own unit, else in the organisation."""
        from retrieval.metadata.ontology import check_owner

        if wrong := check_owner(self.settings.contact):
            raise BadConfiguration(f"VOUCH_CONTACT {wrong}.")
        return lambda scope: self.ontology.contact_of(scope) or self.settings.contact

    @property
    def _near(self) -> "Nearness":
        from bot.answering.quoting import Nearness
        from retrieval.index.certificate import SHIPPED
        from retrieval.scores import ABOUT

        ships = self.embedder.name.startswith(SHIPPED)
        return Nearness(self.calibration.relevance.near, ABOUT if ships else 1.0)

    @property
    def fallback(self) -> "Fallback | None":
        """None where sentences are copied anyway, or where a failure is to be said."""
        if self.language_models is None or self.settings.on_writer_failure == "error":
            return None
        from bot.answering.fallback import Fallback
        from bot.wiring.calibration import gate_of_copies

        named, relevance = self.settings.calibration, self.calibration.relevance
        copies = gate_of_copies(named, self.models.names, relevance)
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
        from retrieval.scores import OF_QUESTIONS

        return Circumstances(
            versions=self.versions,
            embedding_model=self.embedder.name,
            writer=writer.name,
            writer_model=model,
            calibration=calibration,
            unrecorded=OF_QUESTIONS if self.settings.learn_questions else frozenset(),
        )

    @cached_property
    def versions(self) -> "Versions":
        """What an auditor needs to know of how an answer was made."""
        from audit.record import SettingsRecord, Versions

        values = recorded(self.settings)
        digest = hashlib.sha256(repr(sorted(values.items())).encode()).hexdigest()
        return Versions(
            software=importlib.metadata.version("vouch"),
            index=f"{self.index_engine} {importlib.metadata.version(PACKAGES[self.index_engine])}",
            models={
                "embedder": self.embedder.name,
                **self.models.further_names,
                "reranker": self.reranker.name,
                **self._listwise_name,
                "entailment": self.entailment.name,
                "writer": self.writer.name,
            },
            settings=SettingsRecord(hash=f"sha256:{digest}", values=values),
        )


def pages_at(container: Container) -> str:
    """Where what is cited can be opened now; empty where it cannot."""
    settings = container.settings
    if not settings.serves_pages:
        return ""
    return settings.web_base or address_in(container.home)


def callback(container: Container) -> str:
    """Where Slack sends people back to who sign in."""
    return f"{container.settings.web_base}{CALLBACK}"


def sessions_file(home: Path) -> Path:
    """Who is signed in is kept here."""
    return home / "web.sqlite"


def tokens_file(home: Path) -> Path:
    """Agents' tokens are kept here."""
    return home / "mcp.sqlite"
