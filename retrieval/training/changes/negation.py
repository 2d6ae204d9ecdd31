"""Negations are put in or taken out; quantifiers and conditions are changed.

Only to what the sentence does not imply: "all" becomes "few" but never "some", and "some" becomes
"all".
"""

import re
from random import Random

from retrieval.training.changes.editing import (
    Stock,
    by_table,
    capitalised,
    changing,
    ended,
    first_that_works,
)

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

    return _long(text, dice) or _short(text, dice)


_long = changing(_DENIED)(lambda match, _: match[1])


_short = changing(_SHORT)(lambda match, _: _CONTRACTIONS[match.group().lower().replace("’", "'")])


def _denied(text: str, dice: Random) -> str | None:
    if COMMAND.match(text):
        bare = text.removeprefix("Please ")
        return f"{dice.choice(['Do not', 'Never', 'Don’t'])} {bare[:1].lower()}{bare[1:]}"
    return first_that_works(text, [_auxiliary_denied, _people_denied, _one_denied], dice)


@changing(_PLAIN)
def _auxiliary_denied(match: re.Match[str], _: Random) -> str | None:
    return "cannot" if match.group() == "can" else f"{match.group()} not"


@changing(_PEOPLE_DO)
def _people_denied(match: re.Match[str], dice: Random) -> str | None:
    return f"{match[1]} {dice.choice(['do not', 'don’t', 'never'])} "


@changing(_ONE_DOES)
def _one_denied(match: re.Match[str], _: Random) -> str | None:
    verb = match.group()
    base = verb.removesuffix("ies") + "y" if verb.endswith("ies") else verb.removesuffix("s")
    return f"does not {base}"


_table = by_table(
    {
        "all": ("few", "hardly any", "no", "only some"),
        "all of": ("few of", "none of", "only some of"),
        "some": ("all", "most", "no"),
        "some of": ("all of", "most of", "none of"),
        "most": ("all", "few", "no"),
        "most of": ("all of", "none of", "few of"),
        "many": ("all", "few", "most"),
        "few": ("many", "most"),
        "a few": ("all", "most", "no"),
        "several": ("all", "hardly any", "most"),
        "every": ("no", "hardly any", "not every"),
        "each": ("no", "not every"),
        "any": ("no", "only some"),
        "both": ("neither", "only one of"),
        "always": ("never", "rarely", "only sometimes"),
        "often": ("always", "rarely", "never"),
        "usually": ("always", "rarely", "never"),
        "generally": ("always", "never", "rarely"),
        "typically": ("always", "never", "rarely"),
        "sometimes": ("always", "never", "usually"),
        "occasionally": ("always", "never"),
        "rarely": ("often", "always"),
        "seldom": ("often", "always"),
        "never": ("always", "sometimes", "often"),
        "can": ("must", "have to"),
        "may": ("must", "have to"),
        "could": ("must", "have to"),
        "might": ("must", "will always"),
        "must": ("may", "need not"),
        "have to": ("may", "need not"),
        "has to": ("may", "need not"),
        "need to": ("may", "do not have to"),
        "needs to": ("may", "does not have to"),
        "should": ("need not", "may"),
        "required": ("optional", "not necessary"),
        "mandatory": ("optional", "voluntary"),
        "optional": ("required", "mandatory"),
        "everyone": ("no one", "hardly anyone"),
        "anyone": ("no one", "hardly anyone"),
        "everything": ("nothing", "hardly anything"),
        "nobody": ("everybody",),
        "no one": ("everyone",),
        "none": ("all",),
        "nothing": ("everything",),
        "only": ("not only",),
        "mostly": ("never", "always"),
        "almost": ("not nearly",),
        "entirely": ("hardly",),
        "the only": ("one of many",),
        "at any time": ("only once",),
    }
)
_PLACE_FOR_ONLY = re.compile(r"(?<=[a-z] )(?:on|by|when|if|after|through|via|during)(?= [A-Za-z])")
_SETTLED = re.compile(r"\b(?:is|are|can|will)\b(?! (?:not|always|only|never)\b)")
QUANTIFIER_ADDED_SHARE = 0.3
"""Of sentences without a quantity: any could be given one, but those with one teach more."""


def change_quantifier(text: str, dice: Random, _: Stock) -> str | None:
    """A quantity, frequency or duty made another, or one put where there was none."""
    found = _table(text, dice)
    if found is None and dice.random() < QUANTIFIER_ADDED_SHARE:
        return first_that_works(text, [_only, _always], dice)
    return found


@changing(_PLACE_FOR_ONLY)
def _only(match: re.Match[str], _: Random) -> str | None:
    taken = match.string[: match.start()].endswith(("only ", "not ", "except ", "even "))
    return None if taken else f"only {match.group()}"


@changing(_SETTLED)
def _always(match: re.Match[str], dice: Random) -> str | None:
    return f"{match.group()} {dice.choice(['only rarely', 'only sometimes', 'rarely'])}"


_turned = by_table(
    {
        "only if": ("unless", "even if not"),
        "if": ("unless", "only if"),
        "unless": ("if", "even if"),
        "when": ("except when", "only when"),
        "before": ("after",),
        "after": ("before",),
        "until": ("only after",),
        "at least": ("at most", "exactly", "fewer than"),
        "at most": ("at least", "more than"),
        "up to": ("at least", "more than"),
        "no more than": ("at least", "more than"),
        "more than": ("less than", "no more than"),
        "less than": ("more than", "at least"),
        "fewer than": ("more than", "at least"),
        "over": ("under",),
        "except": ("including", "even"),
        "including": ("except",),
        "with": ("without",),
        "without": ("with",),
        "in addition to": ("instead of",),
        "as well as": ("instead of", "but not"),
        "instead of": ("in addition to", "as well as"),
        "rather than": ("as well as", "and also"),
        "regardless of": ("depending on",),
        "depending on": ("regardless of",),
        "as long as": ("even after", "unless"),
        "even if": ("unless", "only if"),
        "by the end of": ("after the end of",),
        "in advance": ("afterwards",),
        "beforehand": ("afterwards",),
    }
)
_IF_FIRST = re.compile(
    r"^(?:If|Unless|Only if|Provided that|As long as) [^,]{5,120}, (?:then )?(.+)$"
)
_IF_LAST = re.compile(
    r"^(.{15,}?),? (?:(?:but )?only if|(?:but )?only when|if|unless|except|as long as|provided"
    r"(?: that)?|with the exception of) [^,;]{5,}?([.!]?)$"
)
_ADDED = (
    " only if a manager agrees",
    " unless the budget is used up",
    ", except on public holidays",
    ", but only in the first year",
    ", but only for full-time employees",
    ", but not for contractors",
    " only during the trial period",
    ", as long as a form was sent in beforehand",
    ", provided that a second person has checked it",
    ", but only after a written request",
    ", except for temporary staff",
    " unless someone objects",
    ", but only on working days",
    " only with written approval",
    " within ten days",
    " at least twice a year",
    ", free of charge",
    ", as required by law",
    ", at their own expense",
    " in every department",
    ", but only if they have been there for six months",
    " until further notice",
    ", with no exceptions",
    " only when nobody else is available",
)
CONDITION_ADDED_SHARE = 0.4
"""Of sentences without a condition: any could be given one, but those with one teach more."""


def change_condition(text: str, dice: Random, stock: Stock) -> str | None:
    """A condition or bound dropped, turned round, or added where the source has none."""
    found = first_that_works(text, [_dropped, _turned], dice) if dice.random() < 0.8 else None
    if found is None and dice.random() < CONDITION_ADDED_SHARE:
        return _added(text, dice, stock)
    return found


def _dropped(text: str, _: Random) -> str | None:
    first = _IF_FIRST.match(text)
    if first:
        return capitalised(first[1])
    last = _IF_LAST.match(text)
    return last[1] + last[2] if last else None


def _added(text: str, dice: Random, stock: Stock) -> str | None:
    """One of a list, or one that the source states of something else."""
    if text.rstrip().endswith(("?", ":")):
        return None
    tails = list(_ADDED)
    if stock.conditions and dice.random() < 0.75:
        tails = [f" {_bounded(each)}" for each in stock.conditions]
    unused = [tail for tail in tails if tail.strip(", ") not in text]
    return ended(text, dice.choice(unused)) if unused else None


def _bounded(condition: str) -> str:
    """A mere "if" would add to what is true anyway; "only if" takes away from it."""
    return f"only {condition}" if condition.startswith(("if ", "when ")) else condition
