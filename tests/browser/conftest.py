"""A real browser before a real workspace; a page that reports an error fails its test."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from page_setting import DESK, SEED, Open
from playwright.sync_api import Browser, Page, expect, sync_playwright
from scripted_bot import ScriptedBot
from workspace_client import UNHURRIED, Slack

from bot.workspace.server import Workspace

LEAVE_OUT = "VOUCH_TEST_WITHOUT_BROWSER"
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
expect.set_options(timeout=60_000)
"""On a busy machine; what is there is seen at once."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Of one module: Playwright keeps an event loop in this thread, which others must not find."""
    if os.environ.get(LEAVE_OUT):
        pytest.skip(f"{LEAVE_OUT} is set")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        pytest.fail(f"Install chromium, or set {LEAVE_OUT}=1 to leave these tests out.")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    options = replace(UNHURRIED, path=tmp_path / "workspace.db")
    running = Workspace(SEED, options=options)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def slack(workspace: Workspace) -> Slack:
    """The others in the workspace, who use no page."""
    return Slack(workspace.url)


@pytest.fixture
def bot(workspace: Workspace, slack: Slack) -> Iterator[ScriptedBot]:
    connected = ScriptedBot(workspace)
    connected.connect()
    slack.wait_for_bot()
    yield connected
    connected.close()


@pytest.fixture
def open_page(browser: Browser, workspace: Workspace) -> Iterator[Open]:
    """Opens the page at an address after `#`, in a window of the given kind."""
    errors: list[str] = []
    with ExitStack() as contexts:

        def opened(address: str = "", **window: Any) -> Page:
            context = browser.new_context(**{"viewport": DESK, **window})
            contexts.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(60_000)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda said: errors.append(said.text) if _wrong(said) else None)
            page.goto(f"{workspace.url}/{address and '#' + address}")
            expect(page.get_by_role("heading", level=1)).not_to_be_empty()
            return page

        yield opened
    assert errors == []


@pytest.fixture
def page(open_page: Open) -> Page:
    return open_page()


def _wrong(said: object) -> bool:
    """A connection that the test itself has cut is reported by the browser, not by the page."""
    kind, text = getattr(said, "type", ""), getattr(said, "text", "")
    return kind == "error" and not text.startswith("Failed to load resource: net::ERR_")
