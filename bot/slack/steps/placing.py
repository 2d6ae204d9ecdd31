"""First step: a message that says that the question was heard, where the reply will stand."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.slack.blocks import talk
from bot.slack.blocks.elements import marked
from bot.slack.blocks.progress import placeholder
from bot.slack.exchange import Exchange, Kind, Stage
from bot.slack.failures import in_doubt
from bot.slack.inbox import Inbox
from bot.slack.message import Message
from bot.slack.people import SlackPeople
from bot.slack.steps.sending import sent

CLOCKS_DIFFER = timedelta(minutes=10)
"""At most, between this machine and Slack."""
_PAGE = 200
"""Messages of one request; Slack recommends no more (docs.slack.dev, pagination)."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Placing:
    """Posts a placeholder; to a greeting or thanks, the few words that are all of the reply."""

    client: WebClient
    """Without retry handlers: a request that is sent again by itself is posted twice."""
    inbox: Inbox
    people: SlackPeople
    bot_user: Callable[[], str]
    now: Callable[[], datetime]

    def __call__(self, exchange: Exchange) -> Exchange:
        here = exchange if exchange.channel else self._opened(exchange)
        ts = self._found(here) if here.placing_since else ""
        if ts:
            log.info("Exchange %d was placed before a failure", here.exchange_id)
        placed = replace(here, placeholder=ts or self._posted(here))
        asked = here.asked.kind is Kind.QUESTION
        return replace(placed, stage=Stage.ANSWERING if asked else Stage.DONE)

    def _opened(self, exchange: Exchange) -> Exchange:
        """With the direct message in which it will be answered."""
        answer = self.client.conversations_open(users=exchange.asked.user)
        opened = replace(exchange, channel=answer["channel"]["id"])
        self.inbox.save(opened, keep=True)
        return opened

    def _posted(self, exchange: Exchange) -> str:
        """Stored before it is sent, so that a crash in between leaves a trace."""
        message = self._message(exchange)
        self.inbox.save(replace(exchange, placing_since=self.now()), keep=True)
        try:
            answer = sent(self._post(exchange), exchange, message, message.text)
        except SlackApiError as error:
            if not in_doubt(error):
                self.inbox.save(replace(exchange, placing_since=None), keep=True)
            raise
        return str(answer["ts"])

    def _post(self, exchange: Exchange) -> Callable[..., SlackResponse]:
        def post(**fields: Any) -> SlackResponse:
            return self.client.chat_postMessage(
                channel=exchange.channel,
                thread_ts=exchange.asked.thread or None,
                unfurl_links=False,
                unfurl_media=False,
                **fields,
            )

        return post

    def _message(self, exchange: Exchange) -> Message:
        if exchange.asked.kind is Kind.HELP:
            return self._marked(exchange, self._help(exchange))
        if exchange.asked.kind is Kind.THANKS:
            return self._marked(exchange, talk.thanks())
        now = self.now()
        slowed = max(0.0, (exchange.paced_until - now).total_seconds())
        return placeholder(
            exchange.exchange_id,
            exchange.asked.text,
            quoted=exchange.asked.quoted,
            ahead=self.inbox.ahead(exchange, now),
            slowed_seconds=round(slowed),
        )

    def _help(self, exchange: Exchange) -> Message:
        """What administrators can do besides, they are told alone."""
        private = exchange.asked.private
        person = self.people.person(exchange.asked.user) if private else None
        admin = person is not None and person.admin
        return talk.help_message(self.bot_user(), admin=admin, private=private)

    def _marked(self, exchange: Exchange, message: Message) -> Message:
        return Message(message.text, marked(exchange.exchange_id, message.blocks))

    def _found(self, exchange: Exchange) -> str:
        """The `ts` of a message whose sending had no known outcome; empty where it failed."""
        for page in self._since_asked(exchange):
            for message in page["messages"]:
                blocks = message.get("blocks") or [{}]
                if blocks[0].get("block_id") == exchange.mark:
                    return str(message["ts"])
        return ""

    def _since_asked(self, exchange: Exchange) -> Iterator[SlackResponse]:
        channel, thread, oldest = exchange.channel, exchange.asked.thread, _time_in_slack(exchange)
        if thread:
            replies = self.client.conversations_replies
            return iter(replies(channel=channel, ts=thread, oldest=oldest, limit=_PAGE))
        history = self.client.conversations_history
        return iter(history(channel=channel, oldest=oldest, limit=_PAGE))


def _time_in_slack(exchange: Exchange) -> str:
    """A `ts` that the placeholder's is certainly after."""
    if not exchange.asked.quoted:
        return exchange.asked.ts
    return f"{(exchange.received_at - CLOCKS_DIFFER).timestamp():.6f}"
