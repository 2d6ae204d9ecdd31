"""A workspace of `emulate`, an independent stand-in for Slack (github.com/vercel-labs/emulate).

It is a program in JavaScript, which `make emulate` installs; it listens on loopback and
sends nothing anywhere, as no event subscription is configured.

PYTEST_DONT_REWRITE: it is a plugin that tests also import names from.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from slack_sdk import WebClient

LEAVE_OUT = "VOUCH_TEST_WITHOUT_EMULATE"
FOLDER = Path(__file__).parents[1] / "emulate"
APP_ID, BOT_ID, BOT_USER = "A0VOUCH", "B0VOUCH", "U0VOUCH"
BOT_TOKEN = "xoxb-vouch"
ADMIN_TOKEN = "xoxp-admin"


class NotInstalled(Exception):
    """`emulate` or what runs it is missing; no kind of failure that a test may expect."""


@dataclass(frozen=True, slots=True)
class Emulated:
    api_url: str
    people: Mapping[str, str]
    channels: Mapping[str, str]

    def client(self, token: str = BOT_TOKEN) -> WebClient:
        return WebClient(token, base_url=self.api_url, retry_handlers=[])

    def as_person(self, name: str) -> WebClient:
        return self.client(f"xoxp-{name}")


class Emulator:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def fresh(
        self,
        people: Mapping[str, str],
        channels: Mapping[str, Sequence[str]],
        private: Sequence[str],
        scopes: Sequence[str],
    ) -> Emulated:
        """A workspace where nobody has said anything; `channels` name members, "vouch" the bot."""
        api_url = f"{self._serve(_seed(people, scopes))}/api/"
        admin = WebClient(ADMIN_TOKEN, base_url=api_url)
        ids = {each["name"]: each["id"] for each in admin.users_list()["members"]}
        made = {}
        for name, members in channels.items():
            private_or_not: Any = str(name in private).lower()  # it reads a word, no bool
            answer = admin.conversations_create(name=name, is_private=private_or_not)
            made[name] = answer["channel"]["id"]
            admin.conversations_invite(
                channel=made[name], users=[ids[member] for member in members]
            )
        return Emulated(api_url, ids, made)

    def _serve(self, seed: Mapping[str, Any]) -> str:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(seed) + "\n")
        self._process.stdin.flush()
        address = self._process.stdout.readline().strip()
        if not address:
            raise NotInstalled("emulate did not start; what it said stands above.")
        return address


def _seed(people: Mapping[str, str], scopes: Sequence[str]) -> dict[str, Any]:
    app = {"app_id": APP_ID, "bot_id": BOT_ID, "bot_user_id": BOT_USER}
    everybody = [{"token": f"xoxp-{name}", "type": "user", "user": name} for name in people]
    bot = {"token": BOT_TOKEN, "type": "bot", "user_id": BOT_USER, "scopes": list(scopes), **app}
    return {
        "team": {"name": "Westhill", "domain": "westhill"},
        "users": [{"name": name, "email": email} for name, email in people.items()],
        "oauth_apps": [
            {
                "client_id": "1.2",
                "client_secret": "secret",
                "name": "Vouch",
                "redirect_uris": [],
                "scopes": list(scopes),
                "bot_name": "vouch",
                **app,
            }
        ],
        "tokens": [bot, *everybody, {"token": ADMIN_TOKEN, "type": "user", "user": "admin"}],
        "strict_scopes": True,
    }


@contextmanager
def running_emulator() -> Iterator[Emulator]:
    """Skips where the developer asked for it; raise `NotInstalled` where it is missing."""
    if os.environ.get(LEAVE_OUT):
        pytest.skip(f"{LEAVE_OUT} is set")
    node = shutil.which("node")
    if not node or not (FOLDER / "node_modules" / "emulate").is_dir():
        raise NotInstalled(
            "emulate is not installed. Run `make emulate`, "
            f"or set {LEAVE_OUT}=1 to leave its tests out."
        )
    process = subprocess.Popen(
        [node, FOLDER / "serve.mjs"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=FOLDER,
        env={"PATH": os.environ["PATH"]},  # it would take addresses from the environment
    )
    with process:
        yield Emulator(process)
        assert process.stdin
        process.stdin.close()


@pytest.fixture(scope="session")
def emulator() -> Iterator[Emulator]:
    with running_emulator() as emulator:
        yield emulator
