"""Somebody opens what an answer cites, in the pages that `vouch up` serves beside the workspace."""

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from slack_scene import Program
from vouch_home import Home, write

CARD = "# Cards\n\nA lost student card costs 20 euros, and the desk prints a new one at once.\n"
FOR_HR = "---\naudience:\n  departments: [hr]\n---\n"
PAY = f"{FOR_HR}# Pay\n\nA lost pay slip costs 3 euros at the desk.\n"
LOST_CARD = "how much does a lost student card cost?"
LOST_SLIP = "how much does a lost pay slip cost?"
PAGES = {"VOUCH_WORKSPACE_PORT": "0", "VOUCH_WEB_PORT": "0"}


HR_ANA = {"id": "ana", "name": "Ana Silva", "email": "ana@westhill.test", "departments": ["hr"]}
BEN = {"id": "ben", "name": "Ben Okafor", "email": "ben@westhill.test", "departments": ["cs"]}


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home in which the documents were read; a test that changes it puts it back."""
    folder = tmp_path_factory.mktemp("sources")
    (folder / "home").mkdir()
    home = Home(folder / "home")
    home.people(HR_ANA, BEN)
    home.ingest(write(folder / "docs", {"card.md": CARD, "pay.md": PAY}))
    return home


@pytest.fixture(scope="module")
def pages(read: Home) -> Iterator[str]:
    """Where they are served."""
    program = Program(read, **PAGES)
    program.wait_for_log("Vouch is up")
    yield re.findall(r"What answers cite opens at (\S+)", program.log)[0]
    assert program.end() == 0


def asked(home: Home, question: str, person: str) -> str:
    """The audit id of an answer that cites something."""
    reply = home.ask(question, "--as", person)
    assert reply["claims"], reply
    return str(reply["audit_id"])


def opens(link: str) -> httpx.Response:
    """In a browser of its own."""
    with httpx.Client(follow_redirects=True, timeout=30) as browser:
        return browser.get(link)


def linked(home: Home, *arguments: str) -> str:
    made = home.does("open", *arguments)
    return made.out.strip()


def test_the_command_line_makes_a_link_that_opens_a_source_once(read: Home, pages: str) -> None:
    audit_id = asked(read, LOST_SLIP, "ana")
    link = linked(read, audit_id, "--as", "ana")
    assert link.startswith(f"{pages}/sign-in/once/")
    shown = opens(link)
    assert (shown.status_code, shown.url.path) == (200, f"/cited/{audit_id}/1-1")
    assert "A lost pay slip costs 3 euros" in shown.text
    assert opens(link).status_code == 403


def test_the_same_source_shows_nothing_to_who_may_not_read_it(read: Home, pages: str) -> None:
    audit_id = asked(read, LOST_SLIP, "ana")
    for who in (["--as", "ben"], []):
        shown = opens(linked(read, audit_id, "1-1", *who))
        assert (shown.status_code, "pay slip" in shown.text) == (404, False)


def test_who_may_read_a_source_is_judged_when_it_is_opened(read: Home, pages: str) -> None:
    audit_id = asked(read, LOST_SLIP, "ana")
    with httpx.Client(follow_redirects=True, timeout=30) as browser:
        assert browser.get(linked(read, audit_id, "--as", "ana")).status_code == 200
        read.people({**HR_ANA, "departments": ["cs"]}, BEN)
        shown = browser.get(f"{pages}/cited/{audit_id}/1-1")
        read.people(HR_ANA, BEN)
        assert (shown.status_code, "pay slip" in shown.text) == (404, False)


def test_a_link_to_what_nobody_cited_is_not_made(read: Home, pages: str) -> None:
    audit_id = asked(read, LOST_CARD, "ana")
    for ref in ("9-9", "n1", "../.."):
        read.calls_wrong("cites 1-1", "open", audit_id, ref)


def test_a_taken_port_is_named_and_one_option_sets_those_of_workspace_and_pages(
    read: Home, pages: str
) -> None:
    taken = int(httpx.URL(pages).port or 0)
    set_so = {"VOUCH_WORKSPACE_PORT": "0", "VOUCH_WEB_PORT": str(taken)}
    read.refuses("VOUCH_WEB_PORT", "up", **set_so)
    read.refuses(f"Port {taken} ", "up", "--port", str(taken - 1))
    same = read.refuses(f"Port {taken} ", "up", "--port", str(taken))
    assert "vouch up --port" in same.said


def test_an_answer_at_the_command_line_says_where_its_sources_open(read: Home, pages: str) -> None:
    reply = read.ask(LOST_CARD, "--as", "ana")
    url = f"{pages}/cited/{reply['audit_id']}/1-1"
    assert reply["claims"][0]["citations"][0]["url"] == url
    kept = read.vouch("audit", "show", reply["audit_id"], "--json").json
    assert kept["claims"][0]["citations"][0]["url"] == url
    assert url in read.vouch("audit", "show", reply["audit_id"], COLUMNS="200").out
    shown = read.vouch("ask", LOST_CARD, "--as", "ana", COLUMNS="200").out
    assert re.search(rf"{pages}/cited/[0-9a-f-]{{36}}/1-1", shown)


@pytest.fixture
def unserved(home: Home) -> Home:
    home.people(HR_ANA)
    home.reads({"card.md": CARD})
    return home


def test_where_nobody_serves_pages_no_link_is_made(unserved: Home) -> None:
    audit_id = asked(unserved, LOST_CARD, "ana")
    unserved.refuses("vouch up", "open", audit_id, "--as", "ana")
    # as a program that was killed leaves it
    assert '"url"' not in unserved.vouch("audit", "show", audit_id, "--json").out
    assert "/cited/" not in unserved.vouch("ask", LOST_CARD).out
    (unserved.path / "web.json").write_text(json.dumps({"address": "http://127.0.0.1:9"}))
    assert unserved.vouch("open", audit_id, "--as", "ana").status == 1


@pytest.mark.exhaustive
def test_pages_can_be_left_out(unserved: Home) -> None:
    program = Program(unserved, VOUCH_WORKSPACE_PORT="0", VOUCH_WEB="false")
    program.wait_for_log("Vouch is up")
    assert program.end() == 0
    assert "What answers cite" not in program.log
    assert not (unserved.path / "web.json").exists()


@pytest.mark.parametrize(
    "settings",
    [
        {"VOUCH_WEB_URL": "https://vouch.example.org/pages"},
        {"VOUCH_WEB_URL": "http://vouch.example.org"},
        {"VOUCH_WEB_URL": "https://user:word@vouch.example.org"},
        {"VOUCH_WEB_URL": "vouch.example.org"},
        {"VOUCH_WEB_URL": "https://vouch.example.org", "VOUCH_WEB": "false"},
        {"VOUCH_WEB_URL": "https://vouch.example.org", "VOUCH_SLACK_BOT_TOKEN": "xoxb-1"},
        {"VOUCH_SLACK_CLIENT_ID": "1.2", "VOUCH_WEB_URL": "https://vouch.example.org"},
        {"VOUCH_SLACK_CLIENT_ID": "1.2", "VOUCH_SLACK_CLIENT_SECRET": "s"},
        {"VOUCH_WEB_PORT": "9000", "VOUCH_SLACK_BOT_TOKEN": "xoxb-1"},
        {"VOUCH_WEB_HOST": "::1", "VOUCH_WEB": "false"},
    ],
)
def test_settings_that_would_quietly_do_nothing_or_harm_are_refused(
    home: Home, settings: dict[str, Any]
) -> None:
    refused = home.vouch("check", **settings)
    assert (refused.status, "VOUCH_" in refused.said.split("Mend it")[0]) == (1, True)
