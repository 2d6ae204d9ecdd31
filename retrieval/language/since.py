"""A question about what changed says since when: "this month", "since Monday", "in October"."""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from retrieval.language.dates import MONTHS, WEEKDAYS

_MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?"
_YEAR = r"(?:,? (?P<year>20\d\d))?\b"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365}
_AWAY = {"this": 0, "current": 0, "next": 1, "coming": 1}
"""Else the one before."""
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_FORMS = tuple(
    re.compile(
        rf"\b(?:(?:(?P<since>since|after|from)|(?P<by>by|until|before)) )?(?:the )?{form}",
        re.IGNORECASE,
    )
    for form in (
        r"(?P<iso>20\d\d-[01]\d-[0-3]\d)\b",
        rf"{_DAY}(?: of)? {_MONTH}{_YEAR}",
        rf"{_MONTH} {_DAY}(?!\d){_YEAR}",
        rf"(?:(?:in|during) )?(?P<was>last )?{_MONTH}{_YEAR}",
        rf"(?:in )?(?:last|past|previous) (?P<many>\d{{1,3}}|{'|'.join(_NUMBERS)}) "
        r"(?P<unit>day|week|month|year)s?\b",
        r"(?P<this>this|current|last|past|previous|next|coming) (?P<span>week|month|year)\b",
        r"(?:in|during) (?P<in_year>20\d\d)\b",
        rf"(?:(?:last|on) )?(?P<weekday>{'|'.join(WEEKDAYS)})\b",
        r"(?P<word>today|yesterday)\b",
    )
)


@dataclass(frozen=True, slots=True)
class Period:
    """A period is some days, both ends inclusive."""

    first: date
    last: date


def period_of(
    question: str, on: date, *, ahead: bool = False, coming: bool = False
) -> tuple[Period | None, str]:
    """The period that is asked about on a day, if any, and the question without it.

    It begins and ends on that day at the latest, unless what is `ahead` may be meant. A month or a
    weekday is the latest one that has begun, a `coming` month the first that is not over.
    """
    for found in (each for form in _FORMS for each in form.finditer(question)):
        period = None if _is_verb(found) else _period(found.groupdict(), on)
        if period and (ahead or period.first <= on):
            first, last = _bounds(period, found.groupdict(), on, ahead=ahead, coming=coming)
            left = f"{question[: found.start()].rstrip()}{question[found.end() :]}"
            return Period(first, last if ahead else min(last, on)), left
    return None, question


def _is_verb(found: re.Match[str]) -> bool:
    """Whether "may" stands alone, and as no name is written."""
    return found[0] == "may" or (found[0] == "May" and not found.start())


def _bounds(
    period: Period, said: dict[str, str | None], on: date, *, ahead: bool, coming: bool
) -> tuple[date, date]:
    """Its first and last day; without end where it is said since when, without beginning by when.

    A day that may be `ahead` is that day alone.
    """
    month, is_day = said.get("month"), ahead and bool(said.get("iso") or said.get("day"))
    last = period.first if is_day else period.last
    passed = said.get("year") or said.get("was") or (said["since"] or "").lower() == "since"
    if coming and month and not passed and last < on:
        next_year = {**said, "year": str(period.first.year + 1)}
        period = _of_month(MONTHS[month.lower()], next_year, on)
        last = period.first if is_day else period.last
    if said["since"]:
        return period.first, date.max
    if (by := (said["by"] or "").lower()) == "before":
        return date.min, period.first - timedelta(days=1)
    return (date.min if by else period.first), last


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
    if year := said.get("in_year"):
        return Period(date(int(year), 1, 1), date(int(year), 12, 31))
    if span := said.get("span"):
        return _span(span.lower(), on, _AWAY.get((said["this"] or "").lower(), -1))
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


def _span(unit: str, on: date, away: int) -> Period:
    """A calendar week, month or year: the one that holds the day, or one so many `away`."""
    if unit == "week":
        first = on + timedelta(days=7 * away - on.weekday())
        return Period(first, first + timedelta(days=6))
    if unit == "year":
        return Period(date(on.year + away, 1, 1), date(on.year + away, 12, 31))
    year, month = divmod(on.year * 12 + on.month - 1 + away, 12)
    return Period(date(year, month + 1, 1), date(year, month + 1, monthrange(year, month + 1)[1]))
