"""The bot in Slack, put together."""

import time
from collections.abc import Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import UTC, date, datetime

from slack_bolt import App
from slack_sdk import WebClient
from slack_sdk.http_retry import RetryHandler
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

from audit.record import AuditRecord
from bot.slack.admin import Admin
from bot.slack.app import slack_app
from bot.slack.bot import SlackBot
from bot.slack.channels import SlackChannels
from bot.slack.clicks import Clicks
from bot.slack.exchange import Stage
from bot.slack.http import health_checks, slack_calls
from bot.slack.identity import Identity
from bot.slack.inbox import Inbox
from bot.slack.intake import Intake
from bot.slack.notices import Notices
from bot.slack.people import SlackPeople
from bot.slack.steps.answering import Answering
from bot.slack.steps.delivery import Noting
from bot.slack.steps.placeholder import Placing
from bot.slack.steps.posting import Posting
from bot.slack.steps.posting_once import PostingOnce
from bot.slack.steps.telling import Telling
from bot.slack.steps.withdrawing import Withdrawing
from bot.slack.sweeping import Removing, Sweeper
from bot.slack.throttle import Quiet
from bot.slack.transport import HealthChecks, HttpTransport, SocketTransport, Transport
from bot.slack.visibility import Sight
from bot.slack.worker_pool import Line, Step
from bot.wiring.container import House
from bot.wiring.readiness import problems

MOST_PATIENT = 10
COURTESY_SECONDS = 60.0
"""How often somebody hears the same that is no reply."""


def warm_up(house: House) -> None:
    """Load the models, so that the first question does not wait for them."""
    from retrieval.ports import EntailmentPair, RerankPair

    house.embedder.embed(["ready"])
    house.reranker.scores([RerankPair("ready?", "Ready.", cosine=0.0, bm25=0.0)])
    house.entailment.supported([EntailmentPair("Ready.", "Ready.")])


def slack_bot(house: House) -> SlackBot:
    """Everything that runs, not started yet; raise `InboxUnavailable`."""
    inbox = Inbox.open(house.settings.inbox_database)
    identity = Identity(_client(house))
    people = SlackPeople(_client(house), lambda: house.access.people)
    aside = ThreadPoolExecutor(1, thread_name_prefix="aside")
    app = _app(house, inbox, identity, people, aside)
    return SlackBot(
        inbox,
        _line(house, inbox, identity, people),
        Sweeper(Removing(_client(house), inbox.leftovers, _now)),
        aside,
        _transports(house, app, identity),
    )


def _line(house: House, inbox: Inbox, identity: Identity, people: SlackPeople) -> Line:
    client = _client(house)
    once = PostingOnce(client, inbox, _now)
    steps: dict[Stage, Step] = {
        Stage.PLACING: Placing(client, once, inbox, people, identity.bot_user, _now),
        Stage.ANSWERING: Answering(
            client,
            inbox,
            people,
            house.answering,
            house.audit_reader,
            date.today,
            SlackChannels(client),
        ),
        Stage.POSTING: Posting(client, once, house.audit_reader, _now, inbox),
        Stage.NOTING: Noting(house.audit_writer.append),
        Stage.WITHDRAWN: Withdrawing(
            house.audit_reader, house.audit_writer.append, inbox.leftovers, _now
        ),
    }
    return Line(inbox, steps, Telling(client), house.settings.workers, _now)


def _app(
    house: House, inbox: Inbox, identity: Identity, people: SlackPeople, aside: Executor
) -> App:
    quiet = Quiet(COURTESY_SECONDS, time.monotonic)
    return slack_app(
        WebClient(
            base_url=house.settings.slack_api_url.get_secret_value(), retry_handlers=_retries()
        ),
        identity,
        house.settings.slack_signing_secret.get_secret_value(),
        Intake(inbox, Notices(_patient_client(house), inbox.leftovers, aside, quiet, _now), _now),
        Clicks(
            records=house.audit_reader,
            append=house.audit_writer.append,
            inbox=inbox,
            people=people,
            sight=Sight(house.access.scope_for, house.library.access_of, date.today),
            texts=lambda record: _texts(house, record),
            now=_now,
        ),
        Admin(
            house.audit_reader,
            people,
            lambda: house.access.people,
            house.library.files_like,
            house.library.kept_out,
        ),
    )


def _transports(house: House, app: App, identity: Identity) -> tuple[Transport, ...]:
    """The health checks come first and go last; in Socket Mode nothing else listens."""
    settings = house.settings
    sockets: tuple[Transport, ...] = ()
    calls: tuple[Transport, ...] = ()
    if settings.slack_transport == "socket":
        sockets = (SocketTransport(app, settings.slack_app_token.get_secret_value(), identity),)
    else:
        calls = (HttpTransport(slack_calls(app), settings.host, settings.http_port, identity),)
    if settings.checks_port is None:
        return (*sockets, *calls)
    checks = health_checks(lambda: problems(house, identity, sockets))
    return (HealthChecks(checks, settings.host, settings.checks_port), *sockets, *calls)


def _texts(house: House, record: AuditRecord) -> Mapping[str, str]:
    """The record's passages as they stand in the library today."""
    named = {candidate.passage_id for candidate in record.candidates}
    return {key: passage.text for key, passage in house.library.passages(named).items()}


def _client(house: House) -> WebClient:
    """Sends everything once: a message that is sent again by itself stands there twice."""
    return WebClient(
        token=house.settings.slack_bot_token.get_secret_value(),
        base_url=house.settings.slack_api_url.get_secret_value(),
        retry_handlers=[],
    )


def _patient_client(house: House) -> WebClient:
    """For what nobody waits for: waits as often as Slack asks for it."""
    return WebClient(
        token=house.settings.slack_bot_token.get_secret_value(),
        base_url=house.settings.slack_api_url.get_secret_value(),
        retry_handlers=[RateLimitErrorRetryHandler(max_retry_count=MOST_PATIENT)],
    )


def _retries() -> list[RetryHandler]:
    return [RateLimitErrorRetryHandler(max_retry_count=1)]


def _now() -> datetime:
    return datetime.now(UTC)
