"""What is said of questions that were not kept, or refused, and taken back when it is untrue."""

import logging
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from datetime import datetime

from cachetools import TTLCache
from slack_sdk import WebClient

from bot.errors import InboxUnavailable
from bot.slack.blocks import system_messages
from bot.slack.blocks.elements import Message, marked
from bot.slack.exchange import Incoming, first_key
from bot.slack.failures import UNSENT, Advise, Throttle, understand
from bot.slack.inbox.removals import NOT_STORED_MARK, StaleMessage, StaleMessages
from bot.slack.steps.sending import message_fields, post

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _NotStored:
    """What could not be kept in one place, and the notices that say so."""

    keys: set[str] = field(default_factory=set)
    said: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _RefusedQuestions:
    """What somebody asked in one place within a minute that was not kept."""

    asked: list[Incoming] = field(default_factory=list)
    said: str = ""
    """The `ts` of the message that lists it."""


MOST_PLACES = 1_000
MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Notices:
    """Says the same in each place once a minute; what is sent is sent one after another."""

    client: WebClient
    stale_messages: StaleMessages
    background: Executor
    """Of one thread: what is remembered here is only touched in it."""
    throttle: Throttle
    now: Callable[[], datetime]
    courtesies: Executor
    """Of its own, so that a Home that Slack makes wait delays no notice."""
    advise: Advise
    _places: dict[tuple[str, str], _NotStored] = field(default_factory=dict, init=False)
    """By channel and thread."""
    _refused: TTLCache[tuple[str, str, str], _RefusedQuestions] = field(
        default_factory=lambda: TTLCache(MOST_PLACES, MINUTE), init=False
    )

    def show(self, what: str, show: Callable[[], None]) -> None:
        """Show a courtesy, which is only logged where it fails: the person can open it anew."""
        self.courtesies.submit(self._shown, what, show)

    def _shown(self, what: str, show: Callable[[], None]) -> None:
        try:
            show()
        except Exception as error:
            log.warning("Not shown: %s: %s", what, error)
            self.advise(understand(error))

    def refused(self, asked: Incoming, waiting: int) -> None:
        """Say that somebody has too many questions waiting to have this one kept, too."""
        self.background.submit(self._list_refused, asked, waiting)

    def _list_refused(self, asked: Incoming, waiting: int) -> None:
        place = (asked.channel, asked.thread, asked.user)
        listed = self._refused.get(place)
        if listed is None or len(listed.asked) == system_messages.MOST_REFUSED:
            listed = self._refused[place] = _RefusedQuestions()
        others = [each for each in listed.asked if first_key(each.key) != first_key(asked.key)]
        listed.asked = [*others, asked]
        message = system_messages.too_many(waiting, listed.asked)
        listed.said = self._send(asked, message, listed.said)

    def not_stored(self, asked: Incoming) -> None:
        say = self.throttle.may_say(f"not stored: {asked.channel}:{asked.thread}")
        self.background.submit(self._not_stored, asked, say)

    def stored(self, asked: Incoming, *, delivered_again: bool) -> None:
        """It was kept after all, so nobody need read that it was not."""
        if delivered_again:
            self.background.submit(self._stored, asked)

    def _not_stored(self, asked: Incoming, say: bool) -> None:
        lost = self._places.setdefault((asked.channel, asked.thread), _NotStored())
        lost.keys.add(asked.key)
        notice = system_messages.not_stored()
        notice = replace(notice, blocks=marked(NOT_STORED_MARK, notice.blocks))
        if say and (ts := self._send(asked, notice)):
            lost.said.append(ts)

    def _stored(self, asked: Incoming) -> None:
        """A process that died may have said it, too: then it must be looked for."""
        place = (asked.channel, asked.thread)
        lost = self._places.get(place)
        if lost:
            lost.keys.discard(asked.key)
        if lost and lost.keys:
            return
        self._places.pop(place, None)
        known = [StaleMessage(asked.channel, ts=ts) for ts in lost.said] if lost else []
        unknown = StaleMessage(asked.channel, asked.thread, mark=NOT_STORED_MARK, oldest=asked.ts)
        for stale in known or [unknown]:
            try:
                self.stale_messages.add(stale, self.now())
            except InboxUnavailable as error:
                log.warning("A notice stays in %s: %s", stale.channel, error)

    def _send(self, asked: Incoming, message: Message, instead_of: str = "") -> str:
        """Return the message's `ts`; where it could not be said, which is only logged, the other's.

        `instead_of`: the `ts` of a message whose place it takes; empty for a new one.
        """
        try:
            if not instead_of:
                return post(self.client, asked.channel, message, asked.thread)
            fields = message_fields(message)
            self.client.chat_update(channel=asked.channel, ts=instead_of, **fields)
        except UNSENT as error:
            log.warning("Could not be said in %s: %s", asked.channel, error)
            self.advise(understand(error))
        return instead_of
