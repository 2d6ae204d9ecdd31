"""How many, how often, and how binding something is, is changed.

Only changes that the sentence does not imply: "all" becomes "few" but never "some", and
"some" becomes "all".
"""

import re
from random import Random

from retrieval.training.changes.places import by_table, change_one, first_that_works
from retrieval.training.changes.stock import Stock

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


ADDED_SHARE = 0.3
"""Of sentences without a quantity: any could be given one, but those with one teach more."""


def change_quantifier(text: str, dice: Random, _: Stock) -> str | None:
    """A quantity, frequency or duty made another, or one put where there was none."""
    found = _table(text, dice)
    if found is None and dice.random() < ADDED_SHARE:
        return first_that_works(text, [_only, _always], dice)
    return found


def _only(text: str, dice: Random) -> str | None:
    def other(match: re.Match[str], _: Random) -> str | None:
        taken = text[: match.start()].endswith(("only ", "not ", "except ", "even "))
        return None if taken else f"only {match.group()}"

    return change_one(text, _PLACE_FOR_ONLY, other, dice)


def _always(text: str, dice: Random) -> str | None:
    def other(match: re.Match[str], dice: Random) -> str | None:
        return f"{match.group()} {dice.choice(['only rarely', 'only sometimes', 'rarely'])}"

    return change_one(text, _SETTLED, other, dice)
