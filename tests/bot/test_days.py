"""An administrator names a day by a word."""

from datetime import UTC, date, datetime, timedelta

import pytest

from bot.cli.arguments import time
from bot.errors import WrongUse
from bot.wording.names import named_day

TODAY = date(2026, 3, 1)


def test_today_and_yesterday_are_days() -> None:
    assert named_day("Today", TODAY) == TODAY
    assert named_day(" yesterday", TODAY) == date(2026, 2, 28)
    assert named_day("tomorrow", TODAY) is None


def test_at_the_command_line_a_named_day_is_its_beginning_in_utc() -> None:
    before = datetime.now(UTC).date()
    today, yesterday = time("today"), time("yesterday")
    assert (today.tzinfo, today.time()) == (UTC, datetime.min.time())
    assert before <= today.date() <= before + timedelta(days=1)
    assert yesterday < today


def test_who_names_no_day_is_told_what_may_be_written() -> None:
    with pytest.raises(WrongUse, match=r"'tomorrow' is no date.* today or yesterday"):
        time("tomorrow")
