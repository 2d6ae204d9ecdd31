"""Numbers in digits, however they are told: "a dozen", "half an hour", "1 hour 30 minutes"."""

import re

from text_to_num import alpha2digit

from retrieval.language.words import RAISED_DIGITS

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
    """Of "1 hour 30 minutes" the minutes: a year is 12 months, an hour 60 minutes."""
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
