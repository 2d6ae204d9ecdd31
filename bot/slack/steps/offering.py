"""Tells the asker alone, after the reply, that they may read more than everyone there.

Others need not learn that restricted documents exist, so the reply is the same for everybody.
"""

import logging

from slack_sdk import WebClient

from audit.record import AuditRecord
from bot.slack.blocks.offer import private_offer
from bot.slack.exchange import Exchange
from bot.slack.failures import UNSENT

log = logging.getLogger(__name__)


def offer_in_private(client: WebClient, exchange: Exchange, record: AuditRecord) -> None:
    """Offer a courtesy, which Slack itself may lose: a failure is logged and ends there."""
    message = private_offer(record)
    try:
        client.chat_postEphemeral(
            channel=exchange.channel,
            user=exchange.asked.user,
            thread_ts=exchange.thread or None,
            text=message.text,
            blocks=list(message.blocks),
        )
    except UNSENT as error:
        log.warning(
            "Exchange %d: an answer in private was not offered: %s", exchange.exchange_id, error
        )
