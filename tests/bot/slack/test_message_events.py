"""Who is heard, and who is left in peace."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from office import MEANINGS

from bot.slack import message_events
from bot.slack.exchange import AttachedFile, Incoming, Intent
from bot.slack.message_events import intent_of, mentioned, spoken_words

BOT, ANA, BEN = "U0VOUCH", "U0ANA", "U0BEN"


def event(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "message", "channel": "C1", "user": ANA, "ts": "20.000100", "text": text} | more


def hear(event: dict[str, Any]) -> Incoming | None:
    return message_events.incoming_of(event, BOT, MEANINGS)


def test_a_mention_is_a_question_without_the_mention() -> None:
    heard = hear(event(f"<@{BOT}> how long is leave?"))
    assert heard is not None
    assert (heard.text, heard.kind) == ("how long is leave?", Intent.UNTOLD)
    assert (heard.thread, heard.private) == ("20.000100", False)


def test_a_mention_that_comes_as_message_and_as_app_mention_is_one() -> None:
    twice = [hear(event(f"<@{BOT}> leave?", type=kind)) for kind in ("message", "app_mention")]
    assert twice[0] == twice[1]


def test_a_direct_message_needs_no_mention_and_is_answered_at_its_top_level() -> None:
    heard = hear(event("how long is leave?", channel="D1", channel_type="im"))
    assert heard is not None
    assert (heard.private, heard.thread) == (True, "")
    assert heard.conversation == f"dm:{ANA}"


def test_people_who_talk_to_each_other_in_a_channel_are_left_in_peace() -> None:
    assert hear(event("how long is leave?")) is None
    assert hear(event(f"<@{BEN}> how long is leave?")) is None


THREAD = {"thread_ts": "10.000100"}


def test_who_asked_in_a_thread_goes_on_without_a_mention() -> None:
    heard = hear(event("and for contractors?", **THREAD))
    assert heard is not None
    assert heard.conversation == "C1:10.000100"


@pytest.mark.parametrize(
    "said",
    [
        *("<!subteam^S1|@hr> can you look?", "<!here> who knows?", "<!channel> lunch?"),
        f"<@{BEN}> is that right?",
    ],
)
def test_who_turns_to_others_in_the_thread_is_left_in_peace(said: str) -> None:
    assert hear(event(said, **THREAD)) is None


def test_a_group_direct_message_is_read_by_all_in_it() -> None:
    heard = hear(event(f"<@{BOT}> leave?", channel="G1", channel_type="mpim"))
    assert heard is not None
    assert not heard.private


def test_a_direct_message_is_private_also_where_the_event_does_not_say_so() -> None:
    heard = hear(event(f"<@{BOT}> leave?", channel="D1", type="app_mention"))
    assert heard is not None
    assert heard.private


REMARKS = [
    *("thanks!", "ok great", "got it, thank you", "great, that worked"),
    "brb",
    "yes",
    "+1",
    "sorry, wrong thread",
    "<https://example.org/leave>",
    "<https://example.org/why?me=1|example.org/why>",
    "<https://example.org/why|Why me?>",
    "```def why(): return who?```",
    "&gt; How long is leave?",
    "I will ask HR then",
    "that is what I thought",
    "@ana can you check",
    "what a great answer",
    "so it's 25 days",
    "let me know if anything changes",
    *("got it, will hand it in tomorrow", "anyone else having lunch now?"),
    *("shall we meet at 12?", "huh?", "seriously?"),
]
ASKS = [
    "and for contractors",
    "how do i apply then",
    "can my manager refuse",
    "same for interns",
    "I mean the parental leave one",
    "tell me more about the deadline",
    "in case of illness",
    "need the form link",
    "thx, and on weekends",
    "ok but what if I'm sick",
    "what about <https://example.org/travel|the travel policy>",
    "&gt; You have 25 days.\nwho pays for it",
    "假期有多长？",
    *("my coursework is 3 days late", "I'm a part-timer", "typo, I meant Tuesday"),
]


@pytest.mark.parametrize("said", REMARKS)
def test_who_remarks_on_something_in_the_thread_is_left_in_peace(said: str) -> None:
    assert hear(event(said, **THREAD)) is None


@pytest.mark.parametrize("said", ASKS)
def test_who_asks_on_in_the_thread_is_heard_without_a_question_mark(said: str) -> None:
    assert hear(event(said, **THREAD)) is not None


@pytest.mark.parametrize("said", REMARKS)
def test_who_speaks_to_the_bot_is_heard_whatever_they_say(said: str) -> None:
    assert hear(event(f"<@{BOT}> {said}", **THREAD)) is not None
    assert hear(event(said, channel="D1")) is not None


@pytest.mark.parametrize("said", [":tada:", "👍", ":+1::skin-tone-3: :pray:", "❤️"])
def test_an_emoji_alone_gets_no_words_back(said: str) -> None:
    assert hear(event(f"<@{BOT}> {said}")) is None
    assert hear(event(said, channel="D1")) is None
    assert hear(event(said, **THREAD)) is None


@given(st.text())
def test_whatever_is_said_in_a_thread_is_heard_or_not(said: str) -> None:
    hear(event(said, **THREAD))


@pytest.mark.parametrize(
    "not_said",
    [
        {"subtype": "message_changed"},
        {"subtype": "message_deleted"},
        {"subtype": "channel_join"},
        {"bot_id": "B1"},
        {"user": None},
    ],
)
def test_edits_joins_and_other_bots_are_no_questions(not_said: dict[str, Any]) -> None:
    assert hear(event(f"<@{BOT}> leave?", **not_said)) is None


def test_a_question_with_a_file_is_heard() -> None:
    files = [{"id": "F1", "name": "plan.pdf"}, {"id": "F2"}]
    heard = hear(event(f"<@{BOT}> leave?", subtype="file_share", files=files))
    assert heard is not None
    assert heard.attached == (AttachedFile("F1", "plan.pdf"), AttachedFile("F2", "F2"))


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("", Intent.HELP),
        ("  ", Intent.HELP),
        ("hi!", Intent.HELP),
        ("https://example.org/leave?year=1", Intent.HELP),
        ("example.org/leave", Intent.HELP),
        ("thanks https://example.org/leave", Intent.THANKS),
        ("is https://example.org/leave still right", Intent.QUESTION),
        ("Hello there", Intent.HELP),
        ("help", Intent.HELP),
        ("What can you do?", Intent.HELP),
        ("What can you help me with?", Intent.HELP),
        ("thanks, that answers it", Intent.THANKS),
        ("are you a bot?", Intent.ABOUT),
        ("bye", Intent.BYE),
        ("thanks", Intent.THANKS),
        ("Thank you so much!", Intent.THANKS),
        ("👍", Intent.HELP),
        (":tada:", Intent.HELP),
        ("hey thanks a lot!!", Intent.THANKS),
        ("hi, thanks", Intent.THANKS),
        ("Hello there, thank you Ana", Intent.THANKS),
        ("hi, what about thanks?", Intent.QUESTION),
        ("haha, and for contractors?", Intent.QUESTION),
        ("hey parking", Intent.QUESTION),
        ("hi, when does term start?", Intent.QUESTION),
        ("thanks, and for contractors?", Intent.QUESTION),
        ("ok?", Intent.HELP),
        ("a", Intent.HELP),
        ("?", Intent.HELP),
        ("parking", Intent.QUESTION),
        ("假期有多长？", Intent.QUESTION),
        ("help me find the parking form", Intent.QUESTION),
    ],
)
def test_small_talk_is_told_from_questions(said: str, kind: Intent) -> None:
    assert intent_of(said, MEANINGS) is kind


@pytest.mark.parametrize(
    ("sent", "typed"),
    [
        (f"<@{BOT}|vouch> a &lt;b&gt; &amp;c", "a <b> &c"),
        ("see <https://example.org/x|the form>", "see the form"),
        ("see <https://example.org/x>", "see https://example.org/x"),
        (f"ask <@{BEN}|Ben> in <#C2|general>", "ask @Ben in #general"),
        ("<!here> and <!subteam^S1|@exams>", "@here and @exams"),
        ("two\nlines", "two lines"),
        ("&amp;lt;", "&lt;"),
    ],
)
def test_the_question_is_what_the_person_typed(sent: str, typed: str) -> None:
    assert spoken_words(sent, BOT) == typed


@pytest.mark.parametrize(
    ("sent", "asked"),
    [
        (
            "how do I fix this?\n```Error 403: where is the token```\nthanks",
            "how do I fix this? thanks",
        ),
        ("```Error 403: access denied```", "```Error 403: access denied```"),
        ("what does `git push` do?", "what does `git push` do?"),
    ],
)
def test_code_is_searched_for_only_where_nothing_else_asks(sent: str, asked: str) -> None:
    heard = hear(event(f"<@{BOT}> {sent}"))
    assert heard is not None
    assert heard.text == asked


@given(st.text())
def test_what_slack_escaped_is_read_as_it_was_typed(typed: str) -> None:
    sent = typed.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert spoken_words(f"<@{BOT}> {sent}", BOT) == " ".join(typed.split())
    assert not mentioned(sent)


@given(st.text())
def test_any_text_is_told_for_something(text: str) -> None:
    assert intent_of(text, MEANINGS) in Intent


def test_of_a_word_without_end_only_its_beginning_is_heard() -> None:
    heard = hear(event(f"<@{BOT}> how long is {'x' * 5_000_000}?"))
    assert heard is not None
    assert heard.text == f"how long is {'x' * 100}…"


def test_of_a_pasted_book_only_its_beginning_is_heard() -> None:
    heard = hear(event(f"<@{BOT}> {'how long is leave? ' * 100_000}"))
    assert heard is not None
    assert len(heard.text) < 4_002
    assert heard.text.endswith("…")
