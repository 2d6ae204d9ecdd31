"""The bot in Slack, put together."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import UTC, date, datetime
from functools import lru_cache, partial
from threading import Thread

from slack_bolt import App
from slack_sdk import WebClient
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

from audit.errors import AuditError
from audit.record import AuditRecord, Candidate, Decision, NearestRecord
from audit.values import ATTACHED, CitationRecord, is_attached, team_of
from bot.access.channels import Widening, units_of, widenings
from bot.access.reading import kept_out_in, readable, readable_sources, sources_in
from bot.answering.observing.observer import Looks
from bot.answering.suggesting import Suggestions
from bot.errors import BadConfiguration, BotError
from bot.jobs.job import zone_of
from bot.jobs.runs import JobStatus
from bot.settings import Settings
from bot.slack.admin import Admin
from bot.slack.app import RepeatingThread, SlackBot, in_turn, slack_app
from bot.slack.attachments import AttachedFiles, FetchPosted, SlackSearch
from bot.slack.channels import ChannelManager, ChannelRules
from bot.slack.citations import EvidencePictures, LinkPreviews, UploadRemover
from bot.slack.clicked import Replies
from bot.slack.clicks import Clicks, FeedbackStore
from bot.slack.directory import BotIdentity, SlackChannels, SlackPeople
from bot.slack.exchange import Stage
from bot.slack.failures import Advise, Advising, Throttle
from bot.slack.home import AppHome, LibraryView, Shortcuts
from bot.slack.http import health_checks, slack_calls
from bot.slack.inbox.kept import Attachments
from bot.slack.inbox.store import Inbox
from bot.slack.intake import Intake, Notices
from bot.slack.referring import AskPerson
from bot.slack.standard import StandardAnswerForms
from bot.slack.steps.answering import AnswerStep, EarlierQuestions, PlaceholderStep, Progress
from bot.slack.steps.posting import DeliveryStep, PostStep, StaleMessageRemover, WithdrawStep
from bot.slack.steps.referring import PublishStep, ReferralSteps
from bot.slack.steps.sending import PostingOnce, TroubleNotice
from bot.slack.transport import HealthChecks, HttpTransport, SocketTransport, Transport
from bot.slack.worker_pool import Step, WorkerPool
from bot.slack.workspaces import Workspaces
from bot.wiring.audit import audit_names
from bot.wiring.container import Container, Stores, record_access
from bot.wiring.given_answers import not_led, publish_apart, publish_soon, readers_of, refused_words
from bot.wiring.given_files import read_in, read_in_step
from bot.wiring.observing import look, noting
from bot.wiring.retrieval import build_attachment_reader
from bot.wiring.slack_clients import (
    downloads,
    installing_in_workspaces,
    slack_client,
    slack_people,
    who_acts,
)
from bot.wiring.sources import ChannelSources
from bot.wording.channels import bad_forbid
from retrieval.documents.port import LibraryReader
from retrieval.types import Document, Scope

log = logging.getLogger(__name__)
MOST_PATIENT = 10
"""Times that a message waits for which nobody waits, where Slack asks for it."""
MOST_SUGGESTED = 1_000
"""Documents of which it is remembered what could be asked."""
COURTESY_SECONDS = 60.0
"""How often somebody hears the same that is no reply."""
Jobs = Callable[[], Sequence[JobStatus]]


def slack_bot(
    container: Container, jobs: Jobs = tuple, is_leader: Callable[[], bool] = lambda: False
) -> SlackBot:
    """Everything that runs, not started; `jobs` stand beside it, run here if `is_leader`."""
    forbidden = _forbidden(container.settings)
    inbox = Inbox.open(container.settings.inbox_database)
    identity = who_acts(container, inbox.leave)
    background, courtesies = (
        ThreadPoolExecutor(1, thread_name_prefix=name) for name in ("background", "courtesies")
    )
    client, stores = slack_client(container), container.stores
    rules = ChannelRules(
        inbox.channel_settings,
        slack_people(container, identity),
        SlackChannels(client),
        lambda: stores.access.channels,
        forbidden,
    )
    pictures = None
    if container.settings.slack_pictures:
        pictures = EvidencePictures(client, drawing(container.stores), inbox.uploads, _now)
    from bot.wiring.jobs import admins_teller

    advise = Advising(admins_teller(container))
    app = _app(container, inbox, identity, rules, (background, courtesies), jobs, pictures, advise)
    sockets, calls = _transports(container, app, identity)
    looks = Looks(
        lambda: noting(container, inbox, partial(look, container, identity, sockets), is_leader())
    )
    removers = in_turn(
        StaleMessageRemover(client, inbox.stale_messages, stores.audit_writer.append, _now),
        UploadRemover(client, inbox.uploads, _now),
    )
    return SlackBot(
        inbox,
        _worker_pool(container, inbox, identity, rules, background, advise),
        (
            RepeatingThread("cleanup", removers),
            RepeatingThread("referrals", _referral_steps(container, inbox, rules, advise)),
            RepeatingThread("answers", PublishStep(inbox.referrals, publish_apart, _now)),
            RepeatingThread("given-files", read_in_step(container, rules)),
            RepeatingThread("channels", ChannelSources(container)),
            *([RepeatingThread("looks", looks)] if container.settings.health_port else ()),
        ),
        (background, courtesies),
        (*_checks(container, looks), *sockets, *calls),
        pictures,
        lambda: _read_user_groups(container),
    )


def _read_user_groups(container: Container) -> None:
    """The job does so by the clock, and tells where it fails."""
    from bot.wiring.jobs import read_user_groups

    try:
        read_user_groups(container)
    except (BotError, AuditError) as error:
        log.warning("%s", error)


def _forbidden(settings: Settings) -> frozenset[Widening]:
    stated = settings.channels_forbid
    try:
        return widenings(each for each in stated.split(",") if each.strip())
    except ValueError as error:
        raise BadConfiguration(bad_forbid(stated, str(error))) from error


def _worker_pool(
    container: Container,
    inbox: Inbox,
    identity: BotIdentity | Workspaces,
    rules: ChannelRules,
    background: Executor,
    advise: Advise,
) -> WorkerPool:
    client, stores = slack_client(container), container.stores
    once = PostingOnce(client, inbox, _now)
    earlier = EarlierQuestions(client, inbox, container.models.named.meanings)
    files = _attached_files(container, inbox, client, advise)
    settings, people = container.settings, rules.people
    author = people.person if settings.slack_search_kept else None
    search = SlackSearch(client, inbox.attachments.is_wanted, people.named, _now, author)
    searches = (search,) if settings.slack_search else ()
    steps: dict[Stage, Step] = {
        Stage.PLACEHOLDER: PlaceholderStep(
            client, once, inbox, earlier, rules.people, identity.bot_user, _now, rules
        ),
        Stage.ANSWERING: AnswerStep(
            client,
            earlier,
            rules.people,
            container.answering,
            stores.audit_reader,
            date.today,
            rules.slack,
            Progress(client, background),
            rules,
            files,
            files.came_with,
            *searches,
        ),
        Stage.POSTING: PostStep(
            client,
            once,
            stores.audit_reader,
            _now,
            inbox,
            lambda record: (
                record.decision is not Decision.ANSWER and bool(asks_in(container, inbox, record))
            ),
            rules,
            files.came_with,
            container.settings.web_base,
        ),
        Stage.DELIVERY: DeliveryStep(stores.audit_writer.append, inbox.stale_messages),
        Stage.WITHDRAWN: WithdrawStep(
            stores.audit_reader, stores.audit_writer.append, inbox.stale_messages, _now
        ),
    }
    workers = container.settings.workers
    return WorkerPool(inbox, steps, TroubleNotice(client), workers, _now, advise)


def _referral_steps(
    container: Container, inbox: Inbox, rules: ChannelRules, advise: Advise
) -> ReferralSteps:
    stores = container.stores
    return ReferralSteps(
        slack_client(container),
        inbox.referrals,
        inbox.stale_messages,
        stores.audit_reader,
        stores.audit_writer.append,
        rules.people,
        rules.slack,
        record_access(stores),
        zone_of(container.settings.jobs_time_zone),
        _now,
        advise,
    )


def asks_in(container: Container, inbox: Inbox, record: AuditRecord) -> str:
    """The channel that may know: the one set, the nearest document's, those named, or admins'."""
    stores = container.stores
    team = team_of(record.person.id)
    if set_there := inbox.channel_settings.of(record.channel.id).ask_person:
        return set_there
    named: list[NearestRecord | Candidate] = [*record.nearest, *record.candidates]
    near = [
        (each.document_id, each.version, each.passage_id)
        for each in named
        if not is_attached(each.document_id)
    ]
    for wanted in near[:1]:
        for passage in stores.library.passages_at([wanted]).values():
            units = units_of(passage.document.metadata, stores.ontology)
            if channel := stores.access.channels.owning_channel(units, team):
                return channel
    owners = stores.access.channels.owning_channel(record.owners, team)
    return owners or ("" if team else container.settings.admin_channel)


def _attached_files(
    container: Container, inbox: Inbox, client: WebClient, advise: Advise
) -> AttachedFiles:
    reader = build_attachment_reader(container.settings)
    fetch = FetchPosted(client, downloads(container), reader.check_kind)
    return AttachedFiles(fetch, inbox.attachments, reader, _now, advise)


def _app(
    container: Container,
    inbox: Inbox,
    identity: BotIdentity | Workspaces,
    rules: ChannelRules,
    executors: tuple[Executor, Executor],
    jobs: Jobs,
    pictures: EvidencePictures | None,
    advise: Advise,
) -> App:
    stores, throttle = container.stores, Throttle(COURTESY_SECONDS, time.monotonic)
    people, channels, (background, courtesies) = rules.people, rules.slack, executors

    def everyone_in(channel: str) -> Scope:
        return stores.access.scope_for(None, channel, date.today())

    patient = slack_client(container, RateLimitErrorRetryHandler(max_retry_count=MOST_PATIENT))
    home = AppHome(
        patient,
        people,
        stores.access.scope_for,
        stores.audit_reader,
        library_view(container),
        jobs,
        date.today,
        container.settings.web_base,
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
            Notices(patient, inbox.stale_messages, background, throttle, _now, courtesies, advise),
            home,
            _now,
            container.models.named.meanings,
            rules,
            _link_previews(container, patient, people),
            ChannelSources(container).heard,
            container.settings.slack_search,
        ),
        Clicks(
            replies=Replies(stores.audit_reader, people),
            kept=FeedbackStore(stores.audit_reader, stores.audit_writer.append, _now),
            inbox=inbox,
            channels=channels,
            visibility=record_access(stores),
            rules=rules,
            texts=lambda record: _texts(stores.library, inbox.attachments, record),
            now=_now,
            pictures=pictures,
            pages=container.settings.web_base,
        ).on,
        Admin(
            stores.audit_reader,
            people,
            audit_names(container.stores),
            partial(kept_out_in, stores.library, stores.ontology),
            lambda: _now().date(),
            jobs,
        ).on,
        AskPerson(
            Replies(stores.audit_reader, people),
            inbox.referrals,
            channels,
            lambda channel: stores.access.common_in(channel),
            tuple(each.facet for each in stores.ontology.levels if each.facet),
            partial(asks_in, container, inbox),
            stores.audit_writer.append,
            identity.bot_user,
            _now,
        ).on,
        StandardAnswerForms(
            Replies(stores.audit_reader, people),
            lambda told, team: (
                readers_of(told, stores.library, stores.ontology.in_team(team)) is not None
            ),
            partial(refused_words, container),
            stores.audit_writer.append,
            publish_soon,
            lambda work: Thread(target=work, name="review", daemon=True).start(),
            _now,
        ).on,
        ChannelManager(
            rules, lambda channel: readable_sources(stores.library, everyone_in(channel)), _now
        ).on,
        read_in(container, rules).on,
        Shortcuts(inbox, channels, identity.bot_user, container.models.named.meanings, _now).on,
        home.on,
    )


def _link_previews(
    container: Container, client: WebClient, people: SlackPeople
) -> LinkPreviews | None:
    pages, stores = container.settings.web_base, container.stores
    if not pages:
        return None
    return LinkPreviews(client, stores.audit_reader, people.person, record_access(stores), pages)


def library_view(container: Container) -> LibraryView:
    library, ontology = container.stores.library, container.stores.ontology

    @lru_cache(MOST_SUGGESTED)
    def suggested(document: Document) -> str:
        return Suggestions(library, container.models.reranker)(document)

    return LibraryView(
        partial(readable, library),
        suggested,
        partial(sources_in, library, ontology),
        partial(kept_out_in, library, ontology),
        lambda source: len(library.holdings(source)),
        partial(not_led, container),
    )


def _transports(
    container: Container, app: App, identity: BotIdentity | Workspaces
) -> tuple[tuple[Transport, ...], tuple[Transport, ...]]:
    settings = container.settings
    if settings.slack_transport == "socket":
        return (SocketTransport(app, settings.slack_app_token.get_secret_value(), identity),), ()
    calls = slack_calls(
        app, installing_in_workspaces(container) if settings.has_several_teams else None
    )
    return (), (HttpTransport(calls, settings.host, settings.http_port, identity),)


def _checks(container: Container, looks: Looks) -> tuple[Transport, ...]:
    settings, metrics = container.settings, container.metrics
    if not settings.health_port:
        return ()
    if metrics:
        metrics.tell_ready(looks.problems)
    served = health_checks(looks.problems, metrics.exposed if metrics else None)
    return (HealthChecks(served, settings.health_host, settings.health_port),)


def _texts(
    library: LibraryReader, attachments: Attachments, record: AuditRecord
) -> Mapping[str, str]:
    """The record's passages as they stood when they were read, as far as they are kept."""
    named = {(each.document_id, each.version, each.passage_id) for each in record.candidates}
    kept = library.passages_at(named)
    shown = {each.passage_id: library.shown(each.sha256) for each in record.shown}
    texts = {key: text for key, text in shown.items() if text}
    files = {each.removeprefix(ATTACHED) for each, _, _ in named if is_attached(each)}
    texts |= {each.passage_id: each.text for each in attachments.passages(files)}
    texts |= {each.passage_id: each.text for each in record.shown if each.text}
    return texts | {key: passage.text for key, passage in kept.items()}


def _now() -> datetime:
    return datetime.now(UTC)


def drawing(stores: Stores) -> Callable[[CitationRecord], bytes]:
    """Draws a citation's place as a PNG in a process of its own; raises `NoPicture`."""
    from retrieval.rendering.renderer import CitedPictures, CitedWords, PageRenderer

    pictures = CitedPictures(stores.library, PageRenderer())

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
