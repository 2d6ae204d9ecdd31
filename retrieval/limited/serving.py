"""What every limited process does.

It limits itself before it reads anything, does one piece of work after another as its input
asks, and ends with its parent.
"""

import ctypes
import math
import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

from retrieval.limited.frames import BrokenFrame, receive, send

MEGABYTE = 1024 * 1024
_SET_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""
_ROOM = 512 * MEGABYTE
"""Of address space beyond the limit: programs and libraries that are mapped, not filled."""

DONE, REFUSED, OUT_OF_MEMORY, FAILED = "done", "refused", "out of memory", "failed"
"""What became of a piece of work; beside it what was made, or words."""

Work = Callable[[tuple[object, ...]], object]
"""From the arguments of a request to what was made of them; what it raises is its failure."""


def serve(
    work: Work, refusal: type[Exception], parent: int, megabytes: int, processor_seconds: int
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
        outcome = _outcome(work, request, refusal)
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
    work: Work, request: tuple[object, ...], refusal: type[Exception]
) -> tuple[str, object]:
    try:
        return DONE, work(request)
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
    """Bytes of memory, at the most so far.

    Linux keeps `ru_maxrss` across fork and exec (getrusage(2)): it would tell what the parent
    held. `VmHWM` of proc(5) begins anew with the program.
    """
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in bytes on macOS
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024
