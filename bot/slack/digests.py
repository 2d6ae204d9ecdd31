"""Posts a week's digest into a channel once, whatever becomes of the process that posts it.

Slack itself keeps that it was posted: a digest bears its week's mark, and is looked for in the
channel before it is sent. So nothing is posted twice, also after a backup was restored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from slack_sdk import WebClient

from bot.digest.values import UnitDigest, Week
from bot.errors import JobFailed
from bot.slack.blocks.digest import digest_mark, digest_message
from bot.slack.directory import is_shared
from bot.slack.failures import UNSENT, NotInstalled, reason_of
from bot.slack.inbox.removals import ts_before
from bot.slack.steps.sending import find_marked, post
from bot.wording import digest as wording


@dataclass(frozen=True, slots=True)
class DigestPosting:
    """It implements `bot.jobs.digesting.Post`."""

    client: WebClient
    """Without retry handlers: a request that is sent again by itself is posted twice."""
    zone: tzinfo
    """In which weeks begin."""
    admins: str
    page: str
    """The address of the digests' page, shown to administrators alone; empty for none."""

    def __call__(self, week: Week, channel: str, units: Sequence[UnitDigest]) -> bool:
        """Post it, and tell whether it did not stand there already.

        Raise `JobFailed` where it does not stand there now, and where another company reads along.
        """
        message = digest_message(week, units, self.page if channel == self.admins else "")
        try:
            if is_shared(self.client.conversations_info(channel=channel)["channel"]):
                raise JobFailed(wording.shared(channel))
            _, over = week.times(self.zone)
            if find_marked(self.client, channel, "", ts_before(over), {digest_mark(week)}):
                return False
            post(self.client, channel, message)
        except NotInstalled as error:
            raise JobFailed(wording.not_installed(channel)) from error
        except UNSENT as error:
            raise JobFailed(wording.unposted(channel, reason_of(error))) from error
        return True
