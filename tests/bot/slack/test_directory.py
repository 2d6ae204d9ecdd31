"""Who a Slack user is, never by accident, and what a channel is called."""

from typing import Any

import pytest
from office import ANA, BEN, EVE, GENERAL, PEOPLE, NotedClient, Office
from slack_sdk.errors import SlackApiError

from bot.access.people import People
from bot.slack.directory import (
    CACHED_FOR_READERS_SECONDS,
    CACHED_SECONDS,
    SlackChannels,
    SlackPeople,
)
from bot.web.sessions import NobodyAnyMore
from bot.wiring.web import readers


class StatedClient(NotedClient):
    """Slack's answers about users of another kind than the workspace has."""

    def __init__(self, user: dict[str, Any], enterprise: str | None) -> None:
        super().__init__(token="xoxb")
        self._answers = {
            "users.info": {"user": user},
            "auth.test": {"team_id": "T1", "enterprise_id": enterprise},
        }

    def api_call(self, api_method: str, **_: Any) -> Any:
        return self._answers[api_method]


def found(user: dict[str, Any], enterprise: str | None = None) -> bool:
    """Whether somebody with Ana's e-mail in Slack is taken for Ana."""
    stated = {"team_id": "T1", "profile": {"email": "ana@westhill.test"}} | user
    client = StatedClient(stated, enterprise)
    return SlackPeople(client, lambda: PEOPLE).person("U9") is PEOPLE.by_id["ana"]


def test_somebody_is_known_by_slacks_id_without_asking_slack(office: Office) -> None:
    assert office.people.person(BEN) is PEOPLE.by_id[BEN]
    assert office.client.calls == []


def test_somebody_is_known_by_their_e_mail_in_any_case(office: Office) -> None:
    assert office.people.person(ANA) is PEOPLE.by_id["ana"]


def test_somebody_unknown_is_a_guest(office: Office) -> None:
    assert office.people.person(EVE) is None
    assert office.people.person("U0NOBODY") is None


def test_slack_is_asked_once_in_ten_minutes(office: Office) -> None:
    seconds = [0.0]
    people = SlackPeople(office.client, lambda: PEOPLE, lambda: seconds[0])
    for passed in (0, CACHED_SECONDS - 1, CACHED_SECONDS):
        seconds[0] = passed
        assert people.person(ANA)
    assert office.client.count("users.info") == 2


def test_who_left_slack_reads_sources_for_a_minute_at_most() -> None:
    seconds: list[float] = [0.0]
    user: dict[str, Any] = {"team_id": "T1", "profile": {"email": "ana@westhill.test"}}
    people = SlackPeople(
        StatedClient(user, None), lambda: PEOPLE, lambda: seconds[0], CACHED_FOR_READERS_SECONDS
    )
    reader = readers(people, lambda: PEOPLE).slack_person
    assert reader("U9") is PEOPLE.by_id["ana"]
    user["deleted"] = True
    seconds[0] = 61
    with pytest.raises(NobodyAnyMore):
        reader("U9")


def test_somebody_who_was_taken_out_of_the_file_is_a_guest_at_once(office: Office) -> None:
    known = [PEOPLE]
    people = SlackPeople(office.client, lambda: known[0])
    assert people.person(ANA)
    known[0] = People({})
    assert people.person(ANA) is None


@pytest.mark.parametrize("refusal", ["internal_error", "missing_scope", "ratelimited"])
def test_nobody_becomes_a_guest_because_slack_refuses(office: Office, refusal: str) -> None:
    office.workspace.faults.refuse("users.info", refusal, retry_after=1)
    with pytest.raises(SlackApiError):
        office.people.person(ANA)
    assert office.people.person(ANA)


def test_colleagues_are_known_by_their_e_mail() -> None:
    assert found({})
    grid = {"team_id": "T2", "enterprise_user": {"enterprise_id": "E1"}}
    assert found(grid, enterprise="E1")


@pytest.mark.parametrize(
    "user",
    [
        pytest.param({"team_id": "T2"}, id="of another company"),
        pytest.param({"team_id": None}, id="of no company"),
        pytest.param(
            {"team_id": "T2", "enterprise_user": {"enterprise_id": "E2"}},
            id="of another organisation",
        ),
        pytest.param({"deleted": True}, id="deactivated"),
        pytest.param({"is_bot": True}, id="a bot"),
        pytest.param({"profile": {}}, id="without an e-mail"),
    ],
)
def test_an_e_mail_proves_nothing_for_a_user(user: dict[str, Any]) -> None:
    assert not found(user)
    assert not found(user, enterprise="E1")


def test_slack_is_asked_for_a_channels_name_once_in_ten_minutes(office: Office) -> None:
    seconds = [0.0]
    channels = SlackChannels(office.client, lambda: seconds[0])
    for seconds[0] in (0, CACHED_SECONDS - 1, CACHED_SECONDS):
        assert channels.name(GENERAL) == "general"
    assert office.client.count("conversations.info") == 2


def test_where_slack_does_not_say_it_is_not_asked_at_every_question(office: Office) -> None:
    office.workspace.faults.refuse("conversations.info", "missing_scope")
    channels = SlackChannels(office.client)
    assert [channels.name(GENERAL) for _ in range(2)] == ["", ""]
    assert office.client.count("conversations.info") == 1


def test_a_direct_message_has_no_name_and_slack_is_not_asked(office: Office) -> None:
    assert SlackChannels(office.client).name(office.direct(ANA)) == ""
    assert office.client.count("conversations.info") == 0


@pytest.mark.parametrize("told", ["is_ext_shared", "is_pending_ext_shared"])
def test_a_channel_that_outsiders_read_is_told_anew_each_time(
    office: Office, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    channels = SlackChannels(office.client)
    assert not channels.is_shared(GENERAL)
    described = {"channel": {"id": GENERAL, "name": "general", told: True}}
    monkeypatch.setattr(office.client, "conversations_info", lambda **_: described)
    assert channels.is_shared(GENERAL)
