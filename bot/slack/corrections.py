"""Posts once, below an answer or to its asker, what is said otherwise since a document changed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.record import AuditRecord
from audit.values import Channel
from bot.access.people import People
from bot.access.reading import is_private
from bot.citations.links import opening_here
from bot.corrections.changes import Place
from bot.errors import JobFailed
from bot.slack.blocks.corrections import correction, correction_mark
from bot.slack.clicked import unlisted_in
from bot.slack.directory import is_shared
from bot.slack.exchange import is_direct
from bot.slack.failures import NO_PLACE, UNSENT, code_of
from bot.slack.inbox.removals import CLOCKS_DIFFER
from bot.slack.steps.sending import find_marked, message_fields
from bot.wording import corrections as wording


@dataclass(frozen=True, slots=True)
class CorrectionPosting:
    """It implements `bot.corrections.telling.Tell`."""

    client: WebClient
    """Without retry handlers: a request that is sent again by itself is posted twice."""
    asker_alone: bool
    pages: str
    """As `PostStep` has it."""
    user: Callable[[str], str]
    """As `user_of` does."""

    def place(self, record: AuditRecord, delivered: Channel) -> Place | None:
        """In the thread of the reply; where the asker alone is told, in the direct message.

        Where another company reads along by now, it is for guests.
        """
        if is_direct(delivered.id):
            return Place(delivered, None)
        if not self.asker_alone and not is_private(record.channel.id):
            return self._in_channel(delivered)
        try:
            opened = self.client.conversations_open(users=self.user(record.person.id))
        except UNSENT as error:
            if _why(error) in NO_PLACE:
                return None
            raise JobFailed(wording.unposted(_why(error))) from error
        return Place(Channel(id=str(opened["channel"]["id"])), None)

    def _in_channel(self, delivered: Channel) -> Place | None:
        try:
            told = self.client.conversations_info(channel=delivered.id)["channel"]
        except UNSENT as error:
            if _why(error) in NO_PLACE:
                return None
            raise JobFailed(wording.unposted(_why(error))) from error
        return Place(delivered, unlisted_in(delivered.id) if is_shared(told) else delivered.id)

    def __call__(
        self, before: AuditRecord, now: AuditRecord, old: Sequence[str], place: Place
    ) -> str:
        """Slack itself keeps that it was posted, and is asked before it is posted."""
        channel, thread = place.channel.id, place.channel.thread
        message = correction(before, opening_here(now, self.pages), old, quoted=not thread)
        oldest = f"{(now.time - CLOCKS_DIFFER).timestamp():.6f}"
        try:
            mark = {correction_mark(now)}
            if ts := find_marked(self.client, channel, thread, oldest, mark):
                return ts
            posted = self.client.chat_postMessage(
                channel=channel,
                thread_ts=thread or None,
                unfurl_links=False,
                unfurl_media=False,
                **message_fields(message),
            )
        except UNSENT as error:
            why = _why(error)
            if why in NO_PLACE:
                return ""
            raise JobFailed(wording.unposted(why)) from error
        return str(posted["ts"])


def user_of(client: WebClient, people: People, person_id: str) -> str:
    """Return Slack's id of somebody: `people.yaml` may call them otherwise.

    Raise what slack_sdk raises.
    """
    known = people.by_id.get(person_id)
    if not known or not known.email or known.team:
        return person_id
    try:
        return str(client.users_lookupByEmail(email=known.email)["user"]["id"])
    except SlackApiError as error:
        if code_of(error) != "users_not_found":
            raise
        return person_id


def _why(error: Exception) -> str:
    return code_of(error) if isinstance(error, SlackApiError) else type(error).__name__
