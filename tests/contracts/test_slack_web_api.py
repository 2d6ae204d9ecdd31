"""What the bot relies on in Slack's Web API, and what that refuses, held to both of its stand-ins.

Where the two differ, Slack's documentation decides: the test says what it says, with the page
(all of them under https://docs.slack.dev), and that `emulate` deviates; our own never may.
"""

from typing import Any

import pytest
from block_records import AUDIT_ID, a_record, an_abstention, read
from slack_sdk.errors import SlackApiError
from slack_stand_ins import FEW_SCOPES, MODAL, SECTION, StandIn, emulate_deviates, refusal

from audit.record import Decision
from bot.slack.blocks.elements import Message, View
from bot.slack.blocks.evidence import evidence, numbers
from bot.slack.blocks.reply import reply
from bot.slack.blocks.system_messages import Trouble, help_message, placeholder, trouble
from bot.slack.clicks import feedback_words

pytest_plugins = ["emulated", "slack_stand_ins"]

ASKED = a_record().question
PARTIAL = a_record(decision=Decision.PARTIAL, missing=("How it is paid",), more_in_private=True)
MESSAGES = {
    "placeholder": placeholder(7, ASKED, quoted=False, ahead=2, slowed_seconds=30),
    "trouble": trouble(7, ASKED, quoted=True, trouble=Trouble.INDEX),
    "answer": reply(a_record(), 7, quoted=False),
    "partial answer": reply(PARTIAL, 7, quoted=True),
    "abstention": reply(an_abstention(), 7, quoted=False),
    "help": help_message("U0VOUCH", admin=True, private=True),
}
MODALS = {
    "evidence": evidence(a_record(), frozenset()),
    "numbers": numbers(a_record(), {"p-Leave": "Parents get 14 weeks."}, frozenset()),
    "feedback": feedback_words(AUDIT_ID, "the-thumb"),
}


def marked(mark: str) -> list[dict[str, Any]]:
    return [{**SECTION, "block_id": mark}]


def first_marks(messages: list[dict[str, Any]]) -> list[str]:
    """By which the bot finds its messages again."""
    return [each.get("blocks", [{}])[0].get("block_id", "") for each in messages]


def texts(messages: list[dict[str, Any]]) -> list[str]:
    return [message["text"] for message in messages]


# --- the bot and people -------------------------------------------------------------


def test_the_bot_learns_who_it_is_and_where(slack: StandIn) -> None:
    answer = slack.web.auth_test()
    assert answer["user_id"] == slack.people["vouch"]
    assert answer["team"] == "Westhill"
    for name in ("bot_id", "url", "user"):
        assert answer[name]


def test_without_its_scope_nobodys_e_mail_is_told(slack_with_few_scopes: StandIn) -> None:
    web, ana = slack_with_few_scopes.web, slack_with_few_scopes.people["ana"]
    assert "email" not in web.users_info(user=ana)["user"]["profile"]


def test_a_colleague_is_described_with_their_e_mail(slack: StandIn) -> None:
    user = slack.web.users_info(user=slack.people["ana"])["user"]
    assert user["profile"]["email"] == "ana@westhill.test"
    assert user["team_id"] == slack.web.auth_test()["team_id"]
    assert (user["id"], user["is_bot"], user["deleted"]) == (slack.people["ana"], False, False)


def test_a_bot_is_described_as_one(slack: StandIn) -> None:
    assert slack.web.users_info(user=slack.people["vouch"])["user"]["is_bot"]


# --- saying -------------------------------------------------------------------------


def test_a_direct_message_is_opened_once(slack: StandIn) -> None:
    room = slack.direct()
    assert room.startswith("D")
    assert slack.direct() == room
    assert slack.direct("ben") != room


@pytest.mark.parametrize("where", ["channel", "thread", "direct message", "thread in private"])
def test_what_the_bot_says_is_found_again_by_its_first_block(slack: StandIn, where: str) -> None:
    room = slack.direct() if where in ("direct message", "thread in private") else slack.office
    threaded = where in ("thread", "thread in private")
    thread = slack.web.chat_postMessage(channel=room, text="before")["ts"] if threaded else ""
    said = slack.web.chat_postMessage(
        channel=room,
        text="Reading",
        blocks=marked("vouch-7"),
        thread_ts=thread or None,
        unfurl_links=False,
        unfurl_media=False,
    )
    assert said["channel"] == room
    assert said["message"]["blocks"] == marked("vouch-7")
    assert said["message"]["user"] == slack.people["vouch"]
    if threaded:
        there = slack.web.conversations_replies(channel=room, ts=thread)["messages"]
        assert there[-1]["thread_ts"] == thread
    else:
        there = slack.web.conversations_history(channel=room)["messages"]
    [found] = [each for each in there if first_marks([each]) == ["vouch-7"]]
    assert (found["ts"], found["text"]) == (said["ts"], "Reading")


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_all_that_the_bot_says_is_taken_as_it_is(slack: StandIn, message: Message) -> None:
    asked = slack.says("ana", slack.office, ASKED, "")
    for room, thread in ((slack.office, ""), (slack.office, asked), (slack.direct(), "")):
        blocks = list(message.blocks)
        ts = slack.web.chat_postMessage(channel=room, text="…", thread_ts=thread or None)["ts"]
        slack.web.chat_update(channel=room, ts=ts, text=message.text, blocks=blocks)
        if thread:
            said = slack.web.conversations_replies(channel=room, ts=thread)["messages"][-1]
        else:
            said = slack.web.conversations_history(channel=room)["messages"][0]
        assert (said["ts"], said["text"]) == (ts, message.text)
        assert read(said["blocks"]) == read(blocks)


def test_an_update_takes_the_place_of_what_was_said(slack: StandIn) -> None:
    ts = slack.web.chat_postMessage(channel=slack.office, text="a", blocks=marked("vouch-7"))["ts"]
    for _ in range(2):  # the bot may repeat it after a crash
        answer = slack.web.chat_update(
            channel=slack.office, ts=ts, text="Answered", blocks=marked("vouch-7")
        )
        assert (answer["channel"], answer["ts"], answer["text"]) == (slack.office, ts, "Answered")
    [only] = slack.web.conversations_history(channel=slack.office, limit=1)["messages"]
    assert (only["ts"], only["text"], first_marks([only])) == (ts, "Answered", ["vouch-7"])


def test_an_update_to_words_alone_takes_the_blocks_away(slack: StandIn) -> None:
    """reference/methods/chat.update: kept only where no text is given either."""
    ts = slack.web.chat_postMessage(channel=slack.office, text="a", blocks=marked("b"))["ts"]
    answer = slack.web.chat_update(channel=slack.office, ts=ts, text="words")
    assert "blocks" not in answer["message"]


def test_of_far_too_many_words_the_end_is_lost(slack: StandIn) -> None:
    """reference/methods/chat.postMessage, "Truncating content"."""
    answer = slack.web.chat_postMessage(channel=slack.office, text="x" * 40_001)
    assert answer["message"]["text"] == "x" * 40_000
    assert answer["warning"] == "message_truncated"


@emulate_deviates("it marks every update as edited; reference/methods/chat.update, usage info")
def test_an_update_with_blocks_is_not_shown_as_edited(slack: StandIn) -> None:
    ts = slack.web.chat_postMessage(channel=slack.office, text="a", blocks=marked("b"))["ts"]
    answer = slack.web.chat_update(channel=slack.office, ts=ts, text="a", blocks=marked("c"))
    assert "edited" not in answer["message"]


def test_a_deleted_message_is_gone(slack: StandIn) -> None:
    ts = slack.web.chat_postMessage(channel=slack.office, text="oh")["ts"]
    slack.web.chat_delete(channel=slack.office, ts=ts)
    history = slack.web.conversations_history(channel=slack.office)["messages"]
    assert ts not in [each["ts"] for each in history]
    assert refusal(slack.web, "chat.update", channel=slack.office, ts=ts, text="x") == (
        "message_not_found"
    )


def test_what_one_person_is_told_the_channel_does_not_hear(slack: StandIn) -> None:
    answer = slack.web.chat_postEphemeral(
        channel=slack.office, user=slack.people["ana"], text="psst", blocks=[SECTION]
    )
    assert answer["message_ts"]
    history = slack.web.conversations_history(channel=slack.office)["messages"]
    assert "psst" not in texts(history)


# --- reading ------------------------------------------------------------------------


def test_history_is_read_page_by_page_newest_first(slack: StandIn) -> None:
    room = slack.direct()
    for number in range(5):
        slack.web.chat_postMessage(channel=room, text=str(number))
    pages = [
        texts(page["messages"]) for page in slack.web.conversations_history(channel=room, limit=2)
    ]
    assert pages == [["4", "3"], ["2", "1"], ["0"]]


def test_a_thread_is_read_oldest_first_and_is_not_in_the_history(slack: StandIn) -> None:
    room = slack.direct()
    ts = slack.web.chat_postMessage(channel=room, text="asked")["ts"]
    for text in ("one", "two"):
        slack.web.chat_postMessage(channel=room, text=text, thread_ts=ts)
    thread = slack.web.conversations_replies(channel=room, ts=ts)["messages"]
    assert texts(thread) == ["asked", "one", "two"]
    assert thread[0]["reply_count"] == 2
    assert texts(slack.web.conversations_history(channel=room)["messages"]) == ["asked"]


def test_a_message_without_replies_is_a_thread_of_one(slack: StandIn) -> None:
    ts = slack.web.chat_postMessage(channel=slack.office, text="alone")["ts"]
    thread = slack.web.conversations_replies(channel=slack.office, ts=ts)["messages"]
    assert texts(thread) == ["alone"]


@emulate_deviates("it leaves `thread_ts` out there; messaging/retrieving-messages, threads")
def test_the_parent_of_a_thread_names_itself_as_such(slack: StandIn) -> None:
    ts = slack.web.chat_postMessage(channel=slack.office, text="asked")["ts"]
    slack.web.chat_postMessage(channel=slack.office, text="one", thread_ts=ts)
    parent = slack.web.conversations_replies(channel=slack.office, ts=ts)["messages"][0]
    assert parent.get("thread_ts") == ts


@emulate_deviates("it ignores `limit`; reference/methods/conversations.replies, arguments")
def test_a_long_thread_is_read_page_by_page(slack: StandIn) -> None:
    ts = slack.web.chat_postMessage(channel=slack.office, text="asked")["ts"]
    for number in range(3):
        slack.web.chat_postMessage(channel=slack.office, text=str(number), thread_ts=ts)
    answer = slack.web.conversations_replies(channel=slack.office, ts=ts, limit=2)
    pages = [texts(page["messages"]) for page in answer]
    assert len(pages) > 1
    read = dict.fromkeys(text for page in pages for text in page)
    assert list(read) == ["asked", "0", "1", "2"]


@emulate_deviates("it ignores `oldest`; reference/methods/conversations.history, arguments")
def test_history_is_read_from_a_moment_on_which_does_not_count_itself(slack: StandIn) -> None:
    room = slack.direct()
    first = slack.web.chat_postMessage(channel=room, text="first")["ts"]
    slack.web.chat_postMessage(channel=room, text="second")
    later = slack.web.conversations_history(channel=room, oldest=first)["messages"]
    assert texts(later) == ["second"]


# --- modals -------------------------------------------------------------------------


@pytest.mark.parametrize("view", MODALS.values(), ids=MODALS)
def test_every_modal_of_the_bot_is_opened_as_it_is(slack: StandIn, view: View) -> None:
    opened = slack.web.views_open(trigger_id=slack.trigger("ana"), view=view)["view"]
    assert opened["private_metadata"] == view["private_metadata"]
    assert len(opened["blocks"]) == len(view["blocks"])


def test_a_modal_is_opened_once_for_what_a_person_did(slack: StandIn) -> None:
    trigger = slack.trigger("ana")
    view = slack.web.views_open(trigger_id=trigger, view=MODAL)["view"]
    assert (view["callback_id"], view["private_metadata"]) == ("evidence", "record-1")
    assert view["id"].startswith("V")
    assert [block["text"] for block in view["blocks"]] == [SECTION["text"]]
    again = refusal(slack.web, "views.open", trigger_id=trigger, view=MODAL)
    assert again == "exchanged_trigger_id"


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
