"""A page of ours in a browser: served, signed in to, seen, and whether everybody can use it."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from cited_shelf import CitedShelf
from playwright.sync_api import Browser, Page, ViewportSize

from bot.access.people import People, Person
from bot.slack.http import ConnectionLimits, HttpServer, listen
from bot.web.app import AdminPage, WebApp
from bot.web.pages import CitationPages, DigestPages
from bot.web.sessions import Readers, Sessions
from bot.web.sign_in import Attempts, Client, Provider, SlackSignIn

PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1280, "height": 900}
EACH_WINDOW_AND_EACH_SCHEME = pytest.mark.parametrize(
    ("page", "scheme"),
    [
        pytest.param(PHONE, "light", id="phone-light"),
        pytest.param(DESK, "dark", id="desk-dark"),
        pytest.param(PHONE, "dark", id="phone-dark", marks=pytest.mark.exhaustive),
        pytest.param(DESK, "light", id="desk-light", marks=pytest.mark.exhaustive),
    ],
    indirect=["page"],
)
"""How wide a page is changes none of its colours: at length with each other."""


class Site(NamedTuple):
    url: str
    shelf: CitedShelf
    sessions: Sessions

    def once(self, who: Person) -> str:
        return f"{self.url}/sign-in/once/{self.sessions.make_once(who.id, '/')}"


@contextmanager
def serving(
    shelf: CitedShelf,
    digests: DigestPages,
    audits: AdminPage = lambda *_: None,
    people: Callable[[], People] | None = None,
) -> Iterator[Site]:
    """`people`: who is known; those of the shelf where left out."""
    listening = listen("127.0.0.1", 0, "VOUCH_WEB_PORT")
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    with closing(Sessions(shelf.folder / "web.sqlite", time.time)) as sessions:
        app = WebApp(
            url,
            CitationPages(shelf.citations),
            digests,
            sessions,
            Readers(people or (lambda: shelf.access.people), lambda _: None),
            SlackSignIn(Provider.at(url), Client("", "", url), lambda: ""),
            Attempts(),
            audits,
        )
        server = HttpServer(app.asgi(), listening, ConnectionLimits())
        server.start()
        yield Site(url, shelf, sessions)
        server.stop()


@contextmanager
def signed_in(browser: Browser, window: ViewportSize, site: Site, who: Person) -> Iterator[Page]:
    """A page in a window of this size; whatever the browser reports is a fault."""
    wrong: list[str] = []
    with closing(browser.new_context(viewport=window)) as context:
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.goto(site.once(who))
        yield page
    assert wrong == []


def is_sound(page: Page) -> None:
    """Nobody is kept out, and nothing is wider than the window."""
    found = Axe().run(page).response["violations"]
    assert [(each["id"], each["impact"], each["nodes"][0]["html"]) for each in found] == []
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


PICTURES = os.environ.get("VOUCH_TEST_PICTURES")
"""A folder, for whoever wants to look at the pages that were tested."""


def kept(page: Page, name: str) -> None:
    if PICTURES:
        width = page.evaluate("innerWidth")
        page.screenshot(path=Path(PICTURES, f"{name}-{width}.png"), full_page=True)
