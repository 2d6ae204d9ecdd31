"""What an inbox remembers besides: refused, deleted, overheard; and what it was before."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from inboxes import NOON, at, said

from bot.errors import InboxUnavailable
from bot.slack.exchange import Exchange, Stage
from bot.slack.inbox import MOST_WAITING, OVERHEARD, Inbox
from bot.slack.leftovers import Leftover, Noted

pytest_plugins = ["audit_stores", "inboxes"]

THREAD = said(0).ts
FIRST_VERSION = """
CREATE TABLE inbox_exchange (
    exchange_id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, audit_id TEXT NOT NULL,
    "key" TEXT NOT NULL, conversation TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
    user_id TEXT NOT NULL, asked_channel TEXT NOT NULL, private BOOLEAN NOT NULL,
    thread TEXT NOT NULL, ts TEXT NOT NULL, quoted BOOLEAN NOT NULL, shared BOOLEAN NOT NULL,
    stands_alone BOOLEAN NOT NULL, received_at BIGINT NOT NULL, paced_until BIGINT NOT NULL,
    stage INTEGER NOT NULL, channel TEXT NOT NULL, placing_since BIGINT,
    placeholder TEXT NOT NULL, told TEXT NOT NULL, attempts INTEGER NOT NULL, posted_at BIGINT,
    not_before BIGINT NOT NULL, passable BOOLEAN NOT NULL, claimed_by TEXT NOT NULL,
    claimed_until BIGINT NOT NULL, UNIQUE (audit_id), UNIQUE ("key")
);
CREATE INDEX inbox_exchange_conversation ON inbox_exchange (conversation, stage);
CREATE INDEX inbox_exchange_stage ON inbox_exchange (stage, not_before);
CREATE INDEX inbox_exchange_user ON inbox_exchange (user_id, stage);
CREATE TABLE inbox_pace (
    user_id TEXT NOT NULL, next_expected BIGINT NOT NULL, PRIMARY KEY (user_id)
);
INSERT INTO inbox_exchange VALUES (
    7, 'id-7', 'C1:1.2', 'C1:1.2', 'question', 'How long?', 'U1', 'C1', 0, '1.2', '1.2', 0, 0, 0,
    0, 0, 2, 'C1', NULL, '1.3', '', 0, NULL, 0, 0, 'a process that died', 99999999999999999
);
"""
"""As version 0.2.0 made it, with a question that has its placeholder."""


def take(inbox: Inbox, seconds: float = 0) -> Noted | None:
    return inbox.leftovers.take(at(seconds))


def stored(inbox: Inbox) -> int:
    return sum(inbox.counts().values())


def claimed(inbox: Inbox, stage: Stage, seconds: float = 0) -> Exchange:
    exchange = inbox.claim(stage, at(seconds))
    assert exchange is not None
    return exchange


def fill(inbox: Inbox) -> None:
    for number in range(MOST_WAITING):
        inbox.take_in(said(number), NOON)


# --- an earlier version -------------------------------------------------------------


def test_the_inbox_of_an_earlier_version_goes_on_where_it_was(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "inbox.sqlite")
    connection.executescript(FIRST_VERSION)
    connection.close()
    for _ in range(2):
        with Inbox.open(f"sqlite:///{tmp_path / 'inbox.sqlite'}") as inbox:
            found = claimed(inbox, Stage.ANSWERING)
            assert (found.exchange_id, found.audit_id, found.placeholder) == (7, "id-7", "1.3")
            assert found.withdrawn_at is None
    with Inbox.open(f"sqlite:///{tmp_path / 'inbox.sqlite'}") as inbox:
        assert inbox.take_in(said(8), NOON).stored
        inbox.withdraw("C1:1.2", at(1))
        assert claimed(inbox, Stage.ANSWERING, 2).withdrawn_at == at(1)


def test_an_inbox_of_another_make_is_still_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "inbox.sqlite")
    connection.executescript(FIRST_VERSION)
    connection.execute("ALTER TABLE inbox_exchange ADD COLUMN of_the_future TEXT")
    connection.close()
    with pytest.raises(InboxUnavailable, match="another version"):
        Inbox.open(f"sqlite:///{tmp_path / 'inbox.sqlite'}")


# --- refused ------------------------------------------------------------------------


def test_a_refused_question_does_not_slip_in_when_it_is_delivered_again(inbox_url: str) -> None:
    late = said(99)
    with Inbox.open(inbox_url) as inbox:
        fill(inbox)
        assert inbox.take_in(late, NOON).refused
        inbox.save(replace(claimed(inbox, Stage.PLACING), stage=Stage.DONE))  # now there is room
    with Inbox.open(inbox_url) as inbox:
        again = inbox.take_in(late, at(60))
        assert (again.stored, again.refused) == (False, False)
        assert inbox.take_in(said(100), at(60)).stored, "asked anew it is kept"


def test_what_is_never_delivered_again_may_be_asked_again(inbox: Inbox) -> None:
    fill(inbox)
    clicked = replace(said(99), quoted=True)
    assert inbox.take_in(clicked, NOON).refused
    inbox.save(replace(claimed(inbox, Stage.PLACING), stage=Stage.DONE))
    assert inbox.take_in(clicked, at(60)).stored


# --- deleted ------------------------------------------------------------------------


@pytest.mark.parametrize("stage", [Stage.PLACING, Stage.ANSWERING, Stage.POSTING])
def test_a_question_that_is_deleted_has_its_turn_at_once(inbox: Inbox, stage: Stage) -> None:
    inbox.take_in(said(1), NOON)
    for before in range(Stage.PLACING, stage):
        inbox.save(replace(claimed(inbox, Stage(before)), stage=Stage(before + 1)))
    inbox.postpone(claimed(inbox, stage), at(3600))
    inbox.withdraw(said(1).key, at(1))
    inbox.withdraw(said(1).key, at(2))
    assert claimed(inbox, stage, 3).withdrawn_at == at(1)


def test_a_question_that_is_deleted_in_hand_is_known_at_the_next_step(inbox: Inbox) -> None:
    inbox.take_in(said(1), NOON)
    exchange = claimed(inbox, Stage.PLACING)
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
        inbox.save(replace(claimed(inbox, Stage.PLACING, 5), stage=Stage.DONE))
    assert inbox.previous(claimed(inbox, Stage.PLACING, 5)) == ("question 1",)


# --- overheard ----------------------------------------------------------------------


def test_a_follow_up_that_comes_before_its_question_is_taken_in_after_it(inbox_url: str) -> None:
    with Inbox.open(inbox_url) as inbox:
        for number in (2, 1):
            assert not inbox.follow_up(said(number, thread=THREAD), NOON).stored
        assert stored(inbox) == 0
    with Inbox.open(inbox_url) as inbox:
        inbox.take_in(said(0), at(60))
        placed = []
        while exchange := inbox.claim(Stage.PLACING, at(60)):
            placed.append(exchange.asked)
            inbox.save(replace(exchange, stage=Stage.ANSWERING))
        assert placed == [said(number, thread=THREAD) for number in range(3)]


def test_a_follow_up_of_somebody_who_asked_is_taken_in_at_once(inbox: Inbox) -> None:
    inbox.take_in(said(0), NOON)
    assert inbox.follow_up(said(1, thread=THREAD), NOON).stored
    assert not inbox.follow_up(said(1, thread=THREAD), at(1)).stored


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
    inbox.forget_overheard(at(1) + OVERHEARD)
    inbox.take_in(said(0), NOON + OVERHEARD)
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
            inbox.leftovers.note(Leftover("C1", ts="1.2"), NOON)
        assert take(inbox)
        assert take(inbox) is None, "noted once, and taken"
    with Inbox.open(inbox_url) as inbox:
        noted = take(inbox, 61)
        assert noted
        assert noted.what == Leftover("C1", ts="1.2")
        inbox.leftovers.later(noted, at(300), attempts=1)
        assert take(inbox, 299) is None
        again = take(inbox, 300)
        assert again
        assert again.attempts == 1
        inbox.leftovers.done(again)
        assert take(inbox, 9999) is None


def test_nothing_is_looked_for_before_the_reply_stands_which_stays(inbox: Inbox) -> None:
    inbox.take_in(said(1), NOON)
    exchange = claimed(inbox, Stage.PLACING)
    late = Leftover("C1", THREAD, mark=exchange.mark, exchange_id=exchange.exchange_id)
    inbox.leftovers.note(late, NOON)
    first = take(inbox)
    assert first
    assert (first.waits, first.kept) == (True, "")
    inbox.save(replace(exchange, stage=Stage.DONE, placeholder="1.3"))
    second = take(inbox, 61)
    assert second
    assert (second.waits, second.kept) == (False, "1.3")
