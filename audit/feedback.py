"""Feedback is what people said of an answer; what they took back no longer stands."""

from collections.abc import Iterable
from enum import StrEnum

from audit.record import Entry
from audit.record.events import AuditEvent, EventKind


class Opinion(StrEnum):
    """What somebody said: `details["value"]` of an event of feedback."""

    GOOD = "good"
    BAD = "bad"
    THIS_WAS_IT = "this_was_it"
    """A quoted passage answers the question; `details["passage_id"]` says which."""
    WITHDRAWN = "withdrawn"
    """An earlier one is taken back; `details["withdraws"]` is its `event_id`."""


def standing(entries: Iterable[Entry]) -> tuple[AuditEvent, ...]:
    """Of one record's events, oldest first, the feedback that still stands, in their order.

    Of each person that is the last thumb, and each passage once. Who takes a thumb back is left
    with the one before it, if any.
    """
    said = [
        each for each in entries if isinstance(each, AuditEvent) and each.kind is EventKind.FEEDBACK
    ]
    withdrawn = {
        (_whose(each), each.details.get("withdraws"))
        for each in said
        if each.details.get("value") == Opinion.WITHDRAWN
    }
    last = {
        (_whose(each), each.details.get("passage_id")): each
        for each in said
        if (_whose(each), each.event_id) not in withdrawn
        and each.details.get("value") != Opinion.WITHDRAWN
    }
    stands = {each.event_id for each in last.values()}
    return tuple(each for each in said if each.event_id in stands)


def _whose(said: AuditEvent) -> str:
    return said.person.id if said.person else ""
