"""What is seen of the bot from outside, as far as it is asked for."""

import importlib.metadata
import logging
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from audit.errors import AuditError
from bot.errors import BotError
from bot.settings import Settings
from bot.wiring.stores_and_models import ModelsInUse
from retrieval.errors import METRICS, require

if TYPE_CHECKING:
    from bot.answering.observing.metrics import Metrics, State
    from bot.answering.observing.traces import Traces
    from bot.slack.inbox.store import Inbox
    from bot.wiring.container import Container
    from bot.wiring.readiness import Readiness

Instrument = TypeVar("Instrument")

log = logging.getLogger(__name__)


def build_metrics(settings: Settings) -> "Metrics | None":
    """None where nobody asked for them. Raise `MissingExtra` where they are not installed."""
    if not settings.metrics:
        return None
    require(METRICS, "prometheus_client")
    from prometheus_client import CollectorRegistry

    from bot.answering.observing.metrics import Metrics

    return Metrics(CollectorRegistry(), _version())


def build_traces(settings: Settings, models: ModelsInUse) -> "Traces | None":
    """None where nobody asked for them. Raise `MissingExtra` where they are not installed."""
    url = settings.traces_url.get_secret_value()
    if not url:
        return None
    require(METRICS, "opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")
    from bot.answering.observing.traces import Parts, Traces

    parts = Parts(
        version=_version(),
        index=settings.index,
        embedder=models.named.embedder.name,
        reranker=models.reranker.name,
        language_model=settings.openai_model if settings.writer == "openai" else "",
    )
    return Traces.to(url, parts, content=settings.traces_content)


def noting(
    container: "Container", inbox: "Inbox", look: Callable[[], "Readiness"], is_leader: bool
) -> Mapping[str, str]:
    """Look, and note how the bot is where there are metrics; return what is wrong, by name.

    Whether it can answer does not hang on what is noted: a fault there is logged.
    """
    found, metrics = look(), container.metrics
    if metrics is not None:
        try:
            metrics.note(_state(container, inbox, found, is_leader=is_leader), time.time())
        except Exception:
            log.exception("How the bot is could not be noted")
    return found.problems


def _state(
    container: "Container", inbox: "Inbox", found: "Readiness", *, is_leader: bool
) -> "State":
    from bot.answering.observing.metrics import State
    from bot.wiring.readiness import NAMES

    def known(name: str, look: Callable[[], Instrument]) -> Instrument | None:
        """None where it cannot be looked at, as one of the problems says; that is not tried."""
        try:
            return None if name in found.problems else look()
        except (BotError, AuditError):
            return None

    stores, now = container.stores, datetime.now(UTC)
    backlog = known("inbox", lambda: inbox.backlog(now))
    return State(
        problems={name: found.problems.get(name, "") for name in NAMES},
        queue={each.name.lower(): number for each, number in backlog.waiting.items()}
        if backlog
        else None,
        oldest_seconds=(now - (backlog.oldest or now)).total_seconds() if backlog else None,
        leases=backlog.leases if backlog else None,
        is_leader=is_leader,
        missing=found.missing,
        audit_entries=known("audit", lambda: stores.audit_reader.head()[0]),
        failed=known("inbox", lambda: _failed(container.settings.inbox_database)) or {},
    )


def _failed(inbox: str) -> Mapping[str, bool]:
    """Of all sources together, whose names are people's own, whether one could not be read."""
    from bot.jobs.runs import JobOutcome
    from bot.slack.inbox.beside import newest_in

    failed: dict[str, bool] = {}
    for name, run in newest_in(inbox).items():
        if run.outcome in (JobOutcome.OK, JobOutcome.FAILED):
            job, is_bad = name.partition(" ")[0], run.outcome is JobOutcome.FAILED
            failed[job] = is_bad or failed.get(job, False)
    return failed


def _version() -> str:
    return importlib.metadata.version("vouch")
