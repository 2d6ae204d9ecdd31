"""Sends a message so that something is seen even where Slack refuses its layout."""

import logging
from collections.abc import Callable
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.slack.blocks.elements import marked, plain
from bot.slack.blocks.limits import spoken, trimmed
from bot.slack.exchange import Exchange
from bot.slack.failures import code_of
from bot.slack.message import Message

REFUSED = frozenset(
    {"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "no_text"}
)
"""It is the message that Slack does not take (docs.slack.dev, errors of chat.postMessage)."""
_MOST_PLAIN = 2_900
"""Of the 3,000 characters of a section's text (docs.slack.dev, Block Kit reference)."""

log = logging.getLogger(__name__)

Send = Callable[..., SlackResponse]


def sent(send: Send, exchange: Exchange, message: Message, words: str) -> SlackResponse:
    """Send a message; where Slack refuses it, `words` alone, without any layout.

    Raise what slack_sdk raises.
    """
    try:
        return send(**_fields(message))
    except SlackApiError as error:
        if code_of(error) not in REFUSED:
            raise
        log.error(
            "Exchange %d: Slack refuses the layout, plain words are sent instead; this is a "
            "fault of Vouch, please report it: %s",
            exchange.exchange_id,
            error.response.data,
        )
        return send(**_fields(_plainly(message, words)))


def _plainly(message: Message, words: str) -> Message:
    """Keep the mark."""
    section = {"type": "section", "text": plain(trimmed(words, _MOST_PLAIN), emoji=False)}
    return Message(spoken(words), marked(message.blocks[0]["block_id"], [section]))


def _fields(message: Message) -> dict[str, Any]:
    return {"text": message.text, "blocks": [dict(block) for block in message.blocks]}
