"""The last steps: the reply is posted as the audit store has it, and its delivery recorded.

It is a new message, not an edit of the placeholder: screen readers read out what is new, and people
are notified of it. The asker alone is told, after it, that they may read more than everyone there:
others need not learn that restricted documents exist. Where the person deleted the question, any
step is replaced by withdrawing it. What the bot posted and needs no more is removed, however long
that takes.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.log import AuditReader
from audit.record import AuditEvent, AuditRecord, Decision, EventKind
from audit.values import Channel
from bot.answering.citations.links import opening_here
from bot.slack.blocks.elements import Message, own_message
from bot.slack.blocks.reply import reply
from bot.slack.blocks.system_messages import folded_reply, private_answer, private_offer, taken_back
from bot.slack.channels import ChannelRules
from bot.slack.exchange import Answers, CameWith, Exchange, Stage
from bot.slack.failures import UNSENT, append_once, code_of, understand
from bot.slack.inbox.removals import (
    Removal,
    StaleMessages,
    late_sends,
    placeholder_of,
    reply_to_fold,
)
from bot.slack.inbox.store import Inbox
from bot.slack.steps.answering import recorded, reply_channel
from bot.slack.steps.sending import PostingOnce, marked_since, respond, tell_alone, update
from bot.wording import slack as wording

log = logging.getLogger(__name__)


UNASKED_WITHIN = timedelta(minutes=10)
"""After that nobody waits for what they did not ask the bot."""


@dataclass(frozen=True, slots=True)
class PostStep:
    """Posts once, whatever happens on the way; then the placeholder is in nobody's way."""

    client: WebClient
    post_once: PostingOnce
    records: AuditReader
    now: Callable[[], datetime]
    inbox: Inbox
    askable: Callable[[AuditRecord], bool]
    """Tells whether somebody is named who may know what the documents do not."""
    rules: ChannelRules
    came_with: Callable[[Exchange], CameWith] = lambda _: CameWith()
    pages: str = ""
    """Where pages show what is cited, without a slash at its end; empty where none do."""

    def __call__(self, exchange: Exchange) -> Exchange:
        if exchange.posted_at:  # before a crash
            return replace(exchange, stage=Stage.DELIVERY)
        record = recorded(self.records, exchange.audit_id)
        if record is None:
            log.error(
                "Exchange %d: record %s is gone from the audit store; answering anew",
                exchange.exchange_id,
                exchange.audit_id,
            )
            return replace(exchange, stage=Stage.ANSWERING)
        if exchange.asked.is_unasked:
            return self._unasked(exchange, record)
        quoted = exchange.quoted or self.inbox.is_among_others(exchange)
        shown = opening_here(record, self.pages)
        refused = record.decision is Decision.ABSTAIN
        if refused and exchange.is_given_to_everyone:
            return self._kept_from_everyone(exchange)
        refused_before = refused and self._refused_before(exchange)
        message = reply(
            shown,
            exchange.exchange_id,
            quoted=quoted,
            refused_before=refused_before,
            asked_by=exchange.asked.user if exchange.speaks_for_somebody else "",
            shareable=bool(exchange.asked.origin),
            askable=self.askable(record),
            files=self.came_with(exchange),
        )
        if exchange.respond_at:
            return self._in_place(exchange, message)
        posted = self._posted(exchange, record, message)
        if record.more_in_private and not exchange.is_given_to_everyone:
            tell_alone(self.client, posted, private_offer(record))
        return replace(posted, stage=Stage.DELIVERY)

    def _unasked(self, exchange: Exchange, record: AuditRecord) -> Exchange:
        """Say only what is sure, and not late, in the way that its channel wants by now."""
        done = replace(exchange, stage=Stage.DONE)
        wanted = self.rules.of(exchange.asked.channel).answers
        late = self.now() - exchange.received_at > UNASKED_WITHIN
        unsure = record.decision is not Decision.ANSWER
        sending = exchange.sending_since is not None
        silent = unsure or wanted is Answers.MENTIONED or (late and not sending)
        if silent or (wanted is Answers.OFFERED and sending):
            if sending:  # before a failure, when more was wanted there
                late_sends(self.inbox.stale_messages, exchange, self.now())
            return done
        if wanted is Answers.OFFERED:
            self.inbox.save(replace(exchange, sending_since=self.now()), keep=True)
            tell_alone(self.client, exchange, private_answer(record))
            return done
        shown = opening_here(record, self.pages)
        quoted = exchange.quoted or self.inbox.is_among_others(exchange)
        message = reply(shown, exchange.exchange_id, quoted=quoted, unasked=True)
        return replace(self._posted(exchange, record, message), stage=Stage.DELIVERY)

    def _posted(self, exchange: Exchange, record: AuditRecord, message: Message) -> Exchange:
        ts = self.post_once(exchange, message, f"{record.reply}\n({record.audit_id})")
        if exchange.placeholder:
            self._remove_placeholder(exchange)
        posted = replace(exchange, placeholder=ts, posted_at=self.now())
        self.inbox.save(posted, keep=True)  # so that after a crash nothing is said twice
        return posted

    def _in_place(self, exchange: Exchange, message: Message) -> Exchange:
        """Reply where the command was typed, to the person alone.

        Nothing tells afterwards whether it stands there, and Slack may lose it: where its fate is
        unknown, or it comes too late, the reply is posted in the direct message.
        """
        elsewhere = replace(exchange, respond_at="", sending_since=None, stage=Stage.PLACEHOLDER)
        if exchange.sending_since:
            return elsewhere
        self.inbox.save(replace(exchange, sending_since=self.now()), keep=True)
        try:
            stands = respond(exchange.respond_at, message)
        except UNSENT as error:
            log.warning("Exchange %d: not replied to in place: %s", exchange.exchange_id, error)
            return elsewhere
        if not stands:
            log.info("Exchange %d: too late to reply in place", exchange.exchange_id)
            return elsewhere
        here = replace(exchange, channel=exchange.asked.origin.channel, respond_at="")
        return replace(here, posted_at=self.now(), stage=Stage.DELIVERY)

    def _kept_from_everyone(self, exchange: Exchange) -> Exchange:
        """Tell the asker alone that what all may read does not answer it; failing is logged."""
        self._remove_placeholder(exchange)
        tell_alone(self.client, exchange, own_message(wording.NOT_POSTED))
        return replace(exchange, stage=Stage.DONE, placeholder="")

    def _refused_before(self, exchange: Exchange) -> bool:
        """Tell whether something was refused in its thread: the reason stands there."""
        if not exchange.thread:
            return False
        before = (recorded(self.records, each) for each in self.inbox.records_before(exchange))
        return any(each.decision is Decision.ABSTAIN for each in before if each)

    def _remove_placeholder(self, exchange: Exchange) -> None:
        """Remove it at once, or later if need be: the reply stands already."""
        try:
            self.client.chat_delete(channel=exchange.channel, ts=exchange.placeholder)
        except UNSENT as error:
            log.info("Exchange %d: its placeholder stays for now: %s", exchange.exchange_id, error)
            self.inbox.stale_messages.add(placeholder_of(exchange), self.now())


@dataclass(frozen=True, slots=True)
class DeliveryStep:
    """Appends the same event however often it is repeated."""

    append: Callable[[AuditEvent], object]
    stale_messages: StaleMessages

    def __call__(self, exchange: Exchange) -> Exchange:
        if exchange.withdrawn_at and exchange.placeholder:  # while it was being posted
            self.stale_messages.add(reply_to_fold(exchange, "gone"), exchange.withdrawn_at)
        details = {"ts": exchange.placeholder}
        append_once(self.append, _event(exchange, EventKind.DELIVERED, exchange.posted_at, details))
        return replace(exchange, stage=Stage.DONE)


def _event(
    exchange: Exchange, kind: EventKind, at: datetime | None, details: Mapping[str, str]
) -> AuditEvent:
    """The time is a stored one, so that a repeated event is the same to the last bit."""
    return AuditEvent(
        kind=kind,
        event_id=f"{exchange.audit_id}-{kind.value}",
        audit_id=exchange.audit_id,
        time=at or exchange.received_at,
        channel=reply_channel(exchange),
        details=dict(details),
    )


@dataclass(frozen=True, slots=True)
class WithdrawStep:
    """Posts nothing, takes the placeholder away, and says so in the audit where it was answered."""

    records: AuditReader
    append: Callable[[AuditEvent], object]
    stale_messages: StaleMessages
    now: Callable[[], datetime]

    def __call__(self, exchange: Exchange) -> Exchange:
        if recorded(self.records, exchange.audit_id):
            why = {"not delivered": "the question was deleted or changed"}
            append_once(
                self.append, _event(exchange, EventKind.WITHDRAWN, exchange.withdrawn_at, why)
            )
        if exchange.placeholder:
            self.stale_messages.add(placeholder_of(exchange), self.now())
        if exchange.sending_since:
            late_sends(self.stale_messages, exchange, self.now())
        return replace(exchange, stage=Stage.WITHDRAWN)


NOT_YET = timedelta(seconds=5)
"""Before a reply stands, what it replaces is not looked for."""
FIRST_LOOK = timedelta(seconds=5)
"""Each further look for what may still appear comes after twice the time."""
MOST_FAILURES = 16
"""Doubling from a second: the last attempts are hours apart, so an archive may be undone."""
MESSAGE_GONE = frozenset({"message_not_found", "thread_not_found"})
MESSAGE_UNDELETABLE = frozenset({"cant_delete_message", "compliance_exports_prevent_deletion"})
"""It is not the bot's, or the workspace lets nobody delete anything
(docs.slack.dev/reference/methods/chat.delete)."""


@dataclass(frozen=True, slots=True)
class StaleMessageRemover:
    """Takes stale messages one after another: nobody waits for them."""

    client: WebClient
    stale_messages: StaleMessages
    append: Callable[[AuditEvent], object]
    now: Callable[[], datetime]

    def __call__(self) -> bool:
        """Remove the next and tell whether one was due; raise what the inbox raises."""
        removal = self.stale_messages.take(self.now())
        if removal is None:
            return False
        if removal.waits:
            self.stale_messages.postpone(removal, self.now() + NOT_YET, attempts=removal.attempts)
            return True
        try:
            for ts in self._found(removal):
                self._remove(removal, ts)
        except Exception as error:
            log.warning("A message stays in %s for now: %s", removal.what.channel, error)
            attempts, wait = next_attempt(error, removal.attempts)
            done = attempts > MOST_FAILURES
        else:  # more may appear
            attempts, wait = removal.attempts + 1, FIRST_LOOK * 2.0**removal.attempts
            done = self.now() >= removal.look_until
        if done:
            self.stale_messages.done(removal)
        else:
            self.stale_messages.postpone(removal, self.now() + wait, attempts=attempts)
        return True

    def _found(self, removal: Removal) -> list[str]:
        what = removal.what
        if what.ts:
            return [what.ts]
        where = (what.channel, what.thread, what.oldest)
        return [e for e in marked_since(self.client, *where, {what.mark}) if e != removal.reply]

    def _remove(self, removal: Removal, ts: str) -> None:
        if removal.what.says:
            update(self.client, removal.what.channel, ts, folded_reply(removal.what.says))
            if removal.audit_id:
                self._note(removal)
        else:
            self._delete(removal, ts)

    def _note(self, removal: Removal) -> None:
        """The time is the stored one, so that a repeated event is the same to the last bit."""
        event = AuditEvent(
            kind=EventKind.FOLDED,
            event_id=f"{removal.audit_id}-folded",
            audit_id=removal.audit_id,
            time=removal.added_at,
            channel=Channel(id=removal.what.channel, thread=removal.what.thread),
            details={"question": removal.what.says.partition(",")[0]},
        )
        append_once(self.append, event)

    def _delete(self, removal: Removal, ts: str) -> None:
        channel = removal.what.channel
        try:
            self.client.chat_delete(channel=channel, ts=ts)
        except SlackApiError as error:
            if code_of(error) in MESSAGE_UNDELETABLE:
                update(self.client, channel, ts, taken_back())
            elif code_of(error) not in MESSAGE_GONE:
                raise
        else:
            log.info("Removed from %s: message %s, which was replaced", channel, ts)


def next_attempt(
    error: Exception, attempts: int, longest: timedelta = timedelta.max
) -> tuple[int, timedelta]:
    """Return failures and wait, which grows; where Slack asks to wait, nothing failed."""
    failure = understand(error)
    if failure.retry_after is not None:
        return attempts, failure.wait(attempts)
    return attempts + 1, min(failure.wait(1) * 2.0 ** (attempts + 1), longest)
