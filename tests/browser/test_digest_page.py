"""An administrator reads a week's digest in a browser: on a phone, at a desk, in the dark."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cited_shelf import ROOT, CitedShelf
from playwright.sync_api import Browser, Page, expect
from sound_pages import DESK, PHONE, is_sound, kept

from bot.digest.values import Digest, Line, UnitDigest, Week
from bot.digest.values import Page as Near
from bot.slack.http import Limits, Server, listen
from bot.web.app import WebApp
from bot.web.digests import DigestPages
from bot.web.pages import CitationPages
from bot.web.sessions import Readers, Sessions
from bot.web.sign_in import Attempts, Client, Provider, SlackSignIn
from bot.wording import digest as wording

NOW, LAST, BEFORE = (Week.named(f"2026-W{number}") for number in (48, 47, 46))
LONG = "Leave" + "andabsence" * 20
HOSTILE = '<script>document.title = "taken over"</script> how long?'


def made(week: Week) -> Digest:
    """Of last week; the one before had none."""
    lines = (
        Line(
            3,
            2,
            ("How many days of paternity leave do I get?", "paternity leave length?"),
            (Near(LONG, f"https://docs.example.org/{LONG}"), Near("Sick leave", "")),
        ),
        Line(1, 1, (HOSTILE,), ()),
    )
    units = (
        UnitDigest("hr@example.org", "C0HR", lines, 2),
        UnitDigest("", "", (Line(1, 1, (LONG,), ()),), 0),
    )
    return Digest(week, units if week == LAST else ())


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def page(request: pytest.FixtureRequest, browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """Where an administrator is signed in; whatever the browser reports is a fault."""
    assert NOW
    this_week = NOW
    wrong: list[str] = []
    listening = listen("127.0.0.1", 0, "VOUCH_WEB_PORT")
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    shelf = CitedShelf(tmp_path)
    with (
        closing(Sessions(tmp_path / "web.sqlite", time.time)) as sessions,
        closing(browser.new_context(viewport=request.param)) as context,
    ):
        app = WebApp(
            url,
            CitationPages(shelf.citations),
            DigestPages(lambda week, _: made(week), lambda: this_week, lambda: {"C0HR": "ask-hr"}),
            sessions,
            Readers(lambda: shelf.access.people, lambda _: None),
            SlackSignIn(Provider.at(url), Client("", "", url), lambda: ""),
            Attempts(),
        )
        running = Server(app.asgi(), listening, Limits())
        running.start()
        opened = context.new_page()
        opened.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        opened.goto(f"{url}/sign-in/once/{sessions.make_once(ROOT.id, '/')}")
        yield opened
        running.stop()
    assert wrong == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_administrator_reads_a_week_and_chooses_another(
    page: Page, scheme: str, tmp_path: Path
) -> None:
    assert LAST
    assert BEFORE
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of its literals
    page.get_by_role("link", name=wording.TITLE).click()
    hr = page.get_by_role("region", name="hr@example.org")
    expect(hr).to_contain_text(wording.times(3, 2))
    expect(hr).to_contain_text("ask-hr")
    expect(hr.get_by_role("link", name=LONG)).to_have_attribute(
        "href", f"https://docs.example.org/{LONG}"
    )
    expect(hr).to_contain_text(HOSTILE)
    expect(page.get_by_role("region", name=wording.NOBODYS)).to_contain_text(wording.UNHEARD)
    assert wording.TITLE in page.title()
    kept(page, f"digest-{scheme}", tmp_path)
    is_sound(page)
    chosen = page.get_by_label(wording.WEEK)
    expect(chosen).to_have_value(LAST.name)
    chosen.select_option(BEFORE.name)
    page.get_by_role("button", name=wording.SHOW).click()
    expect(page.get_by_text(wording.NOTHING)).to_be_visible()
    expect(page.get_by_label(wording.WEEK)).to_have_value(BEFORE.name)
    is_sound(page)
