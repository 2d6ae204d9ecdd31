"""Posts once, below an answer or to its asker, what is said otherwise since a document changed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.record import AuditRecord
from audit.values import Channel
from bot.access.channels import is_direct
from bot.access.people import People
from bot.access.reading import is_private
from bot.answering.citations.links import opening_here
from bot.answering.corrections.changes import TellingPlace
from bot.errors import JobFailed
from bot.slack.blocks.elements import (
    MESSAGE,
    Block,
    Message,
    fitting,
    in_line,
    marked,
    note,
    quotation,
    rich,
    section,
    spoken,
)
from bot.slack.blocks.reply import quoted_question, reply
from bot.slack.clicked import unlisted_in
from bot.slack.directory import is_shared
from bot.slack.failures import NO_PLACE, UNSENT, code_of, reason_of
from bot.slack.inbox.removals import ts_before
from bot.slack.steps.sending import find_marked, post
from bot.slack.workspaces import client_of
from bot.wording import corrections as wording


@dataclass(frozen=True, slots=True)
class CorrectionPosting:
    """It implements `bot.answering.corrections.telling.Tell`."""

    client: WebClient
    """Without retry handlers: a request that is sent again by itself is posted twice."""
    asker_alone: bool
    pages: str
    """As `PostStep` has it."""
    user: Callable[[str], str]
    """As `user_of` does."""

    def place(self, record: AuditRecord, delivered: Channel) -> TellingPlace | None:
        """In the thread of the reply; where the asker alone is told, in the direct message.

        Where another company reads along by now, it is for guests.
        """
        if is_direct(delivered.id):
            return TellingPlace(delivered, None)
        try:
            if self.asker_alone or is_private(record.channel.id):
                opened = self.client.conversations_open(users=self.user(record.person.id))
                return TellingPlace(Channel(id=str(opened["channel"]["id"])), None)
            told = self.client.conversations_info(channel=delivered.id)["channel"]
            return TellingPlace(
                delivered, unlisted_in(delivered.id) if is_shared(told) else delivered.id
            )
        except UNSENT as error:
            if reason_of(error) in NO_PLACE:
                return None
            raise JobFailed(wording.unposted(reason_of(error))) from error

    def __call__(
        self, before: AuditRecord, now: AuditRecord, old: Sequence[str], place: TellingPlace
    ) -> str:
        """Slack itself keeps that it was posted, and is asked before it is posted."""
        channel, thread = place.channel.id, place.channel.thread
        message = correction(before, opening_here(now, self.pages), old, quoted=not thread)
        mark = {correction_mark(now)}
        try:
            stands = find_marked(self.client, channel, thread, ts_before(now.time), mark)
            return stands or post(self.client, channel, message, thread)
        except UNSENT as error:
            if reason_of(error) in NO_PLACE:
                return ""
            raise JobFailed(wording.unposted(reason_of(error))) from error


def user_of(client: WebClient, people: People, person_id: str) -> str:
    """Return Slack's id of somebody: `people.yaml` may call them otherwise.

    Raise what slack_sdk raises.
    """
    known = people.by_id.get(person_id)
    if not known or not known.email:
        return person_id
    there = client_of(client, known.team)
    try:
        return str(there.users_lookupByEmail(email=known.email)["user"]["id"])
    except SlackApiError as error:
        if code_of(error) != "users_not_found":
            raise
        return person_id


_ROOM = MESSAGE // 4
"""For the words of then."""
_LONGEST = 600
"""Characters of one claim."""


def correction_mark(now: AuditRecord) -> str:
    """Return the `block_id` of its first block, by which it is found again."""
    return f"vouch-correction-{now.audit_id}"


def correction(
    before: AuditRecord, now: AuditRecord, old: Sequence[str], *, quoted: bool
) -> Message:
    """Lay out `old`, what was said then from words that have changed, above the answer of today.

    `quoted`: the question, too, where it does not stand above.
    """
    day = before.time.date().isoformat()
    top = fitting(partial(_of_then, old), _ROOM)
    answer = reply(
        now,
        0,
        quoted=False,
        above=[
            section(f"*{wording.headline(day)}*"),
            *quoted_question(now.question, quoted=quoted),
            *top,
            section(f"*{wording.NOW}*"),
        ],
    )
    aloud = "\n".join([wording.headline(day), *old[:1], wording.NOW, now.reply])
    return Message(spoken(aloud), marked(correction_mark(now), answer.blocks))


def _of_then(old: Sequence[str], detail: int) -> list[Block]:
    if not old:
        return [note(wording.NOT_SHOWN)]
    quoted = [rich(quotation(in_line(each, _LONGEST))) for each in old[:detail]]
    left = len(old) - detail
    return [
        section(f"*{wording.THEN}*"),
        *quoted,
        *([note(wording.more(left))] if left > 0 else []),
    ]
