"""Numbers with units, times, months and weekdays are the same however they are written."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from text_to_num import alpha2digit

_TIMES = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
_YEARS = {"month": 1, "quarter": 3, "year": 12}
_CURRENCIES = {"$": "dollar", "£": "pound", "€": "euro", "usd": "dollar", "gbp": "pound"}
_COUNTED = (
    "percent",
    "dollar",
    "pound",
    "euro",
    "cent",
    "semester",
    "term",
    "credit",
    "mile",
    "km",
)
_UNITS = "|".join((*_TIMES, *_YEARS, *_COUNTED))
_SHORT = {
    "%": "percent",
    "percentage": "percent",
    "hr": "hour",
    "min": "minute",
    "sec": "second",
} | _CURRENCIES
SECTION = "section"
"""The unit of a number that names a place in a document, and so measures nothing."""
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
_WEEKDAYS = frozenset({"mon", "tue", "wed", "thu", "fri", "sat", "sun"})
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_CLOCK = re.compile(
    r"\b(\d{1,2})(?:[:.](\d\d))? ?"
    r"(?:([ap])\.?m\b\.?|(?:o['’]clock )?in the (morning|afternoon|evening))"
    r"|\b([01]?\d|2[0-3]):([0-5]\d)\b",
    re.I,
)
_NUMBER = re.compile(
    r"(?:\b(?P<section>section|article|chapter|paragraph|appendix) (?=\d))?"
    r"(?<![\w.])(?P<currency>[$£€])?(?P<whole>\d+(?:,\d{3})+|\d+)(?P<decimals>\.\d+)?"
    r"(?P<ordinal>st|nd|rd|th)?\b ?(?P<unit>%|[a-z]+)?(?: (?P<next>[a-z]+))?",
    re.I,
)
_CALENDAR = re.compile(
    rf"\b(?:{'|'.join(m for m in _MONTHS if m != 'may')}|{'|'.join(_DAYS)})\b"
    r"|\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?(?= \d)",
    re.I,
)
_MAY = re.compile(r"(?:\d(?:st|nd|rd|th)? |\b(?:in|by|of|until|since|from|to) )May\b|\bMay \d")
_WORKING = ("working", "business", "calendar")


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount has a value in the base of its unit: seconds, months, or as counted."""

    value: Decimal
    unit: str
    """Empty where none is known."""
    written: str

    def meets(self, other: "Amount") -> bool:
        """The same amount; a unit that only one of them names is not held against it.

        A section's number measures nothing, so it bears out no amount.
        """
        if SECTION in (self.unit, other.unit) or (self.unit and other.unit):
            return (self.value, self.unit) == (other.value, other.unit)
        return self.written == other.written


def missing_amounts(claim: str, source: str) -> list[str]:
    """Amounts, times and days of the claim that the source does not have."""
    claim, source = in_digits(claim), in_digits(source)
    claim_times, rest = _times(claim)
    known_times, known_rest = _times(source)
    known = _amounts(known_rest)
    return [
        *(written for minutes, written in claim_times.items() if minutes not in known_times),
        *(a.written for a in _amounts(rest) if not any(a.meets(each) for each in known)),
        *sorted(_calendar(claim) - _calendar(source)),
    ]


@dataclass(frozen=True, slots=True)
class Measures:
    """A text measures so much; each value has the words that it was written in."""

    amounts: Mapping[str, Mapping[Decimal, str]]
    """By unit, empty for bare numbers."""
    times: Mapping[int, str]
    """Of day, in minutes."""
    months: Mapping[str, str]
    weekdays: Mapping[str, str]
    rest: str
    """The text without what is measured."""


@lru_cache(maxsize=2048)
def measures(text: str) -> Measures:
    """Kept for a while: a sentence is compared with every sentence of several passages."""
    times, rest = _times(in_digits(text))
    amounts: dict[str, dict[Decimal, str]] = {}
    for match in _NUMBER.finditer(rest):
        amount, written = _amount(match), _written(match)
        amounts.setdefault(amount.unit, {})[amount.value] = written
        rest = rest.replace(written, " ", 1)
    named = {day: day.capitalize() for day in sorted(_calendar(text))}
    weekdays = {day: name for day, name in named.items() if day in _WEEKDAYS}
    months = {day: name for day, name in named.items() if day not in _WEEKDAYS}
    return Measures(amounts, times, months, weekdays, _MAY.sub(" ", _CALENDAR.sub(" ", rest)))


def _written(match: re.Match[str]) -> str:
    """The number with its unit, where it has one that is known."""
    word = match["unit"]
    last = ["whole", "decimals", "ordinal"]
    told_before = match["section"] or match["currency"]
    if word and _amount(match).unit and not told_before and not match["ordinal"]:
        last = ["next"] if match["next"] and word.lower() in _WORKING else ["unit"]
    return match.string[match.start() : max(map(match.end, last))]


def in_digits(text: str) -> str:
    """The text with its numbers in digits: "two direct reports" as "2 direct reports"."""
    plain = re.sub(r"\bno one\b", "nobody", text, flags=re.I)
    plain = re.sub(r"\btwice\b", "two times", plain, flags=re.I)
    plain = re.sub(r"(?<=[A-Za-z\d])-(?=[A-Za-z])", " ", plain)
    digits: str = alpha2digit(plain, "en", 0)
    # "one" is a pronoun as often as a number
    return digits if "1" in text else re.sub(rf"\b1\b(?! (?:{_UNITS})s?\b)", "one", digits)


def _times(text: str) -> tuple[dict[int, str], str]:
    """Times of day as minutes and as written, and the text without them."""
    found = {_minutes(match): match.group().strip() for match in _CLOCK.finditer(text)}
    return found, _CLOCK.sub(" ", text)


def _minutes(match: re.Match[str]) -> int:
    hour, minute, half, time_of_day, hour_of_24, minute_of_24 = match.groups()
    if hour_of_24 is not None:
        return 60 * int(hour_of_24) + int(minute_of_24)
    late = (half or "").lower() == "p" or (time_of_day or "").lower() in ("afternoon", "evening")
    return 60 * (int(hour) % 12 + 12 * late) + int(minute or 0)


def _amounts(text: str) -> list[Amount]:
    return [_amount(match) for match in _NUMBER.finditer(text)]


def _amount(match: re.Match[str]) -> Amount:
    number = Decimal(match["whole"].replace(",", "") + (match["decimals"] or ""))
    written = f"{number.normalize():f}"
    if match["section"]:
        return Amount(number, SECTION, written)
    if match["ordinal"]:
        return Amount(number, "ordinal", written)
    if match["currency"]:
        return Amount(number, _CURRENCIES[match["currency"]], written)
    words = [each.lower() for each in (match["unit"], match["next"]) if each]
    working = bool(words) and words[0] in _WORKING
    unit = _unit(words[1] if working and len(words) > 1 else words[0] if words else "")
    if unit in _TIMES and not working:
        return Amount(number * _TIMES[unit], "seconds", written)
    if unit in _YEARS:
        return Amount(number * _YEARS[unit], "months", written)
    return Amount(number, f"{words[0]} {unit}" if working else unit, written)


def _unit(word: str) -> str:
    word = _SHORT.get(word, word)
    singular = _SHORT.get(word.removesuffix("s"), word.removesuffix("s"))
    return singular if singular in (*_TIMES, *_YEARS, *_COUNTED) else ""


def _calendar(text: str) -> set[str]:
    found = {match.group().lower().strip(".")[:3] for match in _CALENDAR.finditer(text)}
    return found | ({"may"} if _MAY.search(text) else set())
