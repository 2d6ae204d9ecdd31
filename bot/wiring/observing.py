"""How the bot is: made ready, looked at for `/readyz`, seen from outside as far as asked for."""

import importlib.metadata
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from audit.errors import AuditError
from audit.finding.queries import RecordQuery
from audit.storing import store as audit_store
from bot.errors import BotError
from bot.settings import Settings
from bot.slack.inbox import database as inbox_database
from bot.wording import EMPTY_LIBRARY, incomplete_index
from retrieval.errors import METRICS, RetrievalError, require

if TYPE_CHECKING:
    from bot.answering.observing.metrics import Metrics, State
    from bot.answering.observing.traces import Traces
    from bot.slack.directory import BotIdentity
    from bot.slack.inbox.store import Inbox
    from bot.slack.transport import Transport
    from bot.slack.workspaces import Workspaces
    from bot.wiring.container import Container, ModelsInUse

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


def build_traces(settings: Settings, models: "ModelsInUse") -> "Traces | None":
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
    """Note how the bot is where there are metrics; return what is wrong, by name."""
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


NAMES = ("slack", "people", "library", "index", "audit", "inbox")


@dataclass(frozen=True, slots=True)
class Readiness:
    problems: Mapping[str, str]
    """What keeps the bot from answering, by name; empty when nothing does."""
    missing: int | None
    """Passages of the library that the index lacks; None where that could not be counted."""


def look(
    container: "Container", identity: "BotIdentity | Workspaces", sockets: "Sequence[Transport]"
) -> Readiness:
    counted: list[int] = []
    looks: tuple[Callable[[], str], ...] = (
        lambda: _slack(identity, sockets),
        lambda: container.stores.access.problem,
        lambda: EMPTY_LIBRARY if container.stores.library.is_empty() else "",
        lambda: _index(container, counted.append),
        lambda: _audit(container),
        lambda: _inbox(container.settings),
    )
    found = {name: _said(look) for name, look in zip(NAMES, looks, strict=True)}
    problems = {name: problem for name, problem in found.items() if problem}
    return Readiness(problems, counted[0] if counted else None)


def _slack(identity: "BotIdentity | Workspaces", sockets: "Sequence[Transport]") -> str:
    if not identity.is_known:
        return "Slack has not been reached yet"
    return next((each.problem for each in sockets if each.problem), "")


def _index(container: "Container", count: Callable[[int], None]) -> str:
    from retrieval.search.completeness import missing

    lacking = missing(container.stores.library, container.index)
    count(lacking)
    return incomplete_index(lacking) if lacking else ""


def demand_audit(settings: Settings) -> None:
    """Raise `AuditError` where nothing can be appended; within seconds, leaving nothing."""
    audit_store.demand_writable(settings.audit_database)


def make_audit(container: "Container") -> None:
    """Make the store where there is none; raise `AuditError` where it cannot be appended to."""
    if audit_store.is_stored_in_file(container.settings.audit_database):
        demand_audit(container.settings)
    container.stores.audit_writer.close()


def demand_inbox(settings: Settings) -> bool:
    """Raise `InboxUnavailable` likewise; False where there is no inbox yet."""
    url = settings.inbox_database
    if inbox_database.is_missing(url):
        return False
    inbox_database.demand_writable(url)
    return True


def _audit(container: "Container") -> str:
    """Both raise where the store does not answer; the one that ends soon comes first."""
    demand_audit(container.settings)
    container.stores.audit_reader.find(RecordQuery(limit=1))
    return ""


def _inbox(settings: Settings) -> str:
    return "" if demand_inbox(settings) else "The inbox is gone. Start Vouch anew to make another."


def _said(look: Callable[[], str]) -> str:
    try:
        return look()
    except (BotError, RetrievalError, AuditError) as error:
        return str(error)


def warm_up(container: "Container") -> None:
    """Load models, lists of words and the index's library: no first question waits for them."""
    from retrieval.language.sentences import asked_in_english
    from retrieval.ports import EntailmentPair, RerankPair

    models, spelling = container.models, container.plain_words.spelling

    def index() -> None:
        with suppress(RetrievalError):  # whoever asks is told of it
            container.index.count()

    def embedders() -> None:
        models.named.embedder.embed(["ready"])
        models.named.meanings("ready")  # by the one that ships

    parts: list[Callable[[], object]] = [
        index,
        embedders,
        lambda: models.reranker.scores([RerankPair("ready?", "Ready.", {})]),
        lambda: models.named.entailment.supported([EntailmentPair("Ready.", "Ready.")]),
        lambda: spelling.proposals("raedy"),
        lambda: asked_in_english("Ready or not?"),
    ]
    with ThreadPoolExecutor(len(parts)) as threads:
        for loaded in [threads.submit(part) for part in parts]:
            loaded.result()
