"""What lies between the bot and Slack ends their connection; the bot is soon back, and says so."""

import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
from office import SEED, NotedClient
from slack_bolt import App
from slack_bolt.authorization import AuthorizeResult
from slack_sdk import WebClient
from slack_sdk.socket_mode import SocketModeClient
from slack_sdk.socket_mode.builtin.connection import ConnectionState
from workspace_client import Slack

from bot.slack.directory import BotIdentity
from bot.slack.transport import SocketTransport, close_at_once
from bot.workspace.server import Options, Workspace
from bot.workspace.web_api import LimitFigures

RESET = struct.pack("ii", 1, 0)
"""Linger for no time: what is closed is reset."""


class Between:
    """A proxy of TCP, which forwards everything until it ends all connections."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._open: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.refusing = False
        self.handshakes = 0
        """Requests for a WebSocket that went through."""
        threading.Thread(target=self._accept, daemon=True).start()

    def reset(self) -> None:
        for each in self._taken():
            each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            self._end(each)

    def close(self) -> None:
        for each in self._taken():
            self._end(each)

    def half_close(self) -> None:
        """As a proxy that drains: says that it sends no more, and goes on reading."""
        for each in self._taken():
            with suppress(OSError):
                each.shutdown(socket.SHUT_WR)

    def stop(self) -> None:
        self._listening.close()
        self.close()

    def _taken(self) -> list[socket.socket]:
        taken, self._open = self._open, []
        return taken

    @staticmethod
    def _end(each: socket.socket) -> None:
        # Out of a `recv` that another thread is in, which would keep it open.
        descriptor = socket.socket(fileno=each.detach())
        descriptor.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            if self.refusing:
                client.close()
                continue
            server = socket.create_connection(("127.0.0.1", self._to))
            self._open += [client, server]
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=self._forward, args=(one, other), daemon=True).start()

    def _forward(self, one: socket.socket, other: socket.socket) -> None:
        one.settimeout(0.02)
        while True:
            try:
                if not (data := one.recv(65_536)):
                    break
                self.handshakes += b"upgrade: websocket" in data.lower().split(b"\r\n\r\n")[0]
                other.sendall(data)
            except TimeoutError:
                continue
            except OSError:
                break
        with suppress(OSError):
            other.shutdown(socket.SHUT_WR)


@contextmanager
def connected() -> Iterator[tuple[Workspace, Between, SocketTransport]]:
    with Workspace(SEED, options=Options(limits=LimitFigures(enabled=False))) as workspace:
        between = Between(int(workspace.url.rpartition(":")[2]))
        client = WebClient(base_url=f"http://127.0.0.1:{between.port}/api/", retry_handlers=[])
        identity = BotIdentity(NotedClient(token=workspace.bot_token, base_url=workspace.api_url))
        known = AuthorizeResult(enterprise_id=None, team_id="T", bot_token="xoxb")
        app = App(client=client, signing_secret="x", authorize=lambda: known)
        transport = SocketTransport(app, workspace.app_token, identity)
        transport.start()
        try:
            until(lambda: not transport.problem and is_connected(workspace))
            yield workspace, between, transport
        finally:
            transport.stop()
            between.stop()


def is_connected(workspace: Workspace) -> bool:
    return bool(Slack(workspace.url).state()["bot"]["connected"])


def until(holds: Callable[[], object], seconds: float = 30.0) -> None:
    """Generous: that it takes less than a second is measured elsewhere."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)


@pytest.mark.parametrize("ends", ["reset", "close", "half_close"])
def test_the_connection_ends_without_a_word_and_is_soon_back(ends: str) -> None:
    with connected() as (workspace, between, transport):
        before = between.handshakes
        between.refusing = True
        getattr(between, ends)()
        until(lambda: transport.problem, 10.0)
        time.sleep(0.3)
        assert transport.problem, "it is not back, and does not say that it is"
        between.refusing = False
        until(lambda: not transport.problem and is_connected(workspace))
        assert between.handshakes > before


def test_it_is_back_after_many_resets_in_a_row() -> None:
    with connected() as (workspace, between, transport):
        for _ in range(5):
            before = between.handshakes
            between.reset()
            until(lambda: between.handshakes > before)  # noqa: B023
            until(lambda: not transport.problem and is_connected(workspace))


@pytest.mark.timeout(60)
def test_stopping_does_not_wait_for_a_connection_that_never_comes() -> None:
    with connected() as (_, between, transport):
        between.refusing = True
        between.reset()
        until(lambda: transport.problem)
        transport.stop()


class GoesOn(ConnectionState):
    """slack_sdk's thread says that it goes on just after it was told to end, some times."""

    def __init__(self) -> None:
        self._times = 5
        self.has_begun = False

    @property
    def terminated(self) -> bool:
        return self._times <= 0

    @terminated.setter
    def terminated(self, told: bool) -> None:
        self._times -= told
        self.has_begun = True


@pytest.mark.timeout(60)
def test_closing_ends_a_connection_that_begins_at_that_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("slack_sdk.socket_mode.builtin.client.ConnectionState", GoesOn)
    with Workspace(SEED, options=Options(limits=LimitFigures(enabled=False))) as workspace:
        web = WebClient(base_url=workspace.api_url)
        client = SocketModeClient(workspace.app_token, web_client=web)
        client.connect()
        until(lambda: getattr(client.current_session_state, "has_begun", False))
        close_at_once(client)
        assert not client.is_connected()
