"""Somebody connects the pages in a browser and runs `vouch check`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from checked import answering, said_by
from starlette.responses import PlainTextResponse
from web_door import Door, open_door

from bot.cli.connection_checks import web_checks
from bot.web.addresses import served_at


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with open_door(tmp_path_factory.mktemp("web")) as opened:
        yield opened


def check(home: Path, **settings: Any) -> dict[str, str]:
    return said_by(web_checks, home=home, **settings)


def connected(door: Door, **changed: str) -> dict[str, str]:
    stated = {
        "web_url": door.url,
        "slack_bot_token": door.workspace.bot_token,
        "slack_app_token": door.workspace.app_token,
        "slack_api_url": door.workspace.api_url,
        "slack_client_id": door.workspace.client_id,
        "slack_client_secret": door.workspace.client_secret,
    }
    return {**stated, **changed}


REACHED, SIGNED_IN = "sources in the browser", "signing in to them"


def test_the_pages_are_served_and_slack_knows_the_app(door: Door, tmp_path: Path) -> None:
    with served_at(tmp_path, door.url):
        said = check(tmp_path, **connected(door))
    assert said[REACHED] == f"ok: open at {door.url}"
    assert said[SIGNED_IN].startswith("ok: Slack knows the app")


def test_the_address_leads_elsewhere(door: Door, tmp_path: Path) -> None:
    with served_at(tmp_path, door.url), answering(PlainTextResponse("not Vouch")) as other:
        for url in (other, "http://127.0.0.1:9"):
            assert "reverse proxy" in check(tmp_path, **connected(door, web_url=url))[REACHED]


@pytest.mark.parametrize("name", ["slack_client_id", "slack_client_secret"])
def test_slack_does_not_know_what_was_copied(door: Door, tmp_path: Path, name: str) -> None:
    said = check(tmp_path, **connected(door, **{name: "another"}))
    assert f"Slack does not know VOUCH_{name.upper()}" in said[SIGNED_IN]


def test_slack_is_not_reached(door: Door, tmp_path: Path) -> None:
    said = check(tmp_path, **connected(door, slack_api_url="http://127.0.0.1:9/api/"))
    assert "cannot be reached" in said[SIGNED_IN]


def test_nobody_serves_them_yet(door: Door, tmp_path: Path) -> None:
    assert "port 0 is free" in check(tmp_path, **connected(door), web_port=0)[REACHED]
    taken = int(door.url.rpartition(":")[2])
    assert "is taken" in check(tmp_path, web_port=taken)[REACHED]


def test_they_are_not_wanted(tmp_path: Path) -> None:
    assert check(tmp_path, web=False) == {REACHED: "ok: not served: VOUCH_WEB=false"}
    tokens = {"slack_bot_token": "xoxb-1", "slack_app_token": "xapp-1"}
    assert check(tmp_path, **tokens)[REACHED].startswith("ok: not served: VOUCH_WEB_URL")
