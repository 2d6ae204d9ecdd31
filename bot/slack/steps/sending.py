"""Sends a message exactly once, although a crash or a lost answer leaves its fate unknown.

Where Slack refuses its layout, something is seen all the same.
"""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from http import HTTPStatus
from typing import Any, TypeVar

from slack_sdk import WebClient, WebhookClient
from slack_sdk.errors import SlackApiError

from bot.slack.blocks.elements import Message, marked, plain, spoken, trimmed
from bot.slack.blocks.system_messages import Trouble, trouble
from bot.slack.exchange import Exchange
from bot.slack.failures import UNSENT, code_of, in_doubt
from bot.slack.inbox.removals import earliest_ts, late_sends
from bot.slack.inbox.store import Inbox

REFUSED = frozenset(
    {"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "no_text"}
)
"""It is the message that Slack does not take (docs.slack.dev, errors of chat.postMessage)."""
NOT_TO_BE_UPDATED = frozenset({"message_not_found", "edit_window_closed", "cant_update_message"})
"""It is not there, not the bot's, or nobody may edit what stands
(docs.slack.dev/reference/methods/chat.update)."""
_MOST_PLAIN = 2_900
"""Of the 3,000 characters of a section's text (docs.slack.dev, Block Kit reference)."""
log = logging.getLogger(__name__)
Answer = TypeVar("Answer")


def sent(
    send: Callable[[Message], Answer], exchange: Exchange, message: Message, words: str
) -> Answer:
    """Send a message, or `words` alone where Slack refuses the layout; raise as slack_sdk."""
    try:
        return send(message)
    except SlackApiError as error:
        if code_of(error) not in REFUSED:
            raise
        log.error(
            "Exchange %d: Slack refuses the layout, plain words are sent instead; this is a "
            "fault of Vouch, please report it: %s",
            exchange.exchange_id,
            error.response.data,
        )
        section = {"type": "section", "text": plain(trimmed(words, _MOST_PLAIN), emoji=False)}
        mark = message.blocks[0]["block_id"]
        return send(Message(spoken(words), marked(mark, [section])))


def message_fields(message: Message) -> dict[str, Any]:
    return {"text": message.text, "blocks": [dict(block) for block in message.blocks]}


def update(client: WebClient, channel: str, ts: str, said: Message) -> None:
    """Say something else in a message, unless it is gone or may not be edited; raise all else."""
    try:
        client.chat_update(channel=channel, ts=ts, **message_fields(said))
    except SlackApiError as error:
        if code_of(error) not in NOT_TO_BE_UPDATED:
            raise


def post(client: WebClient, channel: str, message: Message, thread: str = "", **more: Any) -> str:
    """Post a message, no address unfurled, and return its `ts`; raise what slack_sdk raises."""
    answer = client.chat_postMessage(
        channel=channel,
        thread_ts=thread or None,
        unfurl_links=False,
        unfurl_media=False,
        **message_fields(message),
        **more,
    )
    return str(answer["ts"])


def respond(url: str, message: Message) -> bool:
    """Say something to one person alone, at the URL that Slack gave for what they did.

    It takes five messages in half an hour (docs.slack.dev/interactivity/handling-user-interaction).
    False where it takes no more. Raise `UNSENT`, after which nobody knows whether it stands there.
    """
    answer = WebhookClient(url).send(
        **message_fields(message), response_type="ephemeral", replace_original=False
    )
    return answer.status_code == HTTPStatus.OK


def tell_alone(client: WebClient, exchange: Exchange, message: Message) -> None:
    """Tell the asker alone, where they asked: a courtesy, so a failure is logged and ends there."""
    try:
        client.chat_postEphemeral(
            channel=exchange.channel,
            user=exchange.asked.user,
            thread_ts=exchange.thread or None,
            **message_fields(message),
        )
    except UNSENT as error:
        log.warning("Exchange %d: not told: %s", exchange.exchange_id, error)


_TICK = Decimal("0.000001")
_PAGE = 200
"""Messages of one request; Slack recommends no more (docs.slack.dev, pagination)."""


@dataclass(frozen=True, slots=True)
class PostingOnce:
    """Stores that a message is about to be sent, and looks for it before it sends another."""

    client: WebClient
    """Without retry handlers: a request that is sent again by itself is posted twice."""
    inbox: Inbox
    now: Callable[[], datetime]

    def __call__(self, exchange: Exchange, message: Message, words: str) -> str:
        """Post it and return its `ts`; its first block bears the exchange's mark.

        `words` are sent where Slack refuses the layout. Raise what slack_sdk raises.
        """
        if exchange.sending_since:
            where = (exchange.channel, exchange.thread, earliest_ts(exchange))
            if ts := find_marked(self.client, *where, {exchange.mark}):
                log.info("Exchange %d was posted before a failure", exchange.exchange_id)
                return ts
            # It may still appear, besides the one that is sent now.
            late_sends(self.inbox.stale_messages, exchange, self.now())
        self.inbox.save(replace(exchange, sending_since=self.now()), keep=True)
        try:
            return sent(
                lambda shown: post(self.client, exchange.channel, shown, exchange.thread),
                exchange,
                message,
                words,
            )
        except SlackApiError as error:
            if not in_doubt(error):
                self.inbox.save(replace(exchange, sending_since=None), keep=True)
            raise


def find_marked(
    client: WebClient, channel: str, thread: str, oldest: str, marks: Collection[str]
) -> str:
    """Find the `ts` of a message whose sending had no known outcome; empty where it failed."""
    return next(marked_since(client, channel, thread, oldest, marks), "")


def marked_since(
    client: WebClient, channel: str, thread: str, oldest: str, marks: Collection[str]
) -> Iterator[str]:
    """Find each `ts` that bears a mark, or one that begins with it where it ends in a hyphen."""
    begin = tuple(each for each in marks if each.endswith("-"))
    if thread:
        replies = client.conversations_replies
        pages = replies(channel=channel, ts=thread, oldest=oldest, limit=_PAGE)
    else:
        pages = client.conversations_history(channel=channel, oldest=oldest, limit=_PAGE)
    for page in pages:
        for message in page["messages"]:
            mark = str((message.get("blocks") or [{}])[0].get("block_id") or "")
            if mark in marks or mark.startswith(begin):
                yield str(message["ts"])


def message_at(client: WebClient, channel: str, thread: str, ts: str) -> Mapping[str, Any] | None:
    """Read one message, in a thread or, of none, at the top level; None where it is not there."""
    at = Decimal(ts)
    only: dict[str, Any] = {"oldest": str(at - _TICK), "latest": str(at + _TICK)}
    if thread:
        page = client.conversations_replies(channel=channel, ts=thread, **only)
    else:
        page = client.conversations_history(channel=channel, **only)
    found: Iterator[Mapping[str, Any]] = (e for e in page["messages"] if e["ts"] == ts)
    return next(found, None)


@dataclass(frozen=True, slots=True)
class TroubleNotice:
    """Says in the placeholder what is wrong, until the reply is posted."""

    client: WebClient

    def __call__(self, exchange: Exchange, what: Trouble) -> None:
        """Raise what slack_sdk raises; who did not ask the bot hears nothing."""
        asked = exchange.asked
        if asked.is_unasked:
            return
        message = trouble(exchange.exchange_id, asked.text, quoted=exchange.quoted, trouble=what)
        if exchange.respond_at:
            respond(exchange.respond_at, message)
            return
        sent(
            lambda shown: self.client.chat_update(
                channel=exchange.channel, ts=exchange.placeholder, **message_fields(shown)
            ),
            exchange,
            message,
            message.text,
        )
