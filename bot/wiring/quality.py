"""Quality over time, put together: the live library and index are asked, and no audit is kept.

The audit store says what people were told. A labelled question is nobody's, and its reply is shown
to nobody, so it stands in the quality runs alone.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from bot.quality.questions import load_questions
from bot.quality.run import LabelledOutcome, Progress
from bot.quality.service import Limits, Measuring, QualityReport, QualityWatch
from bot.quality.store import QualityRuns
from bot.quality.values import MadeWith, Run
from bot.slack.inbox import database as inbox_database
from bot.wiring.answering import versions_of
from bot.wiring.container import Container


def watch_quality(container: Container, progress: Progress = lambda *_: None) -> QualityReport:
    """Measure, compare with the runs before, and keep the run.

    Raise a `BotError`, `RetrievalError` or `AuditError`; nothing is kept then.
    """
    with quality_runs(container) as runs:
        return _watch(container, runs)(_now(), progress)


@contextmanager
def quality_runs(container: Container) -> Iterator[QualityRuns]:
    """The runs that are kept, in the inbox's database; raise `InboxUnavailable` without it.

    A bot that runs at the same time has its inbox open; both take turns.
    """
    engine = inbox_database.open_engine(
        inbox_database.STORE.parse(container.settings.inbox_database)
    )
    try:
        yield QualityRuns(lambda: inbox_database.STORE.transaction(engine))
    finally:
        engine.dispose()


def kept_runs(container: Container) -> list[Run]:
    """Every run, the oldest one first; makes nothing where nothing was ever kept."""
    if inbox_database.is_missing(container.settings.inbox_database):
        return []
    with quality_runs(container) as runs:
        return runs.all()


@dataclass(frozen=True, slots=True)
class _LiveMeasuring:
    """Asks the home's own library and index, as people are answered."""

    container: Container
    questions: Path

    def outcomes(self, progress: Progress) -> Sequence[LabelledOutcome]:
        labelled = load_questions(self.questions, None)
        evaluation = self.container.evaluation(labelled, date.today())
        return evaluation.answers(self.container.answering_unrecorded, progress)

    def made_with(self) -> MadeWith:
        versions = versions_of(self.container.settings, self.container.models)
        return MadeWith(
            software=versions.software,
            index=versions.index,
            models=dict(versions.models),
            calibration=self.container.models.calibration.name,
            settings=dict(versions.settings.values),
            library=self.container.stores.library.changes(),
        )


def _watch(container: Container, runs: QualityRuns) -> QualityWatch:
    settings = container.settings
    named = settings.quality_questions
    measuring: Measuring | None = _LiveMeasuring(container, named) if named else None
    return QualityWatch(
        measuring,
        runs,
        lambda since, until: _records(container, since, until),
        container.stores.library.source_times,
        Limits(
            settings.quality_fall, settings.quality_unread_days, settings.quality_unchanged_days
        ),
    )


def _records(container: Container, since: datetime, until: datetime) -> Iterator[Mapping[str, Any]]:
    for stored in container.stores.audit_reader.asked_between(since, until):
        yield json.loads(stored.payload)


def _now() -> datetime:
    return datetime.now(UTC)
