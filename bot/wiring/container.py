"""The container: with what it builds on, each concrete store, model and client is named here alone.

Every import of something heavy stands in the function that needs it, so that a command
loads only what it uses: `vouch audit list` opens a database and nothing else.
"""

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
from bot.web.addresses import CALLBACK, address_in
from bot.wiring.observing import build_metrics, build_traces
from bot.wiring.retrieval import build_index, build_ingest, build_plain_words, build_search
from bot.wiring.stores_and_models import ModelsInUse, Stores
from bot.wording.redaction import Address

if TYPE_CHECKING:
    from bot.answering.evidence import EvidenceFinder
    from bot.answering.gate import Calibration
    from bot.answering.observing.metrics import Metrics
    from bot.answering.pipeline import AnsweringPipeline
    from bot.quality.questions import LabelledQuestion
    from bot.quality.run import Evaluation
    from bot.wiring.models import Models
    from retrieval.ingest.chunking import Chunking
    from retrieval.ingest.sync import Ingest
    from retrieval.ports import PassageIndex
    from retrieval.search.query_understanding import PlainWords
    from retrieval.search.search import Search


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
        return build_metrics(self.settings)

    @cached_property
    def models(self) -> ModelsInUse:
        return ModelsInUse(self.settings, self.calibrated_as, self.shared_models)

    @cached_property
    def index(self) -> "PassageIndex":
        return build_index(self.settings, self.stores, self.models)

    @cached_property
    def ingest(self) -> "Ingest":
        return build_ingest(self.settings, self.stores, self.models, self.index, self.cut_by)

    @cached_property
    def search(self) -> "Search":
        return build_search(self.settings, self.stores, self.models, self.index)

    @cached_property
    def plain_words(self) -> "PlainWords":
        return build_plain_words(self.settings, self.stores, self.index)

    @cached_property
    def evidence(self) -> "EvidenceFinder":
        from bot.wiring.answering import build_evidence

        return build_evidence(self.stores, self.models, self.search, self.plain_words)

    @cached_property
    def answering(self) -> "AnsweringPipeline":
        """How people are answered: nobody sees a reply that is not recorded."""
        from bot.answering.observing.observer import observed_by

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
        """The same container with a home of its own, which is gone afterwards with all its index.

        The people stay, where no other file of them is given; so do all settings but `settings`.
        `cut_by` cuts documents in another way than at paragraphs.
        """
        with tempfile.TemporaryDirectory(prefix="vouch-aside-") as folder:
            changed = self.with_settings(settings) if settings else self
            moved = replace(changed.moved_to(Path(folder), people), cut_by=cut_by)
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
        settings = self.settings.model_copy(update=elsewhere)
        return Container(settings, shared_models=self.shared_models)

    def with_settings(self, settings: Mapping[str, object]) -> "Container":
        """The same container with some of the settings changed; it loads models of its own.

        Raise `ValueError` for a setting that there is not: it would quietly change nothing.
        """
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
