"""Several workspaces at one bot: tokens under a key, ids that say their workspace, Grid."""

from base64 import urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from slack_bolt import BoltContext, BoltResponse
from slack_sdk import WebClient
from slack_sdk.errors import SlackClientError
from slack_sdk.oauth.installation_store import Installation
from workspace_client import Slack

from bot.access.people import People, Person
from bot.errors import BadConfiguration
from bot.slack.blocks.system_messages import Trouble
from bot.slack.directory import BotIdentity
from bot.slack.exchange import Origin, asked_privately
from bot.slack.failures import NotInstalled, understand
from bot.slack.inbox.beside import STATE_FOR, Installations
from bot.slack.inbox.store import Inbox
from bot.slack.jobs import user_of
from bot.slack.workspaces import TeamClient, Workspaces, token_of
from bot.workspace.seed import BOT_USER, TEAM_ID, Member, Room, Seed
from bot.workspace.server import Further, Options, Workspace
from bot.workspace.web_api import AppTokens, LimitFigures

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
KEY, OTHER_KEY = (urlsafe_b64encode(each * 32).decode() for each in (b"k", b"o"))
OTHER, GRID = "T0OTHER", "E0GRID"
EMAIL = "ana@westhill.test"


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'inbox.sqlite'}"


@pytest.fixture
def installed(url: str) -> Installations:
    return Installations(url, KEY, lambda: NOW)


def installation(team: str | None, enterprise: str | None = None) -> Installation:
    return Installation(
        user_id="U1",
        team_id=team,
        enterprise_id=enterprise,
        is_enterprise_install=team is None,
        bot_token=f"xoxb-{team or enterprise}",
        bot_user_id=BOT_USER,
        bot_id="B1",
    )


def test_what_is_no_key_or_another_one_opens_nothing(installed: Installations, url: str) -> None:
    with pytest.raises(BadConfiguration, match="VOUCH_SLACK_TOKENS_KEY is no key"):
        Installations(url, "too short", lambda: NOW)
    installed.save(installation(OTHER))
    with pytest.raises(BadConfiguration, match=f"does not open the token of {OTHER}"):
        Installations(url, OTHER_KEY, lambda: NOW).find(OTHER)


def test_a_state_is_good_once_and_for_a_while(url: str) -> None:
    now = [NOW]
    states = Installations(url, KEY, lambda: now[0])
    state, late = states.issue(), states.issue()
    assert [states.consume(each) for each in (state, state, "forged")] == [True, False, False]
    now[0] += STATE_FOR + timedelta(seconds=1)
    assert not states.consume(late)


def test_of_all_of_an_organisation_each_workspace_is_known_until_it_is_taken_out(
    installed: Installations,
) -> None:
    installed.save(installation(None, GRID))
    assert installed.find(OTHER) is None, "of which organisation it is nobody said yet"
    entered = enter(installed, {"event": {"user": "U1", "channel": "C1"}, **of_grid(OTHER)})
    assert entered["event"] == {"user": f"{OTHER}//U1", "channel": f"{OTHER}//C1"}
    assert token_of(TEAM_ID, "", installed)(OTHER) == f"xoxb-{GRID}"
    left: list[str] = []
    over = {"event": {"type": "app_uninstalled"}, **of_grid(None)}
    enter(installed, {**over, "event_time": NOW.timestamp() - 60}, left)
    assert left == [], "it tells of an earlier installation"
    enter(installed, {**over, "event_time": NOW.timestamp() + 60}, left)
    assert sorted(left) == [GRID, OTHER]
    with pytest.raises(NotInstalled) as gone:
        token_of(TEAM_ID, "", installed)(OTHER)
    assert understand(gone.value).no_place, "so no question waits for it for ever"


def test_a_token_that_cannot_be_read_is_said_as_callers_of_slack_expect_it(
    installed: Installations, url: str
) -> None:
    installed.save(installation(OTHER))
    assert f"xoxb-{OTHER}" not in repr(installed.find(OTHER))
    wrong = TeamClient(token_of(TEAM_ID, "", Installations(url, OTHER_KEY, lambda: NOW)))
    with pytest.raises(SlackClientError, match="does not open the token") as unread:
        wrong.chat_postMessage(channel=f"{OTHER}//C1", text="hello")
    assert understand(unread.value).trouble is Trouble.CONFIGURATION


def test_with_a_token_of_its_own_the_home_is_left_alone_and_one_of_elsewhere_is_refused(
    installed: Installations, slack: tuple[Workspace, Workspace]
) -> None:
    own, other = slack
    left: list[str] = []

    def acting_as(token: str) -> Workspaces:
        identity = BotIdentity(WebClient(token, base_url=own.api_url))
        client = TeamClient(token_of(TEAM_ID, token, installed))
        return Workspaces(TEAM_ID, identity, installed, client, left.append)

    several, elsewhere = acting_as(own.bot_token), acting_as(other.bot_token)
    several.learn()
    assert (several.is_known, several.own("")[0]) == (True, TEAM_ID)
    for asks in (elsewhere.learn, lambda: elsewhere.own("")):
        with pytest.raises(BadConfiguration, match="VOUCH_SLACK_TEAM names"):
            asks()
    assert not elsewhere.is_known
    installed.save(installation(None, GRID))
    for team in (TEAM_ID, OTHER):
        installed.belongs(team, GRID)
    context = BoltContext({"enterprise_id": GRID, "is_enterprise_install": True})
    over = {"event": {"type": "app_uninstalled"}, "event_time": NOW.timestamp() + 60}
    several.enter(over | of_grid(None), context, lambda: BoltResponse(status=200))
    assert sorted(left) == [GRID, OTHER]


def test_who_has_another_id_here_is_found_by_their_e_mail_in_their_own_workspace(
    slack: tuple[Workspace, Further],
) -> None:
    own, other = slack
    tokens = {"": own.bot_token, OTHER: other.bot_token}
    client = TeamClient(tokens.__getitem__, base_url=own.api_url)
    both = (Person(each, "Ana", EMAIL, {}) for each in ("ana", f"{OTHER}//ana"))
    people = People({each.id: each for each in both})
    assert user_of(client, people, "ana") == "U2"
    assert user_of(client, people, f"{OTHER}//ana") == f"{OTHER}//U3"


def of_grid(team: str | None) -> dict[str, Any]:
    """What says where an event of an organisation's installation happened."""
    authorization = {"enterprise_id": GRID, "team_id": None, "is_enterprise_install": True}
    return {"authorizations": [authorization], "context_team_id": team, "team_id": "T0STRANGER"}


def enter(
    installed: Installations, body: dict[str, Any], left: list[str] | None = None
) -> dict[str, Any]:
    """The body as listeners have it; `left` takes the workspaces that the bot was taken out of."""
    context = BoltContext({"enterprise_id": GRID, "is_enterprise_install": True})
    client = TeamClient(token_of(TEAM_ID, "", installed))
    several = Workspaces(TEAM_ID, None, installed, client, ([] if left is None else left).append)
    acting = several.authorize(GRID, None)
    assert acting is not None
    assert acting.bot_token == f"xoxb-{GRID}"
    several.enter(body, context, lambda: BoltResponse(status=200))
    return body


def test_what_waits_in_a_workspace_that_was_left_ends_and_nothing_else(url: str) -> None:
    with Inbox.open(url) as inbox:
        for user in ("U1", f"{OTHER}//U1"):
            inbox.take_in(asked_privately(f"command:{user}", "how late", user, NOW), NOW)
        assert inbox.leave(OTHER) == 1
        assert {stage.name: n for stage, n in inbox.counts().items() if n} == {
            "PLACEHOLDER": 1,
            "UNDELIVERABLE": 1,
        }


def test_nobody_is_answered_in_another_workspace_than_their_own() -> None:
    """As whoever forges the value of a button would have it."""
    asked = asked_privately("key", "how late", f"{OTHER}//U1", NOW)
    with pytest.raises(ValueError, match="not of one workspace"):
        replace(asked, channel="C0GENERAL")
    with pytest.raises(ValueError, match="not of one workspace"):
        replace(asked, origin=Origin("C0GENERAL"))


@pytest.fixture
def slack() -> Iterator[tuple[Workspace, Further]]:
    """Two workspaces with the same ids, where one e-mail is of another id in each."""
    tokens, quick = AppTokens.new(), Options(limits=LimitFigures(enabled=False))
    rooms = (Room("C1", "general", ("U1", BOT_USER)),)
    here, there = (
        Seed(
            name,
            (Member("U1", name, name), Member(ana, "ana", "Ana", EMAIL)),
            rooms,
            team_id=team,
        )
        for name, team, ana in (("here", TEAM_ID, "U2"), ("there", OTHER, "U3"))
    )
    with Workspace(here, tokens=tokens, options=quick, beside=[there]) as own:
        yield own, own.beside[0]


def test_a_call_goes_and_returns_where_its_ids_belong(slack: tuple[Workspace, Further]) -> None:
    own, other = slack
    tokens = {"": own.bot_token, OTHER: other.bot_token}
    client = TeamClient(tokens.__getitem__, base_url=own.api_url)
    assert client.users_info(user="U1")["user"]["name"] == "here"
    theirs = client.users_info(user=f"{OTHER}//U1")["user"]
    assert (theirs["name"], theirs["id"], theirs["team_id"]) == ("there", f"{OTHER}//U1", OTHER)
    opened = client.conversations_open(users=f"{OTHER}//U1")["channel"]["id"]
    assert opened.startswith(f"{OTHER}//D")
    said = client.chat_postMessage(channel=f"{OTHER}//C1", text=f"<@{OTHER}//U1> asks")["message"]
    assert said["text"] == "<@U1> asks"
    at_their_page = Slack(other.url)
    ts = at_their_page.says("U1", "C1", "here it is", files={"fees.md": b"Fees"})
    (posted,) = (each for each in at_their_page.messages("C1", "U1") if each["ts"] == ts)
    file_id = f"{OTHER}//{posted['files'][0]['id']}"
    file = client.files_info(file=file_id)["file"]
    assert (file["id"], file["channels"]) == (file_id, [f"{OTHER}//C1"])
    assert client.of(OTHER).auth_test()["team_id"] == OTHER
    with pytest.raises(NotInstalled):
        client.chat_postEphemeral(channel="C1", user=f"{OTHER}//U1", text="hello")
