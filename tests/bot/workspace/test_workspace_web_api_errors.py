"""The Web API says no as Slack does: through Slack's own client."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from westhill import QUICK, SEED, Clock

from bot.workspace.server import Workspace
from bot.workspace.web_api import LimitFigures

SECTION = [{"type": "section", "text": {"type": "mrkdwn", "text": "hello"}}]


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
