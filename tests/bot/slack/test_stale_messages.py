"""What the bot posted and replaced, or nobody wants any more, does not stay in Slack."""

from dataclasses import replace

import pytest
from inboxes import said
from office import ANA, ASKED, GENERAL, LOUNGE, Office, until

from audit.record import EventKind
from bot.slack.exchange import Stage
from bot.wording import slack as wording


def steps(office: Office, *stages: Stage) -> None:
    for stage in stages:
        office.step(stage)


def test_a_placeholder_that_slack_carried_out_late_goes_and_the_reply_stays(office: Office) -> None:
    office.say(ANA, ASKED)
    late = office.workspace.faults.carry_out_late("chat.postMessage")
    office.broken_off(Stage.PLACEHOLDER)
    office.step(Stage.PLACEHOLDER)
    late.release()
    until(lambda: len(office.bot_said()) == 2)
    office.clean_up()
    assert len(office.bot_said()) == 2, "which of them the reply replaces is not known yet"
    steps(office, Stage.ANSWERING, Stage.POSTING, Stage.DELIVERY)
    office.clock.forward(60)
    office.clean_up()
    [message] = office.bot_said()
    assert "14 weeks" in message["text"]


def test_it_is_looked_for_again_as_long_as_it_may_come(office: Office) -> None:
    office.say(ANA, ASKED)
    late = office.workspace.faults.carry_out_late("chat.postMessage")
    office.broken_off(Stage.PLACEHOLDER)
    office.reach(Stage.DELIVERY)
    office.clean_up()
    late.release()
    until(lambda: len(office.bot_said()) == 2)
    for _ in range(10):
        office.clock.forward(90)
        office.clean_up()
    [message] = office.bot_said()
    assert "14 weeks" in message["text"]
    looks = office.client.count("conversations.replies")
    office.clock.forward(86_400)
    office.clean_up()
    assert office.client.count("conversations.replies") == looks


def test_what_slack_does_not_remove_now_is_removed_later(office: Office) -> None:
    office.asked(Stage.ANSWERING)
    office.workspace.faults.refuse("chat.delete", "internal_error", times=2)
    office.step(Stage.POSTING)
    office.clean_up()
    assert len(office.bot_said()) == 2
    office.clock.forward(60)
    office.clean_up()
    [message] = office.bot_said()
    assert "14 weeks" in message["text"]


def test_a_placeholder_in_an_archived_channel_goes_when_it_is_opened_again(office: Office) -> None:
    office.say(ANA, ASKED, channel=LOUNGE)
    office.step(Stage.PLACEHOLDER)
    office.workspace.archive(LOUNGE)
    with office.workers():
        office.wait_for(Stage.DONE)
    office.clean_up()
    assert len(office.bot_said(LOUNGE)) == 1
    office.workspace.unarchive(LOUNGE)
    office.clock.forward(3600)
    office.clean_up()
    assert office.bot_said(LOUNGE) == []
    [reply] = office.bot_said(office.direct(ANA))
    assert "14 weeks" in reply["text"]


@pytest.mark.parametrize("done", [0, 1, 2])
def test_a_question_that_was_deleted_is_not_answered(office: Office, done: int) -> None:
    """`done`: how many of the first two steps."""
    asked = office.say(ANA, ASKED)
    steps(office, *(Stage.PLACEHOLDER, Stage.ANSWERING)[:done])
    office.inbox.withdraw(asked.key, office.clock())
    with office.workers():
        office.wait_for(Stage.WITHDRAWN)
    office.clean_up()
    assert office.bot_said() == []
    assert len(office.answers.asked) == (done == 2)
    for question in office.answers.asked:
        assert question.audit_id
        [event] = office.delivered(question.audit_id)
        assert event.kind is EventKind.WITHDRAWN


def test_a_reply_that_was_posted_while_its_question_was_deleted_folds(office: Office) -> None:
    asked = office.say(ANA, ASKED, channel=GENERAL)
    office.reach(Stage.ANSWERING)
    exchange = office.claimed(Stage.POSTING)
    posted = office.steps()[Stage.POSTING](exchange)
    office.inbox.withdraw(asked.key, office.clock())
    office.inbox.save(posted)
    office.step(Stage.DELIVERY)
    office.clean_up()
    [folded] = office.bot_said()
    assert folded["text"] == wording.FOLDED["gone"]
    assert office.delivered(posted.audit_id)[-1].kind is EventKind.FOLDED


def test_a_change_counts_once_and_an_older_one_that_comes_late_not_at_all(office: Office) -> None:
    asked = office.say(ANA, ASKED, channel=GENERAL)
    first, second = (
        replace(asked, key=f"{asked.key}#{n}", text=f"How many weeks in year {n}?") for n in (1, 2)
    )
    assert office.inbox.take_in(second, office.clock()).stored
    assert not office.inbox.take_in(second, office.clock()).stored
    assert not office.inbox.take_in(first, office.clock()).stored
    with office.workers():
        office.wait_for(Stage.DONE)
    assert [question.text for question in office.answers.asked] == [second.text]


def test_what_was_changed_to_nothing_is_withdrawn_once_and_may_ask_again(office: Office) -> None:
    asked = office.say(ANA, ASKED, channel=GENERAL)
    first, nothing, third = (f"{asked.key}#{n}" for n in (1, 2, 3))
    office.inbox.withdraw(nothing, office.clock(), may_come=False)
    late, again = replace(asked, key=first), replace(asked, key=third, text="And how many days?")
    assert not office.inbox.take_in(late, office.clock()).stored
    assert office.inbox.take_in(again, office.clock()).stored
    office.inbox.withdraw(nothing, office.clock(), may_come=False)  # delivered again
    with office.workers():
        office.wait_for(Stage.DONE)
    assert [question.text for question in office.answers.asked] == [again.text]


def test_a_correction_that_comes_before_its_question_is_answered_in_its_place(
    office: Office,
) -> None:
    late = said(1, user=ANA, channel=GENERAL)
    corrected = replace(late, key=f"{late.key}#2", text="How many days?")
    for _ in range(2):  # delivered again
        stored = office.inbox.take_in(corrected, office.clock()).stored
        assert not office.inbox.take_in(late, office.clock()).stored
    assert not stored
    assert office.claimed(Stage.PLACEHOLDER).asked == corrected
