"""Somebody comes back with an ID token that is not what Slack says of them, for us, now."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from untrue_slack import (
    Claims,
    Mint,
    UntrueSlack,
    by_another_key,
    by_the_public_key,
    unsigned,
    untrue_slack,
    with_claims,
    without,
)
from web_door import CITED, Door, open_door

from bot.web.sign_in import Client, NotSignedIn, Provider, SlackSignIn
from bot.wording import web as wording

NOW = int(time.time())


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Door, UntrueSlack]]:
    folder: Path = tmp_path_factory.mktemp("web")
    with untrue_slack() as slack, open_door(folder, slack.provider) as door:
        yield door, slack


@pytest.fixture
def slack(running: tuple[Door, UntrueSlack]) -> UntrueSlack:
    """Telling the truth."""
    _, slack = running
    fresh = UntrueSlack(slack.site)
    slack.change, slack.mint, slack.answer = fresh.change, fresh.mint, None
    return slack


@pytest.fixture
def door(running: tuple[Door, UntrueSlack]) -> Door:
    return running[0]


def lets_in(door: Door, slack: UntrueSlack) -> bool:
    shown = door.browser().signs_in("U0ANA")
    assert shown.status_code != 429, "too many tests share an address"
    if shown.status_code == 403:
        assert wording.NOT_SIGNED_IN.title in shown.text
    return bool(shown.status_code == 200 and shown.url.path == CITED)


def test_the_truth_is_believed(door: Door, slack: UntrueSlack) -> None:
    assert lets_in(door, slack)


@pytest.mark.parametrize(
    "change",
    [
        with_claims(slack_team_id="T0OTHER"),
        with_claims(slack_team_id=""),
        without("https://slack.com/team_id"),
        without("https://slack.com/user_id"),
        with_claims(slack_user_id=["U0ANA", "U0BEN"]),
        with_claims(iss="https://slack.example"),
        with_claims(aud="another-app"),
        with_claims(aud=["1000000000.1000000001", "another-app"]),
        without("aud"),
        with_claims(exp=NOW - 3600),
        without("exp"),
        with_claims(exp=True),
        with_claims(iat=NOW + 3600),
        with_claims(nonce="of another sign-in"),
        with_claims(nonce=""),
        without("nonce"),
    ],
)
def test_a_token_for_others_or_of_another_time_signs_nobody_in(
    door: Door, slack: UntrueSlack, change: Callable[[Claims], Claims]
) -> None:
    slack.change = change
    assert not lets_in(door, slack)


def words(_: UntrueSlack, __: Claims) -> str:
    return "no.token.at-all"


@pytest.mark.filterwarnings("ignore:JWS algorithm")
@pytest.mark.parametrize("mint", [by_another_key, unsigned, by_the_public_key, words])
def test_a_token_that_slack_did_not_sign_signs_nobody_in(
    door: Door, slack: UntrueSlack, mint: Mint
) -> None:
    slack.mint = mint
    assert not lets_in(door, slack)


@pytest.mark.parametrize(
    "answer",
    [
        {"ok": False, "error": "invalid_code"},
        {"ok": True},
        {"ok": True, "access_token": "xoxp-1", "token_type": "Bearer"},
        {"ok": True, "access_token": "xoxp-1", "token_type": "Bearer", "id_token": 7},
        [],
    ],
)
def test_an_answer_without_a_token_signs_nobody_in(
    door: Door, slack: UntrueSlack, answer: Any
) -> None:
    slack.answer = answer
    assert not lets_in(door, slack)


def test_slacks_new_key_is_found_and_its_keys_are_not_asked_for_each_time(
    door: Door, slack: UntrueSlack
) -> None:
    assert lets_in(door, slack)
    asked = slack.keys_asked
    assert lets_in(door, slack)
    assert slack.keys_asked == asked
    slack.key = UntrueSlack(slack.site).key
    door.clock.ahead = 61
    slack.change = lambda claims: claims | {"exp": claims["exp"] + 61, "iat": claims["iat"] + 61}
    assert lets_in(door, slack)
    assert slack.keys_asked == asked + 1


def test_a_password_in_slacks_address_is_not_shown_to_readers() -> None:
    provider = Provider.at("https://us:word@slack.example/api/")
    assert provider.authorize_url == "https://slack.example/openid/connect/authorize"
    assert provider.token_url == "https://us:word@slack.example/api/openid.connect.token"


def who_comes_back(slack: UntrueSlack, *installed: str) -> str:
    """Under which id somebody signs in where the bot is in further workspaces."""
    client = Client("an-app", "secret", f"{slack.site}/back")
    sign_in = SlackSignIn(
        slack.provider, client, lambda: "T0LOCAL", is_installed=lambda team: team in installed
    )
    url, brought = sign_in.begin("/", "")
    assert "team=" not in url, "Slack asks of which workspace"
    back = httpx.get(url).headers["location"]
    who, _ = sign_in.finish(dict(parse_qsl(urlsplit(back).query)), brought)
    return who.id


def test_where_there_are_several_workspaces_the_same_id_is_somebody_else_in_each(
    slack: UntrueSlack,
) -> None:
    assert who_comes_back(slack, "T0OTHER") == "U0ANA"
    slack.change = with_claims(slack_team_id="T0OTHER")
    assert who_comes_back(slack, "T0OTHER") == "T0OTHER//U0ANA"


@pytest.mark.parametrize(
    "change",
    [
        with_claims(slack_team_id="T0THIRD"),
        with_claims(slack_team_id=""),
        with_claims(slack_team_id=["T0OTHER"]),
        with_claims(slack_team_id="T0OTHER//"),
        without("https://slack.com/team_id"),
    ],
)
def test_of_a_workspace_that_the_bot_is_not_in_nobody_is_signed_in(
    slack: UntrueSlack, change: Callable[[Claims], Claims]
) -> None:
    slack.change = change
    with pytest.raises(NotSignedIn):
        who_comes_back(slack, "T0OTHER", "", "T0OTHER//")
