"""Values of a kind are read in a text, each with the words that it is written in.

What can be read in two ways is no value: 03/04/2026, 1.234.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from bot.answering.exact.writing import in_digits
from bot.extracting.schema import Field, FieldKind
from retrieval.language.dates import counts_nothing, written_days
from retrieval.language.table_rows import NO, YES

Json = str | int | bool
"""Numbers that may have a fraction are text, so that no digit is lost; dates are 2026-01-31,
durations P3M."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value stands at [start, end) of a text."""

    json: Json
    written: str
    start: int
    end: int


def values_in(text: str, field: Field) -> list[Value]:
    """All that a field may take from running text, in order; of a very long one none."""
    if len(text) > LONGEST_LINE:
        return []
    if field.allowed:
        return list(_allowed(text, field.allowed))
    match field.kind:
        case FieldKind.DATE:
            return list(_days(text))
        case FieldKind.DURATION:
            return list(_durations(text))
        case FieldKind.NUMBER:
            return [each for each in _numbers(text) if _counts(text[each.end :], field)]
        case FieldKind.WHOLE:
            return [
                Value(int(Decimal(str(each.json))), each.written, each.start, each.end)
                for each in _numbers(text)
                if Decimal(str(each.json)) % 1 == 0 and _counts(text[each.end :], field)
            ]
        case FieldKind.TEXT:
            return list(_names(text))
        case FieldKind.YES_NO:
            return []


def labelled_value(text: str, field: Field) -> list[Value]:
    """What a field takes from a text that stands behind its label: one, more, or none."""
    text = text.strip()
    if text.endswith(":") or len(text) > LONGEST_LINE:  # it is a label itself, or no line
        return []
    if field.kind is FieldKind.YES_NO:
        said = re.split(r"[,.;(]", text.casefold(), maxsplit=1)[0].strip()
        holds = text.casefold() in YES or said in YES
        denied = text.casefold() in NO or said in NO
        return [Value(holds, text, 0, len(text))] if holds != denied else []
    if field.kind is FieldKind.TEXT and not field.allowed:
        if text.casefold().strip(" .") in _NOTHING:
            return []
        whole = _without_address(text, field)
        return [Value(whole, whole, 0, len(whole))] if 0 < len(whole) <= LONGEST_VALUE else []
    if field.kind in (FieldKind.NUMBER, FieldKind.WHOLE) and text.isdecimal():  # not a year here
        number = int(text) if field.kind is FieldKind.WHOLE else text
        return [Value(number, text, 0, len(text))] if len(text) <= MOST_DIGITS else []
    return values_in(text, field)


_NOTHING = NO | {"n/a", "na", "nil", "tbd", "tbc", "unknown", "not applicable", "to be confirmed"}
"""It stands where a text would."""
LONGEST_VALUE = 200
LONGEST_LINE = 2_000
MOST_DIGITS = 20
_ADDRESS = re.compile(r", (?=[^,]*\d|[^,]*,.*\d).*$")


def _without_address(text: str, field: Field) -> str:
    wanted = "address" in " ".join((*field.labels, field.description)).casefold()
    return text if wanted else _ADDRESS.sub("", text)


def items_of(text: str) -> list[str]:
    """Such as three for "staff, students and guests"."""
    return [
        each for each in re.split(r"\s*[,;]\s*(?:and |or )?|\s+and\s+", text.strip(" .")) if each
    ]


def _days(text: str) -> Iterator[Value]:
    for day, start, end in written_days(text):
        if day is not None:
            yield Value(day.isoformat(), text[start:end], start, end)


_UNITS = {"day": "D", "week": "W", "month": "M", "year": "Y"}
_EVERY = {"annually": "P1Y", "yearly": "P1Y", "monthly": "P1M", "weekly": "P1W", "daily": "P1D"}
_DURATION = re.compile(
    r"(?<![\w.,-])(?P<number>\d{1,4}|[a-z]+(?:-[a-z]+)?)(?: ?\((?P<again>\d{1,4})\))?"
    r"[ -](?:calendar )?(?P<unit>day|week|month|year)s?\b(?!-)"
    rf"|\b(?P<every>{'|'.join(_EVERY)})\b",
    re.IGNORECASE,
)


def _durations(text: str) -> Iterator[Value]:
    """Calendar time alone: ten working days are no certain time."""
    for found in _DURATION.finditer(text):
        if found["every"]:
            yield Value(_EVERY[found["every"].lower()], found[0], *found.span())
            continue
        number = found["number"].lower()
        every = number in ("every", "each", "one", "per")
        digits = found["again"] or ("1" if every else in_digits(number).strip())
        if digits.isdigit():
            unit = _UNITS[found["unit"].lower()]
            start = found.start("unit") if number == "per" else found.start()
            yield Value(f"P{int(digits)}{unit}", text[start : found.end()], start, found.end())


_NUMBER = re.compile(
    r"(?<![\w.,/'’-])(?P<before>[$£€]|(?:EUR|USD|GBP|CHF|Fr\.) ?)?(?P<sign>[-−–])?"
    r"(?P<currency>[$£€])?(?P<number>\d+(?:[.,'’ ]\d+)*)"
    r"(?![\w/]|[-–]\d|[.,]\d)(?P<after> ?(?:EUR|USD|GBP|CHF|[€$£%])(?!\w))?"
)
_PLAIN = re.compile(r"\d+(?:\.\d{1,2}|\.\d{4,})?")
_GROUPED = re.compile(r"\d{1,3}(?:(?P<by>[,'’ ])\d{3})(?:(?P=by)\d{3})*(?:\.\d+)?")
_CONTINENTAL = re.compile(r"\d{1,3}(?:(?P<by>[.'’ ])\d{3})*,\d{1,2}")


def number_of(written: str) -> Decimal | None:
    """None where nobody can tell what it says: "1.234" is two numbers."""
    if len(written) > MOST_DIGITS:
        return None
    if _PLAIN.fullmatch(written):
        return Decimal(written)
    if _GROUPED.fullmatch(written):
        return Decimal(re.sub(r"[,'’ ]", "", written))
    if _CONTINENTAL.fullmatch(written):
        return Decimal(re.sub(r"[.'’ ]", "", written).replace(",", "."))
    return None


def _numbers(text: str) -> Iterator[Value]:
    taken = counts_nothing(text)
    for found in _NUMBER.finditer(text):
        is_money = found["before"] or found["currency"] or found["after"]
        inside = not is_money and _within(found.start("number"), taken)
        number = number_of(found["number"])
        if inside or number is None:
            continue
        signed = -number if found["sign"] else number
        yield Value(f"{signed:f}", found[0].strip(), found.start(), found.end())


def _within(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in spans)


_TIME = re.compile(
    r"[ -](?:(?:working|business|calendar) )?(second|minute|hour|day|week|month|year)s?\b"
)


def _counts(after: str, field: Field) -> bool:
    """Whether a number may be the field's by what stands behind it."""
    named = _TIME.findall(f" {' '.join((*field.labels, field.description)).casefold()}")
    found = _TIME.match(after.casefold())
    labelled = _TIME.findall(f" {field.labels[0].casefold()}")
    return found[1] in named if found else not labelled


_SIGNS: Mapping[str, str] = {"EUR": "€", "USD": "$", "GBP": "£", "CHF": "Fr."}


def is_currency(field: Field) -> bool:
    """Whether it is one of some currencies, which stands beside every amount."""
    return bool(field.allowed) and set(field.allowed) <= _CODES


_CODES = frozenset(
    "EUR USD GBP CHF AUD CAD CNY CZK DKK HUF INR JPY NOK NZD PLN SEK".split()  # noqa: SIM905
)


NOT = re.compile(r"n['’]t\b|(?:^| )not(?: yet)?\b|\bnever ", re.IGNORECASE)


def _allowed(text: str, allowed: Sequence[str]) -> Iterator[Value]:
    """Words as they stand, and of currencies the signs too; none behind a "not"."""
    for each in allowed:
        said = [re.escape(each), *([re.escape(_SIGNS[each])] if each in _SIGNS else [])]
        alone = rf"(?<![^\W\d_])(?:{'|'.join(said)})(?![^\W\d_])"
        for found in re.finditer(alone, text, re.IGNORECASE):
            if NOT.search(text[: found.start()]):
                break
            yield Value(each, found[0], *found.span())


_NAME = re.compile(
    r"(?:[A-Z][\w'’&.-]*|\d[\w-]*)(?:(?: (?:of|for|and|the|&|de))* (?:[A-Z][\w'’&-]*\.?|&))*"
)
_NO_NAME = frozenset(
    """
    the a an this that these it they we you your our each every either any all no if where when
    while who what which there here in on at by for from to of and or but not article section
    clause above between
    """.split()  # noqa: SIM905  # a list of words reads as one
)
_SOMEBODY = re.compile(
    r"(?:(?<=by )|(?<=is )|(?<=are )|(?<=, )|^)"
    r"(?:[Tt]he|[Yy]our|[Oo]ur|[Aa]n?) [\w-]+"
    r"(?: (?!(?:approves?|owns?|must|may|is|are|within|before|in)\b)[\w-]+){0,5}"
)
"""Who is named by an office: "your line manager"."""


_WORD = re.compile(r"[A-Z][a-z]+")


def _names(text: str) -> Iterator[Value]:
    found = [*_NAME.finditer(text), *_SOMEBODY.finditer(text)]
    taken = counts_nothing(text)
    for each in sorted(found, key=lambda one: one.start()):
        written = without_first(each[0]) if each.re is _NAME else each[0]
        start = each.end() - len(written)
        written = written.rstrip(".,") if not written.endswith(("Inc.", "Ltd.", "Co.")) else written
        if start == 0 and _WORD.fullmatch(written):
            continue  # any word begins so
        if written.isdecimal() and _within(start, taken):
            continue
        if len(written) > 1 and written.casefold() not in _NO_NAME and written not in _SIGNS:
            yield Value(written, written, start, start + len(written))


def without_first(name: str) -> str:
    """A name without the word before it that is none of it: "Between Alder GmbH"."""
    first, _, rest = name.partition(" ")
    return rest if first.casefold() in _NO_NAME else name


def claims_of(wanted: Field, written: str) -> list[str]:
    label = wanted.labels[0]
    said = [f"The {label} is {written}.", f"{label.capitalize()}: {written}"]
    description = wanted.description.rstrip(".")
    if description.startswith("Who "):
        said.append(f"{written[:1].upper()}{written[1:]}{description[3:]}.")
    elif description:
        said.append(f"{description}: {written}.")
    return said


def same(value: object) -> object:
    """As far as two places say the same: twelve months are a year."""
    if isinstance(value, str):
        length = re.fullmatch(r"P(\d+)([DWMY])", value)
        if length:
            number, unit = int(length[1]), length[2]
            days = number * 7 if unit == "W" else number if unit == "D" else 0
            return ("days", days) if days else ("months", number * (12 if unit == "Y" else 1))
        if re.fullmatch(r"-?\d+\.\d+", value):
            return value.rstrip("0").rstrip(".")
        return " ".join(value.casefold().split()).removeprefix("the ")
    return value
