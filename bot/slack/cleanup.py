"""Removes from Slack what the bot posted or uploaded and needs no more, as long as that takes."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Event, Thread

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.record import AuditEvent, EventKind
from audit.values import Channel
from bot.errors import InboxUnavailable
from bot.slack.blocks.elements import Message
from bot.slack.blocks.system_messages import folded_reply, taken_back
from bot.slack.failures import Throttle, append_once, code_of, understand
from bot.slack.inbox.removals import Removal, StaleMessages
from bot.slack.steps.sending import marked_since, message_fields

LOOK_AGAIN = 0.5
"""Seconds between two looks whether there is something to do."""
NOT_YET = timedelta(seconds=5)
"""Before a reply stands, what it replaces is not looked for."""
FIRST_LOOK = timedelta(seconds=5)
"""Each further look for what may still appear comes after twice the time."""
MOST_FAILURES = 16
"""Doubling from a second: the last attempts are hours apart, so an archive may be undone."""
MESSAGE_GONE = frozenset({"message_not_found", "thread_not_found"})
MESSAGE_UNDELETABLE = frozenset({"cant_delete_message", "compliance_exports_prevent_deletion"})
"""It is not the bot's, or the workspace lets nobody delete anything
(docs.slack.dev/reference/methods/chat.delete)."""
NOT_TO_BE_UPDATED = frozenset({"message_not_found", "edit_window_closed", "cant_update_message"})
"""It is not there, not the bot's, or nobody may edit what stands
(docs.slack.dev/reference/methods/chat.update)."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StaleMessageRemover:
    """Takes stale messages one after another: nobody waits for them."""

    client: WebClient
    stale_messages: StaleMessages
    append: Callable[[AuditEvent], object]
    now: Callable[[], datetime]

    def __call__(self) -> bool:
        """Remove the next and tell whether one was due; raise what the inbox raises."""
        removal = self.stale_messages.take(self.now())
        if removal is None:
            return False
        if removal.waits:
            self.stale_messages.postpone(removal, self.now() + NOT_YET, attempts=removal.attempts)
            return True
        try:
            for ts in self._found(removal):
                self._remove(removal, ts)
        except Exception as error:
            log.warning("A message stays in %s for now: %s", removal.what.channel, error)
            attempts, wait = next_attempt(error, removal.attempts)
            done = attempts > MOST_FAILURES
        else:  # more may appear
            attempts, wait = removal.attempts + 1, FIRST_LOOK * 2.0**removal.attempts
            done = self.now() >= removal.look_until
        if done:
            self.stale_messages.done(removal)
        else:
            self.stale_messages.postpone(removal, self.now() + wait, attempts=attempts)
        return True

    def _found(self, removal: Removal) -> list[str]:
        what = removal.what
        if what.ts:
            return [what.ts]
        where = (what.channel, what.thread, what.oldest)
        return [e for e in marked_since(self.client, *where, {what.mark}) if e != removal.reply]

    def _remove(self, removal: Removal, ts: str) -> None:
        if removal.what.says:
            self._say_instead(removal.what.channel, ts, folded_reply(removal.what.says))
            if removal.audit_id:
                self._note(removal)
        else:
            self._delete(removal, ts)

    def _note(self, removal: Removal) -> None:
        """The time is the stored one, so that a repeated event is the same to the last bit."""
        event = AuditEvent(
            kind=EventKind.FOLDED,
            event_id=f"{removal.audit_id}-folded",
            audit_id=removal.audit_id,
            time=removal.added_at,
            channel=Channel(id=removal.what.channel, thread=removal.what.thread),
            details={"question": removal.what.says.partition(",")[0]},
        )
        append_once(self.append, event)

    def _delete(self, removal: Removal, ts: str) -> None:
        channel = removal.what.channel
        try:
            self.client.chat_delete(channel=channel, ts=ts)
        except SlackApiError as error:
            if code_of(error) in MESSAGE_UNDELETABLE:
                self._say_instead(channel, ts, taken_back())
            elif code_of(error) not in MESSAGE_GONE:
                raise
        else:
            log.info("Removed from %s: message %s, which was replaced", channel, ts)

    def _say_instead(self, channel: str, ts: str, said: Message) -> None:
        try:
            self.client.chat_update(channel=channel, ts=ts, **message_fields(said))
        except SlackApiError as error:
            if code_of(error) not in NOT_TO_BE_UPDATED:
                raise


def next_attempt(
    error: Exception, attempts: int, longest: timedelta = timedelta.max
) -> tuple[int, timedelta]:
    """Return how many attempts failed by now, and how long to wait.

    Longer and longer, unlike for a question: an archive is seldom undone soon. Where Slack asks to
    wait, nothing failed.
    """
    failure = understand(error)
    if failure.retry_after is not None:
        return attempts, failure.wait(attempts)
    return attempts + 1, min(failure.wait(1) * 2.0 ** (attempts + 1), longest)


@dataclass(frozen=True, slots=True)
class RepeatingThread:
    """A thread that does what is due until it is stopped."""

    name: str
    step: Callable[[], bool]
    """Does one thing and tells whether there was one; what it raises is logged."""
    _stopped: Event = field(default_factory=Event, init=False)
    _throttle: Throttle = field(default_factory=lambda: Throttle(60.0, time.monotonic), init=False)

    def start(self) -> None:
        Thread(target=self._repeat, name=self.name, daemon=True).start()

    def stop(self) -> None:
        """Stop; what is not done yet is done by the next process."""
        self._stopped.set()

    def _repeat(self) -> None:
        while not self._stopped.is_set():
            worked = False
            try:
                worked = self.step()
            except Exception as error:
                if self._throttle.may_say(str(error)):
                    foreseen = isinstance(error, InboxUnavailable)
                    log.error("%s", error, exc_info=None if foreseen else error)
            if not worked:
                self._stopped.wait(LOOK_AGAIN)


def in_turn(*removers: Callable[[], bool]) -> Callable[[], bool]:
    """Let each remove one of its own; whether any of them had something to do."""

    def remove() -> bool:
        worked = [remover() for remover in removers]
        return any(worked)

    return remove
