"""A job runs, alone, fails, works again, and administrators are told once of each."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from clocked import SOON, Admins, Clock, Work, job
from libraries import tampered_with

from bot.errors import BadConfiguration, InboxUnavailable, JobIsRunning, JobStopped
from bot.jobs.job import statuses
from bot.jobs.runner import Runner
from bot.jobs.runs import JobOutcome, JobRun
from bot.slack.inbox.beside import JobRuns


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'inbox.sqlite'}"


@pytest.fixture
def runs(url: str) -> Iterator[JobRuns]:
    with JobRuns.open(url) as runs:
        yield runs


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def admins() -> Admins:
    return Admins()


def hourly(url: str, work: Work, clock: Clock, admins: Admins, times: int = 1) -> None:
    """Run it every hour, each time by a process that knows nothing of the one before."""
    for _ in range(times):
        clock.forward(hours=1, seconds=1)
        with JobRuns.open(url) as runs:
            Runner(runs, admins, clock).run_if_due(job(work), Event())


def newest(runs: JobRuns) -> JobRun:
    return runs.newest()["ingest"]


@pytest.fixture(autouse=True)
def it_is_wanted(runs: JobRuns, clock: Clock) -> None:
    runs.plan("ingest", clock())


def test_a_failing_job_is_told_once_and_its_recovery_once_and_else_nothing(
    url: str, runs: JobRuns, clock: Clock, admins: Admins
) -> None:
    work = Work()
    hourly(url, work, clock, admins, times=3)
    assert admins.told == []
    work.reason = "the folder is gone."
    hourly(url, work, clock, admins, times=3)
    assert (newest(runs).outcome, newest(runs).numbers) == (JobOutcome.FAILED, {"new": 0})
    [failure] = admins.told
    assert "The job ingest of" in failure
    assert "failed: the folder is gone." in failure
    work.reason = ""
    hourly(url, work, clock, admins, times=3)
    [_, recovery] = admins.told
    assert "The job ingest works again." in recovery
    work.reason = "it is gone anew."
    hourly(url, work, clock, admins, times=2)
    assert len(admins.told) == 3
    assert "it is gone anew." in admins.told[2]


def test_what_cannot_be_told_is_told_after_the_next_run(
    url: str, clock: Clock, admins: Admins
) -> None:
    work, admins.away = Work(reason="no room."), True
    hourly(url, work, clock, admins, times=2)
    admins.away = False
    hourly(url, work, clock, admins, times=2)
    assert ["no room." in each for each in admins.told] == [True]


def test_a_failure_that_could_not_be_told_is_told_though_it_works_again(
    url: str, clock: Clock, admins: Admins
) -> None:
    work, admins.away = Work(reason="no room."), True
    hourly(url, work, clock, admins)
    work.reason = ""
    hourly(url, work, clock, admins)
    admins.away = False
    hourly(url, work, clock, admins, times=3)
    [said] = admins.told
    assert "works again" in said
    assert "no room." in said


def test_a_recovery_that_could_not_be_told_is_told_later(
    url: str, clock: Clock, admins: Admins
) -> None:
    work = Work(reason="no room.")
    hourly(url, work, clock, admins)
    work.reason, admins.away = "", True
    hourly(url, work, clock, admins, times=2)
    admins.away = False
    hourly(url, work, clock, admins, times=2)
    assert ["ingest works again" in each for each in admins.told] == [False, True]


def test_where_nobody_is_to_be_told_nothing_is_owed(
    runs: JobRuns, clock: Clock, admins: Admins, url: str
) -> None:
    clock.forward(hours=2)
    work = Work(reason="no room.")
    Runner(runs, None, clock).run_if_due(job(work), Event())
    assert runs.marked("ingest") == []
    hourly(url, work, clock, admins)
    assert len(admins.told) == 1, "who is named later is told that it fails"


def test_overlapping_runs_are_refused_and_recorded_once(
    url: str, runs: JobRuns, clock: Clock
) -> None:
    work = Work()
    work.may_end.clear()
    with JobRuns.open(url) as others, ThreadPoolExecutor(1) as pool:
        first = pool.submit(Runner(runs, None, clock).run, job(work), Event())
        assert work.begun.wait(SOON)
        for again in (Runner(others, None, clock), Runner(runs, None, clock)):
            with pytest.raises(JobIsRunning, match="ingest is running already"):
                again.run(job(work), Event())
        assert newest(others).outcome is JobOutcome.RUNNING
        work.may_end.set()
        assert first.result().outcome is JobOutcome.OK
    assert work.runs == 1
    assert Runner(runs, None, clock).run(job(work), Event()).numbers == {"new": 2}


def test_what_somebody_ran_by_hand_meanwhile_is_not_due(runs: JobRuns, clock: Clock) -> None:
    work, runner = Work(), Runner(runs, None, clock)
    clock.forward(hours=2)
    runner.run(job(work), Event())
    clock.forward(minutes=59)
    runner.run_if_due(job(work), Event())
    assert work.runs == 1
    clock.forward(minutes=2)
    runner.run_if_due(job(work), Event())
    assert work.runs == 2


@pytest.mark.parametrize(
    ("error", "outcome", "reason"),
    [
        (BadConfiguration("It holds s3cret."), JobOutcome.FAILED, "It holds ***."),
        (ZeroDivisionError("s3cret"), JobOutcome.FAILED, "Something failed that nobody foresaw"),
        (JobStopped("stops"), JobOutcome.INTERRUPTED, "It was stopped with the bot"),
    ],
)
def test_however_it_ends_it_is_recorded_without_secrets(
    runs: JobRuns, clock: Clock, admins: Admins, error: Exception, outcome: str, reason: str
) -> None:
    runner = Runner(runs, admins, clock, discreet=lambda said: said.replace("s3cret", "***"))
    runner.run(job(Work(error=error)), Event())
    run = newest(runs)
    assert run.outcome == outcome
    assert run.ended_at == clock()
    assert run.reason.startswith(reason)
    assert "s3cret" not in f"{run} {admins.told}"
    assert len(admins.told) == (outcome == JobOutcome.FAILED)


def test_ctrl_c_interrupts_and_is_recorded(runs: JobRuns, clock: Clock) -> None:
    def work(_: Event) -> dict[str, int]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Runner(runs, None, clock).run(job(work), Event())  # type: ignore[arg-type]
    assert newest(runs).outcome is JobOutcome.INTERRUPTED
    assert newest(runs).ended_at


def test_what_cannot_be_recorded_is_not_done(url: str, runs: JobRuns, clock: Clock) -> None:
    tampered_with(url, "ALTER TABLE inbox_job_run RENAME TO elsewhere")
    work = Work()
    with pytest.raises(InboxUnavailable):
        Runner(runs, None, clock).run(job(work), Event())
    assert work.runs == 0


def test_a_job_is_shown_with_its_next_time_and_one_that_is_off_without(
    runs: JobRuns, clock: Clock
) -> None:
    jobs = [job(Work()), job(Work(), "off", "backup")]
    [planned, off] = statuses(jobs, runs.newest(), clock())
    assert planned.last is None
    assert planned.next_at is not None
    assert abs((planned.next_at - clock()).total_seconds() - 3600) < 1
    assert (off.when, off.next_at, off.in_words) == ("", None, "off; last never")
    clock.forward(days=2)
    assert statuses(jobs, runs.newest(), clock())[0].next_at == clock(), "it is overdue"
