"""A reply that an administrator reviewed becomes the standard answer to a kind of question."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from audit.errors import AuditError, EntryConflict
from audit.feedback import GivenDetails, retraction
from audit.record import AuditEvent, AuditRecord, EventKind
from audit.values import PersonRecord, Status
from bot.access.people import Person
from bot.errors import BotError
from bot.slack import referring
from bot.slack.blocks.elements import (
    LONGEST_TYPED,
    Block,
    Message,
    View,
    form,
    form_field,
    note,
    picked_day,
    plain,
    quotation,
    rich,
    spoken,
    text_input,
    trimmed,
    typed,
)
from bot.slack.clicked import Replies, conclude, push_modal, record_for, refuse
from bot.slack.failures import UNSENT
from bot.slack.steps.sending import post
from bot.wording import evidence
from bot.wording import referrals as wording
from retrieval.errors import RetrievalError

MOST_QUESTIONS = 10
"""In which one answer is told; each is checked, and is a document."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StandardAnswerForms:
    """What can be clicked to make one; `on` tells Bolt."""

    replies: Replies
    stands: Callable[[GivenDetails, str], bool]
    """Tells whether all that it rests on stands, and somebody of a workspace may read it all."""
    refused: Callable[[AuditEvent], str]
    """What the check of claims refuses of it, so that it would never lead; empty for nothing.

    It takes longer than Slack waits for an acknowledgement.
    """
    append: Callable[[AuditEvent], object]
    publish: Callable[[], object]
    """Begins to make it a document, and returns at once."""
    later: Callable[[Callable[[], None]], object]
    """Does something in the background, and returns at once."""
    now: Callable[[], datetime]

    def on(self, app: App) -> None:
        app.action(referring.STANDARD)(self.make)
        app.view(referring.STANDARD)(self.made)

    def make(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        if self._admin(body):
            audit_id, user = body["actions"][0]["value"], body["user"]["id"]
            record = record_for(self.replies.records, audit_id, user)
            push_modal(client, body["trigger_id"], standard_form(record))

    def made(self, ack: Ack, body: dict[str, Any], client: WebClient, view: dict[str, Any]) -> None:
        """Keep it before it is acknowledged; who sent it hears soon whether it is told.

        What a bot that is killed did not check is not told unchecked either: whatever is refused is
        never published, and `vouch answers list` and Home say so.
        """
        person, values = self._admin(body), view["state"]["values"]
        record = record_for(self.replies.records, view["private_metadata"], body["user"]["id"])
        cited = [each for claim in record.claims for each in claim.citations]
        last = picked_day(values, referring.LAST_DAY)
        told = GivenDetails(
            for_others=True,
            question=typed(values, referring.QUESTION),
            owner=next(iter(record.owners), ""),
            valid_to=date.fromisoformat(last) if last else None,
            rests_on=tuple(dict.fromkeys((each.document_id, each.version) for each in cited)),
        )
        field, wrong = referring.WORDS, ""
        if person is None:
            wrong = evidence.NOT_ADMIN
        elif not (typed(values, referring.WORDS) and told.question):
            wrong = wording.EMPTY
        elif len(told.questions) > MOST_QUESTIONS:
            field, wrong = referring.QUESTION, wording.too_many_questions(MOST_QUESTIONS)
        elif not told.rests_on or not self.stands(told, person.team):
            wrong = wording.NO_STANDARD
        if person is None or wrong:
            refuse(ack, field, wrong)
            return
        event = AuditEvent(
            kind=EventKind.GIVEN,
            event_id=f"{record.audit_id}-standard-{view['id']}",
            audit_id=record.audit_id,
            time=self.now(),
            person=PersonRecord(id=person.id, name=person.name),
            text=typed(values, referring.WORDS),
            details=told.details(),
        )
        try:
            self.append(event)
        except EntryConflict:  # Slack delivered a form twice
            ack()
            return
        conclude(ack, wording.STANDARD_TITLE, "standard_kept", wording.STANDARD_CHECKED)
        self.later(lambda: self._settle(event, body["user"]["id"], client))

    def _settle(self, event: AuditEvent, user: str, client: WebClient) -> None:
        """Have it told where the check bears it out, else take it back; say which."""
        try:
            if words := self.refused(event):
                self.append(retraction(event.event_id, event.audit_id, self.now()))
        except (AuditError, BotError, RetrievalError) as error:
            log.error("The standard answer to %s was not checked: %s", event.audit_id, error)
            said = wording.STANDARD_UNCHECKED
        else:
            said = wording.never_leads(words) if words else wording.STANDARD_KEPT
        self.publish()
        own = {"type": "section", "text": plain(said, emoji=False)}
        wrote = rich(quotation(trimmed(event.text, LONGEST_TYPED)))
        try:
            channel = client.conversations_open(users=user)["channel"]["id"]
            post(client, channel, Message(spoken(said), (own, wrote)))
        except UNSENT as error:
            log.warning("Who reviewed %s was not told: %s", event.audit_id, error)

    def _admin(self, body: dict[str, Any]) -> Person | None:
        return self.replies.people.administrator(body["user"]["id"])


def standard_form(record: AuditRecord) -> View:
    cited = [each for each in record.claims if each.citations and each.status is Status.VERIFIED]
    said = "\n".join(claim.text for claim in cited)
    asked = text_input(trimmed(record.standalone_question, LONGEST_TYPED))
    blocks: list[Block] = [
        form_field(referring.QUESTION, wording.KIND_OF_QUESTION, asked, hint=wording.ONE_A_LINE),
        form_field(referring.WORDS, wording.THE_ANSWER, text_input(trimmed(said, LONGEST_TYPED))),
        referring.last_day(),
        note(wording.STANDARD_READERS),
    ]
    title, send = wording.STANDARD_TITLE, wording.STANDARD_SEND
    return form(title, referring.STANDARD, record.audit_id, blocks, send)
