"""The bot over HTTP in two workspaces whose ids are the same: both have a U0ANA and a C0GENERAL."""

import re
import secrets
import socket
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import yaml
from slack_people import Somebody
from slack_scene import GENERAL, UNHURRIED, Scene
from vouch_home import LENIENT, Home, write
from workspace_client import Slack

from bot.workspace.seed import BOT_USER, TEAM_ID, Command, Member, Room, Seed, UserGroup
from bot.workspace.server import Workspace
from bot.workspace.web_api import AppTokens

OTHER = "T0OTHER"
ANA, ANAS_DOUBLE = Somebody("U0ANA", "ana", "Ana"), Somebody("U0ANA", f"{OTHER}//U0ANA", "Anneke")
EVE = Somebody("U0EVE", f"{OTHER}//U0EVE", "Eve")
COLLEAGUES = (
    Member("U0FAY", "fay", "Fay", "fay@there.example"),
    Member("U0GIL", "gil", "Gil", "gil@there.example"),
)
"""Of the second workspace, who ask nothing."""
PEOPLE = (
    {"id": "ana", "name": "Ana", "email": "ana@here.example", "admin": True},
    {"id": "U0EVE", "team": OTHER, "name": "Eve", "admin": True},
)
DOORS = "until when are the doors of the reading room open"
PERMIT = "what does a parking permit cost for a year"
HERE = (
    f"---\naudience: {{team: {TEAM_ID}}}\n---\n\n# Reading room\n\n"
    "The doors of the reading room are open until 23:00.\n"
)
THERE = (
    f"---\naudience: {{team: {OTHER}}}\n---\n\n# Parking\n\n"
    "A parking permit costs 40 euros for a year.\n"
)
APART = {"reading-room.md": HERE, "parking.md": THERE}
"""A document of each, in a source that is for both."""


class Further(Scene):
    def __init__(self, scene: Scene) -> None:
        self.home, self.program, self.workspace = scene.home, scene.program, scene.workspace
        [self.there] = scene.workspace.beside
        self.slack = Slack(self.there.url)

    def installs(self, url: str) -> httpx.Response:
        """Somebody opens the link, allows it in their workspace, and is sent back."""
        with httpx.Client() as browser:
            page = browser.get(f"{url}/slack/install")
            link = unescape(re.findall(r'href="([^"]*oauth[^"]*)"', page.text)[0])
            allowed = browser.get(f"{self.there.url}{urlsplit(link).path}?{urlsplit(link).query}")
            cookie = page.headers["set-cookie"].partition(";")[0]
            return httpx.get(allowed.headers["location"], headers={"Cookie": cookie})


def free_url() -> str:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


def home_of_two(folder: Path, url: str, documents: Mapping[str, str], **more: str) -> Home:
    """A home whose bot Slack reaches at `url`, and what it reads for both workspaces."""
    several = {
        "VOUCH_SLACK_TRANSPORT": "http",
        "VOUCH_SLACK_TEAM": TEAM_ID,
        "VOUCH_SLACK_TOKENS_KEY": urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        "VOUCH_SLACK_URL": url,
        "VOUCH_PORT": url.rpartition(":")[2],
        "VOUCH_HEALTH_PORT": free_url().rpartition(":")[2],
        "VOUCH_SLACK_CLIENT_ID": "1.2",
        "VOUCH_SLACK_CLIENT_SECRET": "a secret of the app",
    }
    (folder / "home").mkdir()
    home = Home(folder / "home", {**LENIENT, **several, **more})
    home.people(*PEOPLE)
    channels = [{"id": GENERAL, "name": "general", "audience": {}}]
    (home.path / "channels.yaml").write_text(yaml.safe_dump({"channels": channels}))
    ingested = home.vouch("ingest", write(folder / "documents", documents), "--for=team=*")
    assert ingested.status == 0, ingested.said
    return home


def _seed(team: str, team_id: str, groups: tuple[UserGroup, ...], *people: Member) -> Seed:
    rooms = (Room(GENERAL, "general", (*(each.id for each in people), BOT_USER)),)
    commands = (Command("/ask"), Command("/audit"))
    return Seed(team, people, rooms, commands, team_id=team_id, usergroups=groups)


@contextmanager
def in_both(
    home: Home,
    url: str,
    groups: tuple[UserGroup, ...] = (),
    their_groups: tuple[UserGroup, ...] = (),
    **environment: str,
) -> Iterator[tuple[Scene, Further]]:
    """The bot in its own workspace, and the second one, where it is not installed yet."""
    tokens = replace(AppTokens.new(), client_id="1.2", client_secret="a secret of the app")
    options = replace(UNHURRIED, events_url=f"{url}/slack/events")
    ana = Member("U0ANA", "ana", "Ana", "ana@here.example")
    theirs = (
        Member("U0ANA", "anneke", "Anneke", "ana@here.example"),
        Member("U0EVE", "eve", "Eve", "eve@there.example"),
        *COLLEAGUES,
    )
    with Workspace(
        _seed("Here", TEAM_ID, groups, ana),
        tokens=tokens,
        options=options,
        beside=[_seed("There", OTHER, their_groups, *theirs)],
    ) as here:
        here.allow_sign_in(f"{url}/slack/oauth_redirect")
        if pages := home.environment.get("VOUCH_WEB_URL"):
            here.allow_sign_in(f"{pages}/sign-in/callback")
        scene = Scene(home, here, VOUCH_SLACK_APP_TOKEN="", **environment)
        further = Further(scene)
        try:
            scene.wait_until_connected()
            further.wait_until_connected()
            yield scene, further
        finally:
            scene.program.end()


def told_alone(scene: Scene, who: Somebody, part: str) -> str:
    """All that somebody was told alone, once this is among it."""
    told = "\n".join(scene.whispers(who, GENERAL))
    return told if part in told else ""
