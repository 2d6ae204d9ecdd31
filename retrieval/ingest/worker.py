"""Reading files in a process of its own, which may take only so much memory and time.

A parser meets whatever people put in a folder, and its libraries are not ours to mend: one
file may crash them, fill the memory, or keep them busy for ever. Here it costs that file.
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

from retrieval.errors import ParserUnavailable, UnreadableDocument
from retrieval.ingest import parser_process
from retrieval.ingest.frames import BrokenFrame, receive, send
from retrieval.types import ParsedDocument

_PASSED_ON = ("LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TMPDIR")
"""Of the environment; the child needs no key, token or password."""


@dataclass(frozen=True, slots=True)
class ParsingLimits:
    """What reading one file may take."""

    megabytes: int = 1024
    """Of memory, with what the process itself needs."""
    processor_seconds: int = 120
    seconds: int = 300
    """By the clock."""


class ParserWorker:
    """Reads one file after another in a child process; a context manager, for one thread.

    The child is started at the first file, and again after it was lost. It inherits no open
    file, so that it never holds the ingest lock, and ends with this process.
    """

    def __init__(self, limits: ParsingLimits = ParsingLimits()) -> None:
        self._limits = limits
        self._child: _Child | None = None

    def __enter__(self) -> "ParserWorker":
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    @property
    def pid(self) -> int | None:
        """Of the child; None while there is none."""
        return self._child.process.pid if self._child else None

    def parse(self, file: str, content: bytes) -> ParsedDocument:
        """Read a file by the kind that its name tells.

        Raise `UnreadableDocument` for whatever goes wrong with it, `ParserUnavailable` where
        no process can be started.
        """
        child = self._child = self._child or _Child(self._limits)
        try:
            with child.killed_after(self._limits.seconds):
                kind, said, is_full = child.ask(file, content)
        except (BrokenFrame, OSError, ValueError) as error:
            self._end()
            raise UnreadableDocument(self._how_it_was_lost(child)) from error
        if is_full or child.was_too_slow:
            self._end()
        if isinstance(said, ParsedDocument):
            return said
        raise UnreadableDocument(self._why(str(kind), str(said)))

    def _end(self) -> None:
        child, self._child = self._child, None
        if child:
            child.end()

    def _why(self, kind: str, said: str) -> str:
        if kind == parser_process.UNREADABLE:
            return said
        if kind == parser_process.OUT_OF_MEMORY:
            return self._too_large
        return (
            f"is damaged, or unlike what its parser knows ({said}); open it in its program, save "
            "it again or in another format, and add that"
        )

    def _how_it_was_lost(self, child: "_Child") -> str:
        limits, status = self._limits, child.process.returncode
        if child.was_too_slow:
            return (
                f"takes more than {limits.seconds} seconds to read; split it, or raise "
                "VOUCH_PARSING_SECONDS"
            )
        if status == -signal.SIGXCPU:
            return (
                f"takes more than {limits.processor_seconds} seconds of processor time to read; "
                "split it, or raise VOUCH_PARSING_PROCESSOR_SECONDS"
            )
        return (
            f"ended the process that read it ({_named(status)}); open it in its program and save "
            "it again, or split it; if it only is large, raise VOUCH_PARSING_MEGABYTES"
        )

    @property
    def _too_large(self) -> str:
        return (
            f"takes more than {self._limits.megabytes} MB of memory to read; split it, or raise "
            "VOUCH_PARSING_MEGABYTES"
        )


@dataclass
class _Child:
    """A process that is ready to read. Raise `ParserUnavailable` where it does not start."""

    limits: ParsingLimits
    process: "subprocess.Popen[bytes]" = field(init=False)
    was_too_slow: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        limits = self.limits
        numbers = os.getpid(), limits.megabytes, limits.processor_seconds
        try:
            self.process = subprocess.Popen(  # noqa: S603  # this very program
                [sys.executable, "-P", "-m", parser_process.__name__, *map(str, numbers)],
                env=_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise ParserUnavailable(_does_not_start(error.strerror)) from error
        try:
            with self.killed_after(limits.seconds):
                receive(self._output)
        except (BrokenFrame, OSError) as error:
            self.end()
            raise ParserUnavailable(_does_not_start(_named(self.process.returncode))) from error

    def ask(self, file: str, content: bytes) -> tuple[object, object, object]:
        """What became of a file. Raise `BrokenFrame` or `OSError` where the child is lost."""
        assert self.process.stdin is not None  # noqa: S101  # a pipe, as asked for
        send(self.process.stdin, (file, content))
        kind, said, is_full = receive(self._output)
        return kind, said, is_full

    @contextmanager
    def killed_after(self, seconds: float) -> Iterator[None]:
        """Kill it if what is done meanwhile takes longer; what waits for it then goes on."""
        timer = threading.Timer(seconds, self._kill)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def end(self) -> None:
        """At once; it has nothing to lose."""
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                with suppress(OSError):  # what was never read by the child
                    stream.close()
        self.process.wait()

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


def _does_not_start(why: str | None) -> str:
    return (
        f"The process that reads documents does not start ({why}). If VOUCH_PARSING_MEGABYTES is "
        "low, raise it; else free memory and try again."
    )


def _named(status: int | None) -> str:
    """How a process ended: the name of the signal, or its exit status."""
    if status is not None and status < 0:
        return signal.Signals(-status).name
    return f"exit status {status}"
