"""Whether sources were read, and changed, lately enough: pure."""

from collections.abc import Iterable
from datetime import datetime

from bot.evaluation.watch.alarms import SourceUnchanged, SourceUnread
from retrieval.documents.holdings import SourceTimes


def source_alarms(
    sources: Iterable[SourceTimes], now: datetime, unread_days: int, unchanged_days: int
) -> list[SourceUnread | SourceUnchanged]:
    """Days of 0 say nothing; nor does a source of which no time is known."""
    found: list[SourceUnread | SourceUnchanged] = []
    for each in sources:
        # What changed was read; of a source that was read before that was noted, no more is known.
        read = max(filter(None, (each.read_at, each.changed_at)), default=None)
        if read and 0 < unread_days < (now - read).days:
            found.append(SourceUnread(each.name, read, unread_days))
        if each.changed_at and 0 < unchanged_days < (now - each.changed_at).days:
            found.append(SourceUnchanged(each.name, each.changed_at, unchanged_days))
    return found
