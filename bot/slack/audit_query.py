"""What an administrator asks of the audit store with `/audit ...`."""

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from typing import Any, Protocol

from audit.feedback import FeedbackQuery
from audit.queries import Page, RecordQuery
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
    said: str,
    find_person: FindPerson,
    find_document: FindDocument,
    today: date,
    channel_known_as: Callable[[str], str] = as_it_stands,
) -> Listing | OneRecord:
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
