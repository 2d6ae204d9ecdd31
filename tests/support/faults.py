"""A disk that fails, or a process that is killed, at one call of the system's: strace does it."""

import multiprocessing
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import fault_worker
import pytest

LEAVE_OUT = "VOUCH_TEST_WITHOUT_STRACE"
WRITING = ("write", "pwrite64", "ftruncate")
CALLS = (
    *WRITING,
    *("fsync", "fdatasync", "open", "openat", "unlink", "unlinkat"),
    *("rename", "renameat", "renameat2"),
)
EIO, ENOSPC, KILL = "error=EIO", "error=ENOSPC", "signal=SIGKILL"
_CALL = re.compile(r"^(?:\d+ +)?(\w+)\(", re.MULTILINE)
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["pytest", "audit.log", "audit.migrations", "bot.jobs.audit_log"])
PATIENCE_S = 60


@dataclass(frozen=True, slots=True)
class Fault:
    call: str
    number: int
    how: str

    @property
    def injected(self) -> str:
        return f"inject={self.call}:{self.how}:when={self.number}"


@dataclass(frozen=True, slots=True)
class Ended:
    told: tuple[str, ...]
    """In order."""
    status: int
    """The exit status; negative by which signal it was killed."""
    calls: tuple[str, ...]
    """That touched the files, by name."""
    failed: bool
    """Whether a call was made to fail."""


def demand_strace() -> None:
    """Skip where the developer asked for it; fail where strace is missing."""
    if os.environ.get(LEAVE_OUT):
        pytest.skip(f"{LEAVE_OUT} is set")
    if shutil.which("strace") is None:
        pytest.fail(f"strace is not installed. Run `apt-get install strace`, or set {LEAVE_OUT}=1.")


@contextmanager
def tracing(pid: int, log: Path, paths: Sequence[Path], *injected: str) -> Iterator[None]:
    """Have strace log each call that touches these paths; `injected`: what is to fail."""
    touching = [each for path in paths for each in ("-P", str(path))]
    wanted = ["-e", f"trace={','.join(f'?{call}' for call in CALLS)}", "-e", "signal=none"]
    failing = [each for what in injected for each in ("-e", what)]
    command = ["strace", "-f", "-p", str(pid), "-o", str(log), *touching, *wanted, *failing]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as strace:
        assert strace.stderr
        said = strace.stderr.readline()
        if "Operation not permitted" in said:
            pytest.skip("no process may be traced on this machine (CAP_SYS_PTRACE)")
        assert "attached" in said, said
        try:
            yield
        finally:
            strace.terminate()


def traced(work: Callable[..., None], folder: Path, fault: Fault | None = None) -> Ended:
    """Do it in a process whose calls that touch the worker's files are counted, and may fail."""
    ours, theirs = _PROCESSES.Pipe()
    process = _PROCESSES.Process(target=fault_worker.run, args=(work, folder, theirs))
    process.start()
    theirs.close()
    assert process.pid is not None
    assert ours.recv() == "ready"
    log, told = folder / "strace.log", []
    paths = [folder / name for name in fault_worker.FILES]
    with tracing(process.pid, log, paths, *([fault.injected] if fault else [])):
        ours.send("go")
        with suppress(EOFError):
            while True:
                told.append(ours.recv())
        process.join(PATIENCE_S)
    assert process.exitcode is not None
    said = log.read_text()
    calls = tuple(_CALL.findall(said))
    return Ended(tuple(told), process.exitcode, calls, failed="(INJECTED)" in said)


def every_fault(calls: Sequence[str]) -> list[Fault]:
    """Each call fails, kills the process, and where it writes finds no room; in their order."""
    numbers: Counter[str] = Counter()
    found = []
    for call in calls:
        numbers[call] += 1
        ways = (EIO, ENOSPC, KILL) if call in WRITING else (EIO, KILL)
        found += [Fault(call, numbers[call], how) for how in ways]
    return found


def evenly(faults: Sequence[Fault], most: int) -> list[Fault]:
    return [faults[round(n * (len(faults) - 1) / (most - 1))] for n in range(most)]
