"""How Slack reaches the bot: over a socket that the bot opens, or by calling it."""

import logging
from collections.abc import Callable
from functools import partial
from threading import Event, Thread
from typing import Protocol

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk.errors import SlackApiError
from starlette.applications import Starlette

from bot.slack.failures import UNSENT
from bot.slack.http import Server, serve
from bot.slack.identity import Identity

LONGEST_WAIT = 30.0
"""Seconds between two attempts to connect."""
PING_SECONDS = 3
"""How often slack_sdk looks whether its socket lives; silence of four times that is its end.
Its own 10 leave the bot deaf for as long, and what Slack cannot deliver in that time it
delivers a minute later."""

log = logging.getLogger(__name__)


class Transport(Protocol):
    """Delivers what Slack says to the Bolt app."""

    def start(self) -> None: ...

    def stop(self) -> None:
        """Nothing is delivered any more."""

    @property
    def problem(self) -> str:
        """Why nothing can arrive just now; empty where all is well."""


class SocketTransport:
    """Socket Mode: a laptop or a closed network suffices, nothing listens.

    Connects in the background and goes on trying, so that a bot that starts before the
    network does comes up by itself. Afterwards slack_sdk's client reconnects.
    """

    def __init__(self, app: App, app_token: str, identity: Identity) -> None:
        self._identity = identity
        self._handler = SocketModeHandler(app, app_token, ping_interval=PING_SECONDS)
        self._stopped = Event()
        self._connecting = Thread(target=self._connect, name="slack-connect", daemon=True)

    def start(self) -> None:
        self._connecting.start()

    def stop(self) -> None:
        self._stopped.set()
        self._connecting.join()
        self._handler.client.close()

    @property
    def problem(self) -> str:
        return "" if self._handler.client.is_connected() else "Slack is not connected"

    def _connect(self) -> None:
        patiently(self._identity.learn, self._stopped)
        patiently(self._handler.connect, self._stopped)


def patiently(connect: Callable[[], object], stopped: Event) -> None:
    """Try until it succeeds or somebody stops it; what Slack refuses is logged loudly."""
    wait = 1.0
    while not stopped.is_set():
        try:
            connect()
        except SlackApiError as error:
            log.error("Slack refuses the connection: %s. `vouch check` says more.", error)
        except UNSENT as error:
            log.warning("Slack cannot be reached (%s); trying again in %.0f s", error, wait)
        else:
            return
        stopped.wait(wait)
        wait = min(wait * 2, LONGEST_WAIT)


class HttpTransport:
    """HTTP mode: Slack calls, each call signed; several replicas may stand behind one address."""

    def __init__(self, app: Starlette, host: str, port: int, identity: Identity) -> None:
        self._open = partial(serve, app, host, port)
        self._identity = identity
        self._server: Server | None = None
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
            self._learning.join()

    @property
    def problem(self) -> str:
        return "" if self._identity.is_known else "Slack has not been reached yet"

    def _learn(self) -> None:
        patiently(self._identity.learn, self._stopped)


class HealthChecks:
    """What tells the operator how the bot is, in either mode; it carries nothing of Slack's."""

    problem = ""

    def __init__(self, app: Starlette, host: str, port: int) -> None:
        self._open = partial(serve, app, host, port, setting="VOUCH_HEALTH_PORT")
        self._server: Server | None = None

    def start(self) -> None:
        """Raise `BadConfiguration` where the port is taken."""
        self._server = self._open()

    def stop(self) -> None:
        if self._server:
            self._server.stop()
