"""`vouch up --sample` shows a second workspace, and what is of the first is not told there."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from slack_reading import buttons, words
from slack_scene import GENERAL, QUICK, Program
from two_workspaces import free_url
from vouch_home import LENIENT, SAMPLE, Home
from workspace_client import Slack

from bot.workspace.seed import BOT_USER, TEAM_ID

LAPTOPS = "How long can I borrow a laptop for?"
BOATS = "When can I hire a boat, and what does it cost?"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of its documents those that are asked about."""
    sample = tmp_path_factory.mktemp("second") / "sample"
    shutil.copytree(
        SAMPLE, sample, ignore=shutil.ignore_patterns("documents", "content", "harbour")
    )
    shutil.copytree(SAMPLE / "harbour", sample / "harbour")
    shutil.copytree(SAMPLE / "documents/faculty-of-computing", sample / "documents")
    return sample


@pytest.fixture(scope="module")
def home(sample: Path) -> Home:
    return Home(sample.parent / "home", {**LENIENT, **QUICK, "VOUCH_WEB_PORT": "0"})


@pytest.fixture(scope="module")
def program(sample: Path, home: Home) -> Iterator[tuple[Program, str]]:
    url = free_url()
    port = {"VOUCH_WORKSPACE_PORT": url.rpartition(":")[2]}
    running = Program(home, "--sample", sample, **port)
    try:
        running.wait_for_log("Vouch is up")
        yield running, url
    finally:
        running.end()


def test_what_is_of_one_workspace_is_neither_answered_nor_shown_to_administrators_in_the_other(
    program: tuple[Program, str],
) -> None:
    running, url = program
    here, there = Slack(url), Slack(f"{url}/T0HARBOUR")
    assert [each["path"] for each in there.state()["workspaces"]] == ["/", "/T0HARBOUR/"]
    assert "U0ANA" not in {each["id"] for each in there.state()["people"]}

    def answer(slack: Slack, user: str, question: str) -> str:
        asked = slack.says(user, GENERAL, f"@Vouch {question}")
        return running.wait_for(lambda: replied(slack, user, asked))

    assert "7 days" in answer(here, "U0ANA", LAPTOPS)
    assert "12 euros" in answer(there, "U0OLA", BOATS)
    for slack, user, question in ((there, "U0OLA", LAPTOPS), (here, "U0ANA", BOATS)):
        refused = answer(slack, user, question)
        assert "don't know" in refused
        assert "[1]" not in refused

    def audit(slack: Slack, user: str) -> str:
        slack.command(user, GENERAL, "/audit", "latest")
        return running.wait_for(lambda: told(slack, user))

    theirs, ours = audit(there, "U0INES"), audit(here, "U0PRIYA")
    assert theirs.count("Ola Berg") == ours.count("Ana Silva") == 2
    assert "Ana Silva" not in theirs
    assert "Ola Berg" not in ours


def test_what_is_cited_opens_for_who_sits_in_its_workspace_and_not_in_the_other(
    program: tuple[Program, str],
) -> None:
    """As the page of the workspace opens it: whom it names is signed in."""
    running, url = program
    there = Slack(f"{url}/T0HARBOUR")
    asked = there.says("U0OLA", GENERAL, f"@Vouch {BOATS}")
    running.wait_for(lambda: replied(there, "U0OLA", asked))
    told = json.dumps(there.thread(GENERAL, asked, "U0OLA"))
    site, path = re.findall(r"(http://[^/]+)(/cited/[^\"]+)", told)[0]

    def opens(who: str) -> tuple[int, bool]:
        with httpx.Client(base_url=site, follow_redirects=True, timeout=30) as browser:
            page = browser.get("/sign-in/slack", params={"next": path, "login_hint": who})
            return page.status_code, "12 euros" in page.text

    assert opens("T0HARBOUR//U0OLA") == (200, True)
    assert opens(f"{TEAM_ID}//U0ANA") == opens("U0ANA") == (404, False)


@pytest.mark.exhaustive
def test_the_tour_goes_on_in_a_home_that_showed_both(
    program: tuple[Program, str], home: Home, sample: Path, tmp_path: Path
) -> None:
    for name in ("people.yaml", "channels.yaml", ".env"):
        shutil.copy(home.path / name, tmp_path)
    later = Home(tmp_path, home.environment)
    later.does("tour", sample)
    assert (tmp_path / "people.yaml").read_text() == (home.path / "people.yaml").read_text()


def replied(slack: Slack, user: str, asked: str) -> str:
    """What stands under a question once it is answered."""
    said = [each for each in slack.thread(GENERAL, asked, user) if each["user"] == BOT_USER]
    return next((words(each) for each in said if buttons(each)), "")


def told(slack: Slack, user: str) -> str:
    """What somebody was told alone."""
    said = slack.messages(GENERAL, user)
    return "\n".join(each["text"] for each in said if each.get("ephemeral"))
