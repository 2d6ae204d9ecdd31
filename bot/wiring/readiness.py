"""Making the bot ready, and whether it can answer, for `/readyz`."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from audit.errors import AuditError
from audit.queries import RecordQuery
from audit.storing import store as audit_store
from bot.errors import BotError
from bot.settings import Settings
from bot.slack.directory import BotIdentity
from bot.slack.inbox import database as inbox_database
from bot.slack.transport import Transport
from bot.slack.workspaces import Workspaces
from bot.wiring.container import Container
from bot.wording import EMPTY_LIBRARY, incomplete_index
from retrieval.errors import RetrievalError

NAMES = ("slack", "people", "library", "index", "audit", "inbox")


@dataclass(frozen=True, slots=True)
class Readiness:
    problems: Mapping[str, str]
    """What keeps the bot from answering, by name; empty when nothing does."""
    missing: int | None
    """Passages of the library that the index lacks; None where that could not be counted."""


def look(
    container: Container, identity: BotIdentity | Workspaces, sockets: Sequence[Transport]
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


def _slack(identity: BotIdentity | Workspaces, sockets: Sequence[Transport]) -> str:
    if not identity.is_known:
        return "Slack has not been reached yet"
    return next((each.problem for each in sockets if each.problem), "")


def _index(container: Container, count: Callable[[int], None]) -> str:
    from retrieval.search.completeness import missing

    lacking = missing(container.stores.library, container.index)
    count(lacking)
    return incomplete_index(lacking) if lacking else ""


def demand_audit(settings: Settings) -> None:
    """Raise `AuditError` where nothing can be appended; within seconds, leaving nothing."""
    audit_store.demand_writable(settings.audit_database)


def make_audit(container: Container) -> None:
    """Make the store where there is none; raise `AuditError` where it cannot be appended to.

    A file that is there is tried first: making would wait long for one that is locked.
    """
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


def _audit(container: Container) -> str:
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


def warm_up(container: Container) -> None:
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
