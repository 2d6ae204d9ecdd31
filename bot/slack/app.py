"""The bot: who handles what Slack delivers, and what runs, started and drained together."""

import logging
import secrets
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any, cast

from slack_bolt import Ack, App, BoltContext, BoltResponse
from slack_bolt.authorization import AuthorizeResult
from slack_sdk import WebClient

from audit.errors import AuditError
from bot.errors import InboxUnavailable, NotConnected
from bot.slack.citations import EvidencePictures
from bot.slack.clicked import NotOpened, post_ephemeral
from bot.slack.directory import BotIdentity
from bot.slack.failures import UNSENT, Throttle
from bot.slack.inbox.store import Inbox
from bot.slack.intake import Intake
from bot.slack.transport import Transport
from bot.slack.worker_pool import WorkerPool
from bot.slack.workspaces import Workspaces
from bot.wording import slack as wording

LISTENERS = 10
"""Threads for clicks and commands, which are short; questions are answered elsewhere."""
log = logging.getLogger(__name__)


def slack_app(
    client: WebClient,
    identity: BotIdentity | Workspaces,
    signing_secret: str,
    intake: Intake,
    *listen: Callable[[App], None],
) -> App:
    """Register who handles everything that Slack may deliver; `listen`: who tell Bolt themselves.

    `client` carries no token: every request gets the identity's.

    Bolt verifies signatures (v0, five minutes, compared in constant time) of what comes
    over HTTP; what comes over a socket, Slack has authenticated with the app token. Without
    a secret nothing that comes over HTTP is believed.
    """
    app = App(
        client=client,
        signing_secret=signing_secret or secrets.token_hex(),
        # Bolt drops what comes from where there is nobody: it takes None, which it does not type.
        authorize=lambda enterprise_id, team_id: cast(
            AuthorizeResult, identity.authorize(enterprise_id, team_id)
        ),
        listener_executor=ThreadPoolExecutor(LISTENERS, thread_name_prefix="clicks"),
    )
    app.use(_acknowledge_for_good)
    if isinstance(identity, Workspaces):
        app.use(identity.enter)
    app.use(intake.handle)
    for register in listen:
        register(app)
    app.error(_failed)
    return app


class _Acknowledged(Ack):
    """An acknowledgement that stays one.

    Bolt (1.30, `ThreadListenerRunner`) sets `response` back to None where a listener fails
    after `ack()`, and looks at it every 10 ms only: of a quick failure Slack would hear
    nothing, and say after three seconds that the app did not respond.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if name != "response" or value is not None or not hasattr(self, "response"):
            super().__setattr__(name, value)


def _acknowledge_for_good(
    context: BoltContext,
    next: Callable[[], BoltResponse],  # noqa: A002  # Bolt passes arguments by these names
) -> BoltResponse:
    context["ack"] = _Acknowledged()  # type: ignore[no-untyped-call]  # Bolt types it not
    return next()


def _failed(
    error: Exception, body: dict[str, Any], client: WebClient, context: BoltContext
) -> None:
    """The person hears of a click or command that went wrong; a message comes again by itself."""
    log.error("What Slack delivered could not be handled", exc_info=error)
    user, channel = context.user_id, context.channel_id
    if not user or not channel or "event" in body or isinstance(error, NotConnected):
        return
    stands = body.get("message") or body.get("container")
    where = {"channel": {"id": channel}, "user": {"id": user}, "message": stands}
    try:
        if context.respond and body.get("response_url"):  # works where the bot is no member
            context.respond(_words(error), response_type="ephemeral", replace_original=False)
        else:
            post_ephemeral(client, where, _words(error))
    except UNSENT as unsaid:
        log.warning("Could not be said: %s", unsaid)


def _words(error: Exception) -> str:
    if isinstance(error, AuditError):
        return wording.STORE_AWAY
    if isinstance(error, NotOpened):
        return wording.WINDOW_LATE if error.late else wording.WINDOW_FAILED
    if isinstance(error, UNSENT):
        return wording.PEOPLE_AWAY
    return wording.CLICK_FAILED


LOOK_AGAIN = 0.5
"""Seconds between two looks whether there is something to do."""


@dataclass(frozen=True, slots=True)
class RepeatingThread:
    """A thread that does what is due until it is stopped."""

    name: str
    step: Callable[[], bool]
    """Does one thing and tells whether there was one; what it raises is logged."""
    _stopped: Event = field(default_factory=Event, init=False)
    _throttle: Throttle = field(default_factory=lambda: Throttle(60.0, time.monotonic), init=False)

    def start(self) -> None:
        Thread(target=self._repeat, name=self.name, daemon=True).start()

    def stop(self) -> None:
        """Stop; what is not done yet is done by the next process."""
        self._stopped.set()

    def _repeat(self) -> None:
        while not self._stopped.is_set():
            worked = False
            try:
                worked = self.step()
            except Exception as error:
                if self._throttle.may_say(str(error)):
                    foreseen = isinstance(error, InboxUnavailable)
                    log.error("%s", error, exc_info=None if foreseen else error)
            if not worked:
                self._stopped.wait(LOOK_AGAIN)


def in_turn(*removers: Callable[[], bool]) -> Callable[[], bool]:
    """Let each remove one of its own; whether any of them had something to do."""

    def remove() -> bool:
        worked = [remover() for remover in removers]
        return any(worked)

    return remove


DRAIN_SECONDS = 30.0
"""For the steps in progress; systemd and Docker wait longer before they kill."""


@dataclass(frozen=True, slots=True)
class SlackBot:
    inbox: Inbox
    workers: WorkerPool
    repeating: tuple[RepeatingThread, ...]
    background: tuple[Executor, ...]
    transports: tuple[Transport, ...]
    pictures: EvidencePictures | None = None
    at_start: Callable[[], None] = lambda: None
    """Done in the background, once Slack is connected; raises nothing."""

    def start(self) -> None:
        """Work off what an earlier process left, then hear what is new."""
        self.workers.start()
        for each in self.repeating:
            each.start()
        for transport in self.transports:
            transport.start()
        self.background[0].submit(self.at_start)

    @property
    def problem(self) -> str:
        return next((each.problem for each in self.transports if each.problem), "")

    @property
    def is_busy(self) -> bool:
        return self.workers.is_busy(DRAIN_SECONDS)

    def stop(self) -> None:
        """Post what is answered and answer nothing more; the rest waits in the inbox.

        Slack is heard to the end: what arrives meanwhile is stored for the next start.
        """
        self.workers.drain(DRAIN_SECONDS)
        for transport in reversed(self.transports):
            transport.stop()
        for each in self.repeating:
            each.stop()
        if self.pictures:
            self.pictures.stop()
        for executor in self.background:
            executor.shutdown(wait=False, cancel_futures=True)
        self.inbox.close()
