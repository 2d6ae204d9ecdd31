"""Negations are put in or taken out, and words turned into their opposites."""

import re
from random import Random

from retrieval.training.changes.places import by_table, capitalised, change_one, first_that_works
from retrieval.training.changes.stock import Stock

_AUXILIARY = (
    "is|are|was|were|can|could|should|will|would|must|may|might|does|did|shall"
    r"|(?:has|have|had)(?= (?:been|\w+ed)\b)"
)
_PLAIN = re.compile(rf"\b(?:{_AUXILIARY})\b(?! not\b|n't|n’t| only\b| never\b| no\b|-)")
_DENIED = re.compile(rf"\b({_AUXILIARY}|do|has|have|had|need) not\b(?! only| just| necessarily)")
_CONTRACTIONS = {
    "don't": "do",
    "doesn't": "does",
    "didn't": "did",
    "isn't": "is",
    "aren't": "are",
    "wasn't": "was",
    "weren't": "were",
    "can't": "can",
    "cannot": "can",
    "won't": "will",
    "shouldn't": "should",
    "wouldn't": "would",
    "couldn't": "could",
    "hasn't": "has",
    "haven't": "have",
    "mustn't": "must",
}
_SHORT = re.compile(
    rf"\b(?:{'|'.join(_CONTRACTIONS).replace(chr(39), '[' + chr(39) + '’]')})\b", re.IGNORECASE
)
_FORBIDDEN = re.compile(r"^(?:Do not|Don't|Don’t|Never|Please do not|Please don't) (?=[a-z])")
COMMAND = re.compile(
    r"^(?:Please )?(?:Add|Allow|Apply|Ask|Assign|Attach|Book|Bring|Build|Call|Change|Check|Choose|"
    r"Click|Close|Contact|Copy|Create|Delete|Describe|Do|Document|Download|Email|Enable|Encourage|"
    r"Enter|Explain|Fill|Find|Follow|Get|Give|Go|Have|Help|Identify|Include|Install|Invite|Keep|"
    r"Let|List|Look|Make|Mention|Move|Notify|Open|Pick|Post|Provide|Push|Put|Read|Record|Remove|"
    r"Reply|Report|Request|Return|Review|Run|Save|Schedule|Search|Select|Send|Set|Share|Show|"
    r"Sign|Speak|Start|Stop|Submit|Take|Talk|Tell|Test|Treat|Try|Turn|Update|Upload|Use|Wait|"
    r"Work|Write)\b"
)
_PEOPLE_DO = re.compile(
    r"\b(we|you|they|We|You|They) (?=(?:also )?(?:use|want|need|have|make|expect|offer|provide|"
    r"work|ask|share|keep|build|believe|recommend|support|send|get|pay|know|write|run|include|"
    r"hold|require|allow|encourage|prefer|think|like|try|take|give|do|meet|plan)\b)"
)
_ONE_DOES = re.compile(
    r"\b(?:uses|wants|needs|makes|expects|offers|provides|works|shares|keeps|builds|supports|"
    r"sends|gets|pays|knows|writes|runs|includes|holds|requires|allows|encourages|takes|gives|"
    r"meets|helps|means|contains|applies|covers|starts|ends|shows|stays|comes|opens|closes|"
    r"decides|approves|owns|reports|follows|ensures|creates|lets|returns|receives)\b"
)
_opposites = by_table(
    {
        "never": ("always",),
        "no longer": ("still",),
        "there is no": ("there is a",),
        "there are no": ("there are some",),
        "no": ("some",),
        "allowed": ("forbidden",),
        "forbidden": ("allowed",),
        "possible": ("impossible",),
        "impossible": ("possible",),
        "required": ("unnecessary",),
        "necessary": ("unnecessary",),
        "increase": ("decrease",),
        "increases": ("decreases",),
        "decrease": ("increase",),
        "reduce": ("increase",),
        "improve": ("worsen",),
        "easier": ("harder",),
        "easy": ("hard",),
        "difficult": ("easy",),
        "included": ("excluded",),
        "public": ("private",),
        "private": ("public",),
        "internal": ("external",),
        "external": ("internal",),
        "manually": ("automatically",),
        "automatically": ("manually",),
        "manual": ("automatic",),
        "automatic": ("manual",),
        "accept": ("reject",),
        "accepted": ("rejected",),
        "enabled": ("disabled",),
        "avoid": ("seek",),
        "encouraged": ("discouraged",),
        "free": ("charged for",),
        "paid": ("unpaid",),
        "unpaid": ("paid",),
        "same": ("opposite",),
        "important": ("unimportant",),
        "open": ("closed",),
        "closed": ("open",),
        "short": ("long",),
        "long": ("short",),
        "small": ("large",),
        "large": ("small",),
        "early": ("late",),
        "late": ("early",),
        "earlier": ("later",),
        "later": ("earlier",),
        "minimum": ("maximum",),
        "maximum": ("minimum",),
        "responsible": ("not responsible",),
        "available": ("unavailable",),
        "not": ("indeed",),
    }
)


def change_negation(text: str, dice: Random, _: Stock) -> str | None:
    """What is said denied, or what is denied said."""
    ways = [_denied, _affirmed, _opposites]
    if dice.random() < 0.7:
        ways = ways[:2]
    return first_that_works(text, ways, dice) or _opposites(text, dice)


def _affirmed(text: str, dice: Random) -> str | None:
    command = _FORBIDDEN.match(text)
    if command:
        return capitalised(text[command.end() :])

    def long(match: re.Match[str], _: Random) -> str | None:
        return match[1]

    def short(match: re.Match[str], _: Random) -> str | None:
        return _CONTRACTIONS[match.group().lower().replace("’", "'")]

    return change_one(text, _DENIED, long, dice) or change_one(text, _SHORT, short, dice)


def _denied(text: str, dice: Random) -> str | None:
    if COMMAND.match(text):
        bare = text.removeprefix("Please ")
        return f"{dice.choice(['Do not', 'Never', 'Don’t'])} {bare[:1].lower()}{bare[1:]}"

    def auxiliary(match: re.Match[str], _: Random) -> str | None:
        return "cannot" if match.group() == "can" else f"{match.group()} not"

    def people(match: re.Match[str], dice: Random) -> str | None:
        return f"{match[1]} {dice.choice(['do not', 'don’t', 'never'])} "

    def one(match: re.Match[str], _: Random) -> str | None:
        return f"does not {_base(match.group())}"

    return first_that_works(
        text,
        [
            lambda text, dice: change_one(text, _PLAIN, auxiliary, dice),
            lambda text, dice: change_one(text, _PEOPLE_DO, people, dice),
            lambda text, dice: change_one(text, _ONE_DOES, one, dice),
        ],
        dice,
    )


def _base(verb: str) -> str:
    return verb.removesuffix("ies") + "y" if verb.endswith("ies") else verb.removesuffix("s")
