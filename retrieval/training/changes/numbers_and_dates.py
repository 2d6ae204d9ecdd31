"""Numbers, in digits and in words, units, times, months, days and years are changed."""

import re
from random import Random

from retrieval.training.changes.editing import Stock, by_table, changing, first_that_works

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
_how_often = by_table(
    {
        "daily": ("weekly", "monthly", "hourly"),
        "weekly": ("daily", "monthly", "quarterly"),
        "biweekly": ("monthly", "daily"),
        "monthly": ("weekly", "quarterly", "yearly"),
        "quarterly": ("monthly", "annually", "weekly"),
        "annually": ("quarterly", "monthly"),
        "annual": ("quarterly", "monthly"),
        "yearly": ("monthly", "quarterly"),
        "every day": ("every week", "every month"),
        "every week": ("every month", "every day"),
        "every month": ("every week", "every year"),
        "every year": ("every month", "every five years"),
        "each day": ("each week",),
        "each week": ("each month", "each day"),
        "each month": ("each week", "each year"),
        "each year": ("each month", "every other year"),
        "a week": ("a month", "a day"),
        "a month": ("a week", "a year"),
        "a year": ("a month", "a decade"),
        "per week": ("per month", "per day"),
        "per month": ("per week", "per year"),
        "per year": ("per month",),
    }
)
_when = by_table(
    {
        "morning": ("afternoon", "evening"),
        "afternoon": ("morning", "evening"),
        "evening": ("morning", "afternoon"),
        "spring": ("autumn", "winter"),
        "summer": ("winter", "autumn"),
        "autumn": ("spring", "summer"),
        "winter": ("summer", "spring"),
        "weekdays": ("weekends",),
        "weekends": ("weekdays",),
        "weekend": ("working week",),
        "noon": ("midnight",),
        "midnight": ("noon",),
        "today": ("tomorrow", "next week"),
        "tomorrow": ("today", "next week"),
        "last year": ("this year", "two years ago"),
        "this year": ("last year", "next year"),
        "next year": ("this year", "last year"),
        "last week": ("this week", "last month"),
        "next week": ("this week", "next month"),
        "this week": ("last week", "next week"),
        "beginning of": ("end of", "middle of"),
        "end of": ("beginning of", "middle of"),
    }
)


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
_parts = by_table(
    {
        "half": ("a third", "a quarter"),
        "a third": ("half", "a quarter", "two thirds"),
        "a quarter": ("half", "a third", "three quarters"),
        "once": ("twice", "three times"),
        "twice": ("once", "three times", "four times"),
        "a dozen": ("a hundred", "half a dozen"),
        "a couple of": ("five", "ten"),
        "million": ("billion", "thousand"),
        "billion": ("million",),
        "single": ("second",),
        "double": ("triple", "half"),
    }
)


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
    value = near(int(written), dice)
    return f"{value:,}" if "," in match.group() else str(value)


def near(value: int, dice: Random) -> int:
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
        return _with_ending(near(int(written[:-2]), dice))
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
