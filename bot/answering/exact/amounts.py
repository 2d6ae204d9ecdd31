"""Numbers with units, times, months and weekdays are the same however they are written.

A unit is whatever is counted, the words right after a number; only a few are known by name.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from bot.answering.exact.writing import (
    COUNTED,
    TIMES,
    YEARS,
    in_digits,
    read_alike,
    times_of_day,
    with_rests,
)
from retrieval.language.dates import MONTH_NAMES, WEEKDAYS
from retrieval.language.words import SUBJECTLESS, stems

_OF_CENTS = ("dollar", "euro")
_CURRENCIES = {"$": "dollar", "£": "pound", "€": "euro", "usd": "dollar", "gbp": "pound"} | {
    "eur": "euro",
    "chf": "franc",
}
_SHORT = {
    "%": "percent",
    "percentage": "percent",
    "hr": "hour",
    "min": "minute",
    "sec": "second",
    "kilometre": "km",
    "kilometer": "km",
} | _CURRENCIES
_SPELT_OUT = {
    "kg": "kilogram",
    "g": "gram",
    "m": "metre",
    "meter": "metre",
    "cm": "centimetre",
    "mm": "millimetre",
    "l": "litre",
    "liter": "litre",
    "ml": "millilitre",
    "t": "tonne",
    "gb": "gigabyte",
    "mb": "megabyte",
    "°c": "degree",
    "persons": "people",
}
"""Short forms, which are the same as the long ones, and measure nothing that is compared."""
_UNCOUNTED = SUBJECTLESS | frozenset(
    """
    above according again ago although at because below between both cannot during each earlier
    either every extra free further if later least might more most off only onwards or out over
    per rather shall so than then through together under unless up via while within would
    """.split()  # noqa: SIM905  # a list of words reads as one
)
"""After a number they say nothing of what is counted."""
SECTION = "section"
"""The unit of a number that names a place in a document, and so measures nothing."""
_WEEKDAYS = frozenset(day[:3] for day in WEEKDAYS)
WHEN = stems({*MONTH_NAMES, *WEEKDAYS, *TIMES, *YEARS} - {"may", "second"})
"""Of words that tell when or how often."""

_TIME = re.compile(r"\b(\d\d:\d\d)\b")
_NUMBER = re.compile(
    r"(?:\b(?P<section>section|article|chapter|paragraph|appendix) (?=[0-9]))?"
    r"(?:(?<![\w.%)°])(?P<sign>[-−–±]))?(?<![\w.])(?P<currency>[$£€])?"
    r"(?P<whole>[0-9]+(?:,[0-9]{3})+|[0-9]+)(?P<decimals>\.[0-9]+)?"
    r"(?P<raised>[¹²³¼-¾⁰-₉⅐-↉]+|\^[0-9]+|(?<![0-9]{3})/[0-9]{1,2}(?![0-9/]))?"
    r"(?P<ordinal>st|nd|rd|th)?\b ?(?P<unit>%|[a-z]+)?(?: (?P<next>[a-z]+))?",
    re.I,
)
_CODE = re.compile(r"\b[A-Z]{3} $")
_AND_SO_MANY = re.compile(
    r"\s?(?:to|and|or|-|–|up to)\s?(?=[-−$£€0-9])|,? or (?:more|less|fewer)\b"
)
"""What may stand between a number and what is counted: "between 12 and 18 credits"."""
_OF_EACH = re.compile(r" (?:per|an?|for each|each|every) ([^\W\d_]+)")
_COUNTED_WORD = re.compile(r"[ -]?(%|°?[^\W\d_]+(?:['’/-][^\W\d_]+)*)")
MOST_COUNTED = 3
"""Words after a number among which is what is counted: "10 percentage points"."""
_DATED = re.compile(
    rf"(?:\b(?:in|since|until|by|before|after|batch|{'|'.join(MONTH_NAMES)}) )$", re.IGNORECASE
)
"""What stands before a year, and so counts nothing."""
_LONGEST_BEFORE = 16
"""Characters before a number in which a currency's code or a month is looked for."""
_MINUS = str.maketrans({"−": "-", "–": "-"})
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_CALENDAR = re.compile(
    rf"\b(?:{'|'.join(m for m in MONTH_NAMES if m != 'may')}|{'|'.join(WEEKDAYS)})s?\b"
    r"|\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?(?= \d)",
    re.I,
)
_SHORT_DAY = re.compile(
    r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|r|rs)?\b\.?"
    r"(?=\s?(?:-|–|to|/|,|and)\s?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)|,? \d)"
    r"|(?<=[-–/])(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|r|rs)?\b\.?"
)
"""Beside another one or a time: of "Sun server" nobody means a day."""
_SIGNS = {"USD": "$", "GBP": "£", "EUR": "€"}
_CODED = re.compile(rf"\b({'|'.join(_SIGNS)}) ?(?=\d)")
_MAY = re.compile(r"(?:\d(?:st|nd|rd|th)? |\b(?:in|by|of|until|since|from|to) )May\b|\bMay \d")
_ONE_OF = re.compile(
    r"\b(within|after|for|than|least|most|lasts?|takes?) an? "
    r"(?=(minute|hour|day|week|month|year)\b)",
    re.I,
)
"""Says 24 hours where it is "within a day"."""
_WORKING = ("working", "business", "calendar")


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount has a value in the base of its unit: seconds, months, or as counted."""

    value: Decimal
    unit: str
    """Empty where none is known."""
    written: str
    counted: tuple[str, ...] = ()
    """Stems of the words that say what is counted, in order."""
    of_each: str = ""
    """The stem of what so much is counted for each of: "0.38 euros per kilometre"."""
    said: str = ""
    """With what is counted."""

    def meets(self, other: "Amount") -> bool:
        """The same amount; a unit that only one of them names is not held against it.

        A section's number measures nothing, so it bears out no amount.
        """
        if self.of_each and other.of_each and self.of_each != other.of_each:
            return False
        if SECTION in (self.unit, other.unit) or (self.unit and other.unit):
            return (self.value, self.unit) == (other.value, other.unit) or _in_cents(self, other)
        return self.written == other.written and self._counts_what(other)

    def _counts_what(self, other: "Amount") -> bool:
        """Whether the other one counts, or one of them says it in more words: "Linux computers"."""
        own, theirs = self.counted, other.counted
        narrowed = (
            (own[: own.index(word)], theirs[: theirs.index(word)]) for word in own if word in theirs
        )
        return not own or not theirs or any({*a} <= {*b} or {*b} <= {*a} for a, b in narrowed)


def _in_cents(one: Amount, other: Amount) -> bool:
    cents, whole = (one, other) if one.unit == "cent" else (other, one)
    return cents.unit == "cent" and whole.unit in _OF_CENTS and cents.value == 100 * whole.value


def missing_amounts(claim: str, source: str) -> list[str]:
    """Amounts, times and days of the claim that the source does not have."""
    claim, source = in_digits(claim), in_digits(source)
    claim, source = with_rests(claim, source), with_rests(source, claim)
    claim, source = _with_ones(claim, source), _ONE_OF.sub(r"\1 1 ", source)
    claim_times, rest = times_of_day(claim)
    known_times, known_rest = times_of_day(source)
    known = dict.fromkeys(_amounts(known_rest))
    numbers = {each.written for each in known}
    return [
        *_missing_times(claim_times, known_times),
        *(
            (each.said if each.written in numbers else "") or each.written
            for each in dict.fromkeys(_amounts(rest))
            if not any(each.meets(other) for other in known)
        ),
        *sorted(_calendar(claim) - _calendar(source)),
    ]


def _with_ones(claim: str, source: str) -> str:
    return _ONE_OF.sub(
        lambda found: (
            found.group() if re.search(rf"\ban? {found[2]}\b", source, re.I) else f"{found[1]} 1 "
        ),
        claim,
    )


def _missing_times(claimed: Mapping[int, str], known: Mapping[int, str]) -> list[str]:
    """As written: of midnight, which is two, one is enough."""
    met = {written for minutes, written in claimed.items() if minutes in known}
    return [written for written in dict.fromkeys(claimed.values()) if written not in met]


@lru_cache(maxsize=2048)
def in_one_form(text: str) -> str:
    """The text with days, times, weekdays, and amounts of a known unit each written in one way."""
    days = {day[:3].capitalize(): day.capitalize() for day in WEEKDAYS}
    text = _SHORT_DAY.sub(lambda short: days[short[1] or short[2]], text)
    text = with_rests(in_digits(_CODED.sub(lambda code: _SIGNS[code[1]], read_alike(text))))
    text = _ONE_OF.sub(r"\1 1 ", text)
    return "".join(
        each if at % 2 else _NUMBER.sub(_measured, each)
        for at, each in enumerate(_TIME.split(text))
    )


def _measured(match: re.Match[str]) -> str:
    amount, written = _amount(match), _written(match)
    is_two = len(match["decimals"] or "") == len(".000")  # 1.200 is 1,200 to others
    if match["raised"] or match["section"] or match["ordinal"] or is_two:
        return match.group()
    if not amount.unit:  # it may name a version, a room or a code: "3.10", "0042"
        return match["whole"].replace(",", "") + match.group()[match.end("whole") - match.start() :]
    return f"{amount.value.normalize():f} {amount.unit}{match.group()[len(written) :]}"


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
    times, rest = times_of_day(in_digits(text))
    amounts: dict[str, dict[Decimal, str]] = {}
    summed = _amounts(with_rests(rest))
    for match in _NUMBER.finditer(rest):
        amount, written = _amount(match), _written(match)
        amounts.setdefault(amount.unit, {})[amount.value] = written
        rest = rest.replace(written, " ", 1)
    for each in summed:
        amounts.setdefault(each.unit, {}).setdefault(each.value, each.said)
    named = {day: day.capitalize() for day in sorted(_calendar(text))}
    weekdays = {day: name for day, name in named.items() if day in _WEEKDAYS}
    months = {day: name for day, name in named.items() if day not in _WEEKDAYS}
    return Measures(amounts, times, months, weekdays, _MAY.sub(" ", _CALENDAR.sub(" ", rest)))


def _written(match: re.Match[str]) -> str:
    word = match["unit"]
    last = ["whole", "decimals", "ordinal"]
    told_before = match["section"] or match["currency"]
    if word and _amount(match).unit and not told_before and not match["ordinal"]:
        last = ["next"] if match["next"] and word.lower() in _WORKING else ["unit"]
    return match.string[match.start() : max(map(match.end, last))]


def _amounts(text: str) -> list[Amount]:
    return [_amount(match) for match in _NUMBER.finditer(text)]


def _amount(match: re.Match[str]) -> Amount:
    number = Decimal(match["whole"].replace(",", "") + (match["decimals"] or ""))
    sign, raised = (match["sign"] or "").translate(_MINUS), match["raised"] or ""
    written = f"{sign}{number.normalize():f}{raised}"
    if match["section"]:
        return Amount(number, SECTION, written)
    if match["ordinal"]:
        return Amount(number, "ordinal", written)
    counted, at = _counted(match)
    names = tuple(
        stem for each in map(_short, counted) for stem in stems([_SPELT_OUT.get(each, each)])
    )
    each = _OF_EACH.match(match.string, at)
    of_each = next(iter(stems([each[1].lower()])), "") if each else ""
    told = (written, names, of_each, " ".join((written, *counted[:1])))
    if match["currency"]:
        return Amount(number, _CURRENCIES[match["currency"]], *told)
    words = [each.lower() for each in (match["unit"], match["next"]) if each]
    working = bool(words) and words[0] in _WORKING
    unit = _unit(words[1] if working and len(words) > 1 else words[0] if words else "")
    if words[:2] in (["percentage", "point"], ["percentage", "points"]):
        unit = "point"
    if sign or raised or "/" in told[-1]:
        return Amount(number, "", *told)
    if unit in TIMES and not (working and words[0] != "calendar"):
        return Amount(number * TIMES[unit], "seconds", *told)
    if unit in YEARS:
        return Amount(number * YEARS[unit], "months", *told)
    return Amount(number, f"{words[0]} {unit}" if working else unit, *told)


def _counted(match: re.Match[str]) -> tuple[tuple[str, ...], int]:
    """The words of what is counted, in lower case, and where they end; none of a date's."""
    match = _last_of_each(match.string)[match.start()]
    text, at = match.string, _end(match)
    if match["currency"]:
        return (_CURRENCIES[match["currency"]],), at
    if code := _code(match):
        return (code[0].strip().lower(),), at
    if joined := _AND_SO_MANY.match(text, at):
        at = joined.end()
    words: list[str] = []
    while len(words) < MOST_COUNTED and (found := _COUNTED_WORD.match(text, at)):
        word = found[1].lower()
        if word in _UNCOUNTED or _CALENDAR.match(found[1]):
            break
        words.append(word)
        at = found.end()
    dated = _DATED.search(_before(match)) and _YEAR.fullmatch(match["whole"])
    return () if dated else tuple(words), at


@lru_cache(maxsize=64)
def _last_of_each(text: str) -> Mapping[int, re.Match[str]]:
    """By where a number begins, the last one of those that count the same: "between 12 and 18"."""
    last: dict[int, re.Match[str]] = {}
    for match in reversed([*_NUMBER.finditer(text)]):
        is_told = match["currency"] or _code(match)
        joined = None if is_told else _AND_SO_MANY.match(text, _end(match))
        ending = last.get(joined.end(), match) if joined else match
        last[match.start()] = last[match.start("whole")] = ending
    return last


def _code(match: re.Match[str]) -> re.Match[str] | None:
    return _CODE.search(_before(match))


def _end(match: re.Match[str]) -> int:
    return max(match.end(each) for each in ("whole", "decimals", "raised"))


def _before(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - _LONGEST_BEFORE) : match.start()]


def _short(word: str) -> str:
    return _SHORT.get(word, word)


def _unit(word: str) -> str:
    word = _SHORT.get(word, word)
    singular = _SHORT.get(word.removesuffix("s"), word.removesuffix("s"))
    return singular if singular in (*TIMES, *YEARS, *COUNTED) else ""


def _calendar(text: str) -> set[str]:
    found = {match.group().lower().strip(".")[:3] for match in _CALENDAR.finditer(text)}
    return found | ({"may"} if _MAY.search(text) else set())


_ASKS_UNTIL_WHEN = re.compile(r"(?:by|until) when|how late", re.IGNORECASE)
_DURATIONS = ("second", "month", "semester", "term", "day", "week", "hour", "year")
_SAYS_WHEN = re.compile(
    r"\b(?:deadline|(?:no|not) later than|until|before|(?:end|start|beginning) of"
    r"|immediately|at once|as soon as|at any time|next (?:working )?day"
    r"|(?:week|day|semester|term|hour) \d+)\b",
    re.IGNORECASE,
)
"""Of a deadline that has no number of its own: "before the examination"."""


def asks_until_when(question: str) -> bool:
    return bool(_ASKS_UNTIL_WHEN.match(question))


def leaves_open_when(question: str, claim: str) -> bool:
    """Whether the question begins by asking until when, and the claim names no time at all."""
    return asks_until_when(question) and not _names_a_time(claim)


def _names_a_time(text: str) -> bool:
    found = measures(text)
    dated = found.times or found.months or found.weekdays or "ordinal" in found.amounts
    lasts = any(duration in unit for unit in found.amounts for duration in _DURATIONS)
    return bool(dated or lasts or _SAYS_WHEN.search(text))
