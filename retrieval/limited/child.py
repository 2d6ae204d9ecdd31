"""A limited process as the one that started it sees it.

What runs there is one of our programs that ends in `serving.serve`.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO

from retrieval.limited.frames import BrokenFrame, receive, send

_PASSED_ON = ("LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TESSDATA_PREFIX", "TMPDIR")
"""Of the environment; the child needs no key, token or password."""

LOST = BrokenFrame, OSError, ValueError
"""What `Child.ask` raises where the child ended, was killed, or said what it may not say."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one piece of work may take."""

    megabytes: int
    """Of memory, with what the process itself needs."""
    processor_seconds: int
    seconds: int
    """By the clock."""


class NotStarted(Exception):
    """The process does not start; the message is why, as the system says it."""


@dataclass
class Child:
    """A process that is ready to work. Raise `NotStarted` where it does not start.

    It inherits no open file, and ends with the thread that started it: the signal of prctl(2)
    is sent when that thread ends, though its process goes on.
    """

    program: str
    """A module that `python -m` runs."""
    limits: Limits
    process: "subprocess.Popen[bytes]" = field(init=False)
    was_too_slow: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        limits = self.limits
        numbers = os.getpid(), limits.megabytes, limits.processor_seconds
        try:
            self.process = subprocess.Popen(  # noqa: S603  # this very program
                [sys.executable, "-P", "-m", self.program, *map(str, numbers)],
                env=_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise NotStarted(str(error.strerror)) from error
        try:
            with self._killed_when_late():
                receive(self._output)
        except (BrokenFrame, OSError) as error:
            self.end()
            raise NotStarted(self.status_in_words) from error

    def ask(self, *request: object, more_seconds: float = 0) -> tuple[str, object, bool]:
        """What became of a request, what was made or said, and whether a new process should go on.

        `more_seconds`: by the clock, on top of its limits. Raise one of `LOST`; then, and where it
        `was_too_slow`, it must be ended.
        """
        assert self.process.stdin is not None  # noqa: S101  # a pipe, as asked for
        with self._killed_when_late(more_seconds):
            send(self.process.stdin, request)
            kind, made, is_full = receive(self._output)
        return str(kind), made, bool(is_full)

    def end(self) -> None:
        """At once; it has nothing to lose."""
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                with suppress(OSError):  # what was never read by the child
                    stream.close()
        self.process.wait()

    @property
    def spent_its_time(self) -> bool:
        """Whether the system ended it for the processor time that it took."""
        return self.process.returncode == -signal.SIGXCPU

    @property
    def was_killed(self) -> bool:
        """Whether somebody ended it, or the system where memory is short."""
        return self.process.returncode in (-signal.SIGKILL, -signal.SIGTERM)

    @property
    def status_in_words(self) -> str:
        """How it ended: the name of the signal, or its exit status."""
        status = self.process.returncode
        if status is not None and status < 0:
            return signal.Signals(-status).name
        return f"exit status {status}"

    @contextmanager
    def _killed_when_late(self, more_seconds: float = 0) -> Iterator[None]:
        """Kill it if what is done meanwhile takes too long; what waits for it then goes on."""
        timer = threading.Timer(self.limits.seconds + more_seconds, self._kill)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    @property
    def _output(self) -> IO[bytes]:
        assert self.process.stdout is not None  # noqa: S101  # a pipe, as asked for
        return self.process.stdout

    def _kill(self) -> None:
        self.was_too_slow = True
        self.process.kill()


def _environment() -> dict[str, str]:
    """What the child needs: where the packages are, and one thread for numpy."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return kept | {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}
