"""A workspace is put together and runs on this machine alone."""

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, MutableSet, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Self

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from bot.errors import BadConfiguration
from bot.stopping import StopSignal
from bot.wording import slack as words
from bot.workspace.beside_messages import ChannelContents, Previews, SearchMethods
from bot.workspace.conversations import Clock, Conversations, ConversationStore
from bot.workspace.deliveries import (
    ACKNOWLEDGE_WITHIN,
    REDELIVERY,
    Deliveries,
    HttpTransport,
    Sockets,
    Transport,
)
from bot.workspace.events import BotEvents, Listeners, Observer, PageEvents
from bot.workspace.faults import Faults
from bot.workspace.files import Files
from bot.workspace.interactions import Interactions, InteractionTools, Responses
from bot.workspace.methods import ChatMethods, ConversationMethods, FileMethods, Statuses
from bot.workspace.page import PageApi, PageFiles, Place
from bot.workspace.seed import BOT_USER, Seed
from bot.workspace.sign_in import App, Installing, OpenId
from bot.workspace.views import TRIGGER_LASTS, AppMethods, ResponseUrls, Triggers, Views
from bot.workspace.web_api import AppTokens, LimitFigures, RateLimits, WebApi, arguments

HOSTS = ["127.0.0.1", "localhost"]
"""Under which names the page may be asked for: a page of another site cannot take over one of
these by changing its own name's address (DNS rebinding)."""
_STATIC = Path(str(files("bot.workspace") / "static"))
_PAGE_HEADERS = {
    "cache-control": "no-cache",
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data: http: https:; frame-ancestors 'none'; "
        "base-uri 'none'; form-action 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}


@dataclass(frozen=True, slots=True)
class Options:
    path: Path | None = None
    """The file that keeps its messages; None to forget them."""
    clock: Clock | None = None
    """Seconds since the epoch; the machine's own where None."""
    limits: LimitFigures = field(default_factory=LimitFigures)
    redelivery: tuple[float, ...] = REDELIVERY
    acknowledge_within: float = ACKNOWLEDGE_WITHIN
    trigger_lasts: float = TRIGGER_LASTS
    file_processing: float = 0.5
    """Seconds from a file's completion until a block may show it; Slack says not how long."""
    events_url: str = ""
    """Where the app takes requests over HTTP; empty for Socket Mode."""
    observers: tuple[Observer, ...] = ()
    """Hear of every message, in the server's thread: for measuring."""
    acknowledged: Callable[[float], None] = lambda _: None
    """Observer how many seconds the app took to acknowledge an event."""


class Application:
    def __init__(
        self,
        seed: Seed,
        options: Options,
        tokens: AppTokens,
        faults: Faults,
        clock: Clock,
        base_url: Callable[[], str],
        redirect_urls: MutableSet[str],
        places: Sequence[Place],
        sockets: Sockets,
        beside: "Sequence[Application]",
    ) -> None:
        """`places`: all workspaces of one connection, `sockets`; `beside`: those served below."""
        self.team_id = seed.team_id
        self.tokens = tokens
        self.store = ConversationStore(options.path)
        self.listeners = Listeners()
        self.sockets = sockets
        self.sockets.tell(self.listeners)
        self._http = (
            HttpTransport(
                options.events_url, tokens.signing_secret, clock, options.acknowledge_within
            )
            if options.events_url
            else None
        )
        transport: Transport = self._http or self.sockets
        self.deliveries = Deliveries(transport, options.redelivery, options.acknowledged)
        statuses = Statuses(self.listeners)
        self.bot_events = BotEvents(
            seed.scopes, faults, self.deliveries.event, lambda: self._open_id.origins, seed.team_id
        )
        self.conversations = Conversations(
            seed,
            self.store,
            clock,
            [PageEvents(self.listeners), statuses, self.bot_events, *options.observers],
        )
        urls = ResponseUrls(clock)
        self._responses = Responses(self.conversations, urls)
        files = Files(clock, options.file_processing)
        self._uploads = FileMethods(files, tokens.bot, seed.scopes)
        tools = InteractionTools(
            Triggers(clock, options.trigger_lasts),
            urls,
            self._responses,
            Views(self.listeners, files, seed.team_id),
        )
        self._previews = Previews(
            self.conversations, tools.triggers, self.bot_events, self.listeners, tools.views
        )
        limits = RateLimits(options.limits, clock)
        self._open_id = OpenId(
            App(tokens.client_id, tokens.client_secret, redirect_urls),
            [self.conversations, *(each.conversations for each in beside)],
            base_url,
            clock,
        )
        self._installing = Installing(seed, tokens, redirect_urls)
        self._beside = beside
        methods = {
            **ChatMethods(self.conversations, limits, statuses).methods(),
            **ConversationMethods(self.conversations, seed.scopes, seed.usergroups).methods(),
            **ChannelContents(self.conversations, files).methods(),
            **SearchMethods(self.conversations, self.bot_events.action_tokens).methods(),
            **self._uploads.methods(),
            **self._previews.methods(),
            **AppMethods(seed, tools.views, tools.triggers, self.sockets.ticket).methods(),
            **self._open_id.methods(),
            **self._installing.methods(),
        }
        self.web_api = WebApi(methods, tokens, seed.scopes, limits, faults, base_url)
        interactions = Interactions(seed, self.conversations, tools, self.deliveries, base_url)
        self._page_api = PageApi(
            seed,
            self.conversations,
            interactions,
            self.listeners,
            transport,
            self.bot_events,
            lambda: self._open_id.origins,
            PageFiles(files, tools.views, base_url),
            self._previews,
            places,
        )

    def asgi(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/", _page),
                Mount("/static", _Static(directory=_STATIC, check_dir=False)),
                *self._page_api.routes(),
                Route("/api/{method}", self._api, methods=["GET", "POST"]),
                *self._open_id.routes(),
                *self._installing.routes(),
                *self._uploads.routes(),
                Route("/response/{secret}", self._responses.endpoint, methods=["POST"]),
                WebSocketRoute("/link/", self.sockets.endpoint),
                *(Mount(f"/{each.team_id}", each.asgi()) for each in self._beside),
            ],
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)],
            lifespan=self.lifespan,
        )

    async def _api(self, request: Request) -> Response:
        """A token says of which workspace it is, and so does a code, by its beginning."""
        token = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        installs = self._beside and request.path_params["method"] == "oauth.v2.access"
        code = str((await arguments(request)).get("code")) if installs else ""
        for each in self._beside:
            if token == each.tokens.bot or code.startswith(f"{each.team_id}-"):
                return await each.web_api.endpoint(request)
        return await self.web_api.endpoint(request)

    def of(self, team_id: str) -> "Application":
        return next(each for each in (self, *self._beside) if each.team_id == team_id)

    async def end(self) -> None:
        """Lets go of everybody who is connected, so that the server can stop at once."""
        for each in (self, *self._beside):
            await each.deliveries.stop()
            each.listeners.close()
        await self.sockets.cut()

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Starlette starts and stops nothing of what is mounted."""
        async with AsyncExitStack() as running:
            for each in self._beside:
                await running.enter_async_context(each.lifespan(app))
            if self._http:
                self.deliveries.in_background(self._http.verify())
            yield
            await self.deliveries.stop()
            self.store.close()


class _Static(StaticFiles):
    def file_response(self, *arguments: object, **options: object) -> Response:
        response = super().file_response(*arguments, **options)  # type: ignore[arg-type]  # as given
        response.headers.update(_PAGE_HEADERS)
        return response


async def _page(_: Request) -> Response:
    return FileResponse(_STATIC / "index.html", headers=_PAGE_HEADERS)


@dataclass(frozen=True, slots=True)
class Further:
    url: str
    bot_token: str
    team_id: str
    signing_secret: str


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
        tokens: AppTokens | None = None,
        options: Options | None = None,
        beside: Sequence[Seed] = (),
    ) -> None:
        """Port 0 picks a free one at the first start; `beside`: further workspaces' seeds."""
        self.faults = Faults()
        self._seed = seed
        self._port = port
        self._tokens = tokens or AppTokens.new()
        self._options = options or Options()
        self._beside = [(each, replace(self._tokens, bot=AppTokens.new().bot)) for each in beside]
        self._redirect_urls: set[str] = set()
        self._application: Application | None = None
        self._server: uvicorn.Server | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self._port}"

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/"

    @property
    def bot_token(self) -> str:
        return self._tokens.bot

    @property
    def team_id(self) -> str:
        return self._seed.team_id

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

    @property
    def beside(self) -> tuple[Further, ...]:
        return tuple(
            Further(f"{self.url}/{seed.team_id}", tokens.bot, seed.team_id, tokens.signing_secret)
            for seed, tokens in self._beside
        )

    def uninstall(self, team_id: str = "") -> None:
        """Take the app out as an administrator would; its token is over, and it is told."""

        def uninstall(application: Application) -> None:
            of_team = application.of(team_id or self.team_id)
            now = of_team.conversations.now()
            of_team.bot_events.tell({"type": "app_uninstalled", "event_ts": now})

        self._on_loop(uninstall)

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
        if not self._thread or not self._server:
            return
        self._on_loop(Application.end)
        self._server.should_exit = True
        self._thread.join(STOP_WITHIN)
        self._thread = None

    def serve(self, when_started: Callable[[], None]) -> None:
        with StopSignal() as stop, self:
            when_started()
            stop.wait()

    def cut_sockets(self) -> None:
        self._on_loop(lambda application: application.sockets.cut())

    def refresh_sockets(self) -> None:
        self._on_loop(lambda application: application.sockets.refresh())

    def archive(self, channel: str) -> None:
        self._on_loop(lambda application: application.conversations.archive(channel))

    def unarchive(self, channel: str) -> None:
        self._on_loop(lambda application: application.conversations.archive(channel, False))

    def invite(self, channel: str) -> None:
        def invite(application: Application) -> None:
            room = application.conversations.join(channel, BOT_USER)
            application.bot_events.joined(room, application.conversations.now())

        self._on_loop(invite)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _prepare(self) -> tuple[uvicorn.Server, socket.socket]:
        listening = _bound(self._port)
        self._port = listening.getsockname()[1]
        application = self._put_together()
        config = uvicorn.Config(
            application.asgi(), log_level="error", access_log=False, timeout_graceful_shutdown=2
        )
        self._application, self._server = application, uvicorn.Server(config)
        return self._server, listening

    def _put_together(self) -> Application:
        clock, path = self._options.clock or time.time, self._options.path
        sockets = Sockets(self._options.acknowledge_within)
        places = [
            Place(self._seed.team, "/"),
            *(Place(each.team, f"/{each.team_id}/") for each, _ in self._beside),
        ]

        def application(
            seed: Seed, tokens: AppTokens, below: str, *beside: Application
        ) -> Application:
            own = path.with_name(f"{path.stem}-{below}{path.suffix}") if path and below else path
            return Application(
                seed,
                replace(self._options, path=own),
                tokens,
                self.faults,
                clock,
                lambda: f"{self.url}/{below}".rstrip("/"),
                self._redirect_urls,
                places,
                sockets,
                beside,
            )

        beside = [application(seed, tokens, seed.team_id) for seed, tokens in self._beside]
        return application(self._seed, self._tokens, "", *beside)

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

    def _on_loop(self, do: Callable[[Application], Awaitable[None] | None]) -> None:
        """Have something done in the server's thread, where one runs, and wait for its end."""
        application, loop = self._application, self._loop
        if application is None or loop is None:
            return

        async def done() -> None:
            if (work := do(application)) is not None:
                await work

        asyncio.run_coroutine_threadsafe(done(), loop).result(STOP_WITHIN)


def _bound(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError:
        listening.close()
        raise BadConfiguration(words.port_taken(port)) from None
    return listening
