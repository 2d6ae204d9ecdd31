"""What somebody corrects is answered as it stands now, in whichever order Slack tells of it."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest
from office import ANA, BEN, GENERAL, Office
from slack_reading import words

from bot.slack.exchange import Answers, Stage
from bot.slack.inbox.kept import ChannelSettings
from bot.slack.inbox.queries import DELIVERED_FOR
from bot.slack.inbox.store import MOST_UNASKED, MOST_WAITING
from bot.wording import channels
from bot.workspace.seed import BOT_USER

ASKED_FIRST = "how long is parental leave?"
FIRST = f"<@{BOT_USER}> {ASKED_FIRST}"
SECOND = f"<@{BOT_USER}> how long is sick leave?"
UNMENTIONED = "how many days of annual leave do employees get"
ASKS_NOTHING = "ok thanks"


@pytest.fixture
def ts(office: Office) -> str:
    """A message of Ben's in #general, whose words a test tells."""
    return office.slack.says(BEN, GENERAL, "-")


def message(ts: str, text: str, **more: Any) -> dict[str, Any]:
    return {"type": "message", "channel": GENERAL, "user": BEN, "ts": ts, "text": text} | more


def changed(ts: str, before: str, now: str, at: int = 1, **more: Any) -> dict[str, Any]:
    edited = {"edited": {"user": BEN, "ts": f"19{at:08}.000000"}}
    return {
        "type": "message",
        "subtype": "message_changed",
        "channel": GENERAL,
        "message": message(ts, now, **more) | edited,
        "previous_message": message(ts, before, **more),
    }


def asks_too_much(office: Office) -> None:
    for number in range(MOST_WAITING):
        office.say(BEN, f"How long is leave number {number}?")


def all_answered(office: Office) -> Sequence[str]:
    """Everything that waits is answered; what was asked."""
    while (waiting := office.inbox.counts())[Stage.PLACEHOLDER] or waiting[Stage.ANSWERING]:
        office.clock.forward(60)
        stage = Stage.PLACEHOLDER if waiting[Stage.PLACEHOLDER] else Stage.ANSWERING
        exchange = office.claimed(stage)
        step = office.steps()[Stage.WITHDRAWN if exchange.withdrawn_at else stage]
        office.inbox.save(step(exchange))
    return [each.text for each in office.answers.asked]


def buttons(office: Office) -> list[tuple[str, str]]:
    """Where "Ask again" stands, and what it bears."""
    return [
        (each["ts"], element["value"])
        for each in office.bot_said()
        for block in each.get("blocks", ())
        for element in block.get("elements", ())
        if element.get("action_id") == "ask_refused"
    ]


# --- refused ------------------------------------------------------------------------


@pytest.mark.parametrize("now", [SECOND, UNMENTIONED])
def test_what_was_refused_and_is_corrected_is_answered(office: Office, ts: str, now: str) -> None:
    asks_too_much(office)
    office.hears(message(ts, FIRST))
    all_answered(office)
    office.hears(changed(ts, FIRST, now))
    office.hears(changed(ts, FIRST, now))  # delivered again
    asked = all_answered(office)
    assert [each for each in asked if each in FIRST] == []
    assert [each for each in asked if each in now] == [now.removeprefix(f"<@{BOT_USER}> ")]


def test_who_corrects_a_refused_question_while_too_many_wait_is_told_again(
    office: Office, ts: str
) -> None:
    asks_too_much(office)
    office.hears(message(ts, FIRST))
    office.hears(changed(ts, FIRST, SECOND))
    said = [words(each) for each in office.bot_said() if "wait already" in words(each)]
    assert len(said) == 2
    assert "sick leave" in said[-1]


def test_a_waiting_question_is_corrected_although_no_more_may_wait(office: Office, ts: str) -> None:
    office.hears(message(ts, FIRST))
    for number in range(MOST_WAITING - 1):
        office.say(BEN, f"How long is leave number {number}?")
    office.hears(changed(ts, FIRST, SECOND))
    assert not buttons(office)


def test_what_was_refused_in_a_thread_and_is_corrected_without_a_mention_is_answered(
    office: Office, ts: str
) -> None:
    office.hears(message(ts, FIRST))
    all_answered(office)
    asks_too_much(office)
    further = office.slack.says(BEN, GENERAL, "-", ts)
    before, now = "and how long is it for interns?", "and how long is it for contractors?"
    office.hears(message(further, before, thread_ts=ts))
    all_answered(office)
    office.hears(changed(further, before, now, thread_ts=ts))
    asked = all_answered(office)
    assert now in asked
    assert before not in asked


def test_an_outsider_who_corrects_what_is_not_answered_here_is_told_again(
    office: Office, ts: str
) -> None:
    office.workspace.faults.refuse("users.info", "user_not_found")
    office.hears(message(ts, FIRST), shared=True)
    office.step(Stage.PLACEHOLDER)
    office.hears(changed(ts, FIRST, SECOND), shared=True)
    office.step(Stage.PLACEHOLDER)
    assert [words(each) for each in office.whispered(BEN)] == [channels.TURNED_AWAY] * 2


# --- the order ----------------------------------------------------------------------


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize(
    ("texts", "asked"),
    [
        ((FIRST, UNMENTIONED, ASKS_NOTHING), []),
        ((FIRST, ASKS_NOTHING, SECOND), ["how long is sick leave?"]),
        ((FIRST, SECOND, UNMENTIONED), [UNMENTIONED]),
        ((FIRST, SECOND, "deleted"), []),
    ],
)
def test_what_counts_is_what_a_message_says_last(
    office: Office, ts: str, texts: Sequence[str], asked: list[str], order: Sequence[int]
) -> None:
    *_, before, last = texts
    gone = {
        "type": "message",
        "subtype": "message_deleted",
        "channel": GENERAL,
        "deleted_ts": ts,
        "previous_message": message(ts, before),
    }
    events = [
        message(ts, texts[0]),
        changed(ts, texts[0], texts[1], 1),
        gone if last == "deleted" else changed(ts, before, last, 2),
    ]
    for each in order:
        office.hears(events[each])
    assert all_answered(office) == asked


@pytest.mark.parametrize("now", [ASKS_NOTHING, "and how long is it for contractors?"])
@pytest.mark.parametrize("edit_first", [False, True])
@pytest.mark.parametrize("question_first", [False, True])
def test_in_a_thread_too_what_counts_is_what_was_said_last(
    office: Office, ts: str, now: str, edit_first: bool, question_first: bool
) -> None:
    further = office.slack.says(BEN, GENERAL, "-", ts)
    before = "and how long is it for interns?"
    events = [
        message(further, before, thread_ts=ts),
        changed(further, before, now, thread_ts=ts),
    ]
    if question_first:
        office.hears(message(ts, FIRST))
        all_answered(office)
    for each in reversed(events) if edit_first else events:
        office.hears(each)
    if not question_first:
        office.hears(message(ts, FIRST))
    asked = all_answered(office)
    assert asked[1:] == ([] if now == ASKS_NOTHING else [now])


@pytest.mark.parametrize("edit_first", [False, True])
def test_what_nobody_asked_the_bot_is_answered_as_it_was_said_last(
    office: Office, ts: str, edit_first: bool
) -> None:
    settings = ChannelSettings(answers=Answers.SURE)
    office.inbox.channel_settings.keep(GENERAL, settings, ANA, office.clock())
    now = "how many days of sick leave do employees get"
    events = [message(ts, UNMENTIONED), changed(ts, UNMENTIONED, now)]
    for each in reversed(events) if edit_first else events:
        office.hears(each)
    assert all_answered(office) == [now]


@pytest.mark.parametrize(("before", "later"), [(UNMENTIONED, True), ("lunch is at noon", False)])
def test_what_was_never_heard_is_not_answered_for_being_changed(
    office: Office, ts: str, before: str, later: bool
) -> None:
    settings = ChannelSettings(answers=Answers.SURE)
    office.inbox.channel_settings.keep(GENERAL, settings, ANA, office.clock())
    if later:
        office.clock.forward(DELIVERED_FOR.total_seconds() + 1)
    office.hears(changed(ts, before, "how many days of sick leave do employees get"))
    assert not any(office.inbox.counts().values())


def test_what_nobody_asked_and_had_no_room_stays_out_of_the_way(office: Office, ts: str) -> None:
    settings = ChannelSettings(answers=Answers.SURE)
    office.inbox.channel_settings.keep(GENERAL, settings, ANA, office.clock())
    for number in range(MOST_UNASKED):
        office.say(BEN, f"How long is leave number {number}?")
    office.hears(message(ts, UNMENTIONED))
    assert sum(office.inbox.counts().values()) == MOST_UNASKED
    assert not office.bot_said()


def test_a_thread_that_people_began_is_read_also_where_its_first_message_was_changed(
    office: Office,
) -> None:
    said = "how do I book a room for a seminar?"
    began = office.slack.says(BEN, GENERAL, said)
    office.hears(changed(began, "how do I book a rom", said))
    office.say(ANA, "and who pays for it?", thread=began)
    all_answered(office)
    assert office.answers.asked[-1].previous == (said,)


@pytest.mark.parametrize("before", [FIRST, "lunch is at noon"])
@pytest.mark.parametrize("mention_first", [False, True])
def test_of_a_mention_that_was_changed_slack_tells_twice_and_it_is_answered_once(
    office: Office, ts: str, before: str, mention_first: bool
) -> None:
    office.hears(message(ts, before))
    all_answered(office)
    edit = changed(ts, before, SECOND)
    mention = {**edit["message"], "type": "app_mention", "channel": GENERAL}
    for each in (mention, edit) if mention_first else (edit, mention):
        office.hears(each)
        asked = all_answered(office)
    assert asked.count("how long is sick leave?") == 1
