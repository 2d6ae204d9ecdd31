"""Decides which of the messages that Slack delivers are for the bot, and what they ask.

People complain of bots that stay silent when spoken to and of bots that butt in; both are
decided here, by these rules alone.
"""

from collections.abc import Mapping
from typing import Any

from bot.answering.followups import goes_on
from bot.answering.values import shortened
from bot.slack.exchange import Incoming, Kind, is_direct
from bot.slack.smalltalk import kind_of
from bot.slack.text import mentioned, names_others, own_words, plain
from retrieval.language.asking import asks

MESSAGES = frozenset({"message", "app_mention"})
SPOKEN = frozenset({None, "file_share", "thread_broadcast"})
"""Subtypes that a person writes; edits, deletions, joins and the rest are not questions."""


def incoming_of(event: Mapping[str, Any], bot_user: str) -> Incoming | None:
    """Return what was asked; None where it is nothing for the bot.

    `event` is a `message` or an `app_mention`; a mention comes as both, which the key makes
    one. Whether somebody who goes on in a thread did ask there is known to the inbox.
    """
    if event.get("type") not in MESSAGES or event.get("subtype") not in SPOKEN:
        return None
    if event.get("bot_id") or not event.get("user"):
        return None
    if is_addressed_to(event, bot_user) or _goes_on(event):
        return _incoming(event, bot_user)
    return None


def _goes_on(event: Mapping[str, Any]) -> bool:
    """In a thread the person who asked may go on without a mention.

    Only where they ask something: not where they talk to somebody else, and "great, that
    worked", a link or a piece of code needs no reply.
    """
    thread, said = event.get("thread_ts"), str(event.get("text") or "")
    if not thread or thread == event["ts"] or names_others(said):
        return False
    own = own_words(said)
    asking = asks(own) or (goes_on(own) and own.endswith("?"))
    return asking and kind_of(shortened(plain(said, ""))) is Kind.QUESTION


def thread_of(event: Mapping[str, Any]) -> str:
    """Return where a reply belongs: in a channel always a thread, else the message's own."""
    own = "" if is_direct(event["channel"]) else event["ts"]
    return str(event.get("thread_ts") or own)


def is_addressed_to(event: Mapping[str, Any], bot_user: str) -> bool:
    """Tell whether a message is for the bot by itself: written to it, or mentioning it."""
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
