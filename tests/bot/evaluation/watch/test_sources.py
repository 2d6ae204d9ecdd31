"""A source is told of when it was not read, or did not change, for too long."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.quality.alarms import SourceUnchanged, SourceUnread
from bot.quality.traffic import source_alarms
from retrieval.documents.holdings import SourceTimes

NOW = datetime(2026, 3, 2, 6, tzinfo=UTC)


def ago(days: int) -> datetime:
    return NOW - timedelta(days=days)


@pytest.mark.parametrize(
    ("read", "changed", "expected"),
    [
        (1, 1, []),
        (30, 300, []),
        (31, 300, [SourceUnread]),
        (1, 366, [SourceUnchanged]),
        (400, 400, [SourceUnread, SourceUnchanged]),
        (None, 20, []),
        (None, 31, [SourceUnread]),
        (None, None, []),
    ],
)
def test_days_count_since_it_was_last_read_and_last_changed(
    read: int | None, changed: int | None, expected: list[type]
) -> None:
    times = SourceTimes("docs", ago(read) if read else None, ago(changed) if changed else None)
    assert [type(each) for each in source_alarms([times], NOW, 30, 365)] == expected


def test_no_days_say_nothing() -> None:
    assert source_alarms([SourceTimes("docs", ago(900), ago(900))], NOW, 0, 0) == []
