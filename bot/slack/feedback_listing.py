"""`/audit feedback`: what people said of answers, a page at a time."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from typing import Any

from audit.feedback_queries import FeedbackPage, FeedbackQuery
from bot.errors import WrongUse
from bot.slack.audit_query import SHOWN, TIMES, FindPerson, Listing, OneRecord, parse
from bot.slack.blocks.feedback_list import feedback_list, feedback_nothing
from bot.slack.message import Message
from bot.wording import commands as wording

_WORD = "feedback"
_KEYS = ("person", "since", "until")

Find = Callable[[FeedbackQuery], FeedbackPage]


@dataclass(frozen=True, slots=True)
class FeedbackListing:
    """An administrator wants what was said of answers, newest first."""

    query: FeedbackQuery
    words: str = ""
    """What was asked for, for the head of the list; empty for all."""


def asks_for_feedback(said: str) -> bool:
    return said.casefold().split()[:1] == [_WORD]


def parse_feedback(said: str, find_person: FindPerson, today: date) -> FeedbackListing:
    """Understand what follows `/audit feedback`; raise `WrongUse` saying what to write instead."""
    rest = said.strip()[len(_WORD) :]
    asked = parse(rest, find_person, lambda document: document, today)
    if isinstance(asked, OneRecord):
        raise WrongUse(wording.audit_not_understood(rest.strip()))
    return FeedbackListing(_query(asked), asked.words)


def _query(asked: Listing) -> FeedbackQuery:
    stated = {key: value for key, value in asdict(asked.query).items() if value is not None}
    for key in stated.keys() - {*_KEYS, "limit"}:
        raise WrongUse(wording.audit_no_key_of_feedback(key))
    return FeedbackQuery(**{key: stated[key] for key in _KEYS if key in stated}, limit=SHOWN)


def page_of(listing: FeedbackListing, find: Find) -> Message:
    """The list, with a button for older ones where there are any."""
    page, older = find(listing.query), listing.query.before is not None
    if not page.given:
        return feedback_nothing(listing.words)
    following = replace(listing, query=replace(listing.query, before=page.next))
    more = _to_button(following) if page.next else None
    return feedback_list(page.given, listing.words, more, older=older)


def _to_button(listing: FeedbackListing) -> str:
    stated = {key: value for key, value in asdict(listing.query).items() if value is not None}
    told = {"words": listing.words, **stated}
    return json.dumps(told, default=datetime.isoformat, ensure_ascii=False)


def from_button(value: str) -> FeedbackListing:
    stated: dict[str, Any] = json.loads(value)
    told = stated.pop("words", "")
    for key in TIMES & stated.keys():
        stated[key] = datetime.fromisoformat(stated[key])
    return FeedbackListing(FeedbackQuery(**stated), told)
