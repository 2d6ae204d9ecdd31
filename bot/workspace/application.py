"""The parts of a running workspace are put together here."""

from collections.abc import AsyncIterator, Callable, MutableSet
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from bot.workspace.conversations import Clock, Conversations
from bot.workspace.delivery.bot_events import BotEvents
from bot.workspace.delivery.deliveries import ACKNOWLEDGE_WITHIN, REDELIVERY, Deliveries, Transport
from bot.workspace.delivery.http_transport import HttpTransport
from bot.workspace.delivery.responses import Responses
from bot.workspace.delivery.sockets import Sockets
from bot.workspace.delivery.tickets import ResponseUrls, Triggers
from bot.workspace.faults import Faults
from bot.workspace.files import Files
from bot.workspace.interactions import Interactions, Tools
from bot.workspace.message_changes import Listeners, Observer, PageEvents
from bot.workspace.methods.app import AppMethods
from bot.workspace.methods.chat import ChatMethods, Statuses
from bot.workspace.methods.conversations import ConversationMethods
from bot.workspace.methods.files import FileMethods
from bot.workspace.methods.rate_limits import Limits, RateLimits
from bot.workspace.methods.web_api import Tokens, WebApi
from bot.workspace.open_id import App, OpenId
from bot.workspace.page_api import PageApi
from bot.workspace.page_files import PageFiles
from bot.workspace.seed import Seed
from bot.workspace.store import Store
from bot.workspace.views import Views

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
    """Options say how a workspace behaves, apart from who is in it."""

    path: Path | None = None
    """The file that keeps its messages; None to forget them."""
    clock: Clock | None = None
    """Seconds since the epoch; the machine's own where None."""
    limits: Limits = field(default_factory=Limits)
    redelivery: tuple[float, ...] = REDELIVERY
    acknowledge_within: float = ACKNOWLEDGE_WITHIN
    file_processing: float = 0.5
    """Seconds from a file's completion until a block may show it; Slack says not how long."""
    events_url: str = ""
    """Where the app takes requests over HTTP; empty for Socket Mode."""
    observers: tuple[Observer, ...] = ()
    """Hear of every message, in the server's thread: for measuring."""
    acknowledged: Callable[[float], None] = lambda _: None
    """Observer how many seconds the app took to acknowledge an event."""


class Application:
    """The application is everything that lives from start to stop."""

    def __init__(
        self,
        seed: Seed,
        options: Options,
        tokens: Tokens,
        faults: Faults,
        clock: Clock,
        base_url: Callable[[], str],
        redirect_urls: MutableSet[str],
    ) -> None:
        self.store = Store(options.path)
        self.listeners = Listeners()
        self.sockets = Sockets(self.listeners, options.acknowledge_within)
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
        bot_events = BotEvents(seed.scopes, faults, self.deliveries.event)
        self.conversations = Conversations(
            seed,
            self.store,
            clock,
            [PageEvents(self.listeners), statuses, bot_events, *options.observers],
        )
        urls = ResponseUrls(clock)
        self._responses = Responses(self.conversations, urls)
        files = Files(clock, options.file_processing)
        self._uploads = FileMethods(files)
        tools = Tools(Triggers(clock), urls, self._responses, Views(self.listeners, files))
        limits = RateLimits(options.limits, clock)
        self._open_id = OpenId(
            App(tokens.client_id, tokens.client_secret, redirect_urls),
            self.conversations,
            base_url,
            clock,
        )
        methods = {
            **ChatMethods(self.conversations, limits, statuses).methods(),
            **ConversationMethods(self.conversations, seed.scopes).methods(),
            **self._uploads.methods(),
            **AppMethods(seed, tools.views, tools.triggers, self.sockets.ticket).methods(),
            **self._open_id.methods(),
        }
        self._web_api = WebApi(methods, tokens, seed.scopes, limits, faults)
        interactions = Interactions(seed, self.conversations, tools, self.deliveries, base_url)
        self._page_api = PageApi(
            seed,
            self.conversations,
            interactions,
            self.listeners,
            transport,
            bot_events,
            lambda: self._open_id.origins,
            PageFiles(files, tools.views),
        )

    def asgi(self) -> Starlette:
        """Return what a server runs."""
        return Starlette(
            routes=[
                Route("/", _page),
                Mount("/static", _Static(directory=_STATIC, check_dir=False)),
                *self._page_api.routes(),
                Route("/api/{method}", self._web_api.endpoint, methods=["GET", "POST"]),
                *self._open_id.routes(),
                self._uploads.route(),
                Route("/response/{secret}", self._responses.endpoint, methods=["POST"]),
                WebSocketRoute("/link/", self.sockets.endpoint),
            ],
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)],
            lifespan=self._lifespan,
        )

    async def end(self) -> None:
        """Lets go of everybody who is connected, so that the server can stop at once."""
        await self.deliveries.stop()
        self.listeners.close()
        await self.sockets.cut()

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
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
