"""Runs of scheduled jobs in the inbox's database, beside the process that owns its file."""

import hashlib
import json
import re
from dataclasses import replace
from datetime import datetime
from typing import Any, Self

from sqlalchemy import Connection, Engine, Row, and_, delete, func, insert, select, update
from sqlalchemy.engine import URL

from audit.database import Door
from audit.engines import file_of, is_file
from audit.storing.tables import storable
from bot.jobs.runs import Ended, JobOutcome, JobRun, RunNotice
from bot.slack.inbox.database import STORE, demand_writable, is_missing, open_engine
from bot.slack.inbox.tables import job_runs
from retrieval.documents.locks import AdvisoryLock, LockFile, ProcessLock, is_free

_each = job_runs.c
_NEWEST = select(func.max(_each.run_id)).group_by(_each.job)


class JobRuns(Door):
    """The `Runs` of an inbox. Safe to share between threads and processes."""

    def __init__(self, engine: Engine, url: URL) -> None:
        super().__init__(engine)
        self._url = url

    @classmethod
    def open(cls, url: str) -> Self:
        """Open it, and make the inbox where there is none; raise `InboxUnavailable`."""
        parsed = STORE.parse(url)
        return cls(open_engine(parsed), parsed)

    def demand_writable(self) -> None:
        """Raise where no run could be noted; takes seconds, leaves nothing."""
        demand_writable(self._url.render_as_string(hide_password=False))

    def turn(self, name: str) -> ProcessLock:
        """Return a lock of that name, not taken yet, which all processes of the inbox share."""
        if is_file(self._url):
            path, named = file_of(self._url), hashlib.sha256(name.encode()).hexdigest()[:16]
            plain = name if re.fullmatch("[a-z-]+", name) else named  # a source has any name
            turn: ProcessLock = LockFile(path.with_name(f"{path.name}.{plain}.lock"))
        else:
            digest = hashlib.sha256(f"vouch job {name}".encode()).digest()
            turn = AdvisoryLock(self._url, int.from_bytes(digest[:8], signed=True))
        return _ExplainedTurn(turn, self._url)

    def plan(self, job: str, now: datetime) -> None:
        """Note since when a job is wanted, where nothing is known of it yet."""
        with STORE.transaction(self._engine) as connection:
            known = connection.scalar(select(_each.run_id).where(_each.job == job).limit(1))
            if known is None:
                _add(connection, job, now, JobOutcome.PLANNED, by_hand=False)

    def start(self, job: str, now: datetime, *, by_hand: bool) -> int:
        """Note that a run begins, and return its id; one that never ended was interrupted."""
        unended = and_(_each.job == job, _each.outcome == JobOutcome.RUNNING.value)
        with STORE.transaction(self._engine) as connection:
            changed = {"outcome": JobOutcome.INTERRUPTED.value}
            connection.execute(update(job_runs).where(unended).values(**changed))
            return _add(connection, job, now, JobOutcome.RUNNING, by_hand=by_hand)

    def finish(self, run_id: int, now: datetime, ended: Ended) -> None:
        values = {
            "ended_at": now,
            "outcome": ended.outcome.value,
            "numbers": json.dumps(dict(ended.numbers)),
            "reason": storable(ended.reason),
        }
        with STORE.transaction(self._engine) as connection:
            connection.execute(update(job_runs).where(_each.run_id == run_id).values(**values))

    def mark(self, run_id: int, told: RunNotice) -> None:
        with STORE.transaction(self._engine) as connection:
            mine = _each.run_id == run_id
            connection.execute(update(job_runs).where(mine).values(told=told.value))

    def newest(self) -> dict[str, JobRun]:
        """Return the newest run, or plan, of every job, by name."""
        query = select(job_runs).where(_each.run_id.in_(_NEWEST))
        with STORE.transaction(self._engine) as connection:
            found = [_run(row) for row in connection.execute(query)]
        return {run.job: self._as_it_is(run) for run in found}

    def marked(self, job: str) -> list[JobRun]:
        """Return the runs of a job that were told or are owed, newest first."""
        mine = (_each.job == job, _each.told != RunNotice.NOT.value)
        query = select(job_runs).where(*mine).order_by(_each.run_id.desc())
        with STORE.transaction(self._engine) as connection:
            return [_run(row) for row in connection.execute(query)]

    def forget(self, before: datetime) -> None:
        """Remove runs of before then, but the newest of each job and its newest that was told."""
        said = _NEWEST.where(_each.told == RunNotice.TOLD.value)
        with STORE.transaction(self._engine) as connection:
            kept = {*connection.scalars(_NEWEST), *connection.scalars(said)}
            old = (_each.started_at < before, _each.run_id.not_in(kept))
            connection.execute(delete(job_runs).where(*old))

    def _as_it_is(self, run: JobRun) -> JobRun:
        """A process that was killed ended nothing, and let go of the job's turn."""
        if run.outcome is JobOutcome.RUNNING and is_free(self.turn(run.job)):
            return replace(run, outcome=JobOutcome.INTERRUPTED)
        return run


def newest_in(url: str) -> dict[str, JobRun]:
    """Return the newest runs of an inbox; none where there is no inbox, and none is made."""
    if is_missing(url):
        return {}
    with JobRuns.open(url) as runs:
        return runs.newest()


class _ExplainedTurn:
    """A turn whose errors are the inbox's."""

    def __init__(self, turn: ProcessLock, url: URL) -> None:
        self._turn = turn
        self._url = url

    def take(self) -> bool:
        with STORE.explained(self._url):
            return self._turn.take()

    def is_held(self) -> bool:
        with STORE.explained(self._url):
            return self._turn.is_held()

    def release(self) -> None:
        with STORE.explained(self._url):
            self._turn.release()


def _add(
    connection: Connection, job: str, now: datetime, outcome: JobOutcome, *, by_hand: bool
) -> int:
    values = {
        "job": job,
        "started_at": now,
        "outcome": outcome.value,
        "numbers": "{}",
        "reason": "",
        "by_hand": by_hand,
        "told": RunNotice.NOT.value,
    }
    added = connection.execute(insert(job_runs).values(**values))
    key = added.inserted_primary_key
    assert key is not None  # noqa: S101 - the table has one
    return int(key[0])


def _run(row: Row[Any]) -> JobRun:
    return JobRun(
        run_id=row.run_id,
        job=row.job,
        started_at=row.started_at,
        ended_at=row.ended_at,
        outcome=JobOutcome(row.outcome),
        numbers=json.loads(row.numbers),
        reason=row.reason,
        by_hand=row.by_hand,
        told=RunNotice(row.told),
    )
