"""What somebody reads while there is no reply, or where none is due."""

import re

import pytest
from block_records import AUDIT_ID, a_record, markup, read, texts
from hypothesis import given
from hypothesis import strategies as st

from bot.slack import feedback
from bot.slack.blocks import system_messages
from bot.slack.blocks.reply import reply
from bot.slack.blocks.system_messages import Trouble, placeholder, trouble
from bot.slack.exchange import Kind
from bot.workspace.block_kit.validation import problems, view_problems


def waiting(*, ahead: int = 0, slowed: int = 0, quoted: bool = False) -> str:
    message = placeholder(7, "How late?", quoted=quoted, ahead=ahead, slowed_seconds=slowed)
    return read(message.blocks)


def test_the_question_was_heard() -> None:
    assert waiting() == ":hourglass_flowing_sand: Reading the documents…"


def test_somebody_who_waits_is_told_how_many_are_before_them() -> None:
    assert waiting(ahead=1).endswith("1 question is before yours.")
    assert waiting(ahead=3).endswith("3 questions are before yours.")


def test_somebody_who_is_slowed_down_is_told_why_and_for_how_long() -> None:
    assert waiting(slowed=40).endswith(
        "You have asked a lot in a short time, so I take yours one by one; this one in about 40 s."
    )
    assert "in about 3 minutes." in waiting(slowed=170)


def test_after_a_command_the_question_stands_above() -> None:
    assert waiting(quoted=True).startswith("How late?\n")


@pytest.mark.parametrize("kind", Trouble)
def test_trouble_is_told_unlike_any_reply_and_promises_the_answer(kind: Trouble) -> None:
    message = trouble(7, "How late?", quoted=False, trouble=kind)
    text = read(message.blocks)
    assert text.startswith(":warning: *Not answered yet*\n")
    assert "I try again by myself, and the answer will stand here." in text
    assert text.splitlines()[0] != read(reply(a_record(), 7, quoted=False).blocks).splitlines()[0]
    assert message.text.startswith("Not answered yet. ")


@pytest.mark.parametrize("kind", [Trouble.CONFIGURATION, Trouble.OTHER])
def test_trouble_that_only_the_operator_can_mend_names_the_log(kind: Trouble) -> None:
    assert "in the log" in read(trouble(7, "?", quoted=False, trouble=kind).blocks)


def test_each_trouble_is_told_differently() -> None:
    told = {trouble(7, "?", quoted=False, trouble=kind).text for kind in Trouble}
    assert len(told) == len(Trouble)


@given(texts, st.sampled_from(Trouble), st.booleans(), st.integers(0, 30), st.integers(0, 9_999))
def test_whatever_was_asked_slack_takes_it(
    question: str, kind: Trouble, quoted: bool, ahead: int, slowed: int
) -> None:
    for message in (
        placeholder(7, question, quoted=quoted, ahead=ahead, slowed_seconds=slowed),
        trouble(7, question, quoted=quoted, trouble=kind),
    ):
        assert problems(message.blocks) == []
        assert message.blocks[0]["block_id"] == "vouch-7"
        assert not re.search("[<>]|@(here|channel|everyone)", message.text)
        assert all("<" not in each["text"] for each in markup(message.blocks))


@pytest.mark.parametrize("private", [True, False])
def test_help_names_the_ways_to_ask_and_what_the_signs_mean(private: bool) -> None:
    message = system_messages.help_message("U0VOUCH", admin=False, private=private)
    text = read(message.blocks)
    assert problems(message.blocks) == []
    assert "<@U0VOUCH>" in text
    assert "`/ask`" in text
    assert ":grey_question: I don't know" in text
    assert "/audit" not in text
    assert text.count("What you ask and what I answer is kept; administrators can look it up.") == 1


def test_help_tells_administrators_of_the_audit() -> None:
    assert "`/audit`" in read(system_messages.help_message("U1", admin=True, private=True).blocks)


def test_short_words_are_messages_that_slack_takes() -> None:
    for message in (
        *map(system_messages.small_talk, (Kind.THANKS, Kind.ABOUT, Kind.BYE)),
        system_messages.too_many(21),
        system_messages.not_stored(),
    ):
        assert problems(message.blocks) == []
        assert message.text
    assert "21 questions of yours wait" in system_messages.too_many(21).text
    assert "ask again" in system_messages.not_stored().text


def test_a_thumb_down_may_be_explained_or_not() -> None:
    view = feedback.feedback_words(AUDIT_ID, "the-thumb")
    assert view_problems(view) == []
    assert (view["callback_id"], view["notify_on_close"]) == ("feedback_words", True)
    assert feedback.about(view["private_metadata"]) == feedback.About(AUDIT_ID, "the-thumb")
    told, *inputs = view["blocks"]
    assert read([told]) == "Words are optional. Cancel takes your thumb down back."
    assert all(block["optional"] for block in inputs)


def test_what_was_filled_in_comes_back() -> None:
    chosen = {"type": "radio_buttons", "selected_option": {"value": "outdated"}}
    typed = {"type": "plain_text_input", "value": " It is 16 weeks now. "}
    said = feedback.said({"why": {"why": chosen}, "words": {"words": typed}})
    assert said == feedback.Said("outdated", "It is 16 weeks now.")


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"why": {"why": {"selected_option": None}}, "words": {"words": {"value": None}}},
        {"why": {"why": {"selected_option": {"value": "forged"}}}},
    ],
)
def test_what_was_left_empty_or_never_offered_is_nothing(values: dict[str, object]) -> None:
    assert feedback.said(values) == feedback.Said("", "")
