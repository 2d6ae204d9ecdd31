"""Rewordings by rule leave a sentence true."""

import re
from random import Random

from retrieval.training.changes.amounts import DIGITS, VALUES, WORDS, of_a_date
from retrieval.training.changes.joins import cause_first, is_fact, without_cause
from retrieval.training.changes.places import by_table, capitalised, change_one, first_that_works

_CONTRACTED = {
    "do not": "don't",
    "does not": "doesn't",
    "is not": "isn't",
    "are not": "aren't",
    "cannot": "can't",
    "will not": "won't",
    "should not": "shouldn't",
    "it is": "it's",
    "we are": "we're",
    "you are": "you're",
    "we will": "we'll",
    "you will": "you'll",
    "have not": "haven't",
    "has not": "hasn't",
    "that is": "that's",
}
_contracted = by_table({long: (short,) for long, short in _CONTRACTED.items()})
_expanded = by_table({short: (long,) for long, short in _CONTRACTED.items()})
_same_meaning = by_table(
    {
        "in order to": ("to",),
        "prior to": ("before",),
        "approximately": ("about", "roughly"),
        "via": ("through", "by way of"),
        "at least": ("a minimum of", "no fewer than", "not less than"),
        "up to": ("at most", "a maximum of", "no more than"),
        "no more than": ("at most", "up to"),
        "more than": ("over",),
        "less than": ("under", "fewer than"),
        "for example": ("for instance", "e.g."),
        "e.g.": ("for example",),
        "i.e.": ("that is,",),
        "such as": ("like",),
        "every week": ("each week", "weekly"),
        "every month": ("each month", "monthly"),
        "every year": ("each year", "annually", "once a year"),
        "each week": ("every week",),
        "annually": ("every year", "once a year"),
        "however": ("but",),
        "must": ("is obliged to", "need to"),
        "have to": ("must", "need to"),
        "has to": ("must", "needs to"),
        "need to": ("have to", "must"),
        "needs to": ("has to", "must"),
        "is required to": ("must", "has to"),
        "are required to": ("must", "have to"),
        "is allowed to": ("may", "can"),
        "are allowed to": ("may", "can"),
        "are able to": ("can",),
        "is able to": ("can",),
        "everyone": ("everybody", "all people"),
        "anyone": ("anybody",),
        "because": ("since", "as"),
        "if": ("in case",),
        "only if": ("on condition that",),
        "unless": ("except if",),
        "usually": ("as a rule", "normally"),
        "often": ("frequently",),
        "sometimes": ("at times", "now and then"),
        "never": ("at no time",),
        "always": ("at all times", "every time"),
        "within": ("in less than",),
        "after": ("following",),
        "during": ("in the course of",),
        "purchase": ("buy",),
        "ensure": ("make sure",),
        "make sure": ("ensure",),
        "additional": ("further", "extra"),
        "help": ("assist", "support"),
        "get": ("receive", "obtain"),
        "begin": ("start",),
        "start": ("begin",),
        "staff": ("employees",),
        "two weeks": ("14 days", "a fortnight"),
        "one week": ("seven days",),
        "24 hours": ("a day", "one day"),
        "one year": ("twelve months", "12 months"),
        "12 months": ("a year", "one year"),
        "half": ("50 %", "one half"),
        "twice": ("two times",),
    }
)
_LEAD_IN = re.compile(
    r"^(?:\d+[.)] |[-*•] |(?:Please note that|Note that|Note:|Please|In addition,|Additionally,|"
    r"However,|Also,|Generally,|In general,|For example,|Importantly,|Remember that|Finally,|"
    r"Then,|Next,|So,|And|But|First,|Second,|Furthermore,|Moreover,|Therefore,|As a result,) )"
)
_CLAUSES = re.compile(r"^(.{20,}?)(?:, and |; |, but |, while )(.{20,})$", re.DOTALL)
_HEDGED = re.compile(r"\b(?:if|unless|when|whether|between|both|either|only|not|n't)\b", re.I)
_IF_FIRST = re.compile(r"^(If|When|Unless|Before|After|Once) ([^,]{6,100}), ([^,;:]{10,})\.$")
_PERCENT = re.compile(r"(?<=\d)( ?%| percent| per cent)")
_HOUR = re.compile(r"(?<=\d)( ?)(am|pm)\b", re.IGNORECASE)
_FRAMES = (
    "According to the text, {}",
    "The rule is that {}",
    "It says that {}",
    "In short: {}",
    "Yes: {}",
    "Note that {}",
    "The answer is that {}",
)


def reworded(text: str, dice: Random) -> str | None:
    """The sentence in slightly other words, or a part of it, as true as it was."""
    small = [_same_meaning, _numbers, _contracted, _expanded, _percent, _hour]
    ways = [_lowered, _without_lead_in, _a_clause, _condition_last, _cause_first, _framed]
    throw = dice.random()
    found = first_that_works(text, small if throw < 0.6 else ways, dice)
    return found or first_that_works(text, [*small, *ways], dice)


def _lowered(text: str, _: Random) -> str | None:
    return text.lower().rstrip(".")


def _without_lead_in(text: str, _: Random) -> str | None:
    match = _LEAD_IN.match(text)
    return capitalised(text[match.end() :]) if match and len(text) > match.end() + 15 else None


def _a_clause(text: str, _: Random) -> str | None:
    """The first half of "A, and B", unless a condition or negation could reach over both."""
    match = _CLAUSES.match(text)
    if match is None or _HEDGED.search(text) or text.endswith(("?", ":")):
        return None
    return f"{match[1].rstrip('.')}."


def _condition_last(text: str, _: Random) -> str | None:
    match = _IF_FIRST.match(text)
    if match is None:
        return None
    word, condition, rest = match.groups()
    return f"{capitalised(rest)} {word.lower()} {condition}."


def _cause_first(text: str, dice: Random) -> str | None:
    return dice.choice([cause_first, without_cause])(text)


def _framed(text: str, dice: Random) -> str | None:
    if not is_fact(text):
        return None
    return dice.choice(_FRAMES).format(text[:1].lower() + text[1:])


def _numbers(text: str, dice: Random) -> str | None:
    """Digits in words, or words in digits."""

    def spelt(match: re.Match[str], _: Random) -> str | None:
        written = match.group()
        plain = written.isdigit() and 2 <= int(written) < len(WORDS)
        return WORDS[int(written)] if plain and match.start() and not of_a_date(match) else None

    def digits(match: re.Match[str], _: Random) -> str | None:
        return str(VALUES[match.group().lower()])

    return change_one(text, DIGITS, spelt, dice) or change_one(text, _SPELT_OUT, digits, dice)


_SPELT_OUT = re.compile(
    rf"(?<![\w-])(?:{'|'.join(word for word, value in VALUES.items() if value > 1)})(?![\w-])",
    re.IGNORECASE,
)


def _percent(text: str, dice: Random) -> str | None:
    def other(match: re.Match[str], dice: Random) -> str | None:
        return dice.choice([form for form in ("%", " %", " percent") if form != match.group()])

    return change_one(text, _PERCENT, other, dice)


def _hour(text: str, dice: Random) -> str | None:
    def other(match: re.Match[str], _: Random) -> str | None:
        return match[2] if match[1] else f" {match[2]}"

    return change_one(text, _HOUR, other, dice)
