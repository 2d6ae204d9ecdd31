"""Which days a question says: those that it asks about, or since when something is new.

What looks like a time and is none stays as it is: "room 2026", "2050 euros", "CVE-2026-0464". An
academic year ("2026/27") is one thing, of which no scope says the whole.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from retrieval.language.numbered import numbered_spans
from retrieval.language.questions import AUXILIARIES, DETERMINERS, refers_to_what_was_asked
from retrieval.language.words import FUNCTION_WORDS, words_of

SOON = 5
"""Years ahead: a number so near is a year where it may be one ("2027 students"), a farther one
only where nothing else can be meant."""
BEGUN = 10
"""The month by which every academic and fiscal year that two calendar years name has begun."""
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
MONTHS = {
    short: number
    for number, name in enumerate(MONTH_NAMES, start=1)
    for short in (name, *(["sept"] if number == 9 else []), name[:3])
}
_MONTH = rf"(?P<month>(?:{'|'.join(MONTHS)})\b)(?:(?<=\b\w{{3}}\b)(?<!may)\.|(?<=sept)\.)?"
_FOUR = r"(?P<year>[12]\d{3})"
_NAMES_A_YEAR = re.compile(rf"{_FOUR}|\b(?:next|tomorrow|new year)\b", re.IGNORECASE)
_ALONE = r"(?<![\w#@€$£%./:,-])"
_YEAR = rf"{_FOUR}(?![\w%]|[./:,-]\w)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_ON = r"as of|starting|effective|from|in|on|by|after|during|of|for"
_LEAD = (
    rf"(?:\b(?:{_ON}|at|(?P<till>since|until|till|before)) )?(?:\bthe )?"
    r"(?:(?:(?P<end>end)|start|beginning|middle) of )?(?:\bthe )?"
)
_NEXT = (
    r"(?:day after )?tomorrow|(?<=the )new year"
    r"|next (?:week|month|year|(?:academic|school|financial|fiscal) year)"
)
_Named = re.Match[str]
_Days = tuple[date, date]


@dataclass(frozen=True, slots=True)
class Times:
    """What a question says of when, as it was read on the day of asking."""

    ahead: date | None = None
    """The first day of the later time that it asks about."""
    recurs: bool = False
    """Whether that may be meant of every year, as "in July" is."""
    present: bool = False
    """Whether it asks about the day of asking too, by name."""
    undated: str = ""
    """The question without what a scope says: no rule says "in February 2027"."""
    past: date | None = None
    """The last day of a time that was over by then, where it asks about no other."""
    without_past: str = ""
    """The question without that."""


def times_of(question: str, on: date, previous: Sequence[str] = ()) -> Times:
    """The most exact of the times ahead; raise nothing.

    `previous`: earlier questions, oldest first. Who names no time asks about that of the one that
    they refer to.
    """
    found = list(_times(question, on))
    present = [each for each in found if each[0][0] <= on <= each[0][1]]
    now = bool(present or _NOW.search(question))
    for (first, _), without, said in found:
        if first > on:
            return Times(first, not _NAMES_A_YEAR.search(said), now, without)
    undated = present[0][1] if len(found) == 1 and present else question
    if previous and not now and refers_to_what_was_asked(question):
        return replace(times_of(previous[-1], on, previous[:-1]), undated=undated)
    over = [(last, without) for (_, last), without, _ in found if last < on]
    past, without = max(over, default=(None, "")) if not now else (None, "")
    return Times(None, False, now, undated, past, without)


def days_named(question: str, on: date) -> list[_Days]:
    """First and last day of each time that it names, as read on a day."""
    return [days for days, *_ in _times(question, on)]


def days_meant(question: str, on: date) -> _Days | None:
    """The one time that it asks about, the present one included; None where it is not sure."""
    named = days_named(question, on)
    if named:
        return named[0] if len(named) == 1 else None
    now = _NOW.search(question)
    if now is None:
        return None
    said = now.group().lower()
    if not said.endswith("week"):
        return None if said.endswith(_LONGER) else (on, on)
    monday = on - timedelta(days=on.weekday())
    return monday, monday + timedelta(days=6)


def _times(question: str, on: date) -> Iterator[tuple[_Days, str, str]]:
    """First and last day of each, the question without it, and its words; nothing is read twice."""
    left = _masked(question, *numbered_spans(question))
    for form, days_of, is_said in _FORMS:
        for found in form.finditer(left):
            days = days_of(found, on)
            left = _masked(left, found.span())
            if days is not None:
                before, after = question[: found.start()], question[found.end() :]
                without = f"{before.rstrip()}{after}".strip() if is_said else question
                yield days, without, found.group()


def _masked(text: str, *spans: tuple[int, int]) -> str:
    for start, end in spans:
        text = f"{text[:start]}{'_' * (end - start)}{text[end:]}"
    return text


def _dated(found: _Named, on: date) -> _Days | None:
    """A day, or a month; without its year the next one, where nothing is told of the past."""
    named = found.groupdict()
    month, day = MONTHS.get(named["month"].lower()) or int(named["month"]), named.get("day")
    if named.get("till"):
        return None
    if named.get("year"):
        return _days(int(named["year"]), month, day, found)
    if _is_no_month(found) or _is_told_of_the_past(found.string[: found.start()]):
        return None
    this_year = _days(on.year, month, day, found)
    if this_year is None or this_year[0] > on:
        return this_year
    return None if on <= this_year[1] else _days(on.year + 1, month, day, found)


def _is_no_month(found: _Named) -> bool:
    """Whether it is the verb: "who under 18 may use the lab"."""
    return found["month"] == "may" and not re.search(
        rf"(?:{_ON}|next|\d(?:st|nd|rd|th)) may\b", found.group(), re.IGNORECASE
    )


def _is_told_of_the_past(before: str) -> bool:
    """Whether a clause that ends in a time is about what is over: "I started in January"."""
    words = set(words_of(_CLAUSE_BEGINS.split(before)[-1]))
    told = any(each.endswith("ed") and each != "need" for each in words)
    return bool(words & _PAST) or (told and not words & _NOT_PAST)


def _days(year: int, month: int, day: str | None, found: _Named) -> _Days | None:
    """First and last; None where the calendar has no such day."""
    try:
        first, last = (date(year, month, int(day)),) * 2 if day else _month(year, month)
    except ValueError:
        return None
    return (last if found.groupdict().get("end") else first), last


def _month(year: int, month: int) -> _Days:
    """Raise `ValueError`."""
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def _academic(found: _Named, _: date) -> _Days | None:
    """None of what is no such year: "2026/30"."""
    year = int(found["year"])
    if int(found["next"]) % 100 != (year + 1) % 100:
        return None
    return date(year, BEGUN, 1), _month(year + 1, BEGUN - 1)[1]


def _year(found: _Named, on: date) -> _Days | None:
    """A number that may be a year, by what stands beside it."""
    text, year = found.string, int(found["year"])
    before = re.search(r"(\w+) $", text[: found.start("year")])
    after = re.match(r" ([\w€$£%]+)", text[found.end() :])
    led, followed = before[1] if before else "", after[1].lower() if after else ""
    tells = led.lower() in _TELLS_A_YEAR
    code = led.isupper() and len(led) > 1 and not tells  # of a course, or a currency
    if found["till"] or code or is_no_year(text, *found.span("year")):
        return None
    told = tells and followed in {"", *FUNCTION_WORDS, *AUXILIARIES}
    if on.year <= year <= on.year + SOON or told:
        return date(year, 1, 1), date(year, 12, 31)
    return None


def is_no_year(text: str, start: int, end: int) -> bool:
    """Whether a number is an amount, or names a thing: "2050 euros", "room 2026"."""
    followed = re.match(r" ([\w€$£%]+)", text[end:])
    names_a_thing = any(first <= start < last for first, last in numbered_spans(text))
    return names_a_thing or bool(followed and _COUNTS.fullmatch(followed[1]))


def counts_nothing(text: str) -> list[tuple[int, int]]:
    """Where numbers name a day, a month, a year or a time of day: "in 2026", not "2026 euros"."""
    spans = [each.span() for each in _CLOCK.finditer(text)]
    for form in (*_WRITTEN, *(form for form, days_of, _ in _FORMS if days_of is _dated)):
        spans += [each.span() for each in form.finditer(text) if not _is_no_month(each)]
    return [*spans, *(each.span() for each in _BARE.finditer(text) if _is_a_year(each))]


def _is_a_year(found: _Named) -> bool:
    """Whether what stands before it tells of a year: "the capacity is 2000" does not."""
    text, (start, end) = found.string, found.span()
    led, followed = words_of(text[:start])[-1:], re.match(r" ([^\W\d_]+)", text[end:])
    counted = followed and followed[1].lower() not in FUNCTION_WORDS | AUXILIARIES
    tells = _DATES_ALONE if counted else _DATES_ALONE | _TELLS_A_YEAR
    return not is_no_year(text, start, end) and (not led or led[0] in tells)


def _next(found: _Named, on: date) -> _Days:
    """The first day after this one's end; the last says only that it lies ahead."""
    match " ".join(found["next"].lower().split()):
        case said if "day after" in said:
            first = on + timedelta(days=2)
        case "tomorrow":
            first = on + timedelta(days=1)
        case "next week":
            first = on + timedelta(days=7 - on.weekday())
        case "next month":
            first = (on.replace(day=1) + timedelta(days=31)).replace(day=1)
        case "next year" | "new year":
            first = date(on.year + 1, 1, 1)
        case _:
            first = date(on.year + (on.month >= BEGUN), BEGUN, 1)
    return first, first


_FORMS: tuple[tuple[re.Pattern[str], Callable[[_Named, date], _Days | None], bool], ...] = tuple(
    (re.compile(rf"{form}(?: onwards?\b| on(?=[\s?.!]*$))?", re.IGNORECASE), days_of, is_said)
    for form, days_of, is_said in (
        (rf"{_LEAD}{_ALONE}{_FOUR}-(?P<month>[01]?\d)-(?P<day>[0-3]?\d)\b", _dated, True),
        (rf"{_LEAD}\b(?P<day>[0-3]?\d)\.(?P<month>[01]?\d)\.{_YEAR}", _dated, True),
        (rf"{_LEAD}\b{_DAY}(?: of)? {_MONTH},? {_YEAR}", _dated, True),
        (rf"{_LEAD}\b{_MONTH} {_DAY},? {_YEAR}", _dated, True),
        (rf"{_LEAD}\b{_MONTH},? {_YEAR}", _dated, True),
        (rf"{_LEAD}{_ALONE}{_FOUR}-(?P<month>0[1-9]|1[0-2])\b", _dated, True),
        (rf"{_ALONE}{_FOUR} ?[/\N{{EN DASH}}-] ?(?P<next>\d\d|(?:19|20)\d\d)\b", _academic, False),
        (rf"{_LEAD}\b{_DAY}(?: of)? {_MONTH}", _dated, True),
        (rf"{_LEAD}\b{_MONTH} {_DAY}(?!\w)", _dated, True),
        (rf"\b(?:{_ON}|next) (?:next )?{_MONTH}", _dated, True),
        (rf"{_LEAD}\b(?P<next>{_NEXT})\b(?!['’]s)", _next, True),
        (rf"{_LEAD}{_ALONE}{_YEAR}", _year, True),
    )
)
"""The most exact first: a question that says a day says its month and its year as well."""
_WRITTEN = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_ALONE}{_FOUR}-(?P<month>[01]?\d)-(?P<day>[0-3]?\d)(?![\w-])",
        rf"(?<![\w.])(?P<day>[0-3]?\d)\.(?P<month>[01]?\d)\.{_FOUR}(?!\w)",
        rf"(?<![\w/])(?P<day>[0-3]?\d)/(?P<month>[01]?\d)/{_FOUR}(?![\w/])",
        rf"\b{_DAY}(?: of)? {_MONTH},? {_FOUR}(?!\w)",
        rf"\b{_MONTH} {_DAY},? {_FOUR}(?!\w)",
    )
)


def written_days(text: str) -> list[tuple[date | None, int, int]]:
    """Days written in full, with where they stand; None for no day, and for 03/04/2026: two."""
    found = [
        (_written_day(match), *match.span()) for form in _WRITTEN for match in form.finditer(text)
    ]
    return sorted(found, key=lambda each: each[1])


def _written_day(found: _Named) -> date | None:
    named = found["month"].lower()
    month, day = MONTHS.get(named) or int(named), int(found["day"])
    if "/" in found.group():
        if max(month, day) <= 12 and month != day:  # day first, or month first
            return None
        month, day = min(month, day), max(month, day)
    days = _days(int(found["year"]), month, str(day), found) if month else None
    return days and days[0]


_BARE = re.compile(rf"{_ALONE}(?:19|20)\d\d(?![\w%]|[./:,'’-]\w)")
_CLOCK = re.compile(r"(?<![\d:])[0-2]?\d[:.][0-5]\d(?= ?[ap]\.?m\b)|(?<![\d:])[0-2]?\d:[0-5]\d\b")
_NOW = re.compile(
    r"\b(?:now|nowadays|today|tonight|currently|at (?:the moment|present)"
    r"|(?:this|the current) (?:\w+ )?(?:year|month|week|semester|term))\b",
    re.IGNORECASE,
)
_LONGER = ("year", "month", "semester", "term")
_CLAUSE_BEGINS = re.compile(
    r"[,;.?!]|\b(?:if|when|because|since|and|but|so|that|who|which|as)\b", re.IGNORECASE
)
_PAST = frozenset(
    """
    ago began bought broke brought built came did felt forgot found gave got grew had heard held
    knew last left lost made met ran said saw sent sold spent spoke started taught told took tore
    was went were won wrote
    """.split()  # noqa: SIM905
)
_NOT_PAST = AUXILIARIES - _PAST | {"be", "get", "gets"}
_COUNTS = re.compile(
    r"euros?|eur|dollars?|usd|pounds?|gbp|sterling|francs?|chf|cents?|yen|rupees?|inr|crowns?"
    r"|kron\w+|zloty\w*|lira|yuan|rubles?|[€$£%]|percent|points?|credits?|words?|characters?|pages?"
    r"|seconds?|minutes?|hours?|days?|weeks?|months?|times|miles?|met(?:er|re)s?|kilo\w+|k?g|k?m"
    r"|litres?|liters?|[kmgt]b|k?wh?|calories|kcal|square|cubic|tons?|tonnes?",
    re.IGNORECASE,
)
"""Behind a number it is an amount."""
_TELLS_A_YEAR = frozenset(
    {*_ON.replace("as of|", "").split("|"), *DETERMINERS, "the", "year", "and", "or", "about"}
    | {"ay", "fy", "sy", "ws", "ss", "q1", "q2", "q3", "q4"}
)
_DATES_ALONE = _TELLS_A_YEAR - {"about", "and", "at", "by", "for", "of", "or"} | {
    *("since", "until", "till", "before")
}
"""Also before what is counted: "in 2026 students pay", not "for 2000 users"."""


_OF_YEAR = r"(?:,? (?P<year>20\d\d))?\b"
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365}
_AWAY = {"this": 0, "current": 0, "next": 1, "coming": 1}
"""Else the one before."""
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_PERIODS = tuple(
    re.compile(
        rf"\b(?:(?:(?P<since>since|after|from)|(?P<by>by|until|before)) )?(?:the )?{form}",
        re.IGNORECASE,
    )
    for form in (
        r"(?P<iso>20\d\d-[01]\d-[0-3]\d)\b",
        rf"{_DAY}(?: of)? {_MONTH}{_OF_YEAR}",
        rf"{_MONTH} {_DAY}(?!\d){_OF_YEAR}",
        rf"(?:(?:in|during) )?(?P<was>last )?{_MONTH}{_OF_YEAR}",
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
    for found in (each for form in _PERIODS for each in form.finditer(question)):
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
    """Without end where it is said since when, without beginning by when."""
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
    return Period(*_month(year, month))


def _span(unit: str, on: date, away: int) -> Period:
    """A calendar week, month or year: the one that holds the day, or one so many `away`."""
    if unit == "week":
        first = on + timedelta(days=7 * away - on.weekday())
        return Period(first, first + timedelta(days=6))
    if unit == "year":
        return Period(date(on.year + away, 1, 1), date(on.year + away, 12, 31))
    year, month = divmod(on.year * 12 + on.month - 1 + away, 12)
    return Period(*_month(year, month + 1))
