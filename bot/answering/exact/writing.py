"""Days, times of day and numbers that are written in several ways, each in one of them."""

import re
from functools import lru_cache

from retrieval.language.dates import MONTH_NAMES, MONTHS, written_days

_MONTH = rf"(?P<month>{'|'.join(each.capitalize() for each in MONTHS)})\b\.?"
_NO_YEAR = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b"
_DAYS = (
    re.compile(rf"\b{_MONTH} {_NO_YEAR}(?![:.,]?\d)"),
    re.compile(rf"(?<![\w.,:/-])(?:the )?{_NO_YEAR}(?: of)? {_MONTH}"),
)
_CLOCK = re.compile(
    r"\b(?:12(?:[:.]00)? )?(?P<named>noon|midday|midnight)\b"
    r"|\b(?P<from>1[0-2]|0?[1-9])(?=\s?(?:-|–|to|and|until)\s?(?P<to>\d\d?)(?:[:.]\d\d)?"
    r" ?(?P<both>[ap])\.?m\b)"
    r"|\b(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))? ?"
    r"(?:(?P<half>[ap])(?:\.m\b(?:\.(?!\s*$|\s+(?-i:[A-Z])))?|m\b)"
    r"|(?:o['’]clock )?in the (?P<part>morning|afternoon|evening))"
    r"|\b(?P<hour24>[01]?\d|2[0-4]):(?P<minute24>[0-5]\d)\b",
    re.IGNORECASE,
)
_CLOCK_H = re.compile(
    r"(?:(?<=\bat )|(?<=\bfrom )|(?<=\bFrom )|(?<=\bAt )|(?<=until )|(?<=\dh to )|(?<=\dh[-–])"
    r"|(?=\d\d?h\d))\b([01]?\d|2[0-3])h([0-5]\d)?\b"
)
"""As "19h30". "Within 24h" is no time of day."""
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
    """As minutes and as written, and the text without them."""
    found = {_minutes(match): match.group().strip() for match in _CLOCK.finditer(text)}
    return found, _CLOCK.sub(" ", text)


def _day(found: re.Match[str]) -> str:
    return f"{int(found['day'])} {MONTH_NAMES[MONTHS[found['month'].lower()] - 1].capitalize()}"


def _written(found: re.Match[str]) -> str:
    hour, minute = divmod(_minutes(found), 60)
    return f"{hour:02}:{minute:02}"


def _minutes(found: re.Match[str]) -> int:
    if named := found["named"]:
        return 0 if named.lower() == "midnight" else 12 * 60
    if found["hour24"]:
        return (60 * int(found["hour24"]) + int(found["minute24"])) % (24 * 60)
    if found["from"]:  # "7 to 10 pm", "11 to 1 pm"
        begins, ends = int(found["from"]) % 12, int(found["to"]) % 12
        return 60 * (begins + 12 * ((found["both"].lower() == "p") is (begins < ends)))
    late = (found["half"] or "").lower() == "p" or (found["part"] or "").lower() in (
        "afternoon",
        "evening",
    )
    return 60 * (int(found["hour"]) % 12 + 12 * late) + int(found["minute"] or 0)
