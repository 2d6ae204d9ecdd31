"""Somebody opens the app's Home, and reads what they asked."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from block_records import a_record
from front_desk import FrontDesk
from inboxes import said
from office import EVE, GENERAL

from audit.record import AuditEvent, EventKind
from audit.values import Channel, PersonRecord
from bot.slack.exchange import Answers, Stage
from bot.slack.home import MOST_QUESTIONS
from bot.slack.inbox.forgetting import forget_in


def answered(desk: FrontDesk, number: int, answers: Answers, posted_at: datetime | None) -> None:
    """Eve says something in a channel, and it is recorded."""
    asked = said(number, user=EVE, channel=GENERAL)
    assert desk.inbox.take_in(replace(asked, answers=answers), datetime.now(UTC)).stored
    exchange = desk.inbox.claim(Stage.PLACEHOLDER, datetime.now(UTC))
    assert exchange is not None
    desk.inbox.save(replace(exchange, stage=Stage.DONE, posted_at=posted_at))
    person = PersonRecord(id=EVE, name="Eve Adams")
    channel = Channel(id=GENERAL)
    record = a_record(
        audit_id=exchange.audit_id, question=asked.text, person=person, channel=channel
    )
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


def test_what_was_said_to_colleagues_and_not_answered_is_none_of_my_last_questions(
    desk: FrontDesk,
) -> None:
    now, silent = datetime.now(UTC), range(100, 100 + 5 * MOST_QUESTIONS)
    answered(desk, 1, Answers.MENTIONED, now)
    answered(desk, 2, Answers.SURE, now)
    for number in silent:
        answered(desk, number, Answers.SURE, None)
    forget_in(f"sqlite:///{desk.store.parent / 'inbox.sqlite'}", now + timedelta(days=40))
    with desk.slack.page(EVE) as page:
        desk.slack.post("home", {"as": EVE})
        shown = json.dumps(page.next("home")["view"])
    assert [n for n in (1, 2, *silent) if f"question {n} " in shown] == [1, 2]
