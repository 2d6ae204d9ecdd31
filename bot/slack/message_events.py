"""Which of the messages that Slack delivers are for the bot, and what they ask.

People complain of bots that stay silent when spoken to and of bots that butt in; both are decided
here alone. Slack's markup is turned into what the person typed, and what a line does is told by how
like it is to labelled ones. In doubt, whoever spoke to the bot has asked, and nobody else; a link
says nothing by itself.
"""

import html
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bot.access.channels import is_direct
from bot.answering.followups import goes_on
from bot.answering.values import shortened
from bot.slack.exchange import Incoming, Intent, files_in
from retrieval.language.meanings import Meaning, Said
from retrieval.language.questions import says_something
from retrieval.remote.slack_messages import plain as shown

Understand = Callable[[str], Said]
"""Tells what a line does; raises nothing."""

_ENTITY = re.compile(r"<([^<>]*)>")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED = re.compile(r"^&gt;.*$", re.MULTILINE)
_EMOJI = re.compile(r":[a-z0-9_+'-]+:")
_ADDRESS = re.compile(
    r"(?:https?://|www\.)\S+|\b[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/\S*", re.IGNORECASE
)
"""The lengths are bounded so that 40,000 characters that nearly are one are read in no time."""
_LETTER = re.compile(r"[^\W_]")
_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>")
_NAMED = re.compile(r"<(@[UW]|!subteam\^|!here|!channel|!everyone)")


def spoken_words(text: str, bot_user: str) -> str:
    """Return the words alone: without mentions of the bot, links as their labels, unescaped."""
    others = re.sub(rf"<@{re.escape(bot_user)}(?:\|[^<>]*)?>", " ", text)
    return " ".join(shown(others, linked=lambda label, address: label or address).split())


def own_words(text: str) -> str:
    """Leave own words: no code, quotations, addresses, mentions, emoji, nor a link alone."""
    typed = _EMOJI.sub(" ", _QUOTED.sub(" ", _CODE.sub(" ", text)))
    alone = without_addresses(_ENTITY.sub(" ", typed))
    if not _LETTER.search(html.unescape(alone)):
        return ""
    said = _ENTITY.sub(lambda found: f" {_label(found[1])} ", typed)
    return html.unescape(without_addresses(said)).strip()


def without_addresses(text: str) -> str:
    """Remove what stands for a place in the web, with or without `https://`."""
    return _ADDRESS.sub(" ", text)


def mentioned(text: str) -> frozenset[str]:
    return frozenset(_MENTION.findall(text))


def names_others(text: str) -> bool:
    return bool(_NAMED.search(text))


def _label(entity: str) -> str:
    target, _, label = entity.partition("|")
    return "" if target.startswith(("@", "!")) else label


SURE = 0.1
"""How much more a line must be like one thing than like another to count as it where that is in
doubt. By cross-validation on lines of threads .95 of what is heard asks, and .96 are heard."""
SURE_UNASKED = 1.0
"""The same for what nobody asked the bot: chosen on one half of `heard/channels.jsonl` of the
tests, and the other half tells what it is worth."""
_SMALL_TALK = {
    Meaning.THANKS: Intent.THANKS,
    Meaning.HELLO: Intent.HELP,
    Meaning.ABOUT: Intent.ABOUT,
    Meaning.BYE: Intent.BYE,
}


def intent_of(text: str, understand: Understand) -> Intent:
    said = without_addresses(_EMOJI.sub(" ", text))
    if not _LETTER.search(said):
        return Intent.HELP
    meant = understand(said)
    if meant.asking < -SURE and meant.meaning in _SMALL_TALK:
        return _SMALL_TALK[meant.meaning]
    return Intent.QUESTION if says_something(said) or goes_on(said) else Intent.HELP


MESSAGES = frozenset({"message", "app_mention"})
SPOKEN = frozenset({None, "file_share", "thread_broadcast"})
"""Subtypes that a person writes; edits, deletions, joins and the rest are not questions."""


def edited_message(event: Mapping[str, Any]) -> tuple[Mapping[str, Any], str] | None:
    """Return a message that a person changed, as an event of its own, and what it said before.

    None for any other event: Slack tells of a change too where it adds a link's preview.
    """
    now, before = event.get("message") or {}, event.get("previous_message") or {}
    if event.get("type") != "message" or event.get("subtype") != "message_changed":
        return None
    if not (now.get("edited") or {}).get("ts") or now.get("text") == before.get("text"):
        return None
    changed = {**now, "type": "message", "channel": event["channel"]}
    return changed, str(before.get("text") or "")


def incoming_of(event: Mapping[str, Any], bot_user: str, understand: Understand) -> Incoming | None:
    """Return what was asked; None where it is nothing for the bot.

    `event` is a `message` or an `app_mention`; a mention comes as both, which the key makes
    one. Whether somebody who goes on in a thread did ask there is known to the inbox, and what kind
    it is of is told by `intent_of`, later.
    """
    if event.get("type") not in MESSAGES or event.get("subtype") not in SPOKEN:
        return None
    if event["type"] == "app_mention" and event.get("edited"):
        return None  # the message that changed tells of it, and what it said before
    if event.get("bot_id") or not event.get("user") or _is_only_emoji(event, bot_user):
        return None
    if is_addressed_to(event, bot_user) or _goes_on(event, understand):
        return _incoming(event, bot_user, understand)
    return None


def _is_only_emoji(event: Mapping[str, Any], bot_user: str) -> bool:
    """A thumb up wants no words back."""
    said = spoken_words(str(event.get("text") or ""), bot_user)
    kinds = {unicodedata.category(each) for each in _EMOJI.sub("", said)}
    return said != "" and kinds <= {"So", "Sk", "Mn", "Cf", "Zs"}


def _goes_on(event: Mapping[str, Any], understand: Understand) -> bool:
    """In a thread the person who asked may go on without a mention.

    Only where they surely want an answer: not where they talk to somebody else, and "great, that
    worked", a link or a piece of code needs no reply.
    """
    thread = event.get("thread_ts")
    return bool(thread) and thread != event["ts"] and _surely_asks(event, understand)


def _surely_asks(event: Mapping[str, Any], understand: Understand) -> bool:
    said = str(event.get("text") or "")
    own = own_words(said)
    says = says_something(own) or goes_on(own)
    return says and not names_others(said) and understand(own).asking > SURE


def still_asked(event: Mapping[str, Any], bot_user: str, understand: Understand) -> Incoming | None:
    """Return what a message asks that once was for the bot; None where it may ask nothing."""
    return _incoming(event, bot_user, understand) if _surely_asks(event, understand) else None


def is_said_openly(event: Mapping[str, Any], bot_user: str) -> bool:
    """Tell whether somebody says something in a channel, to nobody there and in no thread."""
    if event.get("type") != "message" or event.get("subtype") not in SPOKEN:
        return False
    if event.get("bot_id") or not event.get("user") or is_addressed_to(event, bot_user):
        return False
    in_thread = event.get("thread_ts", event["ts"]) != event["ts"]
    return not in_thread and not names_others(str(event.get("text") or ""))


def unasked_of(event: Mapping[str, Any], bot_user: str, understand: Understand) -> Incoming | None:
    """Return what is said openly as a question, where it surely asks the documents; else None."""
    own = own_words(str(event.get("text") or ""))
    if not says_something(own):
        return None
    meant = understand(own)
    if meant.meaning is not Meaning.QUESTION or meant.asking <= SURE_UNASKED:
        return None  # it asks who is there or has time
    return replace(_incoming(event, bot_user, understand), kind=Intent.QUESTION)


def is_addressed_to(event: Mapping[str, Any], bot_user: str) -> bool:
    """Tell whether a message is for the bot by itself: written to it, or mentioning it."""
    return is_direct(event["channel"]) or bot_user in mentioned(str(event.get("text") or ""))


def _incoming(event: Mapping[str, Any], bot_user: str, understand: Understand) -> Incoming:
    text = shortened(_asked(str(event.get("text") or ""), bot_user, understand))
    root = "" if is_direct(event["channel"]) else event["ts"]  # in a channel always a thread
    return Incoming(
        key=f"{event['channel']}:{event['ts']}",
        text=text,
        user=event["user"],
        channel=event["channel"],
        private=is_direct(event["channel"]),
        thread=str(event.get("thread_ts") or root),
        ts=event["ts"],
        kind=Intent.UNTOLD,
        attached=files_in(event.get("files")),
    )


def _asked(text: str, bot_user: str, understand: Understand) -> str:
    """What is typed around pieces of code, which are context; all of it where that asks nothing."""
    around = spoken_words(_FENCED.sub(" ", text), bot_user)
    asks = _FENCED.search(text) and _LETTER.search(around) and understand(around).asking > 0
    return around if asks else spoken_words(text, bot_user)


_WANTED = frozenset(
    f"{verb}{what}"
    for verb in ("read ", "read in ")
    for what in ("this", "these", "this file", "these files", "this in", "these in")
)


def asks_to_read(said: str) -> bool:
    """Tell whether words that came with a file ask for no more than that it is read in."""
    spoken = [each for each in re.findall(r"\w+", said.casefold()) if each != "please"]
    return " ".join(spoken) in _WANTED
