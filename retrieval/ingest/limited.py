"""Processes that may take only so much memory and time, for what meets other people's files.

`Child` is such a process as seen by the one that started it; what runs there ends in `serve`. They
exchange pickled tuples, of which the reader trusts nothing but plain values and those of documents:
a process that was taken over must not run code on this side.
"""

import ctypes
import io
import math
import os
import pickle
import resource
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

_LENGTH = struct.Struct(">Q")
_ALLOWED = frozenset({"set", "frozenset", "bytearray", "complex"})
"""Of the builtins, what front matter may hold."""


class BrokenFrame(Exception):
    """The other side ended, or said what it may not say."""


def send(stream: IO[bytes], message: tuple[object, ...]) -> None:
    """Raise `OSError` where nobody reads any more."""
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[object, ...]:
    """The next message. Raise `BrokenFrame`."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    try:
        message = _Unpickler(io.BytesIO(_exactly(stream, length))).load()
    except (pickle.UnpicklingError, TypeError, ValueError, AttributeError) as error:
        raise BrokenFrame(str(error)) from error
    if not isinstance(message, tuple):
        raise BrokenFrame("not a message")
    return message


def _exactly(stream: IO[bytes], length: int) -> bytes:
    content = stream.read(length)
    if len(content) < length:
        raise BrokenFrame("the other side ended")
    return content


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> object:
        plain = module == "builtins" and name in _ALLOWED
        if "." not in name and (plain or module in ("datetime", "audit.places", "retrieval.types")):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a document")


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


MEGABYTE = 1024 * 1024
_SET_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""
_ROOM = 512 * MEGABYTE
"""Of address space beyond the limit: programs and libraries that are mapped, not filled."""
DONE, REFUSED, OUT_OF_MEMORY, FAILED = "done", "refused", "out of memory", "failed"
"""What became of a piece of work; beside it what was made, or words."""
Handler = Callable[[tuple[object, ...]], object]
"""From the arguments of a request to what was made of them; what it raises is its failure."""


def serve(
    handler: Handler, refusal: type[Exception], parent: int, megabytes: int, processor_seconds: int
) -> None:
    """Serve until the input ends; `refusal`: what the work raises where its words say it all."""
    _end_with(parent)
    _limit_memory(megabytes * MEGABYTE)
    requests, replies = sys.stdin.buffer, _own_output()
    send(replies, ("ready",))
    while True:
        try:
            request = receive(requests)
        except BrokenFrame:
            return
        _limit_processor(processor_seconds)
        outcome = _outcome(handler, request, refusal)
        _answer(replies, outcome, megabytes)
        del request, outcome


def _end_with(parent: int) -> None:
    """Be killed when the parent dies, also in the midst of work; elsewhere the input's end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit()


def _limit_memory(size: int) -> None:
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_DATA, size)
    _lower(resource.RLIMIT_AS, size + _ROOM)


def _lower(limit: int, value: int) -> None:
    """Set a limit for good, unless a lower one holds already."""
    _, hard = resource.getrlimit(limit)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(limit, (value, value))


def _limit_processor(seconds: int) -> None:
    """From now on; the time that earlier work took is spent."""
    spent = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = math.ceil(spent.ru_utime + spent.ru_stime) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _own_output() -> IO[bytes]:
    """The output, which nothing else writes to: what libraries print goes nowhere."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    return replies


def _outcome(
    handler: Handler, request: tuple[object, ...], refusal: type[Exception]
) -> tuple[str, object]:
    try:
        return DONE, handler(request)
    except refusal as error:
        return REFUSED, str(error)
    except MemoryError:
        return OUT_OF_MEMORY, ""
    except Exception as error:  # whatever a library raises is that file's failure
        return FAILED, f"{type(error).__name__}: {error}"[:200]


def _answer(replies: IO[bytes], outcome: tuple[str, object], megabytes: int) -> None:
    """Beside the outcome, whether so much memory was taken that a new process should go on."""
    try:
        is_full = _most_held() > megabytes * MEGABYTE // 2
        send(replies, (*outcome, is_full))
    except MemoryError:
        send(replies, (OUT_OF_MEMORY, "", True))
    except (RecursionError, TypeError, ValueError) as error:  # of what front matter holds
        send(replies, (FAILED, type(error).__name__, True))


def _most_held() -> int:
    """Bytes, so far; Linux keeps `ru_maxrss` across fork, but `VmHWM` (proc(5)) begins anew."""
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in bytes on macOS
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024
