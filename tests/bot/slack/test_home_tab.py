"""Somebody opens the app's Home, and reads what they asked."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from block_records import a_record
from front_desk import FrontDesk
from inboxes import said
from office import ANA, EVE, GENERAL

from audit.record import AuditEvent, Decision, EventKind
from audit.values import Channel, PersonRecord
from bot.jobs.runs import JobStatus
from bot.slack.exchange import Answers, Stage
from bot.slack.home import MOST_QUESTIONS
from bot.slack.inbox.forgetting import forget_in
from retrieval.documents.holdings import KeptOut, KnownSource
from bot.wording import slack as wording


def answered(
    desk: FrontDesk,
    number: int,
    answers: Answers,
    posted_at: datetime | None,
    decision: Decision = Decision.ANSWER,
) -> None:
    """Eve says something in a channel, and it is recorded."""
    asked = said(number, user=EVE, channel=GENERAL)
    assert desk.inbox.take_in(replace(asked, answers=answers), datetime.now(UTC)).stored
    exchange = desk.inbox.claim(Stage.PLACEHOLDER, datetime.now(UTC))
    assert exchange is not None
    desk.inbox.save(replace(exchange, stage=Stage.DONE, posted_at=posted_at))
    person = PersonRecord(id=EVE, name="Eve Adams")
    channel = Channel(id=GENERAL)
    known = {"audit_id": exchange.audit_id, "person": person, "channel": channel}
    record = a_record(question=asked.text, decision=decision, **known)
    desk.writer.append(record)
    if posted_at:
        desk.writer.append(
            AuditEvent(
                kind=EventKind.DELIVERED,
                event_id=f"{record.audit_id}-delivered",
                audit_id=record.audit_id,
                time=posted_at,
                channel=channel,
            )
        )


def opened(desk: FrontDesk, user: str) -> dict[str, Any]:
    """Somebody opens the app's Home; what it shows."""
    with desk.slack.page(user) as page:
        desk.slack.post("home", {"as": user})
        view: dict[str, Any] = page.next("home")["view"]
    return view


def test_what_was_said_to_colleagues_and_not_answered_is_none_of_my_last_questions(
    desk: FrontDesk,
) -> None:
    now, silent = datetime.now(UTC), range(100, 100 + 5 * MOST_QUESTIONS)
    answered(desk, 1, Answers.MENTIONED, now)
    answered(desk, 2, Answers.SURE, now)
    for number in silent:
        answered(desk, number, Answers.SURE, None)
    forget_in(f"sqlite:///{desk.store.parent / 'inbox.sqlite'}", now + timedelta(days=40))
    shown = json.dumps(opened(desk, EVE))
    assert [n for n in (1, 2, *silent) if f"question {n} " in shown] == [1, 2]


def test_an_administrator_sees_of_each_source_when_it_is_read_what_it_holds_and_what_failed(
    desk: FrontDesk,
) -> None:
    desk.library.know(KnownSource("handbook", "/handbook", url="s3://handbook"))
    desk.library.note_read("handbook", datetime(2026, 3, 2, 10, 30, tzinfo=UTC))
    out = KeptOut("handbook", "pay.md", "may restrict")
    away = KeptOut("handbook", ".", "did not answer in time")
    desk.library.keep_out("handbook", ["pay.md", "."], [out, away])
    next_at = datetime(2026, 3, 2, 11, 30, tzinfo=UTC)
    desk.jobs += [
        JobStatus("ingest", "every 1 hour", next_at, None),
        JobStatus("ingest handbook", "every 1 hour", next_at, None, "handbook"),
    ]
    with desk.slack.page(ANA) as page:
        desk.slack.post("home", {"as": ANA})
        shown = json.dumps(page.next("home")["view"])
    said = "0 documents; 1 kept out; read 2026-03-02 10:30 UTC; next 2026-03-02 11:30 UTC; "
    assert f"handbook: {said}not read the last time: did not answer in time" in shown
    assert "ingest: every 1 hour, next" in shown
    assert "ingest handbook" not in shown


def test_what_nobody_asked_the_bot_is_none_of_what_it_could_not_answer(desk: FrontDesk) -> None:
    now = datetime.now(UTC)
    answered(desk, 300, Answers.MENTIONED, now, Decision.ABSTAIN)
    answered(desk, 301, Answers.SURE, None, Decision.ABSTAIN)
    _, gaps = json.dumps(opened(desk, ANA)).split(wording.HOME_GAPS)
    assert [n for n in (300, 301) if f"question {n}" in gaps] == [300]
