"""Somebody has copied Slack's tokens and runs `vouch check`; Slack is the local workspace."""

from collections.abc import Iterator
from typing import Any

import pytest
from checked import answering, said_by
from starlette.responses import JSONResponse, PlainTextResponse

from bot.cli.connection_checks import slack_checks
from bot.slack.permissions import SCOPES
from bot.workspace.seed import Member, Room, Seed
from bot.workspace.server import Workspace


def workspace(scopes: tuple[str, ...]) -> Workspace:
    people = (Member("U1", "ana", "Ana Silva"),)
    channels = (Room("C1", "general", ("U1",)),)
    return Workspace(Seed("Rivermouth", people, channels, scopes=scopes))


@pytest.fixture(scope="module")
def slack() -> Iterator[Workspace]:
    with workspace(tuple(SCOPES)) as running:
        yield running


def check(slack: Workspace, **settings: Any) -> dict[str, str]:
    as_copied = {
        "slack_bot_token": slack.bot_token,
        "slack_app_token": slack.app_token,
        "slack_api_url": slack.api_url,
    }
    return said_by(slack_checks, **{**as_copied, **settings})


def test_both_tokens_are_right(slack: Workspace) -> None:
    assert check(slack) == {
        "Slack bot token": "ok: vouch in Rivermouth, with all scopes",
        "Slack app token": "ok: Socket Mode may be opened",
    }


def test_nothing_is_set_so_the_local_workspace_it_is(slack: Workspace) -> None:
    said = check(slack, slack_bot_token="", slack_app_token="")
    assert said == {"Slack": "ok: not connected: `vouch up` opens the local workspace"}


def test_scopes_were_not_granted() -> None:
    with workspace(tuple(set(SCOPES) - {"im:write", "users:read.email"})) as slack:
        said = check(slack)["Slack bot token"]
    assert said == (
        f"Scopes are missing: im:write ({SCOPES['im:write']}); users:read.email "
        f"({SCOPES['users:read.email']}). Add them to your app at api.slack.com/apps, OAuth & "
        "Permissions, Bot Token Scopes, and install the app anew."
    )


def test_what_only_searching_or_a_channel_that_is_read_needs_is_not_missed() -> None:
    without = {"search:read.public", "pins:read", "bookmarks:read"}
    with workspace(tuple(set(SCOPES) - without)) as slack:
        assert check(slack)["Slack bot token"].endswith("with all scopes")
        said = check(slack, slack_search=True)["Slack bot token"]
    assert said.startswith("Scopes are missing: search:read.public (")
    assert "pins:read" not in said


@pytest.mark.parametrize(
    ("missing", "look"),
    [("slack_bot_token", "Slack bot token"), ("slack_app_token", "Slack app token")],
)
def test_only_one_token_is_set(slack: Workspace, missing: str, look: str) -> None:
    assert check(slack, **{missing: ""})[look].startswith(f"VOUCH_{missing.upper()} is not set.")


def test_the_tokens_are_swapped(slack: Workspace) -> None:
    said = check(slack, slack_bot_token=slack.app_token, slack_app_token=slack.bot_token)
    assert "must begin with xoxb-; perhaps the two tokens were swapped" in said["Slack bot token"]
    assert "must begin with xapp-; perhaps the two tokens were swapped" in said["Slack app token"]


def test_a_token_was_copied_with_a_line_break_and_is_not_shown(slack: Workspace) -> None:
    said = check(slack, slack_bot_token=f"{slack.bot_token}\n")["Slack bot token"]
    assert said.startswith("VOUCH_SLACK_BOT_TOKEN holds a blank")
    assert slack.bot_token not in said


def test_tokens_are_of_another_app(slack: Workspace) -> None:
    said = check(slack, slack_bot_token="xoxb-2-b", slack_app_token="xapp-2-b")
    for each in said.values():
        assert each.startswith("Slack does not know this token")
        assert each.endswith("(Slack says: invalid_auth)")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("account_inactive", "Install the app anew"),
        ("token_revoked", "Install the app anew"),
        ("token_expired", "deploy/slack-manifest.yaml"),
        ("not_allowed_token_type", "perhaps the two were swapped"),
        ("missing_scope", "lacks a scope"),
        ("ratelimited", "Wait a minute"),
        ("fatal_error", "Slack refuses: fatal_error."),
    ],
)
@pytest.mark.parametrize(
    ("method", "look"),
    [("auth.test", "Slack bot token"), ("apps.connections.open", "Slack app token")],
)
def test_slack_refuses_and_it_is_said_what_to_do(
    slack: Workspace, method: str, look: str, error: str, words: str
) -> None:
    slack.faults.refuse(method, error)
    assert words in check(slack)[look]


def test_the_app_token_lacks_its_scope(slack: Workspace) -> None:
    slack.faults.refuse("apps.connections.open", "missing_scope")
    assert "with the scope connections:write" in check(slack)["Slack app token"]


def test_the_connection_is_cut(slack: Workspace) -> None:
    slack.faults.offline = True
    said = check(slack)
    slack.faults.offline = False
    for each in said.values():
        assert each.startswith(f"Slack cannot be reached at {slack.api_url}")
        assert "HTTPS_PROXY" in each


def test_the_address_is_misspelt(slack: Workspace) -> None:
    said = check(slack, slack_api_url="slack.com/api")
    assert all("VOUCH_SLACK_API_URL" in each for each in said.values())


def test_a_proxy_answers_in_slacks_place(slack: Workspace) -> None:
    page = PlainTextResponse("<html>Please log in to the network</html>")
    with answering(page) as proxy:
        said = check(slack, slack_api_url=f"{proxy}/api/")
    assert all("Please log in to the network" in each for each in said.values())


def test_a_server_that_does_not_name_scopes_lacks_none_for_sure(slack: Workspace) -> None:
    answer = JSONResponse({"ok": True, "user": "vouch", "team": "Rivermouth"})
    with answering(answer) as other:
        said = check(slack, slack_api_url=f"{other}/api/")["Slack bot token"]
    assert said.startswith("ok: vouch in Rivermouth, whose scopes could not be seen")


def test_http_mode_needs_the_signing_secret_and_no_app_token(slack: Workspace) -> None:
    said = check(slack, slack_transport="http", slack_app_token="")
    assert list(said) == ["Slack bot token", "Slack signing secret"]
    assert "VOUCH_SLACK_SIGNING_SECRET is not set" in said["Slack signing secret"]
    said = check(slack, slack_transport="http", slack_signing_secret=slack.signing_secret)
    assert said["Slack signing secret"].startswith("ok: is set")
