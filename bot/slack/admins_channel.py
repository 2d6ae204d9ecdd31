"""The channel in which administrators are told what they should know."""

from dataclasses import dataclass

from slack_sdk import WebClient

from bot.slack.blocks.elements import line, rich, words
from bot.slack.blocks.limits import SPOKEN, spoken, trimmed


@dataclass(frozen=True, slots=True)
class AdminsChannel:
    """A channel that the bot was invited to."""

    client: WebClient
    channel: str

    def tell(self, said: str) -> None:
        """Post it, with nothing of it read as markup; raise what slack_sdk raises."""
        block = rich(line(words(trimmed(said, SPOKEN))))
        self.client.chat_postMessage(
            channel=self.channel,
            text=spoken(said),
            blocks=[block],
            unfurl_links=False,
            unfurl_media=False,
        )
