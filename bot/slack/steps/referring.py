"""A question on its way to people who may know, and their answer on its way back.

Each message is sent once, whatever happens on the way, and only after the audit has what it says.
"""

import json
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from functools import partial
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.errors import EntryConflict
from audit.feedback import GivenDetails
from audit.log import AuditReader
from audit.record import AuditEvent, AuditRecord, EventKind
from audit.values import Channel, PersonRecord
from bot.access.reading import RecordAccess
from bot.slack import referring
from bot.slack.blocks.elements import Message, without_button
from bot.slack.directory import SlackChannels, SlackPeople
from bot.slack.failures import UNSENT, Advise, in_doubt, understand
from bot.slack.inbox.kept import (
    PUBLISHING,
    TALKING,
    Referral,
    Referrals,
    ReferralStage,
)
from bot.slack.inbox.removals import (
    MAY_COME_LATE,
    StaleMessage,
    StaleMessages,
    reply_to_fold,
    ts_before,
)
from bot.slack.steps.answering import recorded
from bot.slack.steps.sending import find_marked, message_at, message_fields, post, update
from bot.wording import referrals as wording

PATIENCE = 2
"""Working days after which those who may know are asked once more."""
_WEEKEND = 5
"""Saturday, as `date.weekday` counts."""
Where = tuple[str, str]
"""Channel and thread; the latter empty for the top level."""
Compose = Callable[[Referral], Message]
log = logging.getLogger(__name__)


def after_working_days(moment: datetime, days: int, zone: tzinfo) -> datetime:
    """Return the same time of day so many days later, Saturdays and Sundays not counted."""
    local = moment.astimezone(zone)
    while days:
        local += timedelta(days=1)
        days -= local.weekday() < _WEEKEND
    return local.astimezone(moment.tzinfo)


@dataclass(frozen=True, slots=True)
class PublishStep:
    """Has answers told to others, too; it may wait for an ingest, so it has a thread of its own."""

    referrals: Referrals
    publish: Callable[[], object]
    now: Callable[[], datetime]

    def __call__(self) -> bool:
        referral = self.referrals.take(self.now(), PUBLISHING)
        if referral is None:
            return False
        try:
            self.publish()
        except Exception as error:
            log.warning("An answer is not told to others yet: %s", error)
            later = self.now() + understand(error).wait(referral.attempts + 1)
            after = replace(referral, attempts=referral.attempts + 1, due=later)
        else:
            after = replace(referral, stage=ReferralStage.GIVEN, attempts=0, due=None)
        self.referrals.save(referral, after)
        return True


@dataclass(frozen=True, slots=True)
class ReferralSteps:
    """Takes referrals one after another, a step each, and says in Slack what is due."""

    client: WebClient
    """Without retry handlers: a request that is sent again by itself is posted twice."""
    referrals: Referrals
    stale_messages: StaleMessages
    records: AuditReader
    append: Callable[[AuditEvent], object]
    people: SlackPeople
    channels: SlackChannels
    visibility: RecordAccess
    zone: tzinfo
    now: Callable[[], datetime]
    advise: Advise

    def __call__(self) -> bool:
        referral = self.referrals.take(self.now(), TALKING)
        if referral is None:
            return False
        record = recorded(self.records, referral.audit_id)
        if record is None:
            log.error("A question was passed on of which record %s is gone", referral.audit_id)
            self.referrals.save(referral, _over(referral))
            return True
        try:
            done = self._step(referral, record)
        except Exception as error:
            self._failed(referral, error)
        else:
            after = replace(done, attempts=0, sends=0, sending_since=None)
            self.referrals.save(referral, after)
            if referral.stage is ReferralStage.POSTING:
                self._take_button(referral)
        return True

    def _step(self, referral: Referral, record: AuditRecord) -> Referral:
        asks = referral.stage in (ReferralStage.POSTING, ReferralStage.REOPENED)
        if asks and not self.channels.can_ask_in(referral.channel):
            return self._give_up(referral)
        try:
            return self._said(referral, record)
        except SlackApiError as error:
            failure = understand(error)
            if not asks or not failure.no_place:
                raise
            log.warning("A question cannot be passed on there: %s", error)
            self.advise(failure)
            return self._give_up(referral)

    def _said(self, referral: Referral, record: AuditRecord) -> Referral:
        match referral.stage:
            case ReferralStage.POSTING:
                with suppress(EntryConflict):
                    self.append(_referred(referral))
                where = (referral.channel, "")
                post = self._send_once(referral, where, "asked", self._asks(record))
                return replace(self._open(referral), post=post)
            case ReferralStage.OPEN:
                self._say_below(referral, "reminder", wording.REMINDER)
                return replace(referral, due=None)
            case ReferralStage.GIVING:
                return self._give(referral, record)
            case ReferralStage.CLOSING:
                self._show_closed(referral, record)
                return _over(referral)
            case _:
                self._show(referral, self._asks(record)(referral))
                self._say_below(referral, "reopened", wording.REOPENED)
                return self._open(referral)

    def _asks(self, record: AuditRecord) -> Compose:
        def asks(referral: Referral) -> Message:
            withheld = self.visibility.withheld(record, None, referral.channel)
            return referring.passed_on(referral, record, withheld)

        return asks

    def _open(self, referral: Referral) -> Referral:
        due = after_working_days(self.now(), PATIENCE, self.zone)
        return replace(referral, stage=ReferralStage.OPEN, due=due)

    def _give_up(self, referral: Referral) -> Referral:
        not_passed = partial(referring.said_below, what="unpassed", said=wording.NOT_PASSED)
        self._send_once(referral, self._askers(referral), "unpassed", not_passed)
        return _over(referral)

    def _give(self, referral: Referral, record: AuditRecord) -> Referral:
        known = self.people.person(referral.answered_by)
        person = known or self.people.guest(referral.answered_by)
        who = PersonRecord(id=person.id, name=person.name)
        with suppress(EntryConflict):
            self.append(_given(referral, who, next(iter(record.owners), "")))
        given = partial(referring.given, question=record.standalone_question, name=person.name)
        self._send_once(referral, self._askers(referral), "given", given)
        self._show_closed(referral, record)
        if referral.audience:
            return replace(referral, stage=ReferralStage.PUBLISHING, due=self.now())
        return replace(referral, stage=ReferralStage.GIVEN, due=None)

    def _show_closed(self, referral: Referral, record: AuditRecord) -> None:
        closed = wording.closed(referral.answered_by, referral.answered_on)
        self._show(referral, referring.passed_on(referral, record, (), closed))

    def _take_button(self, referral: Referral) -> None:
        """Leave the reply without the button that was pressed: a courtesy, which stops nothing.

        Where the question is deleted meanwhile, the reply is folded, and stays so.
        """
        replied = self.referrals.asked_with(referral.audit_id)
        if replied is None or not replied.placeholder:
            return
        where = replied.channel, replied.thread, replied.placeholder
        try:
            message = message_at(self.client, *where) or {}
            blocks = message.get("blocks") or []
            left = without_button(blocks, referring.ASK)
            if left == blocks or self.referrals.is_withdrawn(referral.audit_id):
                return
            said = Message(str(message.get("text") or ""), tuple(left))
            update(self.client, replied.channel, replied.placeholder, said)
        except Exception as error:
            log.warning("The reply still offers to ask a person: %s", error)
        if self.referrals.is_withdrawn(referral.audit_id):
            self.stale_messages.add(reply_to_fold(replied, "gone"), self.now())

    def _askers(self, referral: Referral) -> Where:
        """Return where the asker is answered: where they asked, else in the direct message."""
        if referral.asked_channel:
            return referral.asked_channel, referral.asked_thread
        opened = self.client.conversations_open(users=referral.asker)
        return str(opened["channel"]["id"]), ""

    def _show(self, referral: Referral, message: Message) -> None:
        """Show those who were asked how it stands: a courtesy, so a failure is logged."""
        try:
            self.client.chat_update(
                channel=referral.channel, ts=referral.post, **message_fields(message)
            )
        except UNSENT as error:
            log.warning("Those who were asked are not shown how it stands: %s", error)

    def _say_below(self, referral: Referral, what: str, said: str) -> None:
        """Say it in the thread, and in the channel, too."""
        draw = partial(referring.said_below, what=what, said=said)
        where = (referral.channel, referral.post)
        self._send_once(referral, where, what, draw, reply_broadcast=True)

    def _send_once(
        self, referral: Referral, where: Where, what: str, draw: Compose, **more: Any
    ) -> str:
        """Post it, unless it stands there since a failure; return its `ts`."""
        channel, thread = where
        if referral.sending_since:
            oldest = ts_before(referral.sending_since)
            after = replace(referral, sends=referral.sends + 1)  # an older inbox may have come back
            marks = {each.mark(what) for each in (referral, after)}
            if ts := find_marked(self.client, channel, thread, oldest, marks):
                return ts
            late = StaleMessage(channel, thread, mark=referral.mark(what), oldest=oldest)
            self.stale_messages.add(late, self.now(), MAY_COME_LATE)
        since = referral.sending_since or self.now()
        sending = replace(referral, sending_since=since, sends=referral.sends + 1)
        self.referrals.save(referral, sending)
        try:
            return post(self.client, channel, draw(sending), thread, **more)
        except SlackApiError as error:
            if not in_doubt(error):
                self.referrals.save(referral, replace(sending, sending_since=None))
            raise

    def _failed(self, referral: Referral, error: Exception) -> None:
        """Try again, ever later; where there is no place any more, somewhere else or never."""
        kept, failure = self.referrals.find(referral.audit_id) or referral, understand(error)
        log.warning("A question that was passed on waits: %s", error)
        self.advise(failure)
        if failure.no_place and referral.stage is ReferralStage.OPEN:
            self.referrals.save(referral, replace(kept, due=None))
            return
        if failure.no_place and kept.asked_channel:
            kept = replace(kept, asked_channel="", asked_thread="", sending_since=None)
        elif failure.no_place and referral.stage is not ReferralStage.GIVING:
            self.referrals.save(referral, _over(kept))  # nor is there anybody to tell so
            return
        attempts = kept.attempts + 1
        due = self.now() + failure.wait(attempts)
        self.referrals.save(referral, replace(kept, attempts=attempts, due=due))


def _over(referral: Referral) -> Referral:
    return replace(referral, stage=ReferralStage.RESOLVED, due=None)


def _referred(referral: Referral) -> AuditEvent:
    """The time is the stored one, so that a repeated event is the same to the last bit."""
    return AuditEvent(
        kind=EventKind.REFERRED,
        event_id=f"{referral.audit_id}-referred",
        audit_id=referral.audit_id,
        time=referral.created_at,
        channel=Channel(id=referral.channel),
        text=referral.note,
        details={"with_name": referral.named},
    )


def _given(referral: Referral, person: PersonRecord, owner: str) -> AuditEvent:
    told = (
        GivenDetails(
            for_others=True,
            question=referral.question,
            audience=json.loads(referral.audience),
            owner=owner,
            valid_to=date.fromisoformat(referral.valid_to) if referral.valid_to else None,
        )
        if referral.audience
        else GivenDetails()
    )
    return AuditEvent(
        kind=EventKind.GIVEN,
        event_id=referral.given_id,
        audit_id=referral.audit_id,
        time=referral.answered_at or referral.created_at,
        person=person,
        channel=Channel(id=referral.channel, thread=referral.post),
        text=referral.answer,
        details=told.details(),
    )
