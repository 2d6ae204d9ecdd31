"""What an administrator asks of the audit store with `/audit ...`."""

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from typing import Any, Generic, TypeVar

from audit.feedback import FeedbackQuery
from audit.queries import RecordQuery
from bot.access import asked
from bot.access.asked import TIMES, FindDocument, Finders, FindPerson, as_it_stands, words_of
from bot.slack.message_events import plain

SHOWN = 10
"""Records in one message: each takes two blocks of Slack's fifty."""
HELP = frozenset({"help", "?"})
KEPT_OUT = ["kept", "out"]
JOBS = "jobs"
_AUDIT_ID = re.compile(r"[0-9a-f]{8}-?[0-9a-f-]{0,28}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OneRecord:
    """An administrator wants one exchange in full."""

    audit_id: str


Query = TypeVar("Query", RecordQuery, FeedbackQuery)


@dataclass(frozen=True, slots=True)
class Listing(Generic[Query]):
    """An administrator wants several records, or what was said of answers, newest first."""

    query: Query
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
    said: str,
    find_person: FindPerson,
    find_document: FindDocument,
    today: date,
    channel_known_as: Callable[[str], str] = as_it_stands,
) -> Listing[RecordQuery] | OneRecord:
    """Understand what follows `/audit`; raise `WrongUse` saying what to write instead."""
    words = words_of(said)
    if len(words) == 1 and _AUDIT_ID.fullmatch(words[0]):
        return OneRecord(words[0].lower())
    find = Finders(
        find_person,
        find_document,
        lambda named: channel_known_as(asked.channel_id(named)),
        lambda typed: plain(typed, bot_user=""),
    )
    understood = asked.parse(said, find, today, SHOWN)
    return Listing(understood.query, understood.words)


def to_button(listing: Listing[Any]) -> str:
    stated = {key: value for key, value in asdict(listing.query).items() if value is not None}
    told = {"words": listing.words, **stated}
    return json.dumps(told, default=datetime.isoformat, ensure_ascii=False)


def from_button(button: str, query: type[Query]) -> Listing[Query]:
    stated: dict[str, Any] = json.loads(button)
    words = stated.pop("words", "")
    for key in TIMES & stated.keys():
        stated[key] = datetime.fromisoformat(stated[key])
    return Listing(query(**stated), words)


def button_for_older(listing: Listing[Query], following: int | None) -> str | None:
    """Return what the button for the next page carries; `following`: where that begins."""
    if following is None:
        return None
    return to_button(replace(listing, query=replace(listing.query, before=following)))
