"""Quality over time, put together: the live library and index are asked, and no audit is kept.

The audit store says what people were told. A labelled question is nobody's, and its reply is shown
to nobody, so it stands in the quality runs alone.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

from audit.engines import closing_engine
from bot.quality.questions import load_questions
from bot.quality.run import Progress
from bot.quality.service import AlarmLimits, QualityReport, report_on, run_of
from bot.quality.store import QualityRuns
from bot.quality.traffic import since
from bot.quality.values import MadeWith, QualityRun
from bot.settings import Settings
from bot.slack.inbox import database as inbox_database
from bot.wiring.answering import versions_of
from bot.wiring.container import Container


def watch_quality(container: Container, progress: Progress = lambda *_: None) -> QualityReport:
    """Ask the labelled questions, if any, compare with the runs before, and keep the run.

    Raise a `BotError`, `RetrievalError` or `AuditError`; nothing is kept then.
    """
    settings, stores, now = container.settings, container.stores, _now()
    limits = AlarmLimits(
        settings.quality_fall, settings.quality_unread_days, settings.quality_unchanged_days
    )
    with quality_runs(settings.inbox_database) as runs:
        earlier, named = runs.all(), settings.quality_questions
        run = _measured(container, named, now, progress) if named else None
        asked = stores.audit_reader.asked_between(since(now), now)
        records = (json.loads(stored.payload) for stored in asked)
        sources = stores.library.source_times()
        report = report_on(now, earlier, run, records, sources, limits)
        if run:
            runs.add(run)
    return report


@contextmanager
def quality_runs(url: str) -> Iterator[QualityRuns]:
    """The runs that are kept, in the inbox's database; raise `InboxUnavailable` without it.

    A bot that runs at the same time has its inbox open; both take turns.
    """
    store = inbox_database.STORE
    with closing_engine(inbox_database.open_engine(store.parse(url))) as engine:
        yield QualityRuns(lambda: store.transaction(engine))


def all_runs(settings: Settings) -> list[QualityRun]:
    """Every run, the oldest one first; makes nothing where nothing was ever kept."""
    if inbox_database.is_missing(settings.inbox_database):
        return []
    with quality_runs(settings.inbox_database) as runs:
        return runs.all()


def _measured(
    container: Container, questions: Path, now: datetime, progress: Progress
) -> QualityRun:
    """Ask the home's own library and index, as people are answered."""
    evaluation = container.evaluation(load_questions(questions, None), date.today())
    outcomes = evaluation.answers(container.answering_unrecorded, progress)
    versions = versions_of(container.settings, container.models)
    made_with = MadeWith(
        software=versions.software,
        index=versions.index,
        models=dict(versions.models),
        calibration=container.models.calibration.name,
        settings=dict(versions.settings.values),
        library=container.stores.library.changes(),
    )
    return run_of(outcomes, now, made_with)


def _now() -> datetime:
    return datetime.now(UTC)
