"""Third step: the reply takes the place of its placeholder, as it stands in the audit store."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from audit.log import AuditReader
from audit.record import AuditRecord
from bot.slack.blocks.reply import reply
from bot.slack.exchange import Exchange, Stage
from bot.slack.failures import code_of
from bot.slack.steps.records import record_of
from bot.slack.steps.sending import sent

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Posting:
    """Updates the placeholder: doing so twice changes nothing."""

    client: WebClient
    records: AuditReader
    now: Callable[[], datetime]

    def __call__(self, exchange: Exchange) -> Exchange:
        record = record_of(self.records, exchange)
        if record is None:
            log.error(
                "Exchange %d: record %s is gone from the audit store; answering anew",
                exchange.exchange_id,
                exchange.audit_id,
            )
            return replace(exchange, stage=Stage.ANSWERING)
        try:
            self._post(exchange, record)
        except SlackApiError as error:
            if code_of(error) != "message_not_found":
                raise
            log.warning("Exchange %d: its placeholder was deleted", exchange.exchange_id)
            return replace(
                exchange, stage=Stage.PLACING, placeholder="", placing_since=None, told=""
            )
        return replace(exchange, stage=Stage.NOTING, posted_at=self.now())

    def _post(self, exchange: Exchange, record: AuditRecord) -> None:
        def update(**fields: Any) -> SlackResponse:
            return self.client.chat_update(
                channel=exchange.channel, ts=exchange.placeholder, **fields
            )

        message = reply(record, exchange.exchange_id, quoted=exchange.asked.quoted)
        sent(update, exchange, message, f"{record.reply}\n({record.audit_id})")
