"""What somebody reads while there is no reply, or where none is due."""

import re

import pytest
from block_records import a_record, markup, read, texts
from hypothesis import given
from hypothesis import strategies as st

from bot.slack import clicks
from bot.slack.blocks.reply import reply
from bot.slack.blocks.system_messages import Trouble, help_message, placeholder, trouble
from bot.workspace.block_kit.validation import problems


def waiting(*, ahead: int = 0, slowed: int = 0, quoted: bool = False) -> str:
    message = placeholder(7, "How late?", quoted=quoted, ahead=ahead, slowed_seconds=slowed)
    return read(message.blocks)


def test_the_question_was_heard_and_how_many_are_before_it() -> None:
    assert waiting() == ":hourglass_flowing_sand: Reading the documents…"
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


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"why": {"why": {"selected_option": None}}, "words": {"words": {"value": None}}},
        {"why": {"why": {"selected_option": {"value": "forged"}}}},
    ],
)
def test_what_was_left_empty_or_never_offered_is_nothing(values: dict[str, object]) -> None:
    assert clicks.reason_in(values) == clicks.FeedbackReason("", "")


def test_each_trouble_is_told_differently() -> None:
    told = {trouble(7, "?", quoted=False, trouble=kind).text for kind in Trouble}
    assert len(told) == len(Trouble)


@pytest.mark.parametrize("private", [True, False])
def test_help_says_once_that_what_is_asked_is_kept(private: bool) -> None:
    text = read(help_message("U0VOUCH", admin=False, private=private).blocks)
    assert text.count("What you ask and what I answer is kept; administrators can look it up.") == 1
