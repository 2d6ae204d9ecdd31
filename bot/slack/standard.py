"""A reply that an administrator reviewed becomes the standard answer to a kind of question."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from audit.errors import EntryConflict
from audit.given import GivenDetails
from audit.record import AuditEvent, EventKind
from audit.values import PersonRecord
from bot.access.people import Person
from bot.slack.blocks import referral as blocks
from bot.slack.blocks.forms import picked_day, typed
from bot.slack.clicked import Replies, conclude, push_modal, record_for, refuse
from bot.wording import evidence
from bot.wording import referrals as wording


@dataclass(frozen=True, slots=True)
class StandardAnswerForms:
    """What can be clicked to make one; `on` tells Bolt."""

    replies: Replies
    stands: Callable[[GivenDetails, str], bool]
    """Tells whether all that it rests on stands, and somebody of a workspace may read it all."""
    refused: Callable[[AuditEvent], str]
    """What the check of claims refuses of it, so that it would never lead; empty for nothing."""
    append: Callable[[AuditEvent], object]
    publish: Callable[[], object]
    """Begins to make it a document, and returns at once."""
    now: Callable[[], datetime]

    def on(self, app: App) -> None:
        app.action(blocks.STANDARD)(self.make)
        app.view(blocks.STANDARD)(self.made)

    def make(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        """Open the form, for administrators alone."""
        ack()
        if self._admin(body):
            audit_id, user = body["actions"][0]["value"], body["user"]["id"]
            record = record_for(self.replies.records, audit_id, user)
            push_modal(client, body["trigger_id"], blocks.standard_form(record))

    def made(self, ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        """Keep it before it is acknowledged."""
        person, values = self._admin(body), view["state"]["values"]
        record = record_for(self.replies.records, view["private_metadata"], body["user"]["id"])
        cited = [each for claim in record.claims for each in claim.citations]
        last = picked_day(values, blocks.LAST_DAY)
        told = GivenDetails(
            for_others=True,
            question=typed(values, blocks.QUESTION),
            owner=next(iter(record.owners), ""),
            valid_to=date.fromisoformat(last) if last else None,
            rests_on=tuple(dict.fromkeys((each.document_id, each.version) for each in cited)),
        )
        wrong = ""
        if person is None:
            wrong = evidence.NOT_ADMIN
        elif not (typed(values, blocks.WORDS) and told.question):
            wrong = wording.EMPTY
        elif not told.rests_on or not self.stands(told, person.team):
            wrong = wording.NO_STANDARD
        if person is None or wrong:
            refuse(ack, blocks.WORDS, wrong)
            return
        event = AuditEvent(
            kind=EventKind.GIVEN,
            event_id=f"{record.audit_id}-standard-{view['id']}",
            audit_id=record.audit_id,
            time=self.now(),
            person=PersonRecord(id=person.id, name=person.name),
            text=typed(values, blocks.WORDS),
            details=told.details(),
        )
        if words := self.refused(event):
            refuse(ack, blocks.WORDS, wording.never_leads(words))
            return
        with suppress(EntryConflict):  # Slack may deliver a form twice
            self.append(event)
        conclude(ack, wording.STANDARD_TITLE, "standard_kept", wording.STANDARD_KEPT)
        self.publish()

    def _admin(self, body: dict[str, Any]) -> Person | None:
        return self.replies.people.administrator(body["user"]["id"])
