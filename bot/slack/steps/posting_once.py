"""Posting a message exactly once, although a crash or a lost answer leaves its fate unknown."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.slack.exchange import Exchange
from bot.slack.failures import in_doubt
from bot.slack.inbox import Inbox
from bot.slack.message import Message
from bot.slack.steps.sending import sent

CLOCKS_DIFFER = timedelta(minutes=10)
"""At most, between this machine and Slack."""
_PAGE = 200
"""Messages of one request; Slack recommends no more (docs.slack.dev, pagination)."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PostingOnce:
    """Stores that a message is about to be sent, and looks for it before it sends another."""

    client: WebClient
    """Without retry handlers: a request that is sent again by itself is posted twice."""
    inbox: Inbox
    now: Callable[[], datetime]

    def __call__(self, exchange: Exchange, message: Message, words: str) -> str:
        """The message's `ts`; its first block bears the exchange's mark.

        `words` are sent where Slack refuses the layout. Raise what slack_sdk raises.
        """
        ts = self._found(exchange) if exchange.placing_since else ""
        if ts:
            log.info("Exchange %d was posted before a failure", exchange.exchange_id)
        return ts or self._posted(exchange, message, words)

    def _posted(self, exchange: Exchange, message: Message, words: str) -> str:
        self.inbox.save(replace(exchange, placing_since=self.now()), keep=True)
        try:
            answer = sent(self._post(exchange), exchange, message, words)
        except SlackApiError as error:
            if not in_doubt(error):
                self.inbox.save(replace(exchange, placing_since=None), keep=True)
            raise
        return str(answer["ts"])

    def _post(self, exchange: Exchange) -> Callable[..., SlackResponse]:
        def post(**fields: Any) -> SlackResponse:
            return self.client.chat_postMessage(
                channel=exchange.channel,
                thread_ts=exchange.thread or None,
                unfurl_links=False,
                unfurl_media=False,
                **fields,
            )

        return post

    def _found(self, exchange: Exchange) -> str:
        """The `ts` of a message whose sending had no known outcome; empty where it failed.

        The placeholder bears the same mark, where a reply is posted besides it.
        """
        for page in self._since_asked(exchange):
            for message in page["messages"]:
                blocks = message.get("blocks") or [{}]
                is_its = blocks[0].get("block_id") == exchange.mark
                if is_its and message["ts"] != exchange.placeholder:
                    return str(message["ts"])
        return ""

    def _since_asked(self, exchange: Exchange) -> Iterator[SlackResponse]:
        channel, thread, oldest = exchange.channel, exchange.thread, _time_in_slack(exchange)
        if thread:
            replies = self.client.conversations_replies
            return iter(replies(channel=channel, ts=thread, oldest=oldest, limit=_PAGE))
        history = self.client.conversations_history
        return iter(history(channel=channel, oldest=oldest, limit=_PAGE))


def _time_in_slack(exchange: Exchange) -> str:
    """A `ts` that the message's is certainly after."""
    if not exchange.quoted:
        return exchange.asked.ts
    return f"{(exchange.received_at - CLOCKS_DIFFER).timestamp():.6f}"
