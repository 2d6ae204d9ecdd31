"""The third step replaces the placeholder by the reply as it stands in the audit store."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web import SlackResponse

from audit.log import AuditReader
from bot.slack.blocks.reply import reply
from bot.slack.exchange import Exchange, Stage
from bot.slack.failures import code_of
from bot.slack.inbox import Inbox
from bot.slack.message import Message
from bot.slack.steps.offering import offer_in_private
from bot.slack.steps.posting_once import PostingOnce
from bot.slack.steps.records import record_of
from bot.slack.steps.sending import sent

NOT_TO_BE_UPDATED = frozenset({"message_not_found", "edit_window_closed", "cant_update_message"})
"""Somebody deleted the placeholder, or the workspace lets nobody edit what stands
(docs.slack.dev/reference/methods/chat.update)."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PostStep:
    """Updates the placeholder: doing so twice changes nothing."""

    client: WebClient
    post_once: PostingOnce
    records: AuditReader
    now: Callable[[], datetime]
    inbox: Inbox

    def __call__(self, exchange: Exchange) -> Exchange:
        record = record_of(self.records, exchange)
        if record is None:
            log.error(
                "Exchange %d: record %s is gone from the audit store; answering anew",
                exchange.exchange_id,
                exchange.audit_id,
            )
            return replace(exchange, stage=Stage.ANSWERING)
        message = reply(record, exchange.exchange_id, quoted=exchange.quoted)
        words = f"{record.reply}\n({record.audit_id})"
        try:
            self._update(exchange, message, words)
        except SlackApiError as error:
            if code_of(error) not in NOT_TO_BE_UPDATED:
                raise
            log.warning("Exchange %d: posted anew, since %s", exchange.exchange_id, code_of(error))
            anew = self.post_once(exchange, message, words)
            self._remove_placeholder(exchange)
            exchange = replace(exchange, placeholder=anew)
        posted = replace(exchange, posted_at=exchange.posted_at or self.now())
        if record.more_in_private and not exchange.posted_at:
            self.inbox.save(posted, keep=True)  # so that after a crash it is not offered twice
            offer_in_private(self.client, posted, record)
        return replace(posted, stage=Stage.DELIVERY)

    def _update(self, exchange: Exchange, message: Message, words: str) -> None:
        def update(**fields: Any) -> SlackResponse:
            return self.client.chat_update(
                channel=exchange.channel, ts=exchange.placeholder, **fields
            )

        sent(update, exchange, message, words)

    def _remove_placeholder(self, exchange: Exchange) -> None:
        """Remove it at once, or later if need be: the reply stands already."""
        self.post_once.have_removed(exchange)
        try:
            self.client.chat_delete(channel=exchange.channel, ts=exchange.placeholder)
        except (SlackClientError, OSError) as error:
            log.info("Exchange %d: its placeholder stays: %s", exchange.exchange_id, error)
