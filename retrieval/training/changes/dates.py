"""Months, days and years are changed, and how often something happens."""

import re
from collections.abc import Callable
from random import Random

from retrieval.training.changes.places import by_table, change_one, first_that_works
from retrieval.training.changes.stock import Stock

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
    ways: list[Callable[[str, Random], str | None]] = [
        _weekday,
        _month,
        _year,
        _day,
        _iso,
        _quarter,
        _how_often,
        _when,
    ]
    return first_that_works(text, ways, dice)


def _weekday(text: str, dice: Random) -> str | None:
    def other(match: re.Match[str], dice: Random) -> str | None:
        return dice.choice([day for day in _DAYS if day not in text]) + match[2]

    return change_one(text, _WEEKDAY, other, dice) if _a_day_is_left(text) else None


def _a_day_is_left(text: str) -> bool:
    return any(day not in text for day in _DAYS)


def _month(text: str, dice: Random) -> str | None:
    def other(match: re.Match[str], dice: Random) -> str | None:
        after = text[match.end() :]
        is_date = _MONTH_BEFORE.search(text[: match.start()]) or re.match(r"\.? \d", after)
        if not is_date and match.group() in ("May", "March", "Mar", "Jan", "Sep", "Dec"):
            return None
        names = MONTHS if match.group() in MONTHS else _SHORT
        return dice.choice([name for name in names if name != match.group() and name != "May"])

    return change_one(text, _A_MONTH, other, dice)


def _year(text: str, dice: Random) -> str | None:
    def other(match: re.Match[str], dice: Random) -> str | None:
        return str(int(match.group()) + dice.choice([-3, -2, -1, 1, 2, 3, 10]))

    return change_one(text, _YEAR, other, dice)


def _day(text: str, dice: Random) -> str | None:
    def other(match: re.Match[str], dice: Random) -> str | None:
        beside_month = match[1] or re.search(rf"{MONTH} $", text[: match.start()])
        day = int(match.group())
        if not beside_month or not 1 <= day <= 31:
            return None
        return str(dice.choice([each for each in range(1, 29) if 0 < abs(each - day) < 15]))

    return change_one(text, _DAY, other, dice)


def _iso(text: str, dice: Random) -> str | None:
    def other(match: re.Match[str], dice: Random) -> str | None:
        month = (int(match[2]) - 1 + dice.choice([1, 2, 3, 6])) % 12 + 1
        return f"{match[1]}-{month:02d}-{match[3]}"

    return change_one(text, _ISO, other, dice)


def _quarter(text: str, dice: Random) -> str | None:
    def other(match: re.Match[str], dice: Random) -> str | None:
        return "Q" + dice.choice([each for each in "1234" if each != match[1]])

    return change_one(text, _QUARTER, other, dice)
