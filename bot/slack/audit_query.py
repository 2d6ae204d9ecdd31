"""What an administrator asks of the audit store with `/audit ...`."""

import json
import re
import shlex
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Protocol

from audit.feedback import FeedbackQuery
from audit.queries import Page, RecordQuery
from audit.record import Decision
from bot.errors import WrongUse
from bot.slack.message_events import plain
from bot.wording import slack as wording
from bot.wording.names import named_day

SHOWN = 10
"""Records in one message: each takes two blocks of Slack's fifty."""
HELP = frozenset({"help", "?"})
KEPT_OUT = ["kept", "out"]
JOBS = "jobs"
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
FindDocument = Callable[[str], str]
"""From a file, an id, a base name or a title to what the audit keeps; raise `WrongUse` where
several documents fit."""


@dataclass(frozen=True, slots=True)
class OneRecord:
    """An administrator wants one exchange in full."""

    audit_id: str


@dataclass(frozen=True, slots=True)
class Listing:
    """An administrator wants several, newest first."""

    query: RecordQuery
    words: str = ""
    """What was asked for, for the head of the list; empty for the latest of all."""

    @property
    def older(self) -> bool:
        """The first ones were shown before."""
        return self.query.before is not None


def asks_for_help(said: str) -> bool:
    return said.strip().casefold() in HELP


def asks_what_is_kept_out(said: str) -> bool:
    return said.strip().casefold().replace("-", " ").split() == KEPT_OUT


def asks_for_jobs(said: str) -> bool:
    return said.strip().casefold() == JOBS


def parse(
    said: str, find_person: FindPerson, find_document: FindDocument, today: date
) -> Listing | OneRecord:
    """Understand what follows `/audit`; raise `WrongUse` saying what to write instead.

    What stands before the first key is a decision, days, and else somebody's name.
    """
    try:
        words = _words(said)
    except ValueError as error:
        raise WrongUse(wording.AUDIT_QUOTES) from error
    if len(words) == 1 and _AUDIT_ID.fullmatch(words[0]):
        return OneRecord(words[0].lower())
    if words and words[0].casefold() == "latest":
        words = words[1:]
    find = {"person": find_person, "document": find_document}
    split = next((n for n, word in enumerate(words) if _key(word)), len(words))
    typed = dict(_bare(words[:split], today) + _pairs(words[split:]))
    found = {key: find[key](value) if key in find else value for key, value in typed.items()}
    asked: dict[str, Any] = {key: _value(key, value, today) for key, value in found.items()}
    told = ", ".join(f"{key} {value}" for key, value in found.items())
    return Listing(RecordQuery(limit=SHOWN, **asked), told)


def _words(said: str) -> list[str]:
    """Split at blanks outside double quotes; an apostrophe is a letter, curly quotes count."""
    lexer = shlex.shlex(said.translate(_QUOTES), posix=True)
    lexer.whitespace_split, lexer.quotes, lexer.escape, lexer.commenters = True, '"', "", ""
    return list(lexer)


def _bare(words: list[str], today: date) -> list[tuple[str, str]]:
    """Say with their keys what words mean by themselves."""
    decisions = [word.casefold() for word in words if word.upper() in set(Decision)]
    days = sorted(day for word in words if (day := _day(word, today)))
    others = [word for word in words if word.upper() not in set(Decision) and not _day(word, today)]
    pairs = [("person", " ".join(others))] if others else []
    pairs += [("decision", decisions[-1])] if decisions else []
    return pairs + ([("since", days[0]), ("until", days[-1])] if days else [])


def _day(word: str, today: date) -> str:
    """Return the day that a word names, as `2026-01-31`; empty for none."""
    if named := named_day(word, today):
        return named.isoformat()
    try:
        return date.fromisoformat(word).isoformat()
    except ValueError:
        return ""


def _key(word: str) -> str:
    return KEYS.get(word.casefold().rstrip(":"), "")


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    """Return each key with all words up to the next one; the first word is a key."""
    pairs: list[tuple[str, list[str]]] = []
    for word in words:
        if key := _key(word):
            pairs.append((key, []))
        else:
            pairs[-1][1].append(word)
    typed = [(key, _typed(key, " ".join(values))) for key, values in pairs]
    for key, value in typed:
        if not value:
            raise WrongUse(wording.audit_value_missing(key))
    return typed


def _typed(key: str, value: str) -> str:
    """Slack escapes `&` and makes a link of `rules.md`; a person is mentioned as such."""
    return value if key == "person" else plain(value, bot_user="")


def _value(key: str, value: str, today: date) -> str | datetime:
    if key == "decision":
        if value.upper() not in set(Decision):
            raise WrongUse(wording.audit_no_decision(value))
        return value.upper()
    if key in TIMES:
        return _time(key, _day(value, today) or value)
    return value


def _time(key: str, value: str) -> datetime:
    """Read a time in UTC; a date alone is its beginning, and as `until` its end."""
    try:
        time = datetime.fromisoformat(value)
    except ValueError as error:
        raise WrongUse(wording.audit_no_time(value)) from error
    whole_day = len(value) == len("2026-01-31")
    if key == "until" and whole_day:
        time += timedelta(days=1)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


class Listed(Protocol):
    """A query of the audit store, and what was asked for."""

    @property
    def query(self) -> RecordQuery | FeedbackQuery: ...
    @property
    def words(self) -> str: ...


def to_button(listing: Listed) -> str:
    """Return a listing as the value of a button."""
    stated = {key: value for key, value in asdict(listing.query).items() if value is not None}
    told = {"words": listing.words, **stated}
    return json.dumps(told, default=datetime.isoformat, ensure_ascii=False)


def stated_in(button: str) -> tuple[dict[str, Any], str]:
    """Return what a button's value states of a query, and what was asked for."""
    stated: dict[str, Any] = json.loads(button)
    words = stated.pop("words", "")
    for key in TIMES & stated.keys():
        stated[key] = datetime.fromisoformat(stated[key])
    return stated, words


def from_button(value: str) -> Listing:
    stated, words = stated_in(value)
    return Listing(RecordQuery(**stated), words)


def next_page(listing: Listing, page: Page) -> Listing:
    return replace(listing, query=replace(listing.query, before=page.next))
