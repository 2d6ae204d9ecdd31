"""What any record of job runs keeps to, on every database that an inbox can live in."""

import multiprocessing
import multiprocessing.synchronize
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from threading import Event, Thread

import pytest
from inboxes import NOON, at, said

from bot.errors import InboxUnavailable
from bot.jobs.runs import Ended, JobOutcome, RunNotice
from bot.slack.exchange import Stage
from bot.slack.inbox.beside import JobRuns, newest_in
from bot.slack.inbox.removals import RETENTION, forget_in
from bot.slack.inbox.store import Inbox

OK = Ended(JobOutcome.OK, {"new": 3, "head": "sha256:ab", "share": 0.5})
FAILED = Ended(JobOutcome.FAILED, {"new": 0}, "the folder « x » is gone \x00")


@pytest.fixture
def runs(inbox_url: str) -> Iterator[JobRuns]:
    with JobRuns.open(inbox_url) as runs:
        yield runs


def ran(runs: JobRuns, seconds: float, ended: Ended = OK, job: str = "ingest") -> int:
    run_id = runs.start(job, at(seconds), by_hand=False)
    runs.finish(run_id, at(seconds + 1), ended)
    return run_id


def test_a_run_reads_back_as_it_was(runs: JobRuns) -> None:
    run_id = runs.start("ingest", NOON, by_hand=True)
    runs.finish(run_id, at(5), OK)
    run = runs.newest()["ingest"]
    assert (run.run_id, run.started_at, run.ended_at, run.by_hand) == (run_id, NOON, at(5), True)
    assert (run.outcome, run.numbers, run.reason, run.told) == (JobOutcome.OK, OK.numbers, "", "")


def test_what_no_database_could_hold_is_replaced(runs: JobRuns) -> None:
    ran(runs, 0, FAILED)
    assert runs.newest()["ingest"].reason == "the folder « x » is gone \ufffd"


def test_the_newest_of_each_job_is_told(runs: JobRuns) -> None:
    for seconds, job in enumerate(["ingest", "forget", "ingest"]):
        ran(runs, seconds, job=job)
    assert {job: run.started_at for job, run in runs.newest().items()} == {
        "ingest": at(2),
        "forget": at(1),
    }


def test_a_job_is_planned_once_and_not_where_it_ran(runs: JobRuns) -> None:
    runs.plan("ingest", NOON)
    runs.plan("ingest", at(60))
    assert runs.newest()["ingest"].started_at == NOON
    assert runs.newest()["ingest"].outcome is JobOutcome.PLANNED
    ran(runs, 70)
    runs.plan("ingest", at(90))
    assert runs.newest()["ingest"].outcome is JobOutcome.OK


@pytest.mark.parametrize("job", ["ingest", "ingest ../s3://notes of « ö »"])
def test_a_run_that_goes_on_is_running(runs: JobRuns, inbox_url: str, job: str) -> None:
    turn = runs.turn(job)
    assert turn.take()
    runs.start(job, NOON, by_hand=False)
    assert newest_in(inbox_url)[job].outcome is JobOutcome.RUNNING
    turn.release()
    assert newest_in(inbox_url)[job].outcome is JobOutcome.INTERRUPTED


def begins(url: str, begun: "multiprocessing.synchronize.Event") -> None:
    runs = JobRuns.open(url)
    turn = runs.turn("ingest")
    assert turn.take()
    runs.start("ingest", NOON, by_hand=False)
    begun.set()
    Event().wait(60)


@pytest.mark.slow
def test_a_run_whose_process_was_killed_is_interrupted_and_holds_nobody_up(
    runs: JobRuns, inbox_url: str
) -> None:
    context = multiprocessing.get_context("spawn")
    begun = context.Event()
    other = context.Process(target=begins, args=(inbox_url, begun))
    other.start()
    assert begun.wait(60)
    turn = runs.turn("ingest")
    assert not turn.take()
    assert runs.newest()["ingest"].outcome is JobOutcome.RUNNING
    other.kill()
    other.join(60)
    while not turn.take():
        Event().wait(0.05)
    turn.release()
    assert runs.newest()["ingest"].outcome is JobOutcome.INTERRUPTED
    assert turn.take()
    runs.finish(runs.start("ingest", at(60), by_hand=False), at(61), OK)
    assert runs.newest()["ingest"].outcome is JobOutcome.OK


def test_turns_are_had_by_one_at_a_time_and_each_name_has_its_own(runs: JobRuns) -> None:
    one, same, other = runs.turn("ingest"), runs.turn("ingest"), runs.turn("forget")
    assert one.take()
    assert one.take(), "it has it"
    assert (same.take(), other.take()) == (False, True)
    assert (one.is_held(), same.is_held()) == (True, False)
    found: list[bool] = []
    thread = Thread(target=lambda: found.append(one.is_held()))
    thread.start()
    thread.join()
    assert found == [True], "also seen from another thread"
    one.release()
    assert not one.is_held()
    assert same.take()


def test_what_was_told_and_owed_is_found_newest_first(runs: JobRuns) -> None:
    first, _, third = ran(runs, 0, FAILED), ran(runs, 10), ran(runs, 20)
    ran(runs, 30, job="forget")
    runs.mark(first, RunNotice.TOLD)
    runs.mark(third, RunNotice.OWED)
    assert [(run.run_id, run.told) for run in runs.marked("ingest")] == [
        (third, RunNotice.OWED),
        (first, RunNotice.TOLD),
    ]


def test_old_runs_are_forgotten_but_what_is_needed_to_go_on(runs: JobRuns) -> None:
    told = [ran(runs, seconds, FAILED) for seconds in (0, 10)]
    for run_id in told:
        runs.mark(run_id, RunNotice.TOLD)
    ran(runs, 20)
    last = ran(runs, 30)
    runs.forget(at(100))
    assert runs.newest()["ingest"].run_id == last
    assert [run.run_id for run in runs.marked("ingest")] == told[1:]
    runs.forget(at(0))
    assert runs.newest()["ingest"].run_id == last


def test_they_are_kept_beside_a_bot_that_has_the_inbox_open(inbox: Inbox, inbox_url: str) -> None:
    assert sum(inbox.counts().values()) == 0
    with JobRuns.open(inbox_url) as runs:
        ran(runs, 0)
    assert newest_in(inbox_url)["ingest"].numbers == OK.numbers


def test_to_look_makes_no_inbox(inbox_url: str, tmp_path: str) -> None:
    if inbox_url.startswith("sqlite"):
        assert newest_in(inbox_url) == {}
        assert newest_in(inbox_url) == {}, "still none"
    with pytest.raises(InboxUnavailable):
        newest_in("nonsense")


def test_what_was_finished_long_ago_is_forgotten_beside_the_bot_and_nothing_else(
    inbox: Inbox, inbox_url: str
) -> None:
    for number in range(2):
        inbox.take_in(said(number), NOON)
    exchange = inbox.claim(Stage.PLACEHOLDER, NOON)
    assert exchange
    inbox.save(replace(exchange, stage=Stage.DONE))
    assert forget_in(inbox_url, NOON + RETENTION) == 0
    assert forget_in(inbox_url, NOON + RETENTION + timedelta(seconds=1)) == 1
    assert inbox.counts() == {stage: int(stage is Stage.PLACEHOLDER) for stage in Stage}
