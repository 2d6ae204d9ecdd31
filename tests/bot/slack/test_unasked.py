"""What nobody asked the bot is answered for sure or in silence, and costs nobody anything."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from office import ANA, BEN, EVE, GENERAL, LOUNGE, Office
from slack_reading import words

from audit.record import Decision, EventKind
from bot.slack.blocks.system_messages import Trouble
from bot.slack.exchange import EDITED, Answers, Incoming, Stage
from bot.slack.inbox.kept import ChannelSettings
from bot.slack.inbox.store import MOST_UNASKED
from bot.slack.intake import NOT_NOW, RECEIVED
from bot.slack.steps.posting import UNASKED_WITHIN
from bot.slack.steps.sending import TroubleNotice
from bot.wording import channels as wording
from bot.wording import slack
from retrieval.errors import RetrievalError

ASKED = "How long is the parental leave?"
SURELY_ASKED = "how many days of annual leave do employees get"


@pytest.fixture(autouse=True)
def it_answers_what_it_is_sure_of(office: Office) -> None:
    wants(office, Answers.SURE)


def wants(office: Office, answers: Answers) -> None:
    settings = ChannelSettings(answers=answers)
    office.inbox.channel_settings.keep(GENERAL, settings, ANA, office.clock())


def overheard(office: Office) -> Incoming:
    return office.say(BEN, ASKED, answers=Answers.SURE)


def is_recorded_in_silence(office: Office) -> bool:
    done = office.step(Stage.POSTING)
    silent = not office.bot_said() and not office.whispered(BEN)
    recorded = office.records.record(done.audit_id).entry.audit_id == done.audit_id
    return silent and recorded and done.stage is Stage.DONE


@pytest.mark.parametrize("decision", [Decision.PARTIAL, Decision.ABSTAIN])
def test_what_is_unsure_is_recorded_and_said_to_nobody(office: Office, decision: Decision) -> None:
    office.answers.decision = decision
    overheard(office)
    office.reach(Stage.ANSWERING)
    assert is_recorded_in_silence(office)


def test_what_is_turned_off_meanwhile_or_comes_late_is_said_to_nobody(office: Office) -> None:
    overheard(office)
    office.reach(Stage.ANSWERING)
    wants(office, Answers.MENTIONED)
    assert is_recorded_in_silence(office)
    wants(office, Answers.SURE)
    overheard(office)
    office.reach(Stage.ANSWERING)
    office.clock.forward(UNASKED_WITHIN.total_seconds() + 1)
    assert is_recorded_in_silence(office)


def test_what_is_said_openly_is_heard_where_wanted_and_no_outsider_reads(office: Office) -> None:
    said = {"type": "message", "channel": GENERAL, "user": BEN, "text": SURELY_ASKED}
    for number, event in enumerate((said, said | {"channel": LOUNGE}, said)):
        assert office.hears(event | {"ts": f"{number}.0"}, shared=number == 2) == RECEIVED
        assert office.inbox.counts()[Stage.PLACEHOLDER] == 1
    allowed = ChannelSettings(answers=Answers.SURE, outsiders=True)
    office.inbox.channel_settings.keep(GENERAL, allowed, ANA, office.clock())
    office.hears(said | {"ts": "3.0"}, shared=True)
    assert office.inbox.counts()[Stage.PLACEHOLDER] == 2


def test_a_reaction_takes_away_what_nobody_asked_for_and_nothing_else(office: Office) -> None:
    asked_for = office.asked(Stage.DELIVERY, user=BEN)
    overheard(office)
    unasked = office.reach(Stage.DELIVERY)
    for user, reply in ((BEN, asked_for), (EVE, unasked), (ANA, unasked)):
        item = {"type": "message", "channel": GENERAL, "ts": reply.placeholder}
        office.hears({"type": "reaction_added", "user": user, "reaction": "x", "item": item})
        office.clean_up()
        texts = [words(each) for each in office.bot_said()]
        assert (slack.FOLDED["unwanted"] in texts) is (user == ANA), "she is an administrator"
    assert len(office.delivered(asked_for.audit_id)) == 1


def test_reacting_twice_is_no_error(office: Office, caplog: pytest.LogCaptureFixture) -> None:
    overheard(office)
    unasked = office.reach(Stage.DELIVERY)
    item = {"type": "message", "channel": GENERAL, "ts": unasked.placeholder}
    for _ in range(2):
        office.hears({"type": "reaction_added", "user": ANA, "reaction": "x", "item": item})
        office.clock.forward(60)
        office.clean_up()
    kinds = [event.kind for event in office.delivered(unasked.audit_id)]
    assert kinds == [EventKind.DELIVERED, EventKind.FOLDED]
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


def test_a_reaction_whose_maker_is_not_known_just_now_is_delivered_again(office: Office) -> None:
    overheard(office)
    posted = office.reach(Stage.POSTING)
    office.workspace.faults.refuse("users.info", "internal_error")
    item = {"type": "message", "channel": GENERAL, "ts": posted.placeholder}
    reacted = {"type": "reaction_added", "user": EVE, "reaction": "x", "item": item}
    assert office.hears(reacted) == NOT_NOW


@pytest.mark.parametrize("failing", [OSError("disk full"), RetrievalError("no library")])
def test_a_change_that_cannot_be_kept_is_delivered_again(
    office: Office, failing: Exception
) -> None:
    deleted = {"type": "message", "subtype": "message_deleted", "channel": GENERAL, "ts": "1.0"}
    heard: list[Mapping[str, Any]] = []

    def fails(event: Mapping[str, Any]) -> None:
        heard.append(event)
        raise failing

    assert office.hears(deleted, source_changed=fails) == NOT_NOW
    assert office.hears(deleted, source_changed=heard.append) == RECEIVED
    assert heard == [deleted, deleted]


def test_what_fails_is_told_to_nobody(office: Office) -> None:
    overheard(office)
    office.step(Stage.PLACEHOLDER)
    exchange = office.claimed(Stage.ANSWERING)
    TroubleNotice(office.client)(exchange, Trouble.INDEX)
    assert not [name for name, _ in office.client.calls if name.startswith("chat.")]


def test_what_nobody_asked_leaves_room_for_what_they_ask(office: Office) -> None:
    for _ in range(MOST_UNASKED + 1):
        overheard(office)
    assert office.inbox.counts()[Stage.PLACEHOLDER] == MOST_UNASKED
    mention = office.say(BEN, ASKED, answers=Answers.SURE)
    assert office.inbox.counts()[Stage.PLACEHOLDER] == MOST_UNASKED
    added = replace(mention, answers=Answers.MENTIONED)
    assert office.inbox.take_in(added, office.clock()).stored, "they added a mention"


def test_who_was_answered_unasked_goes_on_only_with_a_mention(office: Office) -> None:
    asked = overheard(office)
    office.reach(Stage.POSTING)
    more = replace(asked, key="more", ts="9999999999.0", text="And for part-timers?")
    more = replace(more, answers=Answers.MENTIONED)
    assert not office.inbox.follow_up(more, office.clock()).stored
    assert office.inbox.take_in(more, office.clock()).stored
    office.reach(Stage.ANSWERING)
    assert office.answers.asked[-1].previous == (ASKED,)


def test_a_question_that_changes_is_answered_anew_and_the_old_answer_folds(office: Office) -> None:
    asked = overheard(office)
    office.reach(Stage.DELIVERY)
    changed = replace(asked, key=f"{asked.key}{EDITED}2.0", text="How long is the sick leave?")
    office.inbox.take_in(changed, office.clock())
    office.clean_up()
    [folded] = office.bot_said()
    assert words(folded) == slack.FOLDED["gone"]
    office.reach(Stage.POSTING)
    assert wording.UNASKED in words(office.bot_said()[-1])


def test_what_was_sent_before_a_failure_goes_where_it_is_wanted_no_more(office: Office) -> None:
    overheard(office)
    office.reach(Stage.ANSWERING)
    office.workspace.faults.lose_response("chat.postMessage")
    office.broken_off(Stage.POSTING)
    [sent] = office.bot_said()
    assert wording.UNASKED in words(sent)
    wants(office, Answers.MENTIONED)
    assert office.step(Stage.POSTING).stage is Stage.DONE
    office.clean_up()
    assert office.bot_said() == []
