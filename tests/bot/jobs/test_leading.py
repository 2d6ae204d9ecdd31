"""Several bots share an inbox: one of them runs the jobs, and another when that one is gone."""

import multiprocessing
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from multiprocessing.context import SpawnProcess
from threading import Event, Timer

import psycopg
import pytest
from audit_stores import PostgresqlServer
from clocked import SOON, Work, clocked, job
from psycopg import sql

from bot.errors import JobStopped
from bot.jobs.clockwork import AT_ONCE
from bot.jobs.job import Job
from bot.jobs.runs import Ended, JobOutcome
from bot.slack.inbox.beside import JobRuns, newest_in

pytestmark = pytest.mark.slow

DAILY = "every 1 day"


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not holds():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.02)


def ran(url: str, ago: timedelta, name: str = "ingest") -> None:
    """Record a run of some time ago."""
    started = datetime.now(UTC) - ago
    with JobRuns.open(url) as runs:
        run = runs.start(name, started, by_hand=False)
        runs.finish(run, started, Ended(JobOutcome.OK, {}))


def outcome(url: str, name: str = "ingest") -> tuple[str, bool]:
    """Of the newest run, and whether it is of the last minutes."""
    run = newest_in(url)[name]
    return run.outcome, datetime.now(UTC) - run.started_at < timedelta(minutes=10)


def test_a_run_that_was_missed_is_caught_up_once(inbox_url: str) -> None:
    ran(inbox_url, timedelta(days=5))
    work = Work()
    with clocked(job(work, DAILY), url=inbox_url):
        until(lambda: outcome(inbox_url) == (JobOutcome.OK, True))
    assert work.runs == 1
    with clocked(job(work, DAILY), url=inbox_url) as again:
        until(lambda: again.leads)
        time.sleep(0.3)
    assert work.runs == 1


@pytest.mark.parametrize("ago", [None, timedelta(hours=3)])
def test_what_is_not_due_is_not_run_at_a_start(inbox_url: str, ago: timedelta | None) -> None:
    if ago:
        ran(inbox_url, ago)
    work = Work()
    with clocked(job(work, DAILY), url=inbox_url) as clock:
        until(lambda: clock.leads)
        time.sleep(0.3)
    assert work.runs == 0


def test_a_job_that_never_ran_is_due_when_it_was_wanted_for_long_enough(inbox_url: str) -> None:
    with JobRuns.open(inbox_url) as runs:
        runs.plan("ingest", datetime.now(UTC) - timedelta(days=2))
    work = Work()
    with clocked(job(work, DAILY), url=inbox_url):
        until(lambda: work.runs == 1)


def test_a_job_that_failed_runs_again_at_its_time(inbox_url: str) -> None:
    ran(inbox_url, timedelta(days=5))
    work = Work(error=ZeroDivisionError())
    with clocked(job(work, DAILY), url=inbox_url) as clock:
        until(lambda: outcome(inbox_url) == (JobOutcome.FAILED, True))
        assert clock.leads
    assert work.runs == 1


def test_a_source_that_is_slow_holds_up_no_other_and_sources_come_and_go(inbox_url: str) -> None:
    slow, quick, later = Work(), Work(), Work()
    slow.may_end.clear()
    sources = {"slow": slow, "quick": quick}
    for name in ("slow", "quick", "later"):
        ran(inbox_url, timedelta(days=5), f"ingest {name}")

    def jobs() -> list[Job]:
        return [
            replace(job(work, name=f"ingest {name}"), source=name) for name, work in sources.items()
        ]

    with clocked(url=inbox_url, sources=jobs):
        until(lambda: slow.begun.is_set() and quick.runs == 1)
        sources["later"] = later
        until(lambda: later.runs == 1)
        del sources["quick"]
        slow.may_end.set()
        until(lambda: outcome(inbox_url, "ingest slow") == (JobOutcome.OK, True))
    assert (slow.runs, quick.runs, later.runs) == (1, 1, 1)


@pytest.mark.parametrize("gone", [False, True])
def test_a_source_whose_turn_did_not_come_is_not_begun_once_it_left_or_the_bot_stops(
    inbox_url: str, gone: bool
) -> None:
    first, waiting = [Work() for _ in range(AT_ONCE)], Work()
    sources = {**{f"first {at}": work for at, work in enumerate(first)}, "waiting": waiting}
    for at, (name, work) in enumerate(sources.items()):
        ran(inbox_url, timedelta(days=9 - at), f"ingest {name}")
        work.may_end.clear()

    def jobs() -> list[Job]:
        return [
            replace(job(work, name=f"ingest {name}"), source=name) for name, work in sources.items()
        ]

    def end() -> None:
        for each in (*first, waiting):
            each.may_end.set()

    with clocked(url=inbox_url, sources=jobs):
        until(lambda: all(each.begun.is_set() for each in first))
        if gone:
            del sources["waiting"]
            time.sleep(0.5)
            end()
            until(lambda: all(outcome(inbox_url, f"ingest first {at}")[1] for at in range(AT_ONCE)))
            time.sleep(0.5)
        else:
            Timer(0.5, end).start()
    assert [each.runs for each in (*first, waiting)] == [1] * AT_ONCE + [0]
    assert outcome(inbox_url, "ingest waiting") == (JobOutcome.OK, False)


def leads(url: str, leading: "multiprocessing.synchronize.Event") -> None:
    with clocked(job(Work(), DAILY), url=url) as clock:
        until(lambda: clock.leads)
        leading.set()
        Event().wait(120)


def started(url: str) -> SpawnProcess:
    """Another bot, which leads."""
    context = multiprocessing.get_context("spawn")
    leading = context.Event()
    other = context.Process(target=leads, args=(url, leading))
    other.start()
    assert leading.wait(SOON)
    return other


def test_the_place_of_a_killed_leader_is_taken(inbox_url: str) -> None:
    other = started(inbox_url)
    ran(inbox_url, timedelta(days=5))  # it was planned by the other, and became due
    work = Work()
    try:
        with clocked(job(work, DAILY), url=inbox_url) as clock:
            time.sleep(0.5)
            assert not clock.leads
            assert work.runs == 0, "the other bot runs it"
            other.kill()
            until(lambda: clock.leads)
            until(lambda: work.runs == 1)
    finally:
        other.kill()
        other.join(SOON)


@pytest.mark.server
def test_who_cannot_write_does_not_say_that_it_runs_the_jobs(
    postgresql: PostgresqlServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "bot.jobs")
    database = postgresql.new_database()
    with clocked(job(Work(), DAILY), url=database.url) as before:
        until(lambda: before.leads)
    caplog.clear()
    read_only = sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = on")
    with psycopg.connect(database.url, autocommit=True) as server:
        server.execute(read_only.format(sql.Identifier(server.info.dbname)))
    with clocked(job(Work(), DAILY), url=database.url) as unable:
        until(lambda: "Jobs cannot be run just now" in caplog.text)
        assert not unable.leads
    assert "This bot runs the jobs" not in caplog.text


def test_a_leader_that_stops_lets_another_lead(inbox_url: str) -> None:
    with ExitStack() as life:
        first = life.enter_context(clocked(job(Work(), DAILY), url=inbox_url))
        until(lambda: first.leads)
        with clocked(job(Work(), DAILY), url=inbox_url) as second:
            time.sleep(0.3)
            assert not second.leads
            life.close()
            assert not first.leads
            until(lambda: second.leads)


def test_a_leader_whose_connection_is_lost_notices_and_another_leads_or_it_anew(
    inbox_url: str,
) -> None:
    if inbox_url.startswith("sqlite"):
        pytest.skip("A file has no connection.")
    work = Work()
    with clocked(job(work, DAILY), url=inbox_url) as clock:
        until(lambda: clock.leads)
        with psycopg.connect(inbox_url, autocommit=True) as server, JobRuns.open(inbox_url) as runs:
            turn = runs.turn("leader")
            server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
            )
            until(turn.take)
            until(lambda: not clock.leads)
            turn.release()
        until(lambda: clock.leads)


def test_a_run_is_broken_off_when_the_bot_stops(inbox_url: str) -> None:
    begun = Event()

    def work(stopping: Event) -> dict[str, int]:
        begun.set()
        assert stopping.wait(SOON)
        raise JobStopped("The bot stops.")

    ran(inbox_url, timedelta(days=5))
    with clocked(job(work, DAILY), url=inbox_url):  # type: ignore[arg-type]
        assert begun.wait(SOON)
    run = newest_in(inbox_url)["ingest"]
    assert (run.outcome, run.ended_at is None) == (JobOutcome.INTERRUPTED, False)
