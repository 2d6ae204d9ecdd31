"""The job `ingest` has a process of its own, which may be stopped, killed or end early."""

import os
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Event
from typing import Any

import pytest
from clocked import SOON
from vouch_home import Home

from bot.errors import JobFailed, JobStopped
from bot.jobs import work
from bot.jobs.work import WORDS, read_all_again


class Reading:
    """An ingest that waits for its turn until it is ended."""

    def __init__(self, ended: Future[Any], pid: int, stopping: Event) -> None:
        self.ended = ended
        self.pid = pid
        self.stopping = stopping

    def is_there(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True


@pytest.fixture
def home(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    home.reads({"leave.md": "# Leave\n\nIt is 14 weeks.\n"})
    monkeypatch.setenv("VOUCH_HOME", str(home.path))
    monkeypatch.chdir(home.path.anchor)
    return home


@pytest.fixture
def reading(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reading]:
    begun: list[int] = []

    class Noted(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            begun.append(self.pid)
            known.set()

    known, stopping = Event(), Event()
    monkeypatch.setattr(subprocess, "Popen", Noted)
    with home.library.ingest_turn(lambda: None), ThreadPoolExecutor(1) as pool:
        ended = pool.submit(read_all_again, partial(work.run_command, WORDS), stopping)
        assert known.wait(SOON)
        try:
            yield Reading(ended, begun[0], stopping)
        finally:
            stopping.set()


def test_it_ends_with_the_bot(reading: Reading) -> None:
    reading.stopping.set()
    with pytest.raises(JobStopped):
        reading.ended.result(SOON)
    assert not reading.is_there()


def test_a_service_whose_processes_are_all_asked_to_end_has_no_failed_job(
    reading: Reading,
) -> None:
    os.kill(reading.pid, signal.SIGTERM)
    with pytest.raises(JobStopped):
        reading.ended.result(SOON)


def test_one_that_is_killed_is_a_failure_that_says_so(reading: Reading) -> None:
    os.kill(reading.pid, signal.SIGKILL)
    with pytest.raises(JobFailed, match="was killed"):
        reading.ended.result(SOON)


def test_one_that_ends_early_tells_its_last_words(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOUCH_LARGEST_MEGABYTES", "many")
    with pytest.raises(JobFailed, match="VOUCH_LARGEST_MEGABYTES"):
        read_all_again(partial(work.run_command, WORDS), Event())
