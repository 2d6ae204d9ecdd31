"""The inbox against a model of it: whatever people ask, however it crashes, in any order."""

import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from at_length import fewer
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from inboxes import NOON, said

from bot.errors import InboxUnavailable
from bot.slack.exchange import Exchange, Incoming, Intent, Stage
from bot.slack.inbox.database import STORE
from bot.slack.inbox.queries import Pace, pace_of
from bot.slack.inbox.store import LEASE, MOST_WAITING, Inbox

STEPS = [Stage.PLACEHOLDER, Stage.ANSWERING, Stage.POSTING, Stage.DELIVERY]


@dataclass
class Known:
    """What the model knows of one exchange."""

    number: int
    asked: Incoming
    starts: datetime
    not_before: datetime
    due: datetime
    stage: Stage = Stage.PLACEHOLDER
    held: Exchange | None = None
    passable: bool = False

    @property
    def unfinished(self) -> bool:
        return self.stage <= Stage.DELIVERY

    @property
    def said_at(self) -> tuple[str, int]:
        return self.asked.ts, self.number


class InboxMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.url = f"sqlite:///{self.folder.name}/inbox.sqlite"
        self.inbox = Inbox.open(self.url)
        self.now = NOON
        self.known: dict[str, Known] = {}
        self.turns: dict[str, Pace] = {}

    def teardown(self) -> None:
        self.inbox.close()
        self.folder.cleanup()

    @rule(
        number=st.integers(1, 60),
        user=st.sampled_from(["U1", "U2", "U3"]),
        where=st.sampled_from(["thread A", "thread B", "direct", "channel"]),
        kind=st.sampled_from([Intent.QUESTION] * 4 + [Intent.HELP]),
    )
    def say(self, number: int, user: str, where: str, kind: Intent) -> None:
        thread = {"thread A": said(100).ts, "thread B": said(101).ts}.get(where, "")
        private = where == "direct"
        channel = f"D{user}" if private else "C1"
        asked = said(number, user=user, thread=thread, channel=channel, private=private, kind=kind)
        mine = [each for each in self.known.values() if each.asked.user == user]
        waiting = sum(each.stage <= Stage.ANSWERING for each in mine)
        receipt = self.inbox.take_in(asked, self.now)
        new = asked.key not in self.known
        assert receipt.refused == (new and waiting >= MOST_WAITING)
        assert receipt.stored == (new and not receipt.refused)
        if receipt.stored:
            first = receipt.starts if kind is Intent.HELP else self.now
            number = 1 + max((each.number for each in self.known.values()), default=0)
            due = self.now
            if kind is Intent.QUESTION:
                before = self.turns.get(user)
                self.turns[user] = pace_of(before.next_expected if before else None, self.now)
                due = self.turns[user].due
            self.known[asked.key] = Known(number, asked, receipt.starts, first, due)

    def eligible(self, stage: Stage) -> list[Known]:
        return [each for each in self.known.values() if self.may_go(each, stage)]

    def may_go(self, one: Known, stage: Stage) -> bool:
        if one.stage is not stage or one.held or one.not_before > self.now:
            return False
        others = [each for each in self.known.values() if each is not one]
        if stage is Stage.ANSWERING and (
            one.starts > self.now
            or any(
                each.held and each.stage is stage and each.asked.user == one.asked.user
                for each in others
            )
        ):
            return False
        return not any(
            each.asked.conversation == one.asked.conversation
            and each.stage <= stage
            and each.said_at < one.said_at
            and not each.passable
            and not (each.asked.user != one.asked.user and each.starts > self.now)
            for each in others
        )

    @rule(stage=st.sampled_from(STEPS))
    def claim(self, stage: Stage) -> None:
        turn = min(self.eligible(stage), key=lambda each: (each.due, each.number), default=None)
        exchange = self.inbox.claim(stage, self.now)
        assert (exchange and exchange.asked) == (turn and turn.asked)
        if turn and exchange:
            assert (exchange.stage, exchange.exchange_id) == (turn.stage, turn.number)
            turn.held = exchange

    @precondition(lambda self: any(each.held for each in self.known.values()))
    @rule(data=st.data())
    def finish_a_step(self, data: st.DataObject) -> None:
        one = data.draw(st.sampled_from([each for each in self.known.values() if each.held]))
        assert one.held
        small_talk = one.asked.kind is Intent.HELP
        one.stage = Stage.DONE if small_talk else Stage(one.stage + 1)
        self.inbox.save(replace(one.held, stage=one.stage))
        one.held, one.passable = None, False

    @precondition(lambda self: any(each.held for each in self.known.values()))
    @rule(data=st.data(), seconds=st.integers(0, 90), passable=st.booleans())
    def put_off(self, data: st.DataObject, seconds: int, passable: bool) -> None:
        one = data.draw(st.sampled_from([each for each in self.known.values() if each.held]))
        assert one.held
        one.not_before = self.now + timedelta(seconds=seconds)
        self.inbox.postpone(one.held, one.not_before, passable=passable)
        one.held, one.passable = None, passable

    @rule(seconds=st.integers(1, 200))
    def time_passes(self, seconds: int) -> None:
        until = self.now + timedelta(seconds=seconds)
        while self.now < until:
            self.now = min(until, self.now + LEASE / 2)
            self.inbox.renew(self.now)

    @rule()
    def crash(self) -> None:
        self.inbox.close()
        self.inbox = Inbox.open(self.url)
        for each in self.known.values():
            each.held = None

    @invariant()
    def nothing_is_lost_and_nothing_is_doubled(self) -> None:
        counts = self.inbox.counts()
        for stage in Stage:
            assert counts[stage] == sum(each.stage is stage for each in self.known.values())


InboxMachine.TestCase.settings = settings(max_examples=fewer(2), stateful_step_count=40)
TestInboxAgainstItsModel = InboxMachine.TestCase


def test_a_file_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InboxUnavailable, match="may write there"):
        Inbox.open(f"sqlite:///{tmp_path}/file/inbox.sqlite")


def test_a_file_that_is_no_database_is_said_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "inbox.sqlite"
    path.write_text("This is a letter, not a database. " * 100)
    with pytest.raises(InboxUnavailable, match="cannot be used"):
        Inbox.open(f"sqlite:///{path}")
    assert path.read_text().startswith("This is a letter")


def test_an_inbox_of_another_version_is_said(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/inbox.sqlite"
    Inbox.open(url).close()
    with closing(sqlite3.connect(tmp_path / "inbox.sqlite")) as connection:
        connection.execute("ALTER TABLE inbox_exchange ADD COLUMN mood TEXT")
    with pytest.raises(InboxUnavailable, match="another version"):
        Inbox.open(url)


def test_a_second_process_is_told_to_stop_the_first(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/inbox.sqlite"
    with Inbox.open(url), pytest.raises(InboxUnavailable, match="Stop that one"):
        Inbox.open(url)
    Inbox.open(url).close()


def test_only_the_bots_user_may_read_what_people_asked(tmp_path: Path) -> None:
    with Inbox.open(f"sqlite:///{tmp_path}/inbox.sqlite"):
        assert (tmp_path / "inbox.sqlite").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("url", ["", "inbox.db", "mysql://host/x", "sqlite://"])
def test_a_url_of_no_use_is_said(url: str) -> None:
    with pytest.raises(InboxUnavailable, match="Write sqlite:///PATH or postgresql://"):
        STORE.parse(url)


def test_an_unreachable_server_is_said_without_its_password() -> None:
    with pytest.raises(InboxUnavailable, match="See that it runs") as caught:
        Inbox.open("postgresql://vouch:hunter2@/inbox?host=/nonexistent&password=hunter3")
    assert "hunter" not in str(caught.value)
