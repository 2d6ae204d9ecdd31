"""What is known of scheduled jobs and their runs: plain values, and the port that keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.wording import jobs as wording
from retrieval.documents.locks import ProcessLock

Numbers = Mapping[str, int | float | str]
"""What a run did, by short names; they are shown as they stand."""


class JobOutcome(StrEnum):
    RUNNING = "running"
    OK = "ok"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    """Its process was stopped or killed."""
    PLANNED = "planned"
    """No run: since when a job that never ran is wanted."""


class RunNotice(StrEnum):
    NOT = ""
    """It was nothing new, or there is nobody to tell."""
    OWED = "owed"
    """They were to be told, and could not be reached."""
    TOLD = "told"


@dataclass(frozen=True, slots=True)
class JobRun:
    """One run of a job, or the note since when it is wanted."""

    run_id: int
    job: str
    started_at: datetime
    """In UTC, as all times here."""
    ended_at: datetime | None
    """None while it runs, and where its process was killed."""
    outcome: JobOutcome
    numbers: Numbers
    reason: str
    by_hand: bool
    told: RunNotice


@dataclass(frozen=True, slots=True)
class Ended:
    outcome: JobOutcome
    numbers: Numbers
    reason: str = ""


@dataclass(frozen=True, slots=True)
class JobStatus:
    name: str
    when: str
    next_at: datetime | None
    last: JobRun | None
    source: str = ""

    @property
    def last_in_words(self) -> str:
        if self.last is None:
            return wording.NEVER
        run = self.last
        what_became = wording.ended(run.outcome, run.numbers, run.reason)
        return wording.last_run(run.started_at, what_became)

    @property
    def in_words(self) -> str:
        return wording.status_line(self.when, self.next_at, self.last_in_words)


class Runs(Protocol):
    """For all processes of an inbox, held to `tests/contracts`; raises `InboxUnavailable`."""

    def demand_writable(self) -> None:
        """Raise where no run could be noted; takes seconds, leaves nothing."""

    def turn(self, name: str) -> ProcessLock:
        """Return a lock of that name, not taken yet, which all processes of the inbox share."""

    def plan(self, job: str, now: datetime) -> None:
        """Note since when a job is wanted, where nothing is known of it yet."""

    def start(self, job: str, now: datetime, *, by_hand: bool) -> int:
        """Return its id; the caller holds the job's turn, so an earlier run was interrupted."""

    def finish(self, run_id: int, now: datetime, ended: Ended) -> None:
        """Note what a run came to."""

    def mark(self, run_id: int, told: RunNotice) -> None:
        """Note whether administrators were told of a run."""

    def newest(self) -> dict[str, JobRun]:
        """The newest run, or plan, by job; one whose turn is free is not running any more."""

    def marked(self, job: str) -> list[JobRun]:
        """Return the runs of a job that were told or are owed, newest first."""

    def forget(self, before: datetime) -> None:
        """Remove runs of before then, but the newest of each job and its newest that was told."""
