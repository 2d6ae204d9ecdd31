"""How Slack reaches the bot: over a socket that the bot opens, or by calling it."""

import logging
import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Event, Thread
from typing import Protocol

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientNotConnectedError
from slack_sdk.socket_mode import SocketModeClient
from starlette.applications import Starlette

from bot.errors import BadConfiguration
from bot.slack.directory import BotIdentity
from bot.slack.failures import UNSENT, Throttle, spread
from bot.slack.http import HttpServer, serve
from bot.slack.workspaces import Workspaces

LOOK_SECONDS = 0.2
"""How often the socket is looked at: what Slack cannot deliver meanwhile it delivers a minute
later. slack_sdk's client by itself misses a connection that ended without a word until five
of its pings failed."""
PING_SECONDS = 1
"""How often slack_sdk asks Slack for a sign of life; silence of more than four times that is
the end of the connection."""
REQUEST_SECONDS = 10
"""How long Slack may take to say where to connect."""
FIRST_PAUSE = 0.5
LONGEST_REFUSED = 30.0
LONGEST_AWAY = 3.0
"""Seconds between two attempts to connect: at first, and in the end where Slack refuses, and
where it cannot be reached."""
CLOSE_SECONDS, CLOSE_LOOK_SECONDS = 5.0, 0.02
"""How long threads may take to end, and how often one is told to."""
COMPLAIN_SECONDS = 60.0

log = logging.getLogger(__name__)


class Transport(Protocol):
    """Delivers what Slack says to the Bolt app, in threads of its own and in no certain order."""

    def start(self) -> None:
        """Begin, once; a port taken raises `BadConfiguration`, what fails later is `problem`."""

    def stop(self) -> None:
        """Stop for good; nothing is delivered any more. Before `start` it does nothing."""

    @property
    def problem(self) -> str:
        """Say why nothing can arrive just now; empty where all is well."""


class SocketTransport:
    """Socket Mode, for which a laptop or a closed network suffices: Slack calls nothing.

    Connects in the background and goes on trying, so that a bot that starts before the
    network does comes up by itself, and connects anew whenever the connection ended.
    """

    def __init__(self, app: App, app_token: str, identity: BotIdentity | Workspaces) -> None:
        self._identity = identity
        self._handler = SocketModeHandler(
            app,
            app_token,
            web_client=WebClient(base_url=app.client.base_url, timeout=REQUEST_SECONDS),
            ping_interval=PING_SECONDS,
            auto_reconnect_enabled=False,  # this class does
        )
        self._stopped = Event()
        self._keeping = Thread(target=self._keep_connected, name="slack-connect", daemon=True)

    def start(self) -> None:
        self._keeping.start()

    def stop(self) -> None:
        """Stop, waiting no longer than `CLOSE_SECONDS` for what hangs."""
        self._stopped.set()
        closing = Thread(target=self._close, name="slack-close", daemon=True)
        closing.start()
        closing.join(CLOSE_SECONDS)

    @property
    def problem(self) -> str:
        return "" if self._is_alive() else "Slack is not connected"

    def _keep_connected(self) -> None:
        until_connected(self._identity.learn, self._stopped)
        while not self._stopped.is_set():
            if not self._is_alive():
                until_connected(self._connect, self._stopped)
            self._stopped.wait(LOOK_SECONDS)

    def _is_alive(self) -> bool:
        session = self._handler.client.current_session
        socket = session.sock if session else None
        return socket is not None and not hung_up(socket)

    def _connect(self) -> None:
        """Connect anew; raise what slack_sdk raises, which only logs a failed handshake."""
        client = self._handler.client
        client.disconnect()
        client.connect_to_new_endpoint()
        if not client.is_connected():
            raise SlackClientNotConnectedError("the connection was not taken")

    def _close(self) -> None:
        self._keeping.join(CLOSE_SECONDS)
        close_at_once(self._handler.client)


def close_at_once(client: SocketModeClient) -> None:
    """Close once what came is acknowledged; nothing that arrives meanwhile is taken.

    slack_sdk's threads are woken from what they wait for: by itself that times out after seconds.
    """
    client.closed = True
    client.auto_reconnect_enabled = False
    client.enqueue_message("")
    client.message_processor.shutdown()  # type: ignore[no-untyped-call]  # it has no types
    client.message_workers.shutdown()
    receiving = client.current_session_runner
    receiving.event.set()
    session = client.current_session
    if session and session.sock:
        with suppress(OSError):
            socket.socket.shutdown(session.sock, socket.SHUT_RD)  # below TLS
    while receiving.is_alive():  # it says itself that it goes on when it begins just now
        client.current_session_state.terminated = True
        receiving.thread.join(CLOSE_LOOK_SECONDS)
    client.close()


def hung_up(connection: socket.socket) -> bool:
    """Tell whether the other end closed the connection or reset it, with or without a word.

    Asks the system, below TLS, and reads nothing. What has no `poll` (Windows) or no
    `POLLRDHUP` (macOS) sees less, and relies on pings.
    """
    if not hasattr(select, "poll"):
        return False
    ends = select.POLLHUP | select.POLLERR | select.POLLNVAL
    look = select.poll()
    try:
        look.register(connection, ends | getattr(select, "POLLRDHUP", 0))
    except (OSError, ValueError):  # closed just now
        return True
    return bool(look.poll(0))


def until_connected(connect: Callable[[], object], stopped: Event) -> None:
    """Try until it succeeds or somebody stops it; what Slack refuses is logged loudly."""
    throttle, pause = Throttle(COMPLAIN_SECONDS, time.monotonic), FIRST_PAUSE
    while not stopped.is_set():
        try:
            connect()
        except SlackApiError as error:
            log.error("Slack refuses the connection: %s. `vouch check` says more.", error)
            longest = LONGEST_REFUSED
        except UNSENT as error:
            if throttle.may_say(str(error)):
                log.warning("Slack cannot be reached (%s); trying again", error)
            longest = LONGEST_AWAY
        else:
            return
        pause = min(pause, longest)
        stopped.wait(spread(pause))
        pause *= 2


class HttpTransport:
    """HTTP mode: Slack calls, each call signed; several replicas may stand behind one address."""

    def __init__(
        self, app: Starlette, host: str, port: int, identity: BotIdentity | Workspaces
    ) -> None:
        self._open = partial(serve, app, host, port)
        self._identity = identity
        self._server: HttpServer | None = None
        self._stopped = Event()
        self._learning = Thread(target=self._learn, name="slack-connect", daemon=True)

    def start(self) -> None:
        """Raise `BadConfiguration` where the port is taken."""
        self._server = self._open()
        self._learning.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._server:
            self._server.stop()
            self._learning.join(CLOSE_SECONDS)

    @property
    def problem(self) -> str:
        return "" if self._identity.is_known else "Slack has not been reached yet"

    def _learn(self) -> None:
        try:
            until_connected(self._identity.learn, self._stopped)
        except BadConfiguration as error:
            log.error("%s", error)


class HealthChecks:
    """What tells the operator how the bot is, in either mode; it carries nothing of Slack's."""

    problem = ""

    def __init__(self, app: Starlette, host: str, port: int) -> None:
        self._open = partial(
            serve, app, host, port, setting="VOUCH_HEALTH_PORT", host_setting="VOUCH_HEALTH_HOST"
        )
        self._server: HttpServer | None = None

    def start(self) -> None:
        """Raise `BadConfiguration` where the port is taken."""
        self._server = self._open()

    def stop(self) -> None:
        if self._server:
            self._server.stop()
