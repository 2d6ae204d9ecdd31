"""The pages' server and a browser without a screen, in front of a real local workspace."""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urljoin

import httpx
from slack_sdk import WebClient
from starlette.responses import PlainTextResponse, Response
from westhill import QUICK, SEED

from bot.access.people import People, Person
from bot.answering.citations.links import REPLY
from bot.slack.directory import SlackPeople
from bot.slack.http import ConnectionLimits, HttpServer, listen
from bot.web.app import WebApp
from bot.web.sessions import Sessions
from bot.web.sign_in import Attempts, Client, Provider, SlackSignIn
from bot.wiring.web import readers
from bot.workspace.seed import TEAM_ID
from bot.workspace.server import Workspace

ANA, BEN, EVE = "U0ANA", "U0BEN", "U0EVE"
CITED = "/cited/0190-audit/1-1"
ANAS_PAGE = "/cited/0190-audit/2-1"


@dataclass
class Pages:
    """Stands in for what a citation's page shows: one is everybody's, and one is Ana's alone."""

    opened: list[tuple[str, str, str]] = field(default_factory=list)

    def page(
        self, audit_id: str, ref: str, reader: Person | None, _: Mapping[str, str], token: str
    ) -> Response | None:
        who = reader.id if reader else ""
        self.opened.append((audit_id, ref, who))
        if ref == "1-1" or (ref in ("2-1", REPLY) and who == "ana"):
            return PlainTextResponse(f"{ref} for {reader.name if reader else 'a guest'} {token}")
        return None

    def document(
        self, document_id: str, reader: Person | None, _: Mapping[str, str], token: str
    ) -> Response | None:
        return self.page("document", document_id, reader, {}, token)

    def picture(
        self, audit_id: str, ref: str, page: str, reader: Person | None, _: Mapping[str, str]
    ) -> Response | None:
        shown = self.page(audit_id, ref, reader, {}, "")
        return Response(f"page {page}", media_type="image/png") if shown else None

    def receipt(self, audit_id: str, ref: str, reader: Person | None) -> Response | None:
        return self.page(audit_id, ref, reader, {}, "")


def week_page(asked: Mapping[str, str], token: str, _: str) -> Response | None:
    """Stands in for the page of a week."""
    week = asked.get("week", "2026-W47")
    return PlainTextResponse(f"unanswered in {week} {token}") if week != "2099-W01" else None


class Clock:
    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


@dataclass
class Door:
    url: str
    workspace: Workspace
    sessions: Sessions
    pages: Pages
    people: dict[str, Person]
    clock: Clock
    folder: Path
    app: WebApp

    def browser(self) -> "Browser":
        return Browser(self)

    def once(self, person: str, leads_to: str = CITED) -> str:
        return f"{self.url}/sign-in/once/{self.sessions.make_once(person, leads_to)}"


class Browser:
    """Keeps cookies by host, as a browser does, and follows where it is sent."""

    def __init__(self, door: Door) -> None:
        self.http = httpx.Client(base_url=door.url, timeout=20)

    def opens(self, address: str) -> httpx.Response:
        return self.http.get(address, follow_redirects=True)

    def asks(self, address: str) -> httpx.Response:
        """One request, going nowhere by itself."""
        return self.http.get(address)

    def signs_in(self, user: str, leads_to: str = CITED) -> httpx.Response:
        """As the local workspace's page opens a link for whoever sits there."""
        return self.opens(
            str(httpx.URL("/sign-in/slack", params={"next": leads_to, "login_hint": user}))
        )

    def signs_out(self, page: httpx.Response) -> httpx.Response:
        found = re.search(r"[0-9a-f]{64}", page.text)
        return self.http.post("/sign-out", data={"token": found.group() if found else ""})

    @property
    def session(self) -> str:
        return self.http.cookies.get("vouch") or ""


@contextmanager
def open_door(folder: Path, provider: Provider | None = None) -> Iterator[Door]:
    """`provider`: where people sign in, if not at the workspace."""
    with Workspace(SEED, options=QUICK) as workspace:
        listening = listen("127.0.0.1", 0, "VOUCH_WEB_PORT")
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        workspace.allow_sign_in(urljoin(base, "/sign-in/callback"))
        known = {
            "ana": Person("ana", "Ana Silva", "ana@westhill.test", {}),
            "ben": Person("ben", "Ben Okafor", "ben@westhill.test", {}),
        }
        clock, pages = Clock(), Pages()
        sessions = Sessions(folder / "web.sqlite", clock)
        client = WebClient(workspace.bot_token, base_url=workspace.api_url)
        app = WebApp(
            base,
            pages,
            week_page,
            sessions,
            readers(SlackPeople(client, lambda: People(known)), lambda: People(known)),
            SlackSignIn(
                provider or Provider.at(workspace.api_url),
                Client(workspace.client_id, workspace.client_secret, f"{base}/sign-in/callback"),
                lambda: TEAM_ID,
                clock,
            ),
            Attempts(),
            week_page,
        )
        server = HttpServer(app.asgi(), listening, ConnectionLimits())
        server.start()
        yield Door(base, workspace, sessions, pages, known, clock, folder, app)
        server.stop()
        sessions.close()
