"""Days, times of day and numbers that are written in several ways, each in one of them."""

import re
from functools import lru_cache

from text_to_num import alpha2digit

from retrieval.language.dates import MONTH_NAMES, MONTHS, written_days
from retrieval.language.words import RAISED_DIGITS

_MONTH = rf"(?P<month>{'|'.join(each.capitalize() for each in MONTHS)})\b\.?"
_NO_YEAR = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b"
_DAYS = (
    re.compile(rf"\b{_MONTH} {_NO_YEAR}(?![:.,]?\d)"),
    re.compile(rf"(?<![\w.,:/-])(?:the )?{_NO_YEAR}(?: of)? {_MONTH}"),
)
_CLOCK = re.compile(
    r"\b(?:12(?:[:.]00)? )?(?P<named>noon|midday|midnight)\b"
    r"|(?<![:.])\b(?P<from>1[0-2]|[1-9]|0[1-9](?![:.]))(?:[:.](?P<from_minute>[0-5]\d))?"
    r"(?=\s?(?:-|–|to|and|until)\s?(?P<to>\d\d?)(?:[:.](?P<to_minute>\d\d))?"
    r" ?(?P<both>[ap])\.?m\b)"
    r"|\b(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))? ?"
    r"(?P<half>[ap])(?:\.m\b(?:\.(?!\s*$|\s+(?-i:[A-Z])))?|m\b)"
    r"|(?:(?<=\bat )|(?<=\bfrom )|(?<=\buntil )|(?<=\bbefore )|(?<=\bafter )"
    r"|\b(?=\d\d?(?:[:.]\d\d| o['’]clock)))"
    r"(?P<told>\d\d?)(?:[:.](?P<told_minute>\d\d))?(?: o['’]clock)?"
    r" in the (?P<part>morning|afternoon|evening)"
    r"|\b(?P<hour24>[01]?\d|2[0-4]):(?P<minute24>[0-5]\d)\b",
    re.IGNORECASE,
)
_CLOCK_H = re.compile(
    r"(?:(?<=\bat )|(?<=\bfrom )|(?<=\bFrom )|(?<=\bAt )|(?<=until )|(?<=\dh to )|(?<=\dh[-–])"
    r"|(?<=\dh\d\d to )|(?<=\dh\d\d[-–]))\b([01]?\d|2[0-3])h([0-5]\d)?\b"
    r"(?! (?!to\b|until\b|and\b|on\b)\w)"
)
"""As "at 19h30". "Within 24h", "lasts 8h30" and "at 12h notice" are no times of day."""
NUMBERED = r"(?:(?<!^)(?<![.!?] )no\. ?(?=(?:[a-z]{1,4}-?)?\d|(?-i:[a-z]))|no\.:|no\. (?=of\b))"
"""It stands for "number", where it does not answer a question."""
_SHORT = (
    (re.compile(rf"\b{NUMBERED}", re.IGNORECASE), "number "),
    (re.compile(r"\be\.g\.,?", re.IGNORECASE), "for example:"),
    (re.compile(r"\bi\.e\.,?", re.IGNORECASE), "that is:"),
)


@lru_cache(maxsize=4096)
def plainly(text: str) -> str:
    """With days, "19h" and "No. 4" in one form each: 1 March 2026, 1 March, 19:00, number 4."""
    for day, start, end in reversed(written_days(text)):
        if day is not None:
            text = f"{text[:start]}{day.day} {day:%B} {day.year}{text[end:]}"
    for form in _DAYS:
        text = form.sub(_day, text)
    for short, said in _SHORT:
        text = short.sub(said, text)
    return _CLOCK_H.sub(lambda found: f"{found[1]:0>2}:{found[2] or '00'}", text)


@lru_cache(maxsize=4096)
def read_alike(text: str) -> str:
    """As `plainly`, with each time of day as 22:00: a small model reads "10 pm" as another one."""
    return _CLOCK.sub(_written, plainly(text))


def times_of_day(text: str) -> tuple[dict[int, str], str]:
    """As minutes and as written, and the text without them; midnight begins and ends a day."""
    found: dict[int, str] = {}
    for match in _CLOCK.finditer(text):
        for minutes in _minutes(match):
            found.setdefault(minutes, match.group().strip())
    return found, _CLOCK.sub(" ", text)


def _day(found: re.Match[str]) -> str:
    return f"{int(found['day'])} {MONTH_NAMES[MONTHS[found['month'].lower()] - 1].capitalize()}"


def _written(found: re.Match[str]) -> str:
    minutes, *others = _minutes(found)
    return "midnight" if others else f"{minutes // 60:02}:{minutes % 60:02}"


def _minutes(found: re.Match[str]) -> tuple[int, ...]:
    if named := found["named"]:
        return (0, 24 * 60) if named.lower() == "midnight" else (12 * 60,)
    if found["hour24"]:
        return (60 * int(found["hour24"]) + int(found["minute24"]),)
    if found["from"]:  # "7 to 10 pm", "11 to 1 pm"
        begins = _of_half_day(found["from"], found["from_minute"])
        ends = _of_half_day(found["to"], found["to_minute"])
        return (begins + 12 * 60 * ((found["both"].lower() == "p") is (begins < ends)),)
    if found["half"]:
        late, hour, minute = found["half"].lower() == "p", found["hour"], found["minute"]
    else:
        late, hour, minute = found["part"].lower() != "morning", found["told"], found["told_minute"]
    return (_of_half_day(hour, minute) + 12 * 60 * late,)


def _of_half_day(hour: str, minute: str | None) -> int:
    return 60 * (int(hour) % 12) + int(minute or 0)


TIMES = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
YEARS = {"month": 1, "quarter": 3, "year": 12}
COUNTED = (
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
UNITS = "|".join((*TIMES, *YEARS, *COUNTED))
_TOLD_NOTE = re.compile(rf"\(([{RAISED_DIGITS}]+) ")
_DOZEN = re.compile(r"\b(?:(?P<half>half a)|(?P<many>\d+)|an?|one) dozen\b(?: of)?", re.I)
_AND_A_HALF = re.compile(
    rf"\b(?P<whole>\d+|an?|one)(?: and a half|\s?½) (?P<unit>{UNITS})s?\b"
    rf"|\b(?P<one>an?|one) (?P<of>{UNITS}) and a half\b"
    rf"|(?:\bhalf an?|½(?: an?)?) (?P<half>{UNITS})\b",
    re.I,
)
_WITH_REST = re.compile(
    r"(?<![\w.,:/–-])(?<!\bto )(?<!\bor )(?<!\band )(?P<many>\d+) (?P<unit>hour|minute|year)s? "
    r"(?:and )?(?P<rest>\d+) (?P<part>minute|second|month)s?(?=\s*(?:\Z|\n|[.;:!?)]))",
    re.I,
)
"""As one measure, where nothing follows that may be what only the rest counts."""


def in_digits(text: str) -> str:
    """The text with its numbers in digits: "two direct reports" as "2 direct reports"."""
    plain = re.sub(r"\bno one\b", "nobody", _without_marks(text), flags=re.I)
    plain = re.sub(r"\btwice\b", "two times", plain, flags=re.I)
    plain = re.sub(r"(?<=[A-Za-z\d])-(?=[A-Za-z])", " ", plain)
    digits: str = alpha2digit(plain, "en", 0)
    digits = re.sub(r"\bminus (?=[$£€0-9])", "-", digits, flags=re.I)
    # "one" is a pronoun as often as a number
    if "1" not in text:
        digits = re.sub(rf"\b1\b(?! (?:{UNITS})s?\b)", "one", digits)
    return _AND_A_HALF.sub(_with_half, _DOZEN.sub(_dozens, digits))


def with_rests(text: str, unless_in: str = "") -> str:
    """With "1 hour 30 minutes" as 90 minutes, but for what another text says in the same words."""
    return _WITH_REST.sub(
        lambda found: found.group() if found.group() in unless_in else _together(found), text
    )


def _dozens(found: re.Match[str]) -> str:
    return "6" if found["half"] else str(12 * int(found["many"] or 1))


def _with_half(found: re.Match[str]) -> str:
    whole, unit = found["whole"] or found["one"], found["unit"] or found["of"] or found["half"]
    return f"{int(whole) if whole and whole.isdigit() else int(bool(whole))}.5 {unit}s"


def _together(found: re.Match[str]) -> str:
    sizes = TIMES | YEARS
    unit, part = found["unit"].lower(), found["part"].lower()
    parts, rest = sizes[unit] // sizes[part], int(found["rest"])
    if (unit in YEARS) is not (part in YEARS) or rest >= parts:
        return found.group()
    return f"{int(found['many']) * parts + rest} {part}s"


def _without_marks(text: str) -> str:
    """Without the raised marks of notes that it tells itself: "30² (² Of which ten in May)"."""
    marks = "|".join(set(_TOLD_NOTE.findall(text)))
    return re.sub(rf"(?<=[^\s(])(?:{marks})(?!\w)", "", text) if marks else text
