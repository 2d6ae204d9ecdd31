"""A workspace runs on this machine alone, in a thread of its own or in the foreground."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self

import uvicorn

from bot.errors import BadConfiguration
from bot.stopping import StopSignal
from bot.wording import workspace as words
from bot.workspace.application import Application, Options
from bot.workspace.faults import Faults
from bot.workspace.methods.web_api import Tokens
from bot.workspace.seed import Seed

HOST = "127.0.0.1"
START_WITHIN = 20.0
STOP_WITHIN = 10.0
"""Seconds."""


class Workspace:
    """Its server can be started again, at the same address and with the same tokens."""

    def __init__(
        self,
        seed: Seed,
        *,
        port: int = 0,
        tokens: Tokens | None = None,
        options: Options | None = None,
    ) -> None:
        """Port 0 picks a free one at the first start."""
        self.faults = Faults()
        self._seed = seed
        self._port = port
        self._tokens = tokens or Tokens.new()
        self._options = options or Options()
        self._redirect_urls: set[str] = set()
        self._application: Application | None = None
        self._server: uvicorn.Server | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """Return the address of the page."""
        return f"http://{HOST}:{self._port}"

    @property
    def api_url(self) -> str:
        """Return the base URL for Slack's SDK."""
        return f"{self.url}/api/"

    @property
    def bot_token(self) -> str:
        return self._tokens.bot

    @property
    def app_token(self) -> str:
        return self._tokens.app

    @property
    def signing_secret(self) -> str:
        return self._tokens.signing_secret

    @property
    def client_id(self) -> str:
        return self._tokens.client_id

    @property
    def client_secret(self) -> str:
        return self._tokens.client_secret

    def allow_sign_in(self, redirect_url: str) -> None:
        """Let people sign in to a site that they come back to at this address."""
        self._redirect_urls.add(redirect_url)

    def start(self) -> None:
        """Returns when the page answers; `BadConfiguration` where the port is taken."""
        server, listening = self._prepare()
        started = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(server, listening, started), name="workspace", daemon=True
        )
        self._thread.start()
        if not started.wait(START_WITHIN):
            raise TimeoutError("The local workspace did not start.")

    def stop(self) -> None:
        """Ends all connections; what was said stays where a path was given."""
        if not self._thread or not self._server or not self._application:
            return
        self._on_loop(self._application.end())
        self._server.should_exit = True
        self._thread.join(STOP_WITHIN)
        self._thread = None

    def serve(self, when_started: Callable[[], None]) -> None:
        """Runs in the foreground until SIGINT or SIGTERM."""
        with StopSignal() as stop, self:
            when_started()
            stop.wait()

    def cut_sockets(self) -> None:
        """Ends the app's connections without a word, as a lost network does."""
        if self._application:
            self._on_loop(self._application.sockets.cut())

    def refresh_sockets(self, reason: str = "refresh_requested") -> None:
        """Asks the app to connect anew; `warning` is the other reason that Slack gives."""
        if self._application:
            self._on_loop(self._application.sockets.refresh(reason))

    def archive(self, channel: str) -> None:
        """Archive a channel as an administrator would."""
        if self._application:
            self._on_loop(self._archive(self._application, channel, True))

    def unarchive(self, channel: str) -> None:
        if self._application:
            self._on_loop(self._archive(self._application, channel, False))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _prepare(self) -> tuple[uvicorn.Server, socket.socket]:
        listening = _bound(self._port)
        self._port = listening.getsockname()[1]
        application = Application(
            self._seed,
            self._options,
            self._tokens,
            self.faults,
            self._options.clock or time.time,
            lambda: self.url,
            self._redirect_urls,
        )
        config = uvicorn.Config(
            application.asgi(),
            log_level="error",
            access_log=False,
            timeout_graceful_shutdown=2,
        )
        self._application, self._server = application, uvicorn.Server(config)
        return self._server, listening

    def _run(
        self, server: uvicorn.Server, listening: socket.socket, started: threading.Event
    ) -> None:
        with listening:
            asyncio.run(self._serve(server, listening, started))

    async def _serve(
        self, server: uvicorn.Server, listening: socket.socket, started: threading.Event
    ) -> None:
        self._loop = asyncio.get_running_loop()
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.005)
        started.set()
        await serving

    def _on_loop(self, work: Coroutine[Any, Any, None]) -> None:
        if self._loop is None:
            work.close()
            return
        asyncio.run_coroutine_threadsafe(work, self._loop).result(STOP_WITHIN)

    async def _archive(self, application: Application, channel: str, archived: bool) -> None:
        application.conversations.archive(channel, archived)


def _bound(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError:
        listening.close()
        raise BadConfiguration(words.port_taken(port)) from None
    return listening
