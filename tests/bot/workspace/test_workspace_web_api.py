"""What the bot posts and reads, through Slack's own client, and what Slack refuses."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from westhill import QUICK, SEED, Clock
from workspace_client import Slack

from bot.workspace.seed import APP_ID, BOT_ID, BOT_USER
from bot.workspace.server import Workspace
from bot.workspace.web_api import LimitFigures

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


WORDS = [{"type": "section", "text": {"type": "mrkdwn", "text": "hello"}}]


def refusal(web: WebClient, method: str, **arguments: Any) -> dict[str, Any]:
    with pytest.raises(SlackApiError) as refused:
        web.api_call(method, json=arguments)
    answer: dict[str, Any] = refused.value.response.data
    return answer


def test_tokens_are_asked_for_and_told_apart(workspace: Workspace) -> None:
    def said(token: str, method: str) -> str:
        client = WebClient(token or None, base_url=workspace.api_url)
        return str(refusal(client, method)["error"])

    assert said("", "auth.test") == "not_authed"
    assert said("xoxb-wrong", "auth.test") == "invalid_auth"
    assert said(workspace.app_token, "auth.test") == "not_allowed_token_type"
    assert said(workspace.bot_token, "apps.connections.open") == "not_allowed_token_type"


def test_the_scopes_stand_in_a_header(web: WebClient) -> None:
    assert "chat:write" in web.auth_test().headers["x-oauth-scopes"].split(",")


def test_a_missing_scope_is_named() -> None:
    scopes = ("chat:write", "users:read", "channels:history")
    with Workspace(replace(SEED, scopes=scopes), options=QUICK) as workspace:
        web = WebClient(workspace.bot_token, base_url=workspace.api_url)
        said = refusal(web, "conversations.open", users="U0ANA")
        assert said["error"] == "missing_scope"
        assert said["needed"] == "im:write"
        assert said["provided"] == "chat:write,users:read,channels:history"
        staff = refusal(web, "conversations.history", channel="G0STAFF")
        assert staff["needed"] == "groups:history"
        assert "email" not in web.users_info(user="U0ANA")["user"]["profile"]


@pytest.mark.parametrize(
    ("method", "arguments", "error"),
    [
        ("chat.postMessage", {"channel": "G0SECRET", "text": "x"}, "channel_not_found"),
        ("chat.postMessage", {"channel": "C0GENERAL", "blocks": "{"}, "invalid_blocks_format"),
        ("chat.postMessage", {"text": "x"}, "invalid_arguments"),
        ("conversations.history", {"channel": "C0GENERAL", "limit": 1000}, "invalid_limit"),
        ("conversations.history", {"channel": "C0GENERAL", "cursor": "?"}, "invalid_cursor"),
        ("views.update", {"view_id": "V0", "view": {}}, "not_found"),
        ("rtm.start", {}, "unknown_method"),
    ],
)
def test_what_cannot_be_done_is_refused(
    web: WebClient, method: str, arguments: dict[str, Any], error: str
) -> None:
    assert refusal(web, method, **arguments)["error"] == error


def test_blocks_that_break_a_rule_are_refused_and_the_rule_is_told(web: WebClient) -> None:
    long = [{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3001}}]
    said = refusal(web, "chat.postMessage", channel="C0GENERAL", text="x", blocks=long)
    assert said["error"] == "invalid_blocks"
    assert said["response_metadata"]["messages"] == [
        "[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]"
    ]
    many = [{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3000}}] * 5
    said = refusal(web, "chat.postMessage", channel="C0GENERAL", text="x", blocks=many)
    assert said["error"] == "msg_blocks_too_long"


def test_posting_too_fast_is_refused_until_the_time_that_slack_names(clock: Clock) -> None:
    options = replace(QUICK, limits=LimitFigures(), clock=clock)
    with Workspace(SEED, options=options) as workspace:
        web = WebClient(workspace.bot_token, base_url=workspace.api_url)
        for _ in range(4):
            web.chat_postMessage(channel="C0GENERAL", text="x")
        with pytest.raises(SlackApiError) as refused:
            web.chat_postMessage(channel="C0GENERAL", text="x")
        assert refused.value.response.status_code == 429
        assert refused.value.response["error"] == "ratelimited"
        wait = int(refused.value.response.headers["retry-after"])
        assert wait >= 1
        web.chat_postMessage(channel="G0STAFF", text="another channel has its own limit")
        clock.pass_by(wait)
        web.chat_postMessage(channel="C0GENERAL", text="x")


def test_other_methods_have_so_many_calls_a_minute(clock: Clock) -> None:
    options = replace(QUICK, limits=LimitFigures(factor=0.1), clock=clock)
    with Workspace(SEED, options=options) as workspace:
        web = WebClient(workspace.bot_token, base_url=workspace.api_url)
        for _ in range(5):
            web.conversations_info(channel="C0GENERAL")
        with pytest.raises(SlackApiError, match="ratelimited"):
            web.conversations_info(channel="C0GENERAL")


METHODS = (
    "auth.test",
    "chat.postMessage",
    "chat.update",
    "chat.delete",
    "chat.postEphemeral",
    "conversations.open",
    "conversations.history",
    "conversations.replies",
    "conversations.info",
    "users.info",
    "views.open",
    "views.update",
    "assistant.threads.setStatus",
)
NAMES = ("channel", "ts", "text", "blocks", "view", "limit", "cursor", "oldest", "user", "users")
VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.sampled_from(["C0GENERAL", "U0ANA", "[]", "{}", "[1]"])
    | st.lists(st.integers() | st.dictionaries(st.text(max_size=5), st.text(max_size=5)))
)


@given(st.sampled_from(METHODS), st.dictionaries(st.sampled_from(NAMES), VALUES))
def test_whatever_is_sent_is_answered_or_refused(
    web: WebClient, method: str, arguments: dict[str, Any]
) -> None:
    status, answer = called(web, method, arguments)
    assert status == 200
    assert answer["ok"] or answer["error"]


def called(web: WebClient, method: str, arguments: dict[str, Any]) -> tuple[int, Any]:
    try:
        answered = web.api_call(method, json=arguments)
    except SlackApiError as refused:
        answered = refused.response
    return answered.status_code, answered.data
