"""A standard answer is told where the check bears it out, and who reviewed it hears so."""

from unittest.mock import Mock

import pytest
from front_desk import FrontDesk
from office import ANA, PEOPLE, Clock
from sample_records import a_record

from audit.errors import AuditUnavailable
from audit.record import AuditEvent, EventKind
from audit.values import new_id
from bot.slack import referring as asks
from bot.slack.clicked import Replies
from bot.slack.directory import SlackPeople
from bot.slack.standard import StandardAnswerForms
from bot.wording import referrals as wording


@pytest.mark.parametrize("kind", [EventKind.RETRACTED, None])
def test_who_reviewed_an_answer_that_is_refused_hears_so_also_where_it_is_not_taken_back(
    desk: FrontDesk, kind: EventKind | None
) -> None:
    """It is published without it: what is refused is no document."""
    clock, published = Clock(), list[str]()
    record = a_record(audit_id=new_id(clock()))
    desk.writer.append(record)

    def append(event: AuditEvent) -> None:
        if event.kind is kind:
            raise AuditUnavailable("disk full")
        desk.writer.append(event)

    forms = StandardAnswerForms(
        Replies(desk.records, SlackPeople(desk.bot, lambda: PEOPLE)),
        lambda *_: True,
        lambda _: "They lose ten points.",
        append,
        lambda: published.append("again"),
        lambda work: work(),
        clock,
    )
    words = {
        asks.QUESTION: "What does a late day cost?",
        asks.WORDS: "They lose ten points.",
    }
    values = {each: {each: {"value": said}} for each, said in words.items()}
    view = {"id": "V1", "private_metadata": record.audit_id, "state": {"values": values}}
    forms.made(Mock(), {"user": {"id": ANA}}, desk.bot, view)
    said = str(desk.slack.messages(desk.slack.direct(ANA), ANA)[-1])
    expected = wording.STANDARD_UNCHECKED if kind else "I tell your standard answer to nobody"
    assert (expected in said, published) == (True, ["again"])
