"""What an administrator asks of the audit store with `/audit ...`."""

import json
import re
import shlex
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from audit.queries import Page, RecordQuery
from audit.record import Decision
from bot.errors import WrongUse
from bot.wording import commands as wording

SHOWN = 10
"""Records in one message: each takes two blocks of Slack's fifty."""
KEYS = {
    "person": "person",
    "by": "person",
    "document": "document",
    "source": "document",
    "decision": "decision",
    "since": "since",
    "until": "until",
    "text": "text",
    "about": "text",
}
TIMES = frozenset({"since", "until"})
_QUOTES = str.maketrans("“”„", '"""')
_AUDIT_ID = re.compile(r"[0-9a-f]{8}-?[0-9a-f-]{0,28}", re.IGNORECASE)

FindPerson = Callable[[str], str]
"""From `<@U...>`, a name or an e-mail to the id under which the audit keeps them."""


@dataclass(frozen=True, slots=True)
class OneRecord:
    """An administrator wants one exchange in full."""

    audit_id: str


def parse(said: str, find_person: FindPerson) -> RecordQuery | OneRecord:
    """Understand what follows `/audit`; raise `WrongUse` saying what to write instead."""
    try:
        words = _words(said)
    except ValueError as error:
        raise WrongUse(wording.AUDIT_QUOTES) from error
    if len(words) == 1 and _AUDIT_ID.fullmatch(words[0]):
        return OneRecord(words[0].lower())
    if words and words[0].casefold() == "latest":
        words = words[1:]
    asked: dict[str, Any] = {key: _value(key, value, find_person) for key, value in _pairs(words)}
    return RecordQuery(limit=SHOWN, **asked)


def _words(said: str) -> list[str]:
    """Split at blanks outside double quotes; an apostrophe is a letter, curly quotes count."""
    lexer = shlex.shlex(said.translate(_QUOTES), posix=True)
    lexer.whitespace_split, lexer.quotes, lexer.escape, lexer.commenters = True, '"', "", ""
    return list(lexer)


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    """Each key with all words up to the next one."""
    pairs: list[tuple[str, list[str]]] = []
    for word in words:
        key = KEYS.get(word.casefold().rstrip(":"))
        if key:
            pairs.append((key, []))
        elif pairs:
            pairs[-1][1].append(word)
        else:
            raise WrongUse(wording.audit_not_understood(word))
    for key, values in pairs:
        if not values:
            raise WrongUse(wording.audit_value_missing(key))
    return [(key, " ".join(values)) for key, values in pairs]


def _value(key: str, value: str, find_person: FindPerson) -> str | datetime:
    if key == "person":
        return find_person(value)
    if key == "decision":
        if value.upper() not in set(Decision):
            raise WrongUse(wording.audit_no_decision(value))
        return value.upper()
    if key in TIMES:
        return _time(key, value)
    return value


def _time(key: str, value: str) -> datetime:
    """In UTC; a date alone is its beginning, and as `until` its end."""
    try:
        time = datetime.fromisoformat(value)
    except ValueError as error:
        raise WrongUse(wording.audit_no_time(value)) from error
    whole_day = len(value) == len("2026-01-31")
    if key == "until" and whole_day:
        time += timedelta(days=1)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def to_button(query: RecordQuery) -> str:
    """A query as the value of a button."""
    stated = {key: value for key, value in asdict(query).items() if value is not None}
    return json.dumps(stated, default=datetime.isoformat, ensure_ascii=False)


def from_button(value: str) -> RecordQuery:
    stated: dict[str, Any] = json.loads(value)
    for key in TIMES & stated.keys():
        stated[key] = datetime.fromisoformat(stated[key])
    return RecordQuery(**stated)


def next_page(query: RecordQuery, page: Page) -> RecordQuery:
    return replace(query, before=page.next)


def in_words(query: RecordQuery) -> str:
    """What was asked for, for the head of a list; empty for the latest of all."""
    stated = asdict(query)
    told = [(key, stated[key]) for key in dict.fromkeys(KEYS.values()) if stated[key] is not None]
    return ", ".join(
        f"{key} {value:%Y-%m-%d %H:%M}" if isinstance(value, datetime) else f"{key} {value}"
        for key, value in told
    )
