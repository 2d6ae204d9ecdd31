"""What is said in a thread besides replies, and taken back when it is true no more."""

import logging
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from datetime import datetime

from slack_sdk import WebClient

from bot.errors import InboxUnavailable
from bot.slack.blocks import talk
from bot.slack.exchange import Incoming
from bot.slack.failures import UNSENT
from bot.slack.leftovers import UNKEPT, Leftover, Leftovers
from bot.slack.message import Message
from bot.slack.throttle import Throttle

log = logging.getLogger(__name__)

Place = tuple[str, str]
"""A channel and a thread in it."""


@dataclass(slots=True)
class _Unkept:
    """Of one place: what could not be kept there, and the notices that say so."""

    keys: set[str] = field(default_factory=set)
    said: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Notices:
    """Says the same in each place once a minute; `aside` sends one after another."""

    client: WebClient
    leftovers: Leftovers
    aside: Executor
    """Of one thread: what is remembered here is only touched in it."""
    throttle: Throttle
    now: Callable[[], datetime]
    _unkept: dict[Place, _Unkept] = field(default_factory=dict, init=False)

    def refused(self, asked: Incoming, waiting: int) -> None:
        """Somebody has too many questions waiting to have this one kept, too."""
        if self.throttle.may_say(f"refused: {asked.channel}:{asked.thread}"):
            self.aside.submit(self._send, asked, talk.too_many(waiting))

    def not_stored(self, asked: Incoming) -> None:
        """It could not be kept, and Slack will deliver it again."""
        say = self.throttle.may_say(f"not stored: {asked.channel}:{asked.thread}")
        self.aside.submit(self._not_stored, asked, say)

    def stored(self, asked: Incoming, *, delivered_again: bool) -> None:
        """It was kept after all, so nobody need read that it was not."""
        if delivered_again:
            self.aside.submit(self._stored, asked)

    def _not_stored(self, asked: Incoming, say: bool) -> None:
        unkept = self._unkept.setdefault((asked.channel, asked.thread), _Unkept())
        unkept.keys.add(asked.key)
        if say and (ts := self._send(asked, _marked(talk.not_stored()))):
            unkept.said.append(ts)

    def _stored(self, asked: Incoming) -> None:
        """A process that died may have said it, too: then it must be looked for."""
        place = (asked.channel, asked.thread)
        unkept = self._unkept.get(place)
        if unkept:
            unkept.keys.discard(asked.key)
        if unkept and unkept.keys:
            return
        self._unkept.pop(place, None)
        known = [Leftover(asked.channel, ts=ts) for ts in unkept.said] if unkept else []
        unknown = Leftover(asked.channel, asked.thread, mark=UNKEPT, oldest=asked.ts)
        for leftover in known or [unknown]:
            self._have_removed(leftover)

    def _have_removed(self, leftover: Leftover) -> None:
        try:
            self.leftovers.note(leftover, self.now())
        except InboxUnavailable as error:
            log.warning("A notice stays in %s: %s", leftover.channel, error)

    def _send(self, asked: Incoming, message: Message) -> str:
        """The message's `ts`; empty where it could not be said, which is logged and ends there."""
        blocks = [dict(block) for block in message.blocks]
        try:
            answer = self.client.chat_postMessage(
                channel=asked.channel,
                text=message.text,
                blocks=blocks,
                thread_ts=asked.thread or None,
            )
        except UNSENT as error:
            log.warning("Could not be said in %s: %s", asked.channel, error)
            return ""
        return str(answer["ts"])


def _marked(message: Message) -> Message:
    first, *rest = message.blocks
    return replace(message, blocks=({**first, "block_id": UNKEPT}, *rest))
