"""What was asked in a conversation before, which a follow-up may refer to."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from slack_sdk import WebClient

from bot.answering.followups import recalled
from bot.answering.values import shortened
from bot.slack.exchange import Exchange
from bot.slack.failures import UNSENT
from bot.slack.inbox import Inbox
from bot.slack.message_events import SPOKEN
from bot.slack.text import own_words
from retrieval.language.asking import asks

_MOST_READ = 100
"""Messages of a thread, its first among them."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EarlierQuestions:
    """The inbox has what was asked of the bot; a thread that people began is read."""

    client: WebClient
    inbox: Inbox

    def __call__(self, exchange: Exchange) -> tuple[str, ...]:
        """Return them, oldest first."""
        of_the_bot = self.inbox.previous(exchange)
        if exchange.asked.private or exchange.moved or self.inbox.has_root_of(exchange):
            return of_the_bot
        return self._of_people(exchange) or of_the_bot

    def _of_people(self, exchange: Exchange) -> tuple[str, ...]:
        """Read the thread; where Slack lets nobody, the question is understood without it.

        Only what asks is kept with the question, else what the thread began with.
        """
        asked = exchange.asked
        try:
            page = self.client.conversations_replies(
                channel=asked.channel, ts=asked.thread, latest=asked.ts, limit=_MOST_READ
            )
        except UNSENT as error:
            log.warning("Exchange %d: its thread was not read: %s", exchange.exchange_id, error)
            return ()
        said = [each for each in page["messages"] if _is_before(each, asked.ts)]
        texts = [shortened(own_words(str(each.get("text") or ""))) for each in said]
        return recalled([text for text in texts if asks(text)] or texts[:1])


def _is_before(message: Mapping[str, Any], ts: str) -> bool:
    """Whether a person said it, and before."""
    by_person = message.get("subtype") in SPOKEN and not message.get("bot_id")
    return by_person and float(message["ts"]) < float(ts)
