"""A job: its name, when it runs (`every 6 hours`, or the five fields of cron), and what it does."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from threading import Event
from zoneinfo import ZoneInfo

from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.combining import OrTrigger
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger

from bot.errors import BadConfiguration, UnknownJob
from bot.jobs.runs import JobOutcome, JobRun, JobStatus, Numbers
from bot.wording import jobs as wording
from bot.wording.names import closest_names

OFF = frozenset({"", "off"})
AGAIN = timedelta(hours=1)
"""By then Slack shows what it took and did not say that it had."""
LONGEST = timedelta(days=366)
_EVERY = re.compile(r"every(?: ([0-9]{1,6}))? (minute|hour|day|week)s?", re.IGNORECASE)
_FIELD = re.compile(r"[0-9A-Za-z*,/-]{1,100}")
_FIELDS = 5
_WEEK = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_LOOKED_FROM = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Schedule:
    stated: str
    """As it was written, with single blanks."""
    trigger: BaseTrigger

    def next_after(self, moment: datetime) -> datetime:
        """Return when it is due after it last ran; an interval counts from then."""
        found = self.trigger.get_next_fire_time(moment, moment)
        assert isinstance(found, datetime)  # noqa: S101 - `schedule_of` takes no other
        return found.astimezone(UTC)


def zone_of(name: str) -> tzinfo:
    if name.strip().upper() == "UTC":
        return UTC  # also where the system has no time zones
    try:
        return ZoneInfo(name.strip())
    except (LookupError, ValueError, OSError) as error:
        raise BadConfiguration(wording.bad_zone(name)) from error


def schedule_of(stated: str, zone: tzinfo, variable: str) -> Schedule | None:
    """Read a setting; None for off. Raise `BadConfiguration`, which names the variable."""
    said = " ".join(stated.split())
    if said.casefold() in OFF:
        return None
    try:
        trigger = _every(said, zone) or _cron(said, zone)
        if trigger.get_next_fire_time(_LOOKED_FROM, _LOOKED_FROM) is None:
            raise ValueError(wording.NEVER_COMES)
    except (ValueError, OverflowError) as error:
        raise BadConfiguration(wording.bad_schedule(variable, said, str(error))) from error
    return Schedule(said, trigger)


def _every(said: str, zone: tzinfo) -> BaseTrigger | None:
    found = _EVERY.fullmatch(said)
    if found is None:
        return None
    interval = timedelta(**{f"{found[2].lower()}s": int(found[1] or 1)})
    if not timedelta() < interval <= LONGEST:
        raise ValueError(wording.BAD_INTERVAL)
    return IntervalTrigger(seconds=int(interval.total_seconds()), timezone=zone)


def _cron(said: str, zone: tzinfo) -> BaseTrigger:
    """Where day of month and weekday are both restricted, either will do, as in cron."""
    fields = said.split(" ")
    if len(fields) != _FIELDS or not all(map(_FIELD.fullmatch, fields)):
        raise ValueError(wording.NOT_FIVE_FIELDS)
    minute, hour, day, month, weekday = fields
    weekdays = _weekdays(weekday)
    if day.startswith("*") or weekday.startswith("*"):
        return _trigger([minute, hour, day, month, weekdays], zone)
    either = ([minute, hour, day, month, "*"], [minute, hour, "*", month, weekdays])
    return OrTrigger([_trigger(each, zone) for each in either])


def _trigger(fields: Sequence[str], zone: tzinfo) -> BaseTrigger:
    return CronTrigger.from_crontab(" ".join(fields), timezone=zone)


def _weekdays(field: str) -> str:
    """Name the days: to APScheduler 0 is Monday, to cron Sunday, as is 7."""
    if field == "*":
        return field
    days = {day % 7 for part in field.split(",") for day in _days(part)}
    return ",".join(_WEEK[day] for day in sorted(days))


def _days(part: str) -> range:
    span, slash, step = part.partition("/")
    first, dash, last = ("0", "-", "6") if span == "*" else span.partition("-")
    start = _day(first)
    end = _day(last) if dash else (6 if slash else start)
    width = int(step) if slash else 1
    if start > end or width < 1:
        raise ValueError(wording.bad_weekday(part))
    return range(start, end + 1, width)


def _day(said: str) -> int:
    if said.casefold() in _WEEK:
        return _WEEK.index(said.casefold())
    if not re.fullmatch("[0-7]", said):
        raise ValueError(wording.bad_weekday(said))
    return int(said)


Work = Callable[[Event], Numbers]
"""Does the work and returns its numbers. The event is set when the bot stops: work that can be
broken off then raises `JobStopped`. Raise `JobFailed` to fail with numbers; any other error that
somebody foresaw fails with its own words."""


@dataclass(frozen=True, slots=True)
class Job:
    name: str
    schedule: Schedule | None
    """None for a job that is off; it may be run by hand."""
    work: Work
    persists: bool = False
    """What failed or was interrupted is tried again after `AGAIN`, and not at its next time."""
    source: str = ""
    """The one that it reads alone; empty for any other job."""

    def due_at(self, newest: JobRun | None) -> datetime | None:
        """Return when it is to run next; None where it is off, or nothing is known of it yet."""
        if self.schedule is None or newest is None:
            return None
        due = self.schedule.next_after(newest.started_at)
        unfinished = newest.outcome in (JobOutcome.FAILED, JobOutcome.INTERRUPTED)
        return min(due, newest.started_at + AGAIN) if self.persists and unfinished else due


def job_named(name: str, jobs: Sequence[Job]) -> Job:
    for job in jobs:
        if job.name == name.strip():
            return job
    known = {job.name: (job.name,) for job in jobs}
    raise UnknownJob(wording.unknown_job(name, closest_names(name, known), list(known)))


def statuses(jobs: Sequence[Job], newest: Mapping[str, JobRun], now: datetime) -> list[JobStatus]:
    """Return every job as it is shown; what is overdue is due now."""
    return [_status(job, newest.get(job.name), now) for job in jobs]


def _status(job: Job, newest: JobRun | None, now: datetime) -> JobStatus:
    when = job.schedule.stated if job.schedule else ""
    due = job.due_at(newest) or (job.schedule.next_after(now) if job.schedule else None)
    last = newest if newest and newest.outcome is not JobOutcome.PLANNED else None
    return JobStatus(job.name, when, max(due, now) if due else None, last, job.source)
