"""Tells a question from a greeting, a thank-you and silence; without a model.

Only what is nothing but small talk counts as such: "hi, when is term?" is a question. A link
says nothing by itself.
"""

import re

from bot.answering.followups import goes_on
from bot.slack.exchange import Kind
from bot.slack.text import without_addresses
from retrieval.language.asking import says_something

_HELLO = r"hi|hello|hey|hiya|howdy|yo|hola|salut|hallo|good (?:morning|afternoon|evening|day)"
_ALL = r"(?: (?:there|all|team|everyone|vouch|bot))*"
_GREETING = re.compile(
    rf"(?:{_HELLO}"
    r"|help(?: me)?(?: please)?|how do (?:you|i use you)(?: work)?"
    r"|what can (?:you|i) (?:do|ask)(?: you)?|who are you|what are you)"
    rf"{_ALL}"
)
_THANKS = re.compile(
    rf"(?:(?:{_HELLO}){_ALL} )?"
    r"(?:(?:ok(?:ay)?|great|perfect|cool|nice|awesome|super|lovely|got it|i see|understood|noted"
    r"|ah|thanks|thank you|thx|ty|cheers|that helps|that(?:'s| is) (?:great|helpful|clear|all)"
    r"|so much|very much|a lot|again|vouch|bot|will do|makes sense|good to know"
    r"|lol|lmao|rofl|(?:ha){2,}h?|(?:he){2,}h?)(?: |$))+"
    r"(?:(?<=thanks )\w+|(?<=thank you )\w+)?"
)
"""The last word may be a name: "thank you both"."""
_NO_WORDS = re.compile(r"[^\w?？]+")
_EMOJI_CODE = re.compile(r":[a-z0-9_+'-]+:")
_THUMBS = frozenset("👍🙏❤🎉👌😊🙂👏💯✅😂🤣")


def kind_of(text: str) -> Kind:
    """Return what somebody wants who said this to the bot."""
    said = without_addresses(text)
    words = " ".join(_NO_WORDS.sub(" ", _EMOJI_CODE.sub(" ", said.casefold())).split())
    if not words:
        return Kind.THANKS if _only_emoji(said) else Kind.HELP
    bare = words.rstrip(" ?？").replace("that s", "that's")
    if _GREETING.fullmatch(bare):
        return Kind.HELP
    if not words.endswith(("?", "？")) and _THANKS.fullmatch(bare):
        return Kind.THANKS
    return Kind.QUESTION if says_something(bare) or goes_on(bare) else Kind.HELP


def _only_emoji(text: str) -> bool:
    return bool(_EMOJI_CODE.search(text)) or not _THUMBS.isdisjoint(text)
