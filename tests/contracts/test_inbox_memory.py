"""What an inbox remembers besides: refused, deleted, said too early, uploaded to Slack."""

from dataclasses import replace

import pytest
from inboxes import NOON, at, claimed, finish, said

from bot.slack.exchange import Incoming, Stage, asked_with_button, to_button
from bot.slack.inbox.queries import DELIVERED_FOR
from bot.slack.inbox.removals import Removal, StaleMessage, Upload
from bot.slack.inbox.store import MOST_WAITING, Inbox

THREAD = said(0).ts


def take(inbox: Inbox, seconds: float = 0) -> Removal | None:
    return inbox.stale_messages.take(at(seconds))


def stored(inbox: Inbox) -> int:
    return sum(inbox.counts().values())


def fill(inbox: Inbox) -> None:
    for number in range(MOST_WAITING):
        inbox.take_in(said(number), NOON)


# --- refused ------------------------------------------------------------------------


def test_a_refused_question_does_not_slip_in_when_it_is_delivered_again(inbox_url: str) -> None:
    late = said(99)
    with Inbox.open(inbox_url) as inbox:
        fill(inbox)
        assert inbox.take_in(late, NOON).refused
        finish(inbox, Stage.PLACEHOLDER)  # now there is room
    with Inbox.open(inbox_url) as inbox:
        again = inbox.take_in(late, at(60))
        assert (again.stored, again.refused) == (False, False)
        assert inbox.take_in(said(100), at(60)).stored, "asked anew it is kept"


def test_what_is_never_delivered_again_may_be_asked_again(inbox: Inbox) -> None:
    fill(inbox)
    clicked = replace(said(99), quoted=True)
    assert inbox.take_in(clicked, NOON).refused
    finish(inbox, Stage.PLACEHOLDER)
    assert inbox.take_in(clicked, at(60)).stored


# --- deleted ------------------------------------------------------------------------


@pytest.mark.parametrize("stage", [Stage.PLACEHOLDER, Stage.ANSWERING, Stage.POSTING])
def test_a_question_that_is_deleted_has_its_turn_at_once(inbox: Inbox, stage: Stage) -> None:
    inbox.take_in(said(1), NOON)
    for before in range(Stage.PLACEHOLDER, stage):
        inbox.save(replace(claimed(inbox, Stage(before)), stage=Stage(before + 1)))
    inbox.postpone(claimed(inbox, stage), at(3600))
    inbox.withdraw(said(1).key, at(1))
    inbox.withdraw(said(1).key, at(2))
    assert claimed(inbox, stage, 3).withdrawn_at == at(1)


def test_a_question_that_is_deleted_in_hand_is_known_at_the_next_step(inbox: Inbox) -> None:
    inbox.take_in(said(1), NOON)
    exchange = claimed(inbox, Stage.PLACEHOLDER)
    inbox.withdraw(said(1).key, at(1))
    inbox.save(replace(exchange, stage=Stage.ANSWERING))
    assert claimed(inbox, Stage.ANSWERING, 2).withdrawn_at == at(1)


def test_a_question_that_was_deleted_before_it_came_is_not_taken_in(inbox: Inbox) -> None:
    inbox.withdraw(said(1).key, NOON)
    assert not inbox.take_in(said(1), at(60)).stored


def test_nothing_leans_on_a_deleted_question(inbox: Inbox) -> None:
    for number in (1, 2, 3):
        inbox.take_in(said(number, thread=THREAD), at(number))
    inbox.withdraw(said(2).key, at(4))
    for _ in range(2):
        finish(inbox, Stage.PLACEHOLDER, 5)
    assert inbox.previous(claimed(inbox, Stage.PLACEHOLDER, 5)) == ("question 1",)


# --- said too early -----------------------------------------------------------------


def test_a_follow_up_that_comes_before_its_question_is_taken_in_after_it(inbox_url: str) -> None:
    with Inbox.open(inbox_url) as inbox:
        for number in (2, 1):
            assert not inbox.follow_up(said(number, thread=THREAD), NOON).stored
        assert stored(inbox) == 0
    with Inbox.open(inbox_url) as inbox:
        inbox.take_in(said(0), at(60))
        found = []
        while exchange := inbox.claim(Stage.PLACEHOLDER, at(60)):
            found.append(exchange.asked)
            inbox.save(replace(exchange, stage=Stage.ANSWERING))
        assert found == [said(number, thread=THREAD) for number in range(3)]


def test_what_others_say_there_is_no_follow_up(inbox: Inbox) -> None:
    inbox.follow_up(said(1, thread=THREAD, user="U2"), NOON)
    inbox.follow_up(said(2, thread=said(9).ts), NOON)
    inbox.take_in(said(0), at(60))
    assert stored(inbox) == 1


def test_what_was_said_before_the_question_does_not_follow_it(inbox: Inbox) -> None:
    inbox.follow_up(said(1, thread=THREAD), NOON)
    inbox.take_in(said(2, thread=THREAD), at(60))
    assert stored(inbox) == 1


def test_what_people_say_to_each_other_is_soon_forgotten(inbox: Inbox) -> None:
    inbox.follow_up(said(1, thread=THREAD, text="among ourselves"), NOON)
    inbox.forget_early_follow_ups(at(1) + DELIVERED_FOR)
    inbox.take_in(said(0), NOON + DELIVERED_FOR)
    assert stored(inbox) == 1


def test_a_follow_up_that_is_deleted_before_its_question_comes_is_forgotten(inbox: Inbox) -> None:
    inbox.follow_up(said(1, thread=THREAD), NOON)
    inbox.withdraw(said(1).key, at(1))
    inbox.follow_up(said(1, thread=THREAD), at(2))  # delivered again
    inbox.take_in(said(0), at(60))
    assert stored(inbox) == 1


# --- left over ----------------------------------------------------------------------


def test_what_is_to_be_removed_outlives_its_process_and_is_taken_by_one(inbox_url: str) -> None:
    with Inbox.open(inbox_url) as inbox:
        for _ in range(2):
            inbox.stale_messages.add(StaleMessage("C1", ts="1.2"), NOON)
        assert take(inbox)
        assert take(inbox) is None, "kept once, and taken"
    with Inbox.open(inbox_url) as inbox:
        removal = take(inbox, 61)
        assert removal
        assert removal.what == StaleMessage("C1", ts="1.2")
        inbox.stale_messages.postpone(removal, at(300), attempts=1)
        assert take(inbox, 299) is None
        again = take(inbox, 300)
        assert again
        assert again.attempts == 1
        inbox.stale_messages.done(again)
        assert take(inbox, 9999) is None


def test_nothing_is_looked_for_before_the_reply_stands_which_stays(inbox: Inbox) -> None:
    inbox.take_in(said(1), NOON)
    exchange = claimed(inbox, Stage.PLACEHOLDER)
    late = StaleMessage("C1", THREAD, mark=exchange.mark, exchange_id=exchange.exchange_id)
    inbox.stale_messages.add(late, NOON)
    first = take(inbox)
    assert first
    assert (first.waits, first.reply) == (True, "")
    inbox.save(replace(exchange, stage=Stage.DONE, placeholder="1.3"))
    second = take(inbox, 61)
    assert second
    assert (second.waits, second.reply) == (False, "1.3")


# --- asked again --------------------------------------------------------------------


def clicked(incoming: Incoming) -> Incoming:
    """Somebody presses "Ask again"."""
    return asked_with_button(to_button(incoming))


def changed(number: int, at: int) -> Incoming:
    return replace(said(number), key=f"{said(number).key}#{at}")


def test_what_was_refused_is_asked_again_once_whoever_is_asked(
    inbox: Inbox, another: Inbox
) -> None:
    fill(inbox)
    assert inbox.take_in(said(99), NOON).refused
    assert inbox.take_in(clicked(said(99)), NOON, again=True).refused
    finish(inbox, Stage.PLACEHOLDER)
    pressed = [
        each.take_in(clicked(said(99)), at(60), again=True).stored for each in (inbox, another)
    ]
    assert pressed == [True, False]


def test_of_what_was_refused_and_changed_the_last_alone_is_asked_again(inbox: Inbox) -> None:
    fill(inbox)
    assert inbox.take_in(said(99), NOON).refused
    assert inbox.take_in(changed(99, 1), NOON).refused
    finish(inbox, Stage.PLACEHOLDER)
    pressed = (said(99), changed(99, 1), said(99), changed(99, 1))
    assert [inbox.take_in(clicked(each), at(60), again=True).stored for each in pressed] == [
        *(False, True),
        *(False, False),
    ]


def test_what_was_refused_and_deleted_is_not_asked_again(inbox: Inbox) -> None:
    fill(inbox)
    assert inbox.take_in(said(99), NOON).refused
    finish(inbox, Stage.PLACEHOLDER)
    inbox.withdraw(said(99).key, at(1))
    assert not inbox.take_in(clicked(said(99)), at(2), again=True).stored
    assert not inbox.take_in(changed(99, 1), at(3)).stored


def test_what_was_asked_again_and_is_changed_or_deleted_is_withdrawn(inbox: Inbox) -> None:
    fill(inbox)
    assert inbox.take_in(said(99), NOON).refused
    while exchange := inbox.claim(Stage.PLACEHOLDER, NOON):
        inbox.save(replace(exchange, stage=Stage.DONE))
    assert inbox.take_in(clicked(said(99)), at(60), again=True).stored
    assert inbox.take_in(changed(99, 1), at(61)).stored
    withdrawn = claimed(inbox, Stage.PLACEHOLDER, 62)
    assert withdrawn.withdrawn_at == at(61)
    inbox.save(replace(withdrawn, stage=Stage.WITHDRAWN))
    inbox.withdraw(said(99).key, at(63))
    assert claimed(inbox, Stage.PLACEHOLDER, 64).withdrawn_at == at(63)


def test_a_file_is_due_at_its_time_and_for_one_replica_at_once(inbox_url: str) -> None:
    with Inbox.open(inbox_url) as inbox:
        inbox.uploads.add("F1", at(100))
        inbox.uploads.add("F2", at(50))
        assert inbox.uploads.take(at(49)) is None
        assert inbox.uploads.take(at(200)) == Upload("F2", 0)
        assert inbox.uploads.take(at(200)) == Upload("F1", 0)
        assert inbox.uploads.take(at(200)) is None
        assert inbox.uploads.take(at(300)) is not None, "whoever took it may have died"


def test_what_is_done_is_forgotten_and_what_failed_comes_again(inbox_url: str) -> None:
    with Inbox.open(inbox_url) as inbox:
        inbox.uploads.add("F1", at(0))
        inbox.uploads.add("F2", at(1))
        first, second = inbox.uploads.take(at(5)), inbox.uploads.take(at(5))
        assert first is not None
        assert second is not None
        inbox.uploads.done(first)
        inbox.uploads.postpone(second, at(500), attempts=3)
    with Inbox.open(inbox_url) as inbox:
        assert inbox.uploads.take(at(400)) is None
        assert inbox.uploads.take(at(600)) == Upload("F2", 3)
