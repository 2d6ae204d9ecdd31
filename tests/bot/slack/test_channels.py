"""What a channel is called, asked of Slack as seldom as people are."""

import pytest
from office import ANA, GENERAL, Office

from bot.slack.directory import CACHED_SECONDS, SlackChannels


def test_slack_is_asked_once_in_ten_minutes(office: Office) -> None:
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
