"""Says an honest word between the steps, where an answer must wait."""

from dataclasses import dataclass

from slack_sdk import WebClient

from bot.slack.blocks.progress import Trouble, trouble
from bot.slack.exchange import Exchange
from bot.slack.steps.sending import sent


@dataclass(frozen=True, slots=True)
class TroubleNotice:
    """Says in the placeholder what is wrong, until the reply is posted."""

    client: WebClient

    def __call__(self, exchange: Exchange, what: Trouble) -> None:
        """Raise what slack_sdk raises."""
        asked = exchange.asked
        message = trouble(exchange.exchange_id, asked.text, quoted=exchange.quoted, trouble=what)
        sent(
            lambda **fields: self.client.chat_update(
                channel=exchange.channel, ts=exchange.placeholder, **fields
            ),
            exchange,
            message,
            message.text,
        )
