"""A question may name a day, a month or a year."""

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
            "august aug", "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})\.?"
_YEAR = r"(?P<year>20\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_LEAD = r"(?:\b(?:as of|starting|from|in|on|by|after|since|until|of|for) )?(?:the )?"
_FORMS = tuple(
    re.compile(rf"{_LEAD}\b{form}\b", re.IGNORECASE)
    for form in (
        r"(?P<year>20\d\d)-(?P<month>[01]?\d)-(?P<day>[0-3]?\d)",
        rf"{_DAY}(?: of)? {_MONTH},? {_YEAR}",
        rf"{_MONTH} {_DAY},? {_YEAR}",
        rf"{_MONTH},? {_YEAR}",
        _YEAR,
    )
)
"""The most exact first: a question that says a day says its month and its year as well."""


@dataclass(frozen=True, slots=True)
class NamedDate:
    """A named date is a day, a month or a year that stands in a question."""

    first: date
    last: date
    """Inclusive; of a day the same."""
    without: str
    """The question without it."""


def named_dates(question: str) -> Iterator[NamedDate]:
    """The dates that stand there with their year, the most exact first."""
    for form in _FORMS:
        for found in form.finditer(question):
            days = _days(found.groupdict())
            if days is not None:
                without = f"{question[: found.start()].rstrip()}{question[found.end() :]}"
                yield NamedDate(*days, without.strip())


def _days(named: Mapping[str, str | None]) -> tuple[date, date] | None:
    """The first and the last; None where the calendar has no such day."""
    year, month, day = int(named["year"] or 0), named.get("month"), named.get("day")
    if month is None:
        return date(year, 1, 1), date(year, 12, 31)
    number = _MONTHS.get(month.lower()) or int(month)
    try:
        if day is not None:
            return date(year, number, int(day)), date(year, number, int(day))
        return date(year, number, 1), date(year, number, monthrange(year, number)[1])
    except ValueError:
        return None
