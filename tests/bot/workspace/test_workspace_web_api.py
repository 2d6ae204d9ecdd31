"""What the bot posts and reads, through Slack's own client."""

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from workspace_client import Slack

from bot.workspace.seed import APP_ID, BOT_ID, BOT_USER

SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "hello"}}


def test_a_message_comes_back_as_slack_returns_it(web: WebClient) -> None:
    said = web.chat_postMessage(
        channel="C0GENERAL", text="hi", blocks=[{**SECTION, "block_id": "vouch-1"}, SECTION]
    )
    message = said["message"]
    assert (said["channel"], message["text"], message["user"]) == ("C0GENERAL", "hi", BOT_USER)
    assert (message["bot_id"], message["app_id"]) == (BOT_ID, APP_ID)
    assert message["blocks"][0]["block_id"] == "vouch-1"
    assert message["blocks"][1]["block_id"]


def test_blocks_may_come_in_a_form_as_json(web: WebClient) -> None:
    fields = {"channel": "C0GENERAL", "text": "hi", "blocks": '[{"type": "divider"}]'}
    said = web.api_call("chat.postMessage", data=fields)
    assert said["message"]["blocks"][0]["type"] == "divider"


def test_times_of_messages_are_unique_and_increase(web: WebClient) -> None:
    times = [web.chat_postMessage(channel="C0GENERAL", text="x")["ts"] for _ in range(20)]
    assert times == sorted(set(times))


def test_a_thread_counts_its_replies(web: WebClient, slack: Slack) -> None:
    root = slack.says("U0ANA", "C0GENERAL", "a question")
    reply = web.chat_postMessage(channel="C0GENERAL", text="an answer", thread_ts=root)["ts"]
    slack.says("U0BEN", "C0GENERAL", "thanks", thread=reply)
    parent, *replies = web.conversations_replies(channel="C0GENERAL", ts=root)["messages"]
    assert parent["reply_count"] == 2
    assert parent["reply_users"] == [BOT_USER, "U0BEN"]
    assert [one["thread_ts"] for one in replies] == [root, root]
    history = web.conversations_history(channel="C0GENERAL")["messages"]
    assert [one["ts"] for one in history] == [root]


def test_history_can_be_narrowed_to_a_time(web: WebClient) -> None:
    times = [web.chat_postMessage(channel="C0GENERAL", text=str(n))["ts"] for n in range(4)]

    narrowed = web.conversations_history(channel="C0GENERAL", oldest=times[0], latest=times[2])
    assert [message["ts"] for message in narrowed["messages"]] == [times[1]]


def test_a_deleted_root_leaves_a_tombstone_and_a_reply_nothing(web: WebClient) -> None:
    root = web.chat_postMessage(channel="C0GENERAL", text="root")["ts"]
    reply = web.chat_postMessage(channel="C0GENERAL", text="reply", thread_ts=root)["ts"]
    web.chat_delete(channel="C0GENERAL", ts=root)
    grave, kept = web.conversations_replies(channel="C0GENERAL", ts=root)["messages"]
    assert (grave["subtype"], kept["ts"]) == ("tombstone", reply)
    web.chat_delete(channel="C0GENERAL", ts=reply)
    (grave,) = web.conversations_replies(channel="C0GENERAL", ts=root)["messages"]
    assert grave["reply_count"] == 0
    with pytest.raises(SlackApiError, match="message_not_found"):
        web.chat_update(channel="C0GENERAL", ts=reply, text="x")


def test_an_ephemeral_message_is_seen_by_one_person(web: WebClient, slack: Slack) -> None:
    web.chat_postEphemeral(channel="C0GENERAL", user="U0ANA", text="psst")
    assert [one["text"] for one in slack.messages("C0GENERAL", "U0ANA")] == ["psst"]
    assert slack.messages("C0GENERAL", "U0BEN") == []
    assert web.conversations_history(channel="C0GENERAL")["messages"] == []


def test_people_and_rooms_are_described(web: WebClient) -> None:
    ana = web.users_info(user="U0ANA")["user"]
    assert ana["profile"]["email"] == "ana@westhill.test"
    assert not ana["is_bot"]
    general = web.conversations_info(channel="C0GENERAL")["channel"]
    assert (general["name"], general["is_private"], general["is_im"]) == ("general", False, False)
    direct = web.conversations_open(users="U0ANA")["channel"]["id"]
    assert web.conversations_info(channel=direct)["channel"]["user"] == "U0ANA"
