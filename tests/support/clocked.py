"""Jobs for tests: a clock to turn, work that does as it is told, and a channel that may be away."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import Event

from bot.errors import JobFailed
from bot.jobs.clockwork import Clockwork
from bot.jobs.job import Job, schedule_of
from bot.jobs.runner import Runner
from bot.jobs.runs import Numbers
from bot.slack.inbox.beside import JobRuns

SOON = 60.0


@dataclass
class Clock:
    at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __call__(self) -> datetime:
        return self.at

    def forward(self, **span: float) -> None:
        self.at += timedelta(**span)


@dataclass
class Work:
    """Counts its runs, and fails for the reason that a test states."""

    reason: str = ""
    error: Exception | None = None
    runs: int = 0
    begun: Event = field(default_factory=Event)
    may_end: Event = field(default_factory=Event)

    def __post_init__(self) -> None:
        self.may_end.set()

    def __call__(self, stopping: Event) -> Numbers:
        self.runs += 1
        self.begun.set()
        assert self.may_end.wait(SOON)
        if self.error:
            raise self.error
        if self.reason:
            raise JobFailed(self.reason, {"new": 0})
        return {"new": self.runs}


@dataclass
class Admins:
    told: list[str] = field(default_factory=list)
    away: bool = False

    def __call__(self, said: str) -> None:
        if self.away:
            raise ConnectionError("Slack is down")
        self.told.append(said)


def job(work: Work, when: str = "every 1 hour", name: str = "ingest") -> Job:
    return Job(name, schedule_of(when, UTC, "VOUCH_JOBS_INGEST"), work)


@contextmanager
def clocked(
    *jobs: Job, url: str, look_again: float = 0.1, sources: Callable[[], Sequence[Job]] = tuple
) -> Iterator[Clockwork]:
    with JobRuns.open(url) as runs:
        now = lambda: datetime.now(UTC)  # noqa: E731 - as short as it is
        runner = Runner(runs, None, now)
        clockwork = Clockwork(jobs, runs, runner, now, look_again, sources)
        clockwork.start()
        try:
            yield clockwork
        finally:
            clockwork.stop()
