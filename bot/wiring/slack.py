"""The bot in Slack, put together."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import UTC, date, datetime
from functools import partial

from slack_bolt import App
from slack_sdk import WebClient
from slack_sdk.http_retry import RetryHandler
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

from audit.record import AuditRecord
from audit.values import CitationRecord
from bot.access.reading import readable
from bot.jobs.runs import JobStatus
from bot.slack.admin import Admin
from bot.slack.app import SlackBot, slack_app
from bot.slack.cleanup import CleanupThread, StaleMessageRemover, UploadRemover, in_turn
from bot.slack.clicks import Clicks
from bot.slack.directory import Identity, SlackChannels, SlackPeople
from bot.slack.evidence_pictures import EvidencePictures, PictureUploads
from bot.slack.exchange import Stage
from bot.slack.failures import Throttle
from bot.slack.feedback import FeedbackStore
from bot.slack.home import AppHome, LibraryView
from bot.slack.http import health_checks, slack_calls
from bot.slack.inbox.store import Inbox
from bot.slack.intake import Intake, Notices
from bot.slack.shortcuts import Shortcuts
from bot.slack.steps.answering import AnswerStep, EarlierQuestions, PlaceholderStep
from bot.slack.steps.posting import DeliveryStep, PostStep, WithdrawStep
from bot.slack.steps.progress import Progress
from bot.slack.steps.sending import PostingOnce, TroubleNotice
from bot.slack.transport import HealthChecks, HttpTransport, SocketTransport, Transport
from bot.slack.worker_pool import Step, WorkerPool
from bot.wiring.container import Container
from bot.wiring.readiness import problems
from bot.wiring.stores_and_models import record_access
from retrieval.documents.port import LibraryReader
from retrieval.types import Document

MOST_PATIENT = 10
"""Times that a message waits for which nobody waits, where Slack asks for it."""
COURTESY_SECONDS = 60.0
"""How often somebody hears the same that is no reply."""
Jobs = Callable[[], Sequence[JobStatus]]


def warm_up(container: Container) -> None:
    """Load models and lists of words, so that no first question or misspelt word waits for them."""
    from retrieval.ports import EntailmentPair, RerankPair

    for embedder in container.models.named.embedders.values():
        embedder.embed(["ready"])
    container.models.reranker.scores([RerankPair("ready?", "Ready.", {})])
    container.models.named.entailment.supported([EntailmentPair("Ready.", "Ready.")])
    container.plain_words.spelling.proposals("raedy")
    container.is_english("Ready or not?")
    container.models.named.meanings("ready")


def slack_bot(container: Container, jobs: Jobs = tuple) -> SlackBot:
    """Everything that runs, not started yet; `jobs`: how those stand that run beside it.

    Raise `InboxUnavailable`.
    """
    inbox = Inbox.open(container.settings.inbox_database)
    identity = Identity(slack_client(container))
    people = SlackPeople(slack_client(container), lambda: container.stores.access.people)
    background = ThreadPoolExecutor(1, thread_name_prefix="background")
    pictures = _pictures(container, inbox) if container.settings.slack_pictures else None
    app = _app(container, inbox, identity, people, background, jobs, pictures)
    client = slack_client(container)
    removers = in_turn(
        StaleMessageRemover(
            client, inbox.stale_messages, container.stores.audit_writer.append, _now
        ),
        UploadRemover(client, inbox.uploads, _now),
    )
    return SlackBot(
        inbox,
        _worker_pool(container, inbox, identity, people, background),
        CleanupThread(removers),
        background,
        _transports(container, app, identity),
        pictures,
    )


def _pictures(container: Container, inbox: Inbox) -> EvidencePictures:
    client = slack_client(container)
    return EvidencePictures(client, drawing(container), PictureUploads(client, inbox.uploads, _now))


def _worker_pool(
    container: Container,
    inbox: Inbox,
    identity: Identity,
    people: SlackPeople,
    background: Executor,
) -> WorkerPool:
    client, stores = slack_client(container), container.stores
    once = PostingOnce(client, inbox, _now)
    earlier = EarlierQuestions(client, inbox, container.models.named.meanings)
    steps: dict[Stage, Step] = {
        Stage.PLACEHOLDER: PlaceholderStep(
            client, once, inbox, earlier, people, identity.bot_user, _now
        ),
        Stage.ANSWERING: AnswerStep(
            client,
            earlier,
            people,
            container.answering,
            stores.audit_reader,
            date.today,
            SlackChannels(client),
            Progress(client, background),
        ),
        Stage.POSTING: PostStep(
            client, once, stores.audit_reader, _now, inbox, container.settings.web_base
        ),
        Stage.DELIVERY: DeliveryStep(stores.audit_writer.append, inbox.stale_messages),
        Stage.WITHDRAWN: WithdrawStep(
            stores.audit_reader, stores.audit_writer.append, inbox.stale_messages, _now
        ),
    }
    from bot.wiring.jobs import admins_teller

    tell_admins = admins_teller(container)
    workers = container.settings.workers
    return WorkerPool(inbox, steps, TroubleNotice(client), workers, _now, tell_admins)


def _app(
    container: Container,
    inbox: Inbox,
    identity: Identity,
    people: SlackPeople,
    background: Executor,
    jobs: Jobs,
    pictures: EvidencePictures | None,
) -> App:
    stores, throttle = container.stores, Throttle(COURTESY_SECONDS, time.monotonic)
    channels = SlackChannels(slack_client(container))
    patient = slack_client(container, RateLimitErrorRetryHandler(max_retry_count=MOST_PATIENT))
    home = AppHome(
        patient,
        people,
        stores.access.scope_for,
        stores.audit_reader,
        library_view(container),
        jobs,
        date.today,
    )
    return slack_app(
        WebClient(
            base_url=container.settings.slack_api_url.get_secret_value(),
            retry_handlers=[RateLimitErrorRetryHandler(max_retry_count=1)],
        ),
        identity,
        container.settings.slack_signing_secret.get_secret_value(),
        Intake(
            inbox,
            Notices(patient, inbox.stale_messages, background, throttle, _now),
            home,
            _now,
            container.models.named.meanings,
        ),
        Clicks(
            records=stores.audit_reader,
            kept=FeedbackStore(stores.audit_reader, stores.audit_writer.append, _now),
            inbox=inbox,
            people=people,
            channels=channels,
            visibility=record_access(stores),
            texts=lambda record: _texts(stores.library, record),
            now=_now,
            pictures=pictures,
            pages=container.settings.web_base,
        ),
        Admin(
            stores.audit_reader,
            people,
            lambda: stores.access.people,
            stores.library.files_like,
            stores.library.kept_out,
            lambda: _now().date(),
            jobs,
        ),
        Shortcuts(inbox, channels, identity.bot_user, container.models.named.meanings, _now),
        home,
    )


def library_view(container: Container) -> LibraryView:
    library = container.stores.library

    def headings(document: Document) -> list[str]:
        passages = library.passages(library.passage_ids([document.document_id])).values()
        in_order = sorted(passages, key=lambda each: each.ordinal)
        return list(dict.fromkeys(each.section_path[-1] for each in in_order if each.section_path))

    return LibraryView(partial(readable, library), headings, library.source_times, library.kept_out)


def _transports(container: Container, app: App, identity: Identity) -> tuple[Transport, ...]:
    """The health checks come first and go last; in Socket Mode nothing else listens."""
    settings = container.settings
    sockets: tuple[Transport, ...] = ()
    calls: tuple[Transport, ...] = ()
    if settings.slack_transport == "socket":
        sockets = (SocketTransport(app, settings.slack_app_token.get_secret_value(), identity),)
    else:
        calls = (HttpTransport(slack_calls(app), settings.host, settings.http_port, identity),)
    if settings.checks_port is None:
        return (*sockets, *calls)
    checks = health_checks(lambda: problems(container, identity, sockets))
    return (HealthChecks(checks, settings.host, settings.checks_port), *sockets, *calls)


def _texts(library: LibraryReader, record: AuditRecord) -> Mapping[str, str]:
    """The record's passages as they stood when they were read, as far as they are kept."""
    named = {(each.document_id, each.version, each.passage_id) for each in record.candidates}
    kept = library.passages_at(named)
    shown = {each.passage_id: library.shown(each.sha256) for each in record.shown}
    texts = {key: text for key, text in shown.items() if text}
    return texts | {key: passage.text for key, passage in kept.items()}


def slack_client(container: Container, *retries: RetryHandler) -> WebClient:
    """Without `retries` it sends all once: a message that is sent again by itself stands twice."""
    return WebClient(
        token=container.settings.slack_bot_token.get_secret_value(),
        base_url=container.settings.slack_api_url.get_secret_value(),
        retry_handlers=list(retries),
    )


def _now() -> datetime:
    return datetime.now(UTC)


def drawing(container: Container) -> Callable[[CitationRecord], bytes]:
    """What draws a citation's place as a PNG, in a process that starts with the first of them.

    It raises `NoPicture`, or what the library raises.
    """
    from retrieval.rendering.cited import CitedPictures, CitedWords
    from retrieval.rendering.renderer import PageRenderer

    pictures = CitedPictures(container.stores.library, PageRenderer())

    def draw(citation: CitationRecord) -> bytes:
        return pictures.picture(
            CitedWords(
                citation.document_id,
                citation.version,
                citation.passage_id,
                citation.file,
                citation.quote,
                citation.boxes,
            )
        ).png

    return draw
