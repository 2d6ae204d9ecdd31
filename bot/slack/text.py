"""Turns Slack's markup into what the person typed."""

import html
import re

_ENTITY = re.compile(r"<([^<>]*)>")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_QUOTED = re.compile(r"^&gt;.*$", re.MULTILINE)
_EMOJI = re.compile(r":[a-z0-9_+'-]+:")
_ADDRESS = re.compile(
    r"(?:https?://|www\.)\S+|\b[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/\S*", re.IGNORECASE
)
"""The lengths are bounded so that 40,000 characters that nearly are one are read in no time."""
_LETTER = re.compile(r"[^\W_]")
_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>")
_NAMED = re.compile(r"<(@[UW]|!subteam\^|!here|!channel|!everyone)")


def plain(text: str, bot_user: str) -> str:
    """Return the words alone: without mentions of the bot, links as their labels, unescaped.

    https://docs.slack.dev/messaging/formatting-message-text: only &, < and > are escaped.
    """
    words = _ENTITY.sub(lambda found: _spoken(found[1], bot_user), text)
    return " ".join(html.unescape(words).split())


def own_words(text: str) -> str:
    """Leave what somebody says themselves: no code, quotations, addresses, mentions, emoji.

    The words of a link count only among others: a link alone is no words.
    """
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
    """Return the ids of the users whom a message names."""
    return frozenset(_MENTION.findall(text))


def names_others(text: str) -> bool:
    """Tell whether a message turns to somebody: a user, a group, or everybody here."""
    return bool(_NAMED.search(text))


def _label(entity: str) -> str:
    target, _, label = entity.partition("|")
    return "" if target.startswith(("@", "!")) else label


def _spoken(entity: str, bot_user: str) -> str:
    target, _, label = entity.partition("|")
    if target == f"@{bot_user}":
        return " "
    if target.startswith(("@", "#")):
        return f"{target[0]}{label or target[1:]}"
    if target.startswith("!"):
        return label or f"@{target[1:].split('^')[0]}"
    return label or target
