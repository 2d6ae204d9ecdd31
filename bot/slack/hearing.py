"""Which of the messages that Slack delivers are for the bot, and what they ask.

People complain of bots that stay silent when spoken to and of bots that butt in; both are
decided here, by these rules alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.answering.asking import asks
from bot.answering.length import shortened
from bot.slack.exchange import Incoming, Kind, is_direct
from bot.slack.smalltalk import kind_of
from bot.slack.text import mentioned, names_others, own_words, plain

MESSAGES = frozenset({"message", "app_mention"})
SPOKEN = frozenset({None, "file_share", "thread_broadcast"})
"""Subtypes that a person writes; edits, deletions, joins and the rest are not questions."""

AskedInThread = Callable[[str, str, str], bool]
"""Whether a user asked something in a thread (channel, parent's ts, user)."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """Makes a question of a message event, or hears that it is none."""

    asked_in_thread: AskedInThread

    def __call__(self, event: Mapping[str, Any], bot_user: str) -> Incoming | None:
        """What was asked; None where nobody spoke to the bot.

        `event` is a `message` or an `app_mention`; a mention comes as both, which the
        key makes one.
        """
        if event.get("type") not in MESSAGES or event.get("subtype") not in SPOKEN:
            return None
        if event.get("bot_id") or not event.get("user"):
            return None
        said = str(event.get("text") or "")
        if is_spoken_to(event, bot_user):
            return _incoming(event, bot_user)
        return self._follow_up(event, said, bot_user)

    def _follow_up(self, event: Mapping[str, Any], said: str, bot_user: str) -> Incoming | None:
        """In a thread the person who asked may go on without a mention.

        Only where they ask something: not where they talk to somebody else, and "great, that
        worked", a link or a piece of code needs no reply.
        """
        thread = event.get("thread_ts")
        if not thread or thread == event["ts"] or names_others(said):
            return None
        incoming = _incoming(event, bot_user)
        if incoming.kind is not Kind.QUESTION or not asks(own_words(said)):
            return None
        asked = self.asked_in_thread(event["channel"], thread, event["user"])
        return incoming if asked else None


def thread_of(event: Mapping[str, Any]) -> str:
    """Where a reply belongs: in a channel always a thread, in a direct message its own."""
    own = "" if is_direct(event["channel"]) else event["ts"]
    return str(event.get("thread_ts") or own)


def is_spoken_to(event: Mapping[str, Any], bot_user: str) -> bool:
    """Whether a message is for the bot by itself: written to it, or mentioning it."""
    return is_direct(event["channel"]) or bot_user in mentioned(str(event.get("text") or ""))


def _incoming(event: Mapping[str, Any], bot_user: str) -> Incoming:
    text = shortened(plain(str(event.get("text") or ""), bot_user))
    return Incoming(
        key=f"{event['channel']}:{event['ts']}",
        text=text,
        user=event["user"],
        channel=event["channel"],
        private=is_direct(event["channel"]),
        thread=thread_of(event),
        ts=event["ts"],
        kind=kind_of(text),
    )
