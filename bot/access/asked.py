"""What an administrator asks of the audit store, in words that each door understands alike."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from audit.feedback import Opinion
from audit.finding.queries import HUNDREDTHS, RecordQuery
from audit.finding.terms import reason_in_general
from audit.record import Badge, Decision
from audit.values import Status
from bot.errors import WrongUse
from bot.wording import auditing as wording
from bot.wording.names import named_day

_PLAIN = (
    *("person", "channel", "document", "dropped", "version", "passage", "told", "decision"),
    *("badge", "confidence", "reason", "writer", "settings", "last", "since", "until", "text"),
)
_ALSO = {"by": "person", "source": "document", "cited": "document", "about": "text"}
KEYS = {key: key for key in _PLAIN} | _ALSO | {"claim": "status", "rated": "feedback"}
_WORDS = {"status": "claim", "feedback": "rated"}
TIMES = frozenset({"since", "until"})
_SENTENCES = frozenset({"text", "told", "reason"})
"""Whose values are people's own words ..."""
_AFTER_SENTENCES = frozenset({"person", "by", "document", "source", "decision", "since", "until"})
"""... which end before these keys alone, and before `last 30 days`."""
_DOCUMENTS = frozenset({"document", "dropped"})
"""Which are told as they were typed: their ids say nothing to people."""
_QUOTES = str.maketrans("“”„", '"""')
_LAST = re.compile(r"(\d{1,4}) (day|week|month)s?", re.IGNORECASE)
_DAYS_IN = {"day": 1, "week": 7, "month": 30}
_LAST_OF_ANY = re.compile(r"\d+ (minute|hour|day|week|month|year)s?", re.IGNORECASE)
"""What stands after `last`, whether or not it is understood."""
_HASH = "sha256:"
_RANGE = re.compile(
    r"(?:(?P<word>under|below|over|from|least) )?(?P<one>[\d.]+%?)"
    r"(?:(?: to | ?[-–] ?)(?P<other>[\d.]+%?))?",
    re.IGNORECASE,
)
_RATED = {"good": Opinion.GOOD, "bad": Opinion.BAD, "it": Opinion.THIS_WAS_IT}
_BY_THEMSELVES = {
    **{each.lower(): ("decision", each.lower()) for each in Decision},
    **{each.lower(): ("status", each.lower()) for each in Status},
}

FindPerson = Callable[[str], str]
"""From `<@U...>`, a name or an e-mail to the id under which the audit keeps them."""
FindDocument = Callable[[str], str]
"""From a file, an id, a base name or a title to what the audit keeps; raise `UnknownDocument`, and
`WrongUse` where several documents fit."""
as_it_stands = str


@dataclass(frozen=True, slots=True)
class Finders:
    """What people call by name is known by ids; each raises an error in words."""

    person: FindPerson
    document: FindDocument
    channel: Callable[[str], str] = as_it_stands
    plain: Callable[[str], str] = as_it_stands
    """Undoes what the door did to what was typed."""


@dataclass(frozen=True, slots=True)
class Asked:
    query: RecordQuery
    words: str = ""
    """What was asked for, for the head of the list; empty for the latest of all."""
    pairs: tuple[tuple[str, str], ...] = ()
    """Key and value, as typed; `in_words` makes words of them."""


def in_words(pairs: Mapping[str, str]) -> str:
    """Return what asks for that, each value between quotes."""
    return " ".join(
        f"{_WORDS.get(key, key)} {value if key == 'last' else _quoted(key, value)}"
        for key, value in pairs.items()
    )


def _quoted(key: str, value: str) -> str:
    """A sentence with a blank, by which it is known that it was quoted."""
    plain = value.translate(_QUOTES).replace('"', " ")
    return f'"{plain} "' if key in _SENTENCES and " " not in plain else f'"{plain}"'


def parse(said: str, find: Finders, today: date, limit: int) -> Asked:
    """Understand what is asked for; raise `WrongUse` saying what to write instead."""
    words = words_of(said)
    if words and words[0].casefold() == "latest":
        words = words[1:]
    split = next((n for n in range(len(words)) if _key(words, n)), len(words))
    return asked_of(_bare(words[:split], today) + _pairs(words[split:], find), find, today, limit)


def asked_of(pairs: Sequence[tuple[str, str]], find: Finders, today: date, limit: int) -> Asked:
    typed = dict(pairs)
    for key, _ in pairs:
        if sum(key == other for other, _ in pairs) > 1 or {"last", "since"} <= typed.keys():
            raise WrongUse(wording.said_twice(key))
    named = {
        "person": find.person,
        "document": find.document,
        "dropped": find.document,
        "channel": find.channel,
    }
    found = {key: named[key](value) if key in named else value for key, value in typed.items()}
    asked: dict[str, Any] = {}
    for key, value in found.items():
        asked |= _meant(key, value, today)
    told = ", ".join(
        f"{key} {typed[key] if key in _DOCUMENTS else value}" for key, value in found.items()
    )
    return Asked(RecordQuery(limit=limit, **asked), told, tuple(typed.items()))


def words_of(said: str) -> list[str]:
    """Split at blanks outside double quotes; an apostrophe is a letter, curly quotes count."""
    lexer = shlex.shlex(said.translate(_QUOTES), posix=True)
    lexer.whitespace_split, lexer.quotes, lexer.escape, lexer.commenters = True, '"', "", ""
    try:
        return list(lexer)
    except ValueError as error:
        raise WrongUse(wording.QUOTES) from error


def _bare(words: list[str], today: date) -> list[tuple[str, str]]:
    """Say with their keys what words mean by themselves."""
    known = [_BY_THEMSELVES[word.casefold()] for word in words if word.casefold() in _BY_THEMSELVES]
    days = sorted(day for word in words if (day := _day(word, today)))
    others = [
        word for word in words if word.casefold() not in _BY_THEMSELVES and not _day(word, today)
    ]
    pairs = [("person", " ".join(others))] if others else []
    return pairs + known + ([("since", days[0]), ("until", days[-1])] if days else [])


def _day(word: str, today: date) -> str:
    """Return the day that a word names, as `2026-01-31`; empty for none."""
    if named := named_day(word, today):
        return named.isoformat()
    try:
        return date.fromisoformat(word).isoformat()
    except ValueError:
        return ""


def _key(words: list[str], at: int) -> str:
    """The key that a word is, if any: `last` is one before a stretch of time alone."""
    key = KEYS.get(words[at].casefold().rstrip(":"), "")
    if key == "last" and not _LAST_OF_ANY.fullmatch(" ".join(words[at + 1 : at + 3])):
        return ""
    return key


def _pairs(words: list[str], find: Finders) -> list[tuple[str, str]]:
    """Return each key with all words up to the next one; the first word is a key."""
    pairs: list[tuple[str, list[str]]] = []
    for at, word in enumerate(words):
        key = _key(words, at)
        in_sentence = bool(pairs) and pairs[-1][0] in _SENTENCES and not _is_quoted(pairs[-1][1])
        ends = {*_AFTER_SENTENCES, "last"}
        if key and (not in_sentence or word.casefold().rstrip(":") in ends):
            pairs.append((key, []))
        else:
            pairs[-1][1].append(word)
    typed = [
        (key, said if key in ("person", "channel") else find.plain(said))
        for key, said in ((key, " ".join(values).strip()) for key, values in pairs)
    ]
    for key, value in typed:
        if not value:
            raise WrongUse(wording.value_missing(key))
    return typed


def _is_quoted(values: list[str]) -> bool:
    """A sentence between quotes ends with them: it is one word, with a blank in it."""
    return len(values) == 1 and " " in values[0]


def _meant(key: str, value: str, today: date) -> dict[str, Any]:
    if key == "decision":
        return {key: _one_of(key, value.upper(), {each: each for each in Decision})}
    if key == "status":
        return {key: _one_of("claim", value.upper(), {each: each for each in Status})}
    if key == "badge":
        return {key: _one_of(key, value.casefold(), {each: each for each in Badge})}
    if key == "feedback":
        return {key: _one_of("rated", value.casefold(), _RATED)}
    if key == "confidence":
        return _confidence(value)
    if key == "last":
        return {"since": _ago(value, today)}
    if key == "settings":
        return {key: f"{_HASH}{value.removeprefix(_HASH)}"}
    if key == "reason":
        return {key: reason_in_general(value)}
    return {key: _time(key, _day(value, today) or value) if key in TIMES else value}


def _one_of(key: str, value: str, known: Mapping[str, str]) -> str:
    if value not in known:
        raise WrongUse(wording.none_of(key, value.lower(), [each.lower() for each in known]))
    return str(known[value])


def _confidence(value: str) -> dict[str, Any]:
    found = _RANGE.fullmatch(value.replace("at least", "least"))
    one, other = (_hundredths(found[name]) if found else None for name in ("one", "other"))
    under = found is not None and (found["word"] or "").casefold() in ("under", "below")
    over = found is not None and bool(found["word"]) and not under
    if one is None or (found and found["other"] and (other is None or found["word"])):
        raise WrongUse(wording.no_confidence(value))
    if under and one > 0:
        return {"less_sure": one}
    if over and one < HUNDREDTHS:
        return {"surer": one}
    if other is not None and one < other:
        return {"surer": one, "less_sure": other}
    raise WrongUse(wording.no_confidence(value))


def _hundredths(said: str | None) -> int | None:
    """Of 0.45, .45 or 45%; None of what is no whole hundredth."""
    try:
        exact = float((said or "").rstrip("%")) * (1 if said and said.endswith("%") else HUNDREDTHS)
        whole = round(exact)
    except (ValueError, OverflowError):
        return None
    return whole if abs(exact - whole) < 1e-6 and 0 <= whole <= HUNDREDTHS else None


def _ago(value: str, today: date) -> datetime:
    found = _LAST.fullmatch(value)
    if found is None:
        raise WrongUse(wording.no_time(value))
    day = today - timedelta(days=int(found[1]) * _DAYS_IN[found[2].casefold()])
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _time(key: str, value: str) -> datetime:
    """Read a time in UTC; a date alone is its beginning, and as `until` its end."""
    try:
        time = datetime.fromisoformat(value)
        if key == "until" and len(value) == len("2026-01-31"):
            time += timedelta(days=1)
        return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise WrongUse(wording.no_time(value)) from error
