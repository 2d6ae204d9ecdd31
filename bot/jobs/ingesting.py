"""The job `ingest`, and one for each source: known sources are read again, by a command.

It is a process of its own, so answers stay fast meanwhile.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Event
from typing import Any

from bot.errors import JobFailed, JobStopped
from bot.jobs.runs import Numbers
from bot.wording import jobs as wording

LOOK_AGAIN = 0.2
"""Seconds between two looks whether it ended, or is to be stopped."""
MERCY = 5.0
"""Seconds that it has to end by itself."""
_GIVING_WAY = 10
"""Of 19: what answers questions comes first."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What a command left behind."""

    status: int
    """Negative: the signal that killed it."""
    told: Any
    """The JSON that it printed; None where it printed none."""
    last_words: str
    """The last line on its standard error."""


def run_command(words: Sequence[str], stopping: Event) -> Finished:
    """Run `vouch ...` to its end.

    Raise `JobStopped` where the bot stops before, or the process is asked to end, as systemd asks
    all processes of a service at once.
    """
    command = [sys.executable, "-m", "bot.cli", *words]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        # A session of its own: Ctrl-C at a terminal is for the bot, which ends this.
        with subprocess.Popen(  # noqa: S603 - our own program
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
        ) as program:
            with suppress(OSError):  # it may have ended
                os.setpriority(os.PRIO_PROCESS, program.pid, _GIVING_WAY)
            try:
                was_stopped = _wait(program, stopping)
            finally:
                _end(program)
        if was_stopped or program.returncode == -signal.SIGTERM:
            raise JobStopped("The bot stops.")
        out.seek(0)
        err.seek(0)
        lines = err.read().decode(errors="replace").strip().splitlines()
        return Finished(program.returncode, _json(out.read()), lines[-1] if lines else "")


def _wait(program: "subprocess.Popen[bytes]", stopping: Event) -> bool:
    """Wait for its end, or for the bot's; tell whether it was the bot's."""
    while program.poll() is None:
        if stopping.wait(LOOK_AGAIN):
            return True
    return False


def _end(program: "subprocess.Popen[bytes]") -> None:
    if program.poll() is not None:
        return
    program.terminate()
    try:
        program.wait(MERCY)
    except subprocess.TimeoutExpired:
        program.kill()


def _json(printed: bytes) -> Any:
    try:
        return json.loads(printed)
    except ValueError:
        return None


WORDS = ("ingest", "--all", "--json")
"""After `vouch`."""


def read_all_again(run: Callable[[Event], Finished], stopping: Event) -> Numbers:
    """Return the numbers of the reports; raise `JobFailed` naming sources that failed.

    Files that were left out are counted, and no failure: they are told where `ingest` and
    `check` tell them.
    """
    finished = run(stopping)
    if not isinstance(finished.told, Mapping):
        raise JobFailed(wording.ingest_broke(finished.status, finished.last_words))
    failed = finished.told["failed"]
    numbers = {name: value for name, value in finished.told.items() if name != "failed"}
    if failed:
        reasons = [f"{each['source']}: {each['reason']}" for each in failed]
        raise JobFailed(wording.sources_failed(reasons), numbers)
    return numbers
