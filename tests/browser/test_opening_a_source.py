"""Somebody clicks a source in a reply, in the real workspace of `vouch up`, and reads it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from slack_scene import Program
from vouch_home import Home

CARD = "# Cards\n\nA lost student card costs 20 euros, and the desk prints a new one at once.\n"
PEOPLE = (
    {"id": "ana", "name": "Ana Silva", "email": "ana@westhill.test"},
    {"id": "ben", "name": "Ben Okafor", "email": "ben@westhill.test"},
)
QUESTION = "how much does a lost student card cost?"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The workspace's page."""
    folder = tmp_path_factory.mktemp("opening")
    (folder / "home").mkdir()
    home = Home(folder / "home")
    home.people(*PEOPLE)
    home.reads({"card.md": CARD})
    program = Program(home, VOUCH_WORKSPACE_PORT="0", VOUCH_WEB_PORT="0")
    program.wait_for_log("Vouch is up")
    yield re.findall(r"Local workspace: (\S+)", program.log)[0]
    assert program.end() == 0


def asks(page: Page, address: str, user: str) -> None:
    """In a direct message with the bot, until the reply stands there."""
    page.goto(f"{address}/#{user}")
    page.get_by_role("navigation").get_by_role("button", name="Vouch", exact=True).click()
    field = page.get_by_label("Message Vouch", exact=True)
    field.fill(QUESTION)
    field.press("Enter")


def test_a_click_on_a_source_shows_the_cited_words_to_whoever_sits_there(
    browser: Browser, address: str
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(60_000)
    asks(page, address, "U0BEN")
    source = page.locator("a[href*='/cited/']").last
    expect(source).to_be_visible(timeout=150_000)
    with context.expect_page() as opened:
        source.click()
    shown = opened.value
    expect(shown).to_have_url(re.compile(r"/cited/[0-9a-f-]{36}/1-1$"))
    expect(shown.locator("mark").first).to_contain_text("A lost student card costs 20 euros")
    expect(shown.get_by_text("What the reply said")).to_be_visible()  # Ben's own question
    shown.get_by_role("button", name="Sign out").click()
    expect(shown.get_by_role("heading", name="You are signed out")).to_be_visible()
    context.close()
