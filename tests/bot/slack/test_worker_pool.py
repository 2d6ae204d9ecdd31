"""The workers: they take every question to its reply, through whatever goes wrong."""

import logging
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Barrier, Event
from typing import cast

import pytest
from answering_values import passage
from office import ANA, ASKED, BEN, EVE, GENERAL, LOUNGE, Office, until

from audit.errors import AuditUnavailable
from audit.values import ATTACHED
from bot.answering.values import Question
from bot.errors import EmptyLibrary, NotAudited, NotConnected, WriterUnavailable
from bot.slack import attachments
from bot.slack.attachments import AttachedFiles, Download, FetchPosted, ReadFile
from bot.slack.blocks.system_messages import Trouble
from bot.slack.exchange import AttachedFile, Stage
from bot.slack.failures import Advising, Failure
from bot.wording.slack import FILE_BEYOND_ALL, FILE_GONE, FILE_NOT_HANDED_OVER, TROUBLE
from retrieval.errors import IndexUnavailable, ModelUnavailable


@pytest.fixture
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has to stand before the inbox opens its connections."""
    monkeypatch.setattr("bot.slack.inbox.database.BUSY_S", 0.05)


def texts(office: Office, channel: str = GENERAL, user: str = ANA) -> list[str]:
    return [message["text"] for message in office.bot_said(channel, user)]


def held(office: Office) -> tuple[Event, Event]:
    """Whether a question is being answered, and what lets it be answered."""
    answering, go_on = Event(), Event()

    def hold(_: Question) -> None:
        answering.set()
        go_on.wait(30)

    office.answers.hold = hold
    return answering, go_on


def test_replies_in_a_thread_come_in_the_order_of_its_questions(office: Office) -> None:
    first = office.say(ANA, "question 0")
    for number in range(1, 12):
        office.say((ANA, BEN, EVE)[number % 3], f"question {number}", thread=first.ts)
    with office.workers(answering_threads=4):
        office.wait_for(Stage.DONE, 12)
    asked = [question.text for question in office.answers.asked]
    assert asked == [f"question {number}" for number in range(12)]


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (IndexUnavailable("The index is away."), Trouble.INDEX),
        (NotAudited("The disk is full."), Trouble.AUDIT),
        (AuditUnavailable("The disk is full."), Trouble.AUDIT),
        (WriterUnavailable("No answer."), Trouble.WRITER),
        (EmptyLibrary("Nothing is there."), Trouble.LIBRARY_EMPTY),
        (ModelUnavailable("A file is gone."), Trouble.CONFIGURATION),
        (ValueError("Nobody foresaw this."), Trouble.OTHER),
    ],
)
def test_somebody_is_told_once_what_is_wrong_and_then_gets_the_answer(
    office: Office, failure: Exception, told: Trouble, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    office.answers.failing = failure
    office.say(ANA, ASKED)
    with office.workers():
        office.until_retried(lambda: len(office.answers.asked) > 3)
        until(lambda: TROUBLE[told] in texts(office)[0])
        updates = office.client.count("chat.update")
        office.answers.failing = None
        office.until_retried(lambda: office.inbox.counts()[Stage.DONE] == 1)
    assert updates == 1
    [text] = texts(office)
    assert "14 weeks" in text
    assert (failure.__class__.__name__ in caplog.text) == isinstance(failure, ValueError)


def test_a_rate_limit_is_waited_for_and_not_complained_of(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    limit = partial(office.workspace.faults.refuse, "chat.postMessage", "ratelimited")
    office.answers.hold = lambda _: limit(retry_after=3600)
    office.say(ANA, ASKED)
    with office.workers():
        until(lambda: "ratelimited" in caplog.text)
        assert "Reading" in texts(office)[0]
        office.until_retried(lambda: office.inbox.counts()[Stage.DONE] == 1, hurry=600)
    assert office.client.count("chat.postMessage") == 3, "the placeholder, and the reply twice"


def test_administrators_hear_once_what_to_do_where_slack_refuses_for_good(office: Office) -> None:
    office.workspace.faults.refuse("chat.postMessage", "missing_scope", times=3)
    told: list[str] = []
    for user in (ANA, BEN, EVE):
        office.say(user, ASKED)
    with office.workers(tell_admins=told.append):
        until(lambda: office.client.count("chat.postMessage") == 3)
        office.until_retried(lambda: office.inbox.counts()[Stage.DONE] == 3)
    [said] = told
    assert "chat.postMessage: missing_scope" in said
    assert "install the app again" in said


def test_administrators_hear_of_a_file_that_slack_does_not_let_the_bot_read(office: Office) -> None:
    told, kept = list[str](), office.inbox.attachments
    office.workspace.faults.refuse("files.info", "missing_scope")
    fetch = FetchPosted(office.client, lambda _: Download("", ""), lambda _: None)
    read = cast("ReadFile", None)  # nothing comes to be read
    files = AttachedFiles(fetch, kept, read, office.clock, Advising(told.append))
    office.say(ANA, ASKED, attached=(AttachedFile("F0PLAN", "plan.md"),))
    exchange = office.inbox.claim(Stage.PLACEHOLDER, office.clock())
    assert exchange
    assert [*files.came_with(exchange).unread.values()] == [f"plan.md {FILE_GONE}"]
    assert files(exchange) == ()
    assert [*files.came_with(exchange).unread.values()] == [f"plan.md {FILE_NOT_HANDED_OVER}"]
    (advice,) = told
    assert "files.info: missing_scope" in advice


def test_of_files_that_are_too_long_together_the_first_passages_are_handed_over(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attachments, "MOST_TOGETHER", 3)
    kept = office.inbox.attachments
    files = AttachedFiles(
        cast("FetchPosted", None), kept, cast("ReadFile", None), office.clock, Advising(None)
    )
    long, short = AttachedFile("F0LONG", "long.md"), AttachedFile("F0SHORT", "short.md")
    office.say(ANA, ASKED, attached=(short, long))
    exchange = office.inbox.claim(Stage.PLACEHOLDER, office.clock())
    assert exchange
    for waiting, number in zip(kept.of(exchange), (1, 4), strict=True):
        kept.begin(waiting, office.clock())
        each = passage(f"{ATTACHED}{waiting.file.file_id}", "A line.")
        kept.settle(waiting, [replace(each, passage_id=str(n)) for n in range(number)])
    assert [each.passage_id for each in files(exchange)] == ["0", "1", "2"]
    came = files.came_with(exchange)
    assert [*came.read.values()] == ["long.md"]
    assert [*came.unread.values()] == [f"short.md {FILE_BEYOND_ALL}"]


def test_administrators_who_cannot_be_told_keep_nobody_from_an_answer(office: Office) -> None:
    def broken(_: str) -> None:
        raise NotConnected("Slack is away.")

    office.workspace.faults.refuse("chat.postMessage", "invalid_auth")
    office.say(ANA, ASKED)
    with office.workers(tell_admins=broken):
        office.until_retried(lambda: office.inbox.counts()[Stage.DONE] == 1)


def test_administrators_who_could_not_be_told_hear_it_at_the_next_failure(office: Office) -> None:
    told: list[str] = []

    def away_at_first(advice: str) -> None:
        told.append(advice)
        if len(told) == 1:
            raise NotConnected("Slack is away.")

    office.workspace.faults.refuse("chat.postMessage", "invalid_auth", times=3)
    office.say(ANA, ASKED)
    with office.workers(tell_admins=away_at_first):
        office.until_retried(lambda: office.inbox.counts()[Stage.DONE] == 1)
    assert len(told) == 2


def test_what_slack_refuses_for_good_is_tried_less_and_less_often() -> None:
    refused = Failure(Trouble.CONFIGURATION, of_slack=True)
    waits = [refused.wait(attempts, lambda: 0.5).total_seconds() for attempts in (1, 2, 3, 20)]
    assert waits == [60, 120, 240, 3600]


def test_who_can_be_told_nothing_anywhere_stops_nobody(office: Office) -> None:
    office.say(ANA, ASKED, channel=LOUNGE)
    office.say(BEN, ASKED)
    office.workspace.archive(LOUNGE)
    office.workspace.faults.refuse("conversations.open", "user_disabled")
    with office.workers():
        office.wait_for(Stage.UNDELIVERABLE)
        office.wait_for(Stage.DONE)


def test_a_token_that_was_revoked_is_said_loudly_and_costs_nobody_an_answer(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    office.workspace.faults.refuse("chat.postMessage", "token_revoked")
    office.say(ANA, ASKED)
    with office.workers():
        until(lambda: "token_revoked" in caplog.text)
        office.until_retried(lambda: office.inbox.counts()[Stage.DONE] == 1)
    assert [r.levelno for r in caplog.records if "token_revoked" in r.message] == [logging.ERROR]


def test_one_question_that_cannot_be_answered_holds_up_nobody_else(office: Office) -> None:
    def only_the_first(question: Question) -> None:
        if question.text == "poison":
            raise ValueError("Nobody foresaw this.")

    office.answers.hold = only_the_first
    first = office.say(ANA, "poison")
    office.say(BEN, ASKED, thread=first.ts)
    with office.workers():
        office.wait_for(Stage.DONE)
    assert office.inbox.counts()[Stage.ANSWERING] == 1


def test_what_was_put_off_is_answered_side_by_side(office: Office) -> None:
    office.answers.failing = IndexUnavailable("The index is away.")
    barrier = Barrier(2)

    def side_by_side(_: Question) -> None:
        barrier.wait(30)

    for user in (ANA, BEN):
        office.say(user, ASKED)
    with office.workers(answering_threads=2):
        until(lambda: office.inbox.counts()[Stage.ANSWERING] == 2 <= len(office.answers.asked))
        office.answers.hold = side_by_side
        office.answers.failing = None
        office.clock.forward(60)  # nobody but who watches is woken by that
        office.wait_for(Stage.DONE, 2)


@pytest.mark.usefixtures("little_patience")
def test_workers_outlive_an_inbox_that_fails(
    office: Office, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    answering, go_on = held(office)
    office.say(ANA, ASKED)
    with office.workers():
        assert answering.wait(30)
        other = sqlite3.connect(tmp_path / "inbox.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")  # as a backup program may, or a full disk
        go_on.set()
        until(lambda: "locked" in caplog.text)
        other.execute("ROLLBACK")
        other.close()
        office.wait_for(Stage.DONE)
    assert "14 weeks" in texts(office)[0]


def test_the_bot_stops_once_what_it_answers_is_posted_and_leaves_the_rest(office: Office) -> None:
    answering, go_on = held(office)
    first = office.say(ANA, "question 1")
    office.say(ANA, "question 2", thread=first.ts)
    with office.workers() as line, ThreadPoolExecutor(1) as stopping:
        assert answering.wait(30)
        assert line.is_busy(30)
        until(lambda: len(texts(office)) == 2)
        office.workspace.faults.refuse("chat.postMessage", "ratelimited", retry_after=1)
        ended = stopping.submit(line.drain, 30)
        assert not ended.done()  # it is still at work
        go_on.set()
        assert ended.result()
        assert not line.is_busy(30)
    assert [question.text for question in office.answers.asked] == ["question 1"]
    [waits, reply] = texts(office)
    assert "Reading" in waits
    assert "14 weeks" in reply
    assert office.inbox.counts()[Stage.DONE] == 1
    with office.workers():
        office.wait_for(Stage.DONE, 2)
    assert all("14 weeks" in text for text in texts(office))


def test_the_bot_does_not_wait_for_an_answer_that_takes_too_long(office: Office) -> None:
    answering, go_on = held(office)
    office.say(ANA, ASKED)
    with office.workers() as line:
        assert answering.wait(30)
        assert not line.drain(0.1)
        go_on.set()


def test_the_bot_does_not_wait_for_what_slack_takes_much_later(office: Office) -> None:
    limit = partial(office.workspace.faults.refuse, "chat.postMessage", "ratelimited")
    office.answers.hold = lambda _: limit(retry_after=3600)
    office.say(ANA, ASKED)
    with office.workers() as line:
        until(lambda: office.client.count("chat.postMessage") == 2)
        assert line.drain(30)
    assert office.inbox.counts()[Stage.POSTING] == 1


LIMITED = [Failure(Trouble.NETWORK, of_slack=True, retry_after=seconds) for seconds in (0, 1, 60)]


@pytest.mark.parametrize("failure", LIMITED)
def test_those_whom_slack_slows_down_together_come_back_one_after_another(failure: Failure) -> None:
    asked = failure.retry_after or 0
    waits = [failure.wait(1, lambda: n / 10).total_seconds() for n in range(11)]  # noqa: B023
    assert waits[0] == asked, "never sooner than Slack asks"
    assert waits == sorted(set(waits)), "each at another time"
    assert waits[-1] == asked + max(1, asked / 4)


def test_what_failed_is_tried_less_and_less_often() -> None:
    failure = Failure(Trouble.INDEX)
    waits = [failure.wait(attempts, lambda: 0.5).total_seconds() for attempts in range(1, 9)]
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
