"""Somebody writes down when a job is to run."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import BadConfiguration
from bot.jobs.job import Schedule, schedule_of, zone_of

SUNDAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
FIELDS = st.text("0123456789*,-/ masuntifr", max_size=20)


def read(stated: str, zone: str = "UTC") -> Schedule:
    schedule = schedule_of(stated, zone_of(zone), "VOUCH_JOBS_INGEST")
    assert schedule is not None
    return schedule


def upcoming(stated: str, zone: str = "UTC") -> str:
    return read(stated, zone).next_after(SUNDAY).strftime("%a %d %H:%M")


@pytest.mark.parametrize(
    ("stated", "comes"),
    [
        ("every 15 minutes", "Sun 01 12:15"),
        ("every 6 hours", "Sun 01 18:00"),
        ("Every  day", "Mon 02 12:00"),
        ("every 1 week", "Sun 08 12:00"),
        ("0 12 * * *", "Mon 02 12:00"),
        ("*/20 * * * *", "Sun 01 12:20"),
        ("0 3 * * 0", "Sun 08 03:00"),
        ("0 3 * * 7", "Sun 08 03:00"),
        ("0 3 * * 1", "Mon 02 03:00"),
        ("0 3 * * 2-4", "Tue 03 03:00"),
        ("0 3 * * 5-7/2", "Fri 06 03:00"),
        ("0 3 * * sat,FRI", "Fri 06 03:00"),
        ("0 3 * * */3", "Wed 04 03:00"),
        ("0 3 4 * *", "Wed 04 03:00"),
    ],
)
def test_it_comes_when_cron_or_the_words_say(stated: str, comes: str) -> None:
    assert upcoming(stated) == comes


def test_a_day_of_the_month_or_a_weekday_will_do_where_both_are_given() -> None:
    assert upcoming("0 3 20 * 2") == "Tue 03 03:00"
    assert upcoming("0 3 2 * 2") == "Mon 02 03:00"


def test_cron_means_the_clock_of_its_time_zone_also_when_that_is_put_forward() -> None:
    assert upcoming("0 3 * * *", "America/New_York") == "Mon 02 08:00"
    in_summer = datetime(2026, 7, 1, 12, tzinfo=UTC)
    comes = read("0 3 * * *", "America/New_York").next_after(in_summer)
    assert comes == datetime(2026, 7, 2, 3, tzinfo=ZoneInfo("America/New_York"))


@pytest.mark.parametrize("stated", ["", "  ", "off", "OFF"])
def test_off_is_no_time(stated: str) -> None:
    assert schedule_of(stated, UTC, "VOUCH_JOBS_INGEST") is None


@pytest.mark.parametrize(
    "stated",
    [
        *("evry 3 hours", "every 0 hours", "every 999999 weeks", "every 3", "every -1 hours"),
        *("0 3 * *", "0 3 * * * *", "@daily", "60 * * * *", "0 3 * * 8", "0 3 * * 5-1"),
        *("0 0 31 2 *", "0 0 * * 1/0", "every ٣ hours", "0 3 * * ,"),
    ],
)
def test_what_is_no_time_is_named_with_what_to_write(stated: str) -> None:
    with pytest.raises(BadConfiguration) as refused:
        read(stated)
    said = str(refused.value)
    assert said.startswith(f"VOUCH_JOBS_INGEST is {stated!r}, which is no time to run: ")
    assert "every 6 hours" in said


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../../etc/passwd", "\x00"])
def test_a_time_zone_that_is_none_is_named(name: str) -> None:
    with pytest.raises(BadConfiguration, match="VOUCH_JOBS_TIME_ZONE"):
        zone_of(name)


@given(stated=st.text() | FIELDS | FIELDS.map(lambda each: f"every {each} hours"))
def test_whatever_is_written_is_a_time_in_the_future_or_refused(stated: str) -> None:
    try:
        schedule = schedule_of(stated, UTC, "VOUCH_JOBS_INGEST")
    except BadConfiguration:
        return
    assert schedule is None or schedule.next_after(SUNDAY) > SUNDAY


@given(
    count=st.integers(1, 300),
    unit=st.sampled_from(["minute", "hour", "day"]),
    at=st.datetimes(datetime(2020, 1, 1), datetime(2080, 1, 1), timezones=st.just(UTC)),
)
def test_an_interval_counts_from_the_last_run(count: int, unit: str, at: datetime) -> None:
    comes = read(f"every {count} {unit}s").next_after(at)
    assert abs(comes - at - timedelta(**{f"{unit}s": count})) < timedelta(milliseconds=1)


@given(
    minute=st.integers(0, 59),
    hour=st.integers(0, 23),
    days=st.sets(st.integers(0, 7), min_size=1),
    at=st.datetimes(datetime(2020, 1, 1), datetime(2080, 1, 1), timezones=st.just(UTC)),
)
def test_weekdays_are_counted_as_cron_counts_them(
    minute: int, hour: int, days: set[int], at: datetime
) -> None:
    comes = read(f"{minute} {hour} * * {','.join(map(str, days))}").next_after(at)
    assert (comes.minute, comes.hour) == (minute, hour)
    assert comes.isoweekday() % 7 in {day % 7 for day in days}
    assert at < comes <= at + timedelta(days=7, minutes=1)
