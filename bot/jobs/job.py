"""A job: its name, when it runs, and what it does."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Event

from bot.errors import UnknownJob
from bot.job_runs import JobStatus, Numbers, Outcome, Run
from bot.jobs.schedule import Schedule
from bot.near import near
from bot.wording import jobs as wording

Work = Callable[[Event], Numbers]
"""Does the work and returns its numbers. The event is set when the bot stops: work that can be
broken off then raises `JobStopped`. Raise `JobFailed` to fail with numbers; any other error that
somebody foresaw fails with its own words."""


@dataclass(frozen=True, slots=True)
class Job:
    """One entry of the table."""

    name: str
    schedule: Schedule | None
    """None for a job that is off; it may be run by hand."""
    work: Work

    def due_at(self, newest: Run | None) -> datetime | None:
        """Return when it is to run next; None where it is off, or nothing is known of it yet."""
        if self.schedule is None or newest is None:
            return None
        return self.schedule.next_after(newest.started_at)


def job_named(name: str, jobs: Sequence[Job]) -> Job:
    """Return it; raise `UnknownJob`, which names those that are near."""
    for job in jobs:
        if job.name == name.strip():
            return job
    known = {job.name: (job.name,) for job in jobs}
    raise UnknownJob(wording.unknown_job(name, near(name, known), list(known)))


def statuses(jobs: Sequence[Job], newest: Mapping[str, Run], now: datetime) -> list[JobStatus]:
    """Return every job as it is shown; what is overdue is due now."""
    return [_status(job, newest.get(job.name), now) for job in jobs]


def _status(job: Job, newest: Run | None, now: datetime) -> JobStatus:
    when = job.schedule.stated if job.schedule else ""
    due = job.due_at(newest) or (job.schedule.next_after(now) if job.schedule else None)
    last = newest if newest and newest.outcome is not Outcome.PLANNED else None
    return JobStatus(job.name, when, max(due, now) if due else None, last)
