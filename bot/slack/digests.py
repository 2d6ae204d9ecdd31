"""Posts a week's digest into a channel once, whatever becomes of the process that posts it.

Slack itself keeps that it was posted: a digest bears its week's mark, and is looked for in the
channel before it is sent. So nothing is posted twice, also after a backup was restored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.digest.values import UnitDigest, Week
from bot.errors import JobFailed
from bot.slack.blocks.digest import digest_mark, digest_message
from bot.slack.directory import SlackChannels
from bot.slack.failures import UNSENT, code_of
from bot.slack.inbox.removals import CLOCKS_DIFFER
from bot.slack.steps.sending import find_marked
from bot.wording import digest as wording


@dataclass(frozen=True, slots=True)
class DigestPosting:
    """It implements `bot.jobs.digesting.Post`."""

    client: WebClient
    """Without retry handlers: a request that is sent again by itself is posted twice."""
    channels: SlackChannels
    zone: tzinfo
    """In which weeks begin."""
    admins: str
    page: str
    """The address of the digests' page, shown to administrators alone; empty for none."""

    def __call__(self, week: Week, channel: str, units: Sequence[UnitDigest]) -> bool:
        """Post it, and tell whether it did not stand there already.

        Raise `JobFailed` where it does not stand there now, and where another company reads along.
        """
        if self.channels.is_shared(channel):
            raise JobFailed(wording.shared(channel))
        message = digest_message(week, units, self.page if channel == self.admins else "")
        try:
            if self._stands(week, channel):
                return False
            self.client.chat_postMessage(
                channel=channel,
                text=message.text,
                blocks=list(message.blocks),
                unfurl_links=False,
                unfurl_media=False,
            )
        except UNSENT as error:
            why = code_of(error) if isinstance(error, SlackApiError) else type(error).__name__
            raise JobFailed(wording.unposted(channel, why)) from error
        return True

    def _stands(self, week: Week, channel: str) -> bool:
        _, over = week.times(self.zone)
        oldest = f"{(over - CLOCKS_DIFFER).timestamp():.6f}"
        return bool(find_marked(self.client, channel, "", oldest, {digest_mark(week)}))
