"""Runs the jobs when they are due, in one of all bots that share an inbox.

The recorded runs say what is due, not APScheduler's memory: what was missed while no bot ran is
caught up once when one leads.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from threading import Event

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

from bot.errors import BotError, JobIsRunning
from bot.jobs.job import Job
from bot.jobs.runner import Runner
from bot.jobs.runs import Runs
from retrieval.documents.locks import ProcessLock
from retrieval.errors import RetrievalError

LOOK_AGAIN = 10.0
"""Seconds between two looks who leads; a leader that died is replaced that soon."""
RETRY = timedelta(minutes=1)
"""After which a job is tried again that could not be begun."""
LEADER = "leader"
PATIENCE, MOMENT = 5.0, 0.1
"""Seconds in which jobs may end when the bot stops, and between two looks whether they have."""
AT_ONCE = 3
"""Sources that are read at once; each takes a process with some hundred megabytes."""
_LOOK, _SOURCES = "who leads", "sources"

log = logging.getLogger(__name__)


class Clockwork:
    """Leads where no other bot does, and runs jobs while it leads."""

    def __init__(
        self,
        jobs: Sequence[Job],
        runs: Runs,
        runner: Runner,
        now: Callable[[], datetime],
        look_again: float = LOOK_AGAIN,
        sources: Callable[[], Sequence[Job]] = tuple,
    ) -> None:
        """`sources`: further jobs, asked for at each look, as sources come and go."""
        self._jobs = {job.name: job for job in jobs if job.schedule is not None}
        self._sources = sources
        self._planned: dict[str, Job] = {}
        self._runs = runs
        self._runner = runner
        self._now = now
        self._look_again = look_again
        self._turn: ProcessLock = runs.turn(LEADER)
        self._leads = False
        self._said = ""
        self._stopping = Event()
        self._at_work: set[str] = set()
        self._scheduler = BackgroundScheduler(
            timezone=UTC,
            executors={
                "default": ThreadPoolExecutor(max(1, len(self._jobs))),
                _SOURCES: ThreadPoolExecutor(AT_ONCE),
                _LOOK: ThreadPoolExecutor(1),
            },
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )

    @property
    def leads(self) -> bool:
        return self._leads

    def start(self) -> None:
        self._scheduler.add_job(
            self._look,
            IntervalTrigger(seconds=self._look_again, timezone=UTC),
            id=_LOOK,
            executor=_LOOK,
            next_run_time=datetime.now(UTC),
        )
        self._scheduler.start()

    def stop(self) -> None:
        """Begin nothing more, break off what can be, and let another bot lead."""
        self._stopping.set()
        self._scheduler.remove_all_jobs()
        self._scheduler.shutdown(wait=False)
        for _ in range(int(PATIENCE / MOMENT)):
            if not self._at_work:
                break
            time.sleep(MOMENT)
        self._turn.release()
        self._leads = False

    def _look(self) -> None:
        if self._stopping.is_set():
            return
        try:
            if self._leads and not self._turn.is_held():
                self._follow()
            elif not self._leads and self._turn.take():
                self._runs.demand_writable()  # else every job would fail, and no other bot lead
                self._plan(self._jobs)
                self._leads = True
                log.info("This bot runs the jobs: %s", ", ".join(self._jobs))
            if self._leads:
                of_sources = {each.name: each for each in self._sources() if each.schedule}
                self._plan({**self._jobs, **of_sources})
            self._said = ""
        except RetrievalError as error:  # the other jobs go on
            self._complain(str(error))
        except BotError as error:
            self._turn.release()
            self._follow()
            self._complain(str(error))

    def _plan(self, jobs: Mapping[str, Job]) -> None:
        for name in self._planned.keys() - jobs.keys():
            self._forget(name)
        new = [job for name, job in jobs.items() if name not in self._planned]
        for job in new:
            self._runs.plan(job.name, self._now())
        newest = self._runs.newest() if new else {}
        for job in new:
            due = job.due_at(newest[job.name])
            assert job.schedule is not None  # noqa: S101 - others were left out
            self._planned[job.name] = job
            self._scheduler.add_job(
                self._fire,
                job.schedule.trigger,
                args=(job,),
                id=job.name,
                executor=_SOURCES if job.source else "default",
                replace_existing=True,
                next_run_time=max(due or self._now(), self._now()),
            )

    def _forget(self, name: str) -> None:
        del self._planned[name]
        with suppress(JobLookupError):
            self._scheduler.remove_job(name)

    def _follow(self) -> None:
        for name in [*self._planned]:
            self._forget(name)
        if self._leads:
            log.warning("This bot runs the jobs no more; another one may")
        self._leads = False

    def _fire(self, job: Job) -> None:
        """Run it, unless it was given up while it waited for others to end."""
        if job.name not in self._planned or self._stopping.is_set():
            return
        again = self._now() + RETRY
        self._at_work.add(job.name)
        try:
            self._runner.run_if_due(job, self._stopping)
            again = self._now()
        except JobIsRunning as error:
            log.info("%s", error)
        except BotError as error:
            log.error("The job %s could not be begun or recorded: %s", job.name, error)
        finally:
            self._at_work.discard(job.name)
        self._plan_next(job, again)

    def _plan_next(self, job: Job, not_before: datetime) -> None:
        """Somebody may have run it by hand meanwhile, from which an interval counts anew."""
        try:
            due = job.due_at(self._runs.newest().get(job.name))
        except BotError:
            due = None
        try:
            at = max(due or not_before, not_before)
            self._scheduler.modify_job(job.name, next_run_time=at)
        except JobLookupError:
            log.debug("%s is another bot's by now", job.name)

    def _complain(self, said: str) -> None:
        if said != self._said:
            log.error("Jobs cannot be run just now: %s", said)
        self._said = said
