"""Runs one job, alone, records what became of it, and tells administrators of what is new.

They are told once that a job fails and once that it works again. Both follow from the recorded runs
alone, so that a restart neither repeats nor forgets them.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from threading import Event

from tenacity import (
    Retrying,
    retry_if_exception_type,
    sleep_using_event,
    stop_after_attempt,
    stop_when_event_set,
    wait_fixed,
)

from audit.errors import AuditError
from bot.errors import BotError, InboxUnavailable, JobFailed, JobIsRunning, JobStopped
from bot.jobs.job import Job
from bot.jobs.runs import Ended, JobOutcome, JobRun, RunNotice, Runs
from bot.wording import jobs as wording
from retrieval.documents.locks import ProcessLock
from retrieval.errors import RetrievalError

Tell = Callable[[str], None]
"""Tells administrators; raises what it likes where that fails."""
ATTEMPTS = 12
"""To record what a run came to; every five seconds, so that a server may be started anew."""
BETWEEN = 5.0
LOOKS = 5
"""At a job's turn: whoever only looks whether it runs holds it for a moment."""
MOMENT = 0.1
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs jobs of one inbox; overlapping runs of a job are refused."""

    runs: Runs
    tell: Tell | None
    now: Callable[[], datetime]
    discreet: Callable[[str], str] = str
    """Takes secrets out of what is recorded and told."""

    def run(self, job: Job, stopping: Event) -> Ended:
        """Run it now, by hand. Raise `JobIsRunning`, and `InboxUnavailable`."""
        with self._alone(job):
            return self._recorded(job, stopping, by_hand=True)

    def run_if_due(self, job: Job, stopping: Event) -> None:
        """Run it unless somebody did meanwhile; raise likewise."""
        with self._alone(job):
            due = job.due_at(self.runs.newest().get(job.name))
            if due is not None and due <= self.now():
                log.info("The job %s begins", job.name)
                ended = self._recorded(job, stopping, by_hand=False)
                level = logging.ERROR if ended.outcome is JobOutcome.FAILED else logging.INFO
                log.log(
                    level,
                    "The job %s ended: %s",
                    job.name,
                    wording.ended(ended.outcome, ended.numbers, ended.reason),
                )

    @contextmanager
    def _alone(self, job: Job) -> Iterator[None]:
        turn = self.runs.turn(job.name)
        try:
            if not _taken(turn):
                raise JobIsRunning(wording.is_running(job.name))
            yield
        finally:
            turn.release()

    def _recorded(self, job: Job, stopping: Event, *, by_hand: bool) -> Ended:
        run_id = self.runs.start(job.name, self.now(), by_hand=by_hand)
        ended = Ended(JobOutcome.INTERRUPTED, {}, wording.STOPPED)
        try:
            ended = self._worked(job, stopping)
        finally:
            _persistently(lambda: self.runs.finish(run_id, self.now(), ended), stopping)
        self._tell_of(job)
        return ended

    def _worked(self, job: Job, stopping: Event) -> Ended:
        try:
            ended = Ended(JobOutcome.OK, job.work(stopping))
        except JobStopped:
            ended = Ended(JobOutcome.INTERRUPTED, {}, wording.STOPPED)
        except JobFailed as error:
            ended = Ended(JobOutcome.FAILED, error.numbers, self.discreet(str(error)))
        except (BotError, RetrievalError, AuditError) as error:
            ended = Ended(JobOutcome.FAILED, {}, self.discreet(str(error)))
        except Exception as error:
            log.exception("The job %s failed", job.name)
            ended = Ended(JobOutcome.FAILED, {}, wording.unforeseen(error))
        return ended

    def _tell_of(self, job: Job) -> None:
        """What cannot be told is owed, and told after the job's next run."""
        if self.tell is None:
            return
        run = self.runs.newest()[job.name]
        said = notice_of(run, self.runs.marked(job.name))
        if not said:
            return
        self.runs.mark(run.run_id, RunNotice.OWED)
        if notified(self.tell, said):
            self.runs.mark(run.run_id, RunNotice.TOLD)


def notified(tell: Tell, said: str) -> bool:
    try:
        tell(said)
    except Exception as error:
        log.warning("The administrators' channel cannot be told just now: %s", error)
        return False
    return True


def _taken(turn: ProcessLock) -> bool:
    pause = Event()
    return any(turn.take() or pause.wait(MOMENT) for _ in range(LOOKS))


def _persistently(store: Callable[[], None], stopping: Event) -> None:
    retrying = Retrying(
        retry=retry_if_exception_type(InboxUnavailable),
        wait=wait_fixed(BETWEEN),
        stop=stop_after_attempt(ATTEMPTS) | stop_when_event_set(stopping),
        sleep=sleep_using_event(stopping),
        reraise=True,
    )
    retrying(store)


def notice_of(run: JobRun, marked: Sequence[JobRun]) -> str:
    """Empty for nothing new; `marked`: earlier runs, told or owed, newest first."""
    owed = takewhile(lambda each: each.told is RunNotice.OWED, marked)
    said = next((each for each in marked if each.told is RunNotice.TOLD), None)
    known_to_fail = said is not None and said.outcome is JobOutcome.FAILED
    if run.outcome is JobOutcome.FAILED:
        return "" if known_to_fail else wording.job_failed(run.job, run.started_at, run.reason)
    if run.outcome is not JobOutcome.OK:
        return ""
    unsaid = next((each for each in owed if each.outcome is JobOutcome.FAILED), None)
    failed = said if known_to_fail else unsaid
    if failed is None:
        return ""
    reason = "" if known_to_fail else failed.reason
    return wording.job_works_again(run.job, failed.started_at, reason)
