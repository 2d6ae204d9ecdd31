"""What people think of a reply is kept once, and they are thanked for it."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial

import pytest
from block_records import a_record, read
from front_desk import ANAS, NOON, PAGES, WITHOUT_BOT, FrontDesk
from office import ANA, BEN, EVE, GENERAL, MEANINGS
from slack_reading import words

from audit.feedback import current_feedback
from audit.record import AuditRecord, Decision, Upcoming
from audit.values import Channel, PersonRecord, new_id
from bot.slack.blocks.reply import reply
from bot.slack.blocks.system_messages import private_offer, too_many
from bot.slack.exchange import (
    MOST_OF_A_VALUE,
    AttachedFile,
    Exchange,
    Incoming,
    Origin,
    Stage,
    asked_openly,
    asked_privately,
    asked_with_button,
    to_button,
)
from bot.slack.steps.sending import post
from bot.wording import evidence as wording
from bot.wording import slack


@pytest.fixture
def record(desk: FrontDesk) -> AuditRecord:
    thread = desk.slack.says(BEN, GENERAL, "How much leave?")
    return a_record(audit_id=new_id(NOON), channel=Channel(id=GENERAL, thread=thread))


@pytest.fixture
def ts(desk: FrontDesk, record: AuditRecord) -> str:
    return desk.posted(record)


def kept_of(desk: FrontDesk) -> list[Exchange]:
    """What was kept to be answered, and is done now."""
    kept = []
    while exchange := desk.inbox.claim(Stage.PLACEHOLDER, datetime.now(UTC)):
        desk.inbox.save(replace(exchange, stage=Stage.DONE))
        kept.append(exchange)
    return kept


def full(desk: FrontDesk) -> None:
    """As many of Eve's questions wait as may."""
    while desk.inbox.take_in(asked_privately(new_id(NOON), "Leave?", EVE, NOON), NOON).stored:
        pass


def up(desk: FrontDesk, ts: str, record: AuditRecord, user: str = BEN) -> None:
    """Presses the thumb up, and is thanked."""
    value = f"good:{record.audit_id}"
    told = desk.told(lambda: desk.slack.clicks(user, GENERAL, ts, "feedback", value), user)
    assert told["text"] == wording.FEEDBACK_THANKS


def down(desk: FrontDesk, ts: str, record: AuditRecord, said: str = wording.THUMB_KEPT) -> str:
    """Presses the thumb down; the modal that asks why."""
    value = f"bad:{record.audit_id}"
    view = desk.opens(lambda: desk.slack.clicks(BEN, GENERAL, ts, "feedback", value))
    assert read(view["blocks"][:1]) == said
    return str(view["id"])


def thumbs(desk: FrontDesk, record: AuditRecord) -> list[object]:
    return [event.details["value"] for event in desk.feedback(record)]


def standing_thumbs(desk: FrontDesk, record: AuditRecord) -> list[object]:
    return [event.details["value"] for event in current_feedback(desk.feedback(record))]


def test_the_same_thumb_of_one_counts_once(desk: FrontDesk, record: AuditRecord, ts: str) -> None:
    up(desk, ts, record)
    up(desk, ts, record)
    assert thumbs(desk, record) == ["good"]
    up(desk, ts, record, EVE)
    down(desk, ts, record)
    up(desk, ts, record)
    assert thumbs(desk, record) == ["good", "good", "bad", "good"], "who thinks anew is heard"


def test_a_double_click_counts_once(desk: FrontDesk, record: AuditRecord, ts: str) -> None:
    value = f"good:{record.audit_id}"
    before = len(desk.whispers(BEN))
    for _ in range(4):
        desk.slack.clicks(BEN, GENERAL, ts, "feedback", value)
    desk.slack.wait_for(lambda: len(desk.whispers(BEN)) == before + 4)
    assert thumbs(desk, record) == ["good"]


def test_a_reason_is_kept_and_thanked_for_where_the_reply_stands(
    desk: FrontDesk, record: AuditRecord, ts: str
) -> None:
    view = down(desk, ts, record)
    values = {"words": {"words": {"value": "It is 16 weeks now."}}}
    told = desk.told(lambda: desk.slack.submits(BEN, view, values))
    assert (told["text"], told["thread_ts"]) == (wording.FEEDBACK_THANKS, record.channel.thread)
    assert [event.text for event in desk.feedback(record)] == ["", "It is 16 weeks now."]


def test_a_reason_left_empty_adds_nothing(desk: FrontDesk, record: AuditRecord, ts: str) -> None:
    view = down(desk, ts, record)
    desk.told(lambda: desk.slack.submits(BEN, view))
    assert thumbs(desk, record) == ["bad"]


def cancelled(desk: FrontDesk, view: str) -> None:
    told = desk.told(lambda: desk.slack.closes(BEN, view))
    assert told["text"] == wording.THUMB_TAKEN_BACK


def test_who_cancels_takes_their_thumb_back(desk: FrontDesk, record: AuditRecord, ts: str) -> None:
    cancelled(desk, down(desk, ts, record))
    assert standing_thumbs(desk, record) == []
    up(desk, ts, record)
    cancelled(desk, down(desk, ts, record))
    assert standing_thumbs(desk, record) == ["good"], "what was said before stands again"


def test_who_cancels_again_keeps_the_thumb_that_was_sent(
    desk: FrontDesk, record: AuditRecord, ts: str
) -> None:
    desk.told(lambda: desk.slack.submits(BEN, down(desk, ts, record)))
    desk.slack.closes(BEN, down(desk, ts, record, wording.THUMB_STANDS))
    up(desk, ts, record, EVE)
    assert standing_thumbs(desk, record) == ["bad", "good"]


def test_who_thinks_better_of_it_while_the_modal_is_open_keeps_the_later_thumb(
    desk: FrontDesk, record: AuditRecord, ts: str
) -> None:
    view = down(desk, ts, record)
    up(desk, ts, record)
    cancelled(desk, view)
    assert standing_thumbs(desk, record) == ["good"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("expired_trigger_id", slack.WINDOW_LATE),
        ("trigger_expired", slack.WINDOW_LATE),
        ("internal_error", slack.WINDOW_FAILED),
    ],
)
@pytest.mark.parametrize("action", ["evidence", "feedback"])
def test_a_window_that_slack_does_not_open_is_said_to_whoever_asked_for_it(
    desk: FrontDesk, record: AuditRecord, ts: str, action: str, code: str, words: str
) -> None:
    value = f"bad:{record.audit_id}" if action == "feedback" else None
    desk.workspace.faults.refuse("views.open", code)
    told = desk.told(lambda: desk.slack.clicks(BEN, GENERAL, ts, action, value))
    assert told["text"] == words
    desk.opens(lambda: desk.slack.clicks(BEN, GENERAL, ts, action, value))
    assert thumbs(desk, record) == (["bad"] if action == "feedback" else [])


def test_the_buttons_of_a_reply_that_had_to_move_work_where_it_stands(
    desk: FrontDesk, record: AuditRecord
) -> None:
    direct = desk.slack.direct(BEN)
    ts = desk.posted(record, direct)
    view = desk.opens(lambda: desk.slack.clicks(BEN, direct, ts, "evidence"))
    assert view["callback_id"]
    value = f"bad:{record.audit_id}"
    view = desk.opens(lambda: desk.slack.clicks(BEN, direct, ts, "feedback", value))
    told = desk.told(lambda: desk.slack.submits(BEN, str(view["id"])), channel=direct)
    assert (told["text"], told.get("thread_ts")) == (wording.FEEDBACK_THANKS, None)


@pytest.mark.parametrize("refused", [{}, {"nearest": (), "decision": Decision.ABSTAIN}])
def test_a_refusal_that_cites_nothing_leads_to_a_receipt_of_its_own(
    desk: FrontDesk, record: AuditRecord, refused: dict[str, object]
) -> None:
    told = record.model_copy(update={"claims": (), "dropped": (), **refused} if refused else {})
    ts = desk.posted(told)
    view = desk.opens(lambda: desk.slack.clicks(BEN, GENERAL, ts, "evidence"))
    leads = f"<{PAGES}/cited/{told.audit_id}/reply/receipt.json|Download a receipt>"
    assert (leads in json.dumps(view["blocks"])) is bool(refused)


@pytest.mark.parametrize("clicks_first", [ANA, EVE])
def test_before_its_delivery_is_recorded_a_reply_that_one_reads_alone_opens_for_its_asker(
    desk: FrontDesk, record: AuditRecord, clicks_first: str
) -> None:
    ana = PersonRecord(id="ana", name="Ana Silva")
    own = record.model_copy(update={"channel": Channel(), "person": ana})
    desk.writer.append(own)
    shown, direct = reply(own, 7, quoted=True), desk.slack.direct(clicks_first)
    seen = desk.bot.chat_postMessage(channel=direct, text=shown.text, blocks=shown.blocks)
    click = partial(desk.slack.clicks, clicks_first, direct, str(seen["ts"]), "evidence")
    if clicks_first == ANA:
        assert desk.opens(click, ANA)["callback_id"]
    else:
        assert desk.told(click, EVE, direct)["text"] == slack.NOT_HERE


def test_whoever_clicks_is_answered_alone_as_of_the_day_that_was_asked_about(
    desk: FrontDesk, record: AuditRecord
) -> None:
    upcoming = Upcoming(day=date(2027, 2, 1), valid_from=date(2027, 1, 1))
    shown = record.model_copy(update={"upcoming": upcoming})
    ts = desk.posted(shown)
    press = partial(desk.slack.clicks, EVE, GENERAL, ts, "ask_as_of", shown.audit_id)
    assert desk.told(press, EVE)["text"] == slack.ASK_ACKNOWLEDGED
    assert desk.told(press, EVE)["text"] == slack.ASKED_ALREADY
    kept = kept_of(desk)[-1]
    assert (kept.asked.user, kept.asked.private, kept.asked.as_of) == (EVE, True, date(2027, 2, 1))


@pytest.mark.parametrize("door", ["ask_privately", "ask_as_of"])
def test_who_asks_alone_what_was_asked_with_a_file_is_answered_from_it_too(
    desk: FrontDesk, record: AuditRecord, door: str
) -> None:
    kept_of(desk)
    file = AttachedFile("F0PLAN", "plan.pdf")
    ts = desk.slack.says(BEN, GENERAL, "How much leave?")
    key = f"{GENERAL}:{ts}"
    with_file = Incoming(key, "How much?", BEN, GENERAL, private=False, thread=ts, ts=ts)
    desk.inbox.take_in(replace(with_file, attached=(file,)), NOON)
    (asked,) = kept_of(desk)
    upcoming = Upcoming(day=date(2027, 2, 1), valid_from=date(2027, 1, 1))
    own = record.model_copy(update={"audit_id": asked.audit_id, "upcoming": upcoming})
    ts = desk.posted(own)
    if door == "ask_privately":
        ts = post(desk.bot, GENERAL, private_offer(own))
    press = partial(desk.slack.clicks, EVE, GENERAL, ts, door, own.audit_id)
    assert desk.told(press, EVE)["text"] == slack.ASK_ACKNOWLEDGED
    (alone,) = kept_of(desk)
    (found,) = desk.inbox.attachments.of(alone)
    assert (found.file.file_id, found.key, found.channel) == ("F0PLAN", key, GENERAL)


@pytest.mark.parametrize(
    ("where", "private", "comes"),
    [
        (GENERAL, True, [True]),
        ("her own", True, [True]),
        (ANAS, True, [False]),
        ("Ana's own", True, [False]),
        ("C0NOWHERE", True, [False]),
        ("T0OTHER//C0GENERAL", True, [False]),
        (GENERAL, False, [True]),
        ("her own", False, []),
    ],
)
def test_what_is_asked_again_has_its_file_where_its_asker_is_with_it(
    desk: FrontDesk, where: str, private: bool, comes: list[bool]
) -> None:
    """What is sent with a click may be made up."""
    own = {"her own": EVE, "Ana's own": ANA}
    where = desk.slack.direct(own[where]) if where in own else where
    file = AttachedFile("F0PLAN", "plan.pdf", message=f"{where}:1")
    asked = asked_privately(new_id(NOON), "Leave?", EVE, NOON, attached=(file,))
    asked = asked if private else replace(asked, private=False, channel=GENERAL)
    ts = post(desk.bot, GENERAL, too_many(20, [asked]))
    press = partial(desk.slack.clicks, EVE, GENERAL, ts, "ask_refused", to_button(asked))
    assert desk.told(press, EVE)["text"] == slack.ASKED_AGAIN
    (kept,) = kept_of(desk)
    assert [each.channel == where for each in kept.asked.attached] == comes


def test_a_private_question_is_asked_again_in_nobody_elses_conversation(desk: FrontDesk) -> None:
    made_up = Incoming("1", "Leave?", EVE, desk.slack.direct(ANA), True, "", ts="1.0")
    ts = post(desk.bot, GENERAL, too_many(20, [made_up]))
    press = partial(desk.slack.clicks, EVE, GENERAL, ts, "ask_refused", to_button(made_up))
    assert desk.told(press, EVE)["text"] == slack.NOT_BOTH_THERE
    assert kept_of(desk) == []


def test_a_file_of_a_direct_message_is_posted_in_no_channel(
    desk: FrontDesk, record: AuditRecord
) -> None:
    alone = desk.slack.direct(BEN)
    file = AttachedFile("F0OWN", "own.pdf")
    said = Incoming(f"{alone}:1.0", "How much?", BEN, alone, private=True, thread="", ts="1.0")
    desk.inbox.take_in(replace(said, attached=(file,)), NOON)
    kept_of(desk)
    own, ts = _asked_alone(desk, record)
    assert desk.inbox.attachments.with_question(own.audit_id)
    desk.told(partial(desk.slack.clicks, BEN, GENERAL, ts, "post_here", own.audit_id))
    (openly,) = kept_of(desk)
    assert (openly.asked.private, openly.asked.attached) == (False, ())


def test_what_was_refused_is_not_asked_again_where_its_asker_is_not(desk: FrontDesk) -> None:
    made_up = asked_openly("form:V1", "How much leave?", BEN, NOON, Origin(ANAS), shared=False)
    ts = post(desk.bot, GENERAL, too_many(20, [made_up]))
    press = partial(desk.slack.clicks, BEN, GENERAL, ts, "ask_refused", to_button(made_up))
    assert desk.told(press)["text"] == slack.NOT_BOTH_THERE
    assert kept_of(desk) == []


def _asked_alone(desk: FrontDesk, record: AuditRecord) -> tuple[AuditRecord, str]:
    """A question that Ben asked in #general with `/ask`: its record, and its reply's `ts`.

    The reply stands there for everyone, as if somebody had copied it.
    """
    asked = asked_privately(f"command:{new_id(NOON)}", "May I?", BEN, NOON, origin=Origin(GENERAL))
    desk.inbox.take_in(asked, NOON)
    exchange = desk.inbox.claim(Stage.PLACEHOLDER, NOON)
    assert exchange is not None
    desk.inbox.save(replace(exchange, stage=Stage.DONE))
    person = PersonRecord(id=BEN, name="Ben Okafor")
    asked_alone = {"audit_id": exchange.audit_id, "channel": Channel(), "person": person}
    own = record.model_copy(update=asked_alone)
    return own, desk.posted(own, GENERAL, shareable=True)


def test_only_whoever_asked_alone_can_have_it_posted(desk: FrontDesk, record: AuditRecord) -> None:
    own, ts = _asked_alone(desk, record)
    press = partial(desk.slack.clicks, EVE, GENERAL, ts, "post_here", own.audit_id)
    assert desk.told(press, EVE)["text"] == slack.ONLY_ASKER_POSTS
    assert desk.inbox.claim(Stage.PLACEHOLDER, NOON) is None


@pytest.mark.parametrize("known", [True, False])
def test_where_slack_does_not_say_who_reads_there_it_is_posted_for_guests(
    desk: FrontDesk, record: AuditRecord, known: bool
) -> None:
    own, ts = _asked_alone(desk, record)
    if not known:
        desk.workspace.faults.refuse("conversations.info", "internal_error")
    press = partial(desk.slack.clicks, BEN, GENERAL, ts, "post_here", own.audit_id)
    assert desk.told(press)["text"] == slack.POSTED_HERE
    (anew,) = kept_of(desk)
    assert (anew.channel, anew.asked.private, anew.asked.shared) == (GENERAL, False, not known)


def test_what_was_refused_is_asked_again_once_by_whoever_asked_it(desk: FrontDesk) -> None:
    ts = desk.slack.says(BEN, GENERAL, "How much leave?")
    refused = Incoming(
        f"{GENERAL}:{ts}", "How much leave?", BEN, GENERAL, private=False, thread=ts, ts=ts
    )
    posted = post(desk.bot, GENERAL, too_many(20, [refused]), ts)
    press = partial(desk.slack.clicks, channel=GENERAL, ts=posted, action_id="ask_refused")
    assert desk.told(lambda: press(EVE), EVE)["text"] == slack.REFUSED_TO_ANOTHER
    assert desk.told(lambda: press(BEN))["text"] == slack.ASKED_AGAIN
    assert desk.told(lambda: press(BEN))["text"] == slack.ASKED_BEFORE
    kept = desk.inbox.claim(Stage.PLACEHOLDER, datetime.now(UTC))
    assert kept is not None
    assert kept.asked == replace(refused, quoted=True)


@pytest.mark.parametrize("door", ["a message's menu", "a button"])
def test_what_was_refused_for_too_many_is_shown_with_a_button_to_ask_it_again(
    desk: FrontDesk, record: AuditRecord, ts: str, door: str
) -> None:
    full(desk)
    asked, clicks = "How long is leave?", desk.slack.clicks
    if door == "a button":
        ts = post(desk.bot, GENERAL, private_offer(record))
        asked = record.standalone_question
        press = partial(clicks, EVE, GENERAL, ts, "ask_privately", record.audit_id)
    else:
        MEANINGS(asked)  # it may take longer to load than Slack waits
        ts = desk.slack.says(BEN, GENERAL, asked)
        press = partial(desk.slack.shortcut, EVE, "ask_about_message", GENERAL, ts)
    refused = desk.told(press, EVE)
    assert asked in words(refused)
    kept_of(desk)
    again = partial(clicks, EVE, GENERAL, refused["ts"], "ask_refused")
    assert desk.told(again, EVE)["text"] == slack.ASKED_AGAIN
    assert desk.told(again, EVE)["text"] == slack.ASKED_BEFORE


@pytest.mark.parametrize(
    ("channel", "fault", "refused"),
    [
        (GENERAL, "", ""),
        (ANAS, "", slack.NOT_BOTH_THERE),
        (WITHOUT_BOT, "", slack.NOT_BOTH_THERE),
        ("C0NOWHERE", "", slack.NOT_BOTH_THERE),
        (GENERAL, "missing_scope", slack.NOT_BOTH_THERE),
    ],
)
def test_the_form_asks_in_no_channel_that_its_sender_is_not_known_to_be_in(
    desk: FrontDesk, channel: str, fault: str, refused: str
) -> None:
    """Slack's picker offers their own channels; what is sent may name any."""
    MEANINGS("How long is leave?")
    kept_of(desk)
    view = desk.opens(partial(desk.slack.shortcut, EVE, "ask_anywhere"), EVE)
    if fault:
        desk.workspace.faults.refuse("conversations.members", fault)
    typed = {"question": {"question": {"value": "How long is leave?"}}}
    chosen = {"channel": {"channel": {"selected_conversation": channel}}}
    errors = desk.slack.submits(EVE, view["id"], typed | chosen)
    assert errors == ({"channel": refused} if refused else {})
    assert [each.channel for each in kept_of(desk)] == ([] if refused else [channel])


def test_what_is_asked_again_is_asked_as_of_the_same_day_and_once() -> None:
    asked = asked_privately("1", "Leave?", BEN, NOON, as_of=date(2027, 2, 1))
    again = asked_with_button(to_button(asked))
    assert again.as_of == asked.as_of
    assert asked_with_button(to_button(again)) == again


@pytest.mark.parametrize("text", ["a" * 5_000, '"' * 4_000, "假期" * 2_000])
def test_a_very_long_question_that_was_refused_fits_its_button(text: str) -> None:
    with_files = tuple(AttachedFile(f"F0{n}", "n" * 100, "C012345678:1.0") for n in range(10))
    refused = Incoming("C1:1", text, BEN, "C1", private=False, thread="1", ts="1")
    packed = to_button(replace(refused, attached=with_files))
    assert len(packed) <= MOST_OF_A_VALUE
    kept = asked_with_button(packed)
    assert [replace(e, name="n" * 100) for e in kept.attached] == [*with_files], "names are cut"
    assert len(kept.text) >= 100
    assert len(to_button(refused)) <= MOST_OF_A_VALUE
    again = asked_with_button(to_button(refused)).text
    assert len(again) > 800
    assert text.startswith(again.removesuffix("…"))


def test_what_was_refused_and_asked_once_more_where_it_was_asked_is_not_asked_again_too(
    desk: FrontDesk, record: AuditRecord, ts: str
) -> None:
    full(desk)
    ts = post(desk.bot, GENERAL, private_offer(record))
    press = partial(desk.slack.clicks, EVE, GENERAL, ts, "ask_privately", record.audit_id)
    refused = [desk.told(press, EVE) for _ in range(2)]
    kept_of(desk)
    assert desk.told(press, EVE)["text"] == slack.ASK_ACKNOWLEDGED
    for each in refused:
        again = partial(desk.slack.clicks, EVE, GENERAL, each["ts"], "ask_refused")
        assert desk.told(again, EVE)["text"] == slack.ASKED_BEFORE
