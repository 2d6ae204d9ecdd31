"""The third step posts the reply as it stands in the audit store, and takes the placeholder away.

A new message, not an edit of the placeholder: screen readers read out what is new, and people
are notified of it.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from slack_sdk import WebClient

from audit.log import AuditReader
from audit.record.verdict import Decision
from bot.cited_links import opening_here
from bot.slack.blocks.reply import reply
from bot.slack.exchange import Exchange, Stage
from bot.slack.failures import UNSENT
from bot.slack.inbox import Inbox
from bot.slack.stale_messages import placeholder_of
from bot.slack.steps.offering import offer_in_private
from bot.slack.steps.posting_once import PostingOnce
from bot.slack.steps.records import record_of, recorded

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PostStep:
    """Posts once, whatever happens on the way; then the placeholder is in nobody's way."""

    client: WebClient
    post_once: PostingOnce
    records: AuditReader
    now: Callable[[], datetime]
    inbox: Inbox
    pages: str = ""
    """Where pages show what is cited, without a slash at its end; empty where none do."""

    def __call__(self, exchange: Exchange) -> Exchange:
        if exchange.posted_at:  # before a crash
            return replace(exchange, stage=Stage.DELIVERY)
        record = record_of(self.records, exchange)
        if record is None:
            log.error(
                "Exchange %d: record %s is gone from the audit store; answering anew",
                exchange.exchange_id,
                exchange.audit_id,
            )
            return replace(exchange, stage=Stage.ANSWERING)
        quoted = exchange.quoted or self.inbox.is_among_others(exchange)
        shown = opening_here(record, self.pages)
        refused = record.decision is Decision.ABSTAIN
        refused_before = refused and self._refused_before(exchange)
        message = reply(shown, exchange.exchange_id, quoted=quoted, refused_before=refused_before)
        ts = self.post_once(exchange, message, f"{record.reply}\n({record.audit_id})")
        self._remove_placeholder(exchange)
        posted = replace(exchange, placeholder=ts, posted_at=self.now())
        self.inbox.save(posted, keep=True)  # so that after a crash nothing is said twice
        if record.more_in_private:
            offer_in_private(self.client, posted, record)
        return replace(posted, stage=Stage.DELIVERY)

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
