"""What Slack refuses, and with which word, held to both of its stand-ins.

Slack's documentation decides, as in `test_slack_web_api`.
"""

import pytest
from slack_sdk.errors import SlackApiError
from slack_stand_ins import FEW_SCOPES, MODAL, StandIn, emulate_deviates, refusal

pytest_plugins = ["emulated", "slack_stand_ins"]

NOWHERE = "C0NOWHERE"
OLD = "1.000001"


# --- tokens and scopes


def test_without_a_token_nothing_is_done(slack: StandIn) -> None:
    assert refusal(slack.as_token(""), "auth.test") == "not_authed"


@emulate_deviates("it takes any token for an administrator's; reference/methods/auth.test, errors")
def test_a_wrong_token_is_refused(slack: StandIn) -> None:
    assert refusal(slack.as_token("xoxb-wrong"), "auth.test") == "invalid_auth"


def test_a_missing_scope_is_named(slack_with_few_scopes: StandIn) -> None:
    web, ana = slack_with_few_scopes.web, slack_with_few_scopes.people["ana"]
    with pytest.raises(SlackApiError) as refused:
        web.conversations_open(users=ana)
    answer = refused.value.response
    assert (answer["error"], answer["needed"]) == ("missing_scope", "im:write")
    assert answer["provided"].split(",") == list(FEW_SCOPES)


# --- what is not there, or closed


@pytest.mark.parametrize(
    ("method", "arguments", "error"),
    [
        ("chat.postMessage", {"channel": NOWHERE, "text": "x"}, "channel_not_found"),
        ("chat.postMessage", {"text": ""}, "no_text"),
        ("chat.postEphemeral", {"user": "eve", "text": "x"}, "user_not_in_channel"),
        ("chat.postEphemeral", {"user": "ana", "text": ""}, "no_text"),
        ("chat.update", {"ts": OLD, "text": "x"}, "message_not_found"),
        ("chat.delete", {"ts": OLD}, "message_not_found"),
        ("conversations.history", {"channel": NOWHERE}, "channel_not_found"),
        ("conversations.replies", {"channel": NOWHERE, "ts": OLD}, "channel_not_found"),
        ("conversations.open", {"users": "U0NOBODY"}, "user_not_found"),
        ("conversations.open", {}, "users_list_not_supplied"),
        ("users.info", {"user": "U0NOBODY"}, "user_not_found"),
    ],
)
def test_slack_says_why_something_cannot_be_done(
    slack: StandIn, method: str, arguments: dict[str, str], error: str
) -> None:
    given = {"channel": slack.office, **arguments}
    if given.get("user") in slack.people:
        given["user"] = slack.people[given["user"]]
    if method == "conversations.open":
        del given["channel"]
    assert refusal(slack.web, method, **given) == error


def test_what_somebody_else_said_the_bot_cannot_change(slack: StandIn) -> None:
    there = {"channel": slack.office, "ts": slack.says("ana", slack.office, "mine", "")}
    assert refusal(slack.web, "chat.update", text="x", **there) == "cant_update_message"
    assert refusal(slack.web, "chat.delete", **there) == "cant_delete_message"


def test_nobody_speaks_in_an_archived_channel(slack: StandIn) -> None:
    slack.archive(slack.office)
    for method in ("chat.postMessage", "chat.postEphemeral"):
        said = {"channel": slack.office, "user": slack.people["ana"], "text": "x"}
        assert refusal(slack.web, method, **said) == "is_archived"


def test_a_private_channel_without_the_bot_is_closed_to_it(slack: StandIn) -> None:
    """The documentation leaves open which of the two it is; the bot takes them for the same."""
    there = {"channel": slack.channels["secret"]}
    closed = ("channel_not_found", "not_in_channel")
    assert refusal(slack.web, "chat.postMessage", text="x", **there) in closed
    assert refusal(slack.web, "conversations.history", **there) in closed


@emulate_deviates("it lets every bot speak in public; reference/scopes/chat.write.public")
def test_in_a_public_channel_without_it_the_bot_cannot_speak(slack: StandIn) -> None:
    said = {"channel": slack.channels["lunch"], "text": "x"}
    assert refusal(slack.web, "chat.postMessage", **said) == "not_in_channel"


@emulate_deviates("it lets every bot read in public; reference/methods/conversations.history")
def test_in_a_public_channel_without_it_the_bot_cannot_read(slack: StandIn) -> None:
    there = {"channel": slack.channels["lunch"]}
    assert refusal(slack.web, "conversations.history", **there) == "not_in_channel"


@emulate_deviates("it finds an empty thread; reference/methods/conversations.replies, errors")
def test_a_thread_that_is_not_there_is_not_found(slack: StandIn) -> None:
    there = {"channel": slack.office, "ts": OLD}
    assert refusal(slack.web, "conversations.replies", **there) == "thread_not_found"


@emulate_deviates("it looks for the message alone; reference/methods/chat.update, errors")
@pytest.mark.parametrize("channel", [NOWHERE, "ana"])
def test_what_is_in_no_channel_cannot_be_updated(slack: StandIn, channel: str) -> None:
    """A person's id will not do here: reference/methods/chat.update, argument `channel`."""
    there = {"channel": slack.people.get(channel, channel), "ts": OLD}
    assert refusal(slack.web, "chat.update", text="x", **there) == "channel_not_found"


@emulate_deviates("it does not look whether it is; reference/methods/chat.update, errors")
def test_in_an_archived_channel_nothing_is_updated(slack: StandIn) -> None:
    ts = slack.web.chat_postMessage(channel=slack.office, text="x")["ts"]
    slack.archive(slack.office)
    there = {"channel": slack.office, "ts": ts}
    assert refusal(slack.web, "chat.update", text="y", **there) == "is_inactive"


@emulate_deviates("it takes as much as in a new message; reference/methods/chat.update, errors")
def test_an_update_of_too_many_words_is_refused(slack: StandIn) -> None:
    ts = slack.web.chat_postMessage(channel=slack.office, text="x")["ts"]
    there = {"channel": slack.office, "ts": ts}
    assert refusal(slack.web, "chat.update", text="x" * 4_001, **there) == "msg_too_long"


@emulate_deviates("it looks at no block; reference/block-kit/blocks/section-block")
def test_a_layout_that_breaks_a_rule_is_refused(slack: StandIn) -> None:
    text = {"type": "mrkdwn", "text": "x" * 3_001}
    said = {"channel": slack.office, "text": "x", "blocks": [{"type": "section", "text": text}]}
    assert refusal(slack.web, "chat.postMessage", **said) == "invalid_blocks"


@emulate_deviates("it calls it `invalid_view`; reference/methods/views.open, errors")
def test_a_modal_without_a_title_is_refused(slack: StandIn) -> None:
    view = {name: value for name, value in MODAL.items() if name != "title"}
    given = {"trigger_id": slack.trigger("ana"), "view": view}
    assert refusal(slack.web, "views.open", **given) == "invalid_arguments"


def test_a_modal_is_not_opened_out_of_the_blue(slack: StandIn) -> None:
    assert refusal(slack.web, "views.open", trigger_id="1.2.x", view=MODAL) == "invalid_trigger_id"
