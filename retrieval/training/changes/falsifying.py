"""Numbers, dates, negations, quantifiers and conditions of a sentence are changed.

Only to what the sentence does not imply: "all" becomes "few" but never "some", and "some" becomes
"all".
"""

import re
from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from retrieval.training.changes.editing import (
    Change,
    Stock,
    by_table,
    capitalised,
    change_name,
    changing,
    ended,
    first_that_works,
    phrases,
)

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_SHORT = [month[:3] for month in MONTHS]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
MONTH = rf"(?:{'|'.join([*MONTHS, *_SHORT])})\b"
_WEEKDAY = re.compile(rf"\b({'|'.join(_DAYS)})(s?)\b")
_A_MONTH = re.compile(rf"\b{MONTH}")
_MONTH_BEFORE = re.compile(r"(?:\d(?:st|nd|rd|th)?|\b(?:in|by|until|of|since|from|every|to)) $")
_YEAR = re.compile(r"(?<![\w.,:/#$€£-])(?:19|20)\d\d(?![\w:/%]|[.,-]\d)")
_DAY = re.compile(
    rf"(?<=\b)(\d{{1,2}})(?=(?:st|nd|rd|th)? (?:of )?{MONTH})"
    rf"|(?<=[a-z]\s)(\d{{1,2}})(?!\d|[:.,]\d)"
)
_ISO = re.compile(r"\b((?:19|20)\d\d)-(0[1-9]|1[0-2])-([0-2]\d|3[01])\b")
_QUARTER = re.compile(r"\bQ([1-4])\b")
_how_often = by_table(phrases("how often"))
_when = by_table(phrases("when"))


def change_date(text: str, dice: Random, _: Stock) -> str | None:
    """One day, month, year, time of the year or frequency made another one."""
    ways = (_weekday, _month, _year, _day, _iso, _quarter, _how_often, _when)
    return first_that_works(text, ways, dice)


@changing(_WEEKDAY)
def _weekday(match: re.Match[str], dice: Random) -> str | None:
    left = [day for day in _DAYS if day not in match.string]
    return dice.choice(left) + match[2] if left else None


@changing(_A_MONTH)
def _month(match: re.Match[str], dice: Random) -> str | None:
    before, after = match.string[: match.start()], match.string[match.end() :]
    is_date = _MONTH_BEFORE.search(before) or re.match(r"\.? \d", after)
    if not is_date and match.group() in ("May", "March", "Mar", "Jan", "Sep", "Dec"):
        return None
    names = MONTHS if match.group() in MONTHS else _SHORT
    return dice.choice([name for name in names if name != match.group() and name != "May"])


@changing(_YEAR)
def _year(match: re.Match[str], dice: Random) -> str | None:
    return str(int(match.group()) + dice.choice([-3, -2, -1, 1, 2, 3, 10]))


@changing(_DAY)
def _day(match: re.Match[str], dice: Random) -> str | None:
    beside_month = match[1] or re.search(rf"{MONTH} $", match.string[: match.start()])
    day = int(match.group())
    if not beside_month or not 1 <= day <= 31:
        return None
    return str(dice.choice([each for each in range(1, 29) if 0 < abs(each - day) < 15]))


@changing(_ISO)
def _iso(match: re.Match[str], dice: Random) -> str | None:
    month = (int(match[2]) - 1 + dice.choice([1, 2, 3, 6])) % 12 + 1
    return f"{match[1]}-{month:02d}-{match[3]}"


@changing(_QUARTER)
def _quarter(match: re.Match[str], dice: Random) -> str | None:
    return "Q" + dice.choice([each for each in "1234" if each != match[1]])


WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen", "twenty"),
)
_TENS = ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
VALUES = {word: value for value, word in enumerate(WORDS)} | {
    word: 10 * value for value, word in enumerate(_TENS, start=3)
}
_SPELT = {value: word for word, value in VALUES.items()}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
DIGITS = re.compile(r"(?<![\w.,:/#+_-])(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w:/@_]|[.,-]\d)")
_SPELT_OUT = re.compile(
    rf"(?<![\w-])(?:{'|'.join([*WORDS[2:], *_TENS])}|one(?= (?:minute|hour|day|week|month|year)))"
    r"(?![\w-])",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    rf"(?<=\b(?:the|our)\s)(?:{'|'.join(_ORDINALS)})(?=\s(?!part|person)[a-z])|(?<!\w)\d+(?:st|nd|rd|th)\b"
)
_CLOCK = re.compile(r"(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])")
_HALF_DAY = re.compile(r"(?<![\d:.])(1[0-2]|[1-9])( ?)(am|pm|a\.m|p\.m)\b", re.IGNORECASE)
_UNITS = ("minute", "hour", "day", "week", "month", "year")
_UNIT = re.compile(
    rf"((?:\d|\b(?:{'|'.join(WORDS[1:])}|{'|'.join(_TENS)}))[ -])({'|'.join(_UNITS)})(s?)\b",
    re.IGNORECASE,
)
_parts = by_table(phrases("parts"))


def change_number(text: str, dice: Random, _: Stock) -> str | None:
    """One number, unit or time of day made a plausible other one."""
    ways = (_digits, _spelt_out, _ordinal, _clock, _half_day, _unit)
    return first_that_works(text, ways, dice) or _parts(text, dice)


@changing(DIGITS)
def _digits(match: re.Match[str], dice: Random) -> str | None:
    if of_a_date(match) or (
        match.start() == 0 and match.string[match.end() : match.end() + 1] in ".)"
    ):
        return None
    written = match.group().replace(",", "")
    if "." in written:
        places = len(written.split(".")[1])
        step = dice.choice([-2, -1, 1, 2, 5]) / 10**places
        return f"{abs(float(written) + step):.{places}f}"
    value = plausible_other(int(written), dice)
    return f"{value:,}" if "," in match.group() else str(value)


def plausible_other(value: int, dice: Random) -> int:
    """Another positive number that a careless reader could take for this one."""
    digits = str(value)
    turned = int(digits[1] + digits[0] + digits[2:]) if len(digits) > 1 else value + 3
    round_step = int("1" + "0" * max(0, len(digits) - 2))
    choices = {
        value + round_step,
        value - round_step,
        value + 2 * round_step,
        value * 2,
        value // 2,
        value + 10,
        value * 10,
        value * 3 // 2,
        turned,
    }
    plausible = sorted(each for each in choices if each > 0 and each != value)
    return dice.choice(plausible)


def of_a_date(match: re.Match[str]) -> bool:
    """A year, or the day beside a month."""
    year = re.fullmatch(r"(?:19|20)\d\d", match.group()) is not None
    before, after = match.string[: match.start()], match.string[match.end() :]
    month_before = re.search(rf"{MONTH}\.? $", before) is not None
    return year or month_before or re.match(rf" (?:of )?{MONTH}", after) is not None


@changing(_SPELT_OUT)
def _spelt_out(match: re.Match[str], dice: Random) -> str | None:
    value = VALUES[match.group().lower()]
    if value == 1:
        return dice.choice(["two", "three"])
    choices = [value - 1, value + 1, value + 2, value * 2, value + 10, value - 10]
    return dice.choice([_SPELT[each] for each in choices if each > 1 and each in _SPELT])


@changing(_ORDINAL)
def _ordinal(match: re.Match[str], dice: Random) -> str | None:
    written = match.group()
    if written[0].isdigit():
        return _with_ending(plausible_other(int(written[:-2]), dice))
    return dice.choice([each for each in _ORDINALS[:6] if each != written])


def _with_ending(value: int) -> str:
    teen = value % 100 in (11, 12, 13)
    return f"{value}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(value % 10, 'th')}"


@changing(_CLOCK)
def _clock(match: re.Match[str], dice: Random) -> str | None:
    hour = (int(match[1]) + dice.choice([-2, -1, 1, 2, 3])) % 24
    wide = len(match[1]) == 2
    return f"{hour:02d}:{match[2]}" if wide else f"{hour}:{match[2]}"


@changing(_HALF_DAY)
def _half_day(match: re.Match[str], dice: Random) -> str | None:
    if dice.random() < 0.3:
        half = match[3]
        turned = "p" if half[0] in "aA" else "a"
        return match[1] + match[2] + (turned.upper() if half[0].isupper() else turned) + half[1:]
    hour = (int(match[1]) - 1 + dice.choice([-2, -1, 1, 2, 3])) % 12 + 1
    return f"{hour}{match[2]}{match[3]}"


@changing(_UNIT)
def _unit(match: re.Match[str], dice: Random) -> str | None:
    at = _UNITS.index(match[2].lower())
    beside = [_UNITS[i] for i in (at - 1, at + 1) if 0 <= i < len(_UNITS)]
    return match[1] + dice.choice(beside) + match[3]


_AUXILIARY = (
    "is|are|was|were|can|could|should|will|would|must|may|might|does|did|shall"
    r"|(?:has|have|had)(?= (?:been|\w+ed)\b)"
)
_PLAIN = re.compile(rf"\b(?:{_AUXILIARY})\b(?! not\b|n't|n’t| only\b| never\b| no\b|-)")
_DENIED = re.compile(rf"\b({_AUXILIARY}|do|has|have|had|need) not\b(?! only| just| necessarily)")
_CONTRACTIONS = phrases("contractions")
_CONTRACTED = re.compile(
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
_opposites = by_table(phrases("opposites"))


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


_short = changing(_CONTRACTED)(
    lambda match, _: _CONTRACTIONS[match.group().lower().replace("’", "'")]
)


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


_table = by_table(phrases("quantities"))
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


_turned = by_table(phrases("conditions turned"))
_IF_FIRST = re.compile(
    r"^(?:If|Unless|Only if|Provided that|As long as) [^,]{5,120}, (?:then )?(.+)$"
)
_IF_LAST = re.compile(
    r"^(.{15,}?),? (?:(?:but )?only if|(?:but )?only when|if|unless|except|as long as|provided"
    r"(?: that)?|with the exception of) [^,;]{5,}?([.!]?)$"
)
_ADDED = phrases("conditions added")
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


CHANGES: Mapping[str, Change] = MappingProxyType(
    {
        "number": change_number,
        "date": change_date,
        "name": change_name,
        "condition": change_condition,
        "quantifier": change_quantifier,
        "negation": change_negation,
    }
)
"""Changes within one sentence, by class; each returns None where it finds nothing to change."""
