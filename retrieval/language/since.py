"""A question about what changed says since when: "this month", "since Monday", "in October"."""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from retrieval.language.dates import MONTHS, WEEKDAYS

_MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?"
_YEAR = r"(?:,? (?P<year>20\d\d))?\b"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_ONE_DAY = timedelta(days=1)
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365}
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_FORMS = tuple(
    re.compile(rf"\b(?:(?P<since>since|after|from) )?(?:the )?{form}", re.IGNORECASE)
    for form in (
        r"(?P<iso>20\d\d-[01]\d-[0-3]\d)\b",
        rf"{_DAY}(?: of)? {_MONTH}{_YEAR}",
        rf"{_MONTH} {_DAY}(?!\d){_YEAR}",
        rf"(?:(?:in|during) )?(?:last )?{_MONTH}{_YEAR}",
        rf"(?:in )?(?:last|past|previous) (?P<many>\d{{1,3}}|{'|'.join(_NUMBERS)}) "
        r"(?P<unit>day|week|month|year)s?\b",
        r"(?P<this>this|current|last|past|previous) (?P<span>week|month|year)\b",
        rf"(?:(?:last|on) )?(?P<weekday>{'|'.join(WEEKDAYS)})\b",
        r"(?P<word>today|yesterday)\b",
    )
)


@dataclass(frozen=True, slots=True)
class Period:
    """A period is some days, both ends inclusive."""

    first: date
    last: date


def period_of(question: str, on: date) -> tuple[Period | None, str]:
    """The period that is asked about on a day, if any, and the question without it.

    It ends on that day at the latest; a month or a weekday is the latest one that has begun.
    """
    for form in _FORMS:
        found = form.search(question)
        period = _period(found.groupdict(), on) if found else None
        if found and period and period.first <= on:
            last = on if found["since"] else min(period.last, on)
            left = f"{question[: found.start()].rstrip()}{question[found.end() :]}"
            return Period(period.first, last), left
    return None, question


def _period(said: dict[str, str | None], on: date) -> Period | None:
    """None where the calendar has no such day."""
    try:
        if iso := said.get("iso"):
            day = date.fromisoformat(iso)
            return Period(day, on)
        if month := said.get("month"):
            return _of_month(MONTHS[month.lower()], said, on)
    except ValueError:
        return None
    if many := said.get("many"):
        number = _NUMBERS.get(many.lower()) or int(many)
        return Period(on - timedelta(days=number * _UNITS[(said["unit"] or "").lower()]), on)
    if span := said.get("span"):
        this = (said["this"] or "").lower() in ("this", "current")
        return _span(span.lower(), on, this=this)
    if weekday := said.get("weekday"):
        ago = (on.weekday() - WEEKDAYS.index(weekday.lower())) % 7
        return Period(on - timedelta(days=ago), on)
    day = on - timedelta(days=(said["word"] or "").lower() == "yesterday")
    return Period(day, day)


def _of_month(month: int, said: dict[str, str | None], on: date) -> Period:
    year = int(said.get("year") or (on.year if (month <= on.month) else on.year - 1))
    if day := said.get("day"):
        first = date(year, month, int(day))
        if first > on and not said.get("year"):
            first = first.replace(year=year - 1)
        return Period(first, on)
    return Period(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def _span(unit: str, on: date, *, this: bool) -> Period:
    """A calendar week, month or year: the one that holds the day, or the one before."""
    if unit == "week":
        first = on - timedelta(days=on.weekday())
        return Period(first, on) if this else Period(first - timedelta(days=7), first - _ONE_DAY)
    first = on.replace(day=1) if unit == "month" else on.replace(month=1, day=1)
    if this:
        return Period(first, on)
    last = first - _ONE_DAY
    return Period(last.replace(day=1) if unit == "month" else last.replace(month=1, day=1), last)
