"""The pages in a browser, put together."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, date, datetime
from functools import partial
from http.client import HTTPException
from typing import TypeVar

from slack_sdk.errors import SlackClientError

from bot.access.people import People, Person
from bot.errors import NotConnected
from bot.slack.directory import CACHED_FOR_READERS_SECONDS, SlackPeople
from bot.slack.failures import NotInstalled
from bot.slack.http import LIMITS, HttpServer, listen
from bot.web.addresses import served_at
from bot.web.app import WebApp
from bot.web.audits import AuditRecordPages
from bot.web.citations import Citations
from bot.web.pages import CitationPages, DigestPages
from bot.web.sessions import NobodyAnyMore, Readers, Sessions
from bot.web.sign_in import Attempts, Client, Provider, SlackSignIn
from bot.wiring.audit import audit_names, receipt_of
from bot.wiring.container import Container, Stores, callback, record_access, sessions_file
from bot.wiring.slack_clients import slack_people, who_acts
from bot.wiring.telling import digests
from bot.wording.redaction import Address
from retrieval.rendering.renderer import PageRenderer

Yielded = TypeVar("Yielded")


@contextmanager
def web_pages(container: Container) -> Iterator[Container]:
    """Serve the pages meanwhile, at the container's `VOUCH_WEB_URL`; raise `BadConfiguration`."""
    settings = container.settings
    listening = listen(settings.web_host, settings.web_port, "VOUCH_WEB_PORT", "VOUCH_WEB_HOST")
    here = _here(settings.web_host, listening.getsockname()[1])
    known = container if settings.web_base else container.with_settings({"web_url": Address(here)})
    with ExitStack() as open_things:
        renderer = open_things.enter_context(PageRenderer())
        sessions = Sessions(sessions_file(container.home), time.time)
        open_things.callback(sessions.close)
        app = _app(known, sessions, renderer)
        server = HttpServer(app.asgi(), listening, LIMITS)
        open_things.callback(server.stop)
        server.start()
        open_things.enter_context(served_at(container.home, here))
        yield known


def _app(container: Container, sessions: Sessions, renderer: PageRenderer) -> WebApp:
    settings, base = container.settings, container.settings.web_base
    people = slack_people(container, who_acts(container), CACHED_FOR_READERS_SECONDS)
    sign_in = SlackSignIn(
        Provider.at(settings.slack_api_url.get_secret_value()),
        Client(
            settings.slack_client_id,
            settings.slack_client_secret.get_secret_value(),
            callback(container.settings),
        ),
        _asking_slack(people.team),
        is_installed=(lambda team: container.stores.installations.find(team) is not None)
        if settings.has_several_teams
        else None,
    )
    pages = CitationPages(_citations(container.stores, renderer), partial(receipt_of, container))
    known = readers(people, lambda: container.stores.access.people)
    made = digests(container)
    weeks = DigestPages(made, made.this_week, lambda: container.stores.access.channels.names)
    reader, names = container.stores.audit_reader, audit_names(container.stores)
    audits = AuditRecordPages(reader, names, lambda: datetime.now(UTC).date())
    return WebApp(base, pages, weeks, sessions, known, sign_in, Attempts(), audits.page)


def _citations(stores: Stores, renderer: PageRenderer) -> Citations:
    return Citations(
        stores.audit_reader,
        stores.library,
        record_access(stores),
        stores.access.scope_for,
        lambda channel: stores.access.common_in(channel) is not None,
        date.today,
        lambda content, page, boxes: renderer.page(content, page, boxes).png,
    )


def readers(people: SlackPeople, known: Callable[[], People]) -> Readers:
    def person(user: str) -> Person:
        """A guest keeps Slack's id, by which their own questions are theirs."""
        try:
            is_colleague = people.is_colleague(user)
        except NotInstalled as error:
            raise NobodyAnyMore from error
        if not is_colleague:
            raise NobodyAnyMore
        return people.person(user) or people.guest(user)

    return Readers(known, lambda user: _asking_slack(partial(person, user))())


def _asking_slack(ask: Callable[[], Yielded]) -> Callable[[], Yielded]:
    """The same; raises `NotConnected` where Slack cannot be asked."""

    def asking() -> Yielded:
        try:
            return ask()
        except (SlackClientError, HTTPException, OSError) as error:
            raise NotConnected(f"Slack cannot be asked: {error}") from error

    return asking


def _here(host: str, port: int) -> str:
    if host in ("0.0.0.0", "::", ""):  # noqa: S104  # of all addresses, loopback is one
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
