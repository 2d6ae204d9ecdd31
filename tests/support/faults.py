"""A disk that fails, or a process that is killed, at one call of the system's: strace does it."""

import ctypes
import json
import multiprocessing
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

import pytest

from audit import migrations  # noqa: F401  # Alembic's import is not what is tried
from audit.erasure.erasing import Erasure
from audit.errors import AuditUnavailable
from audit.log import open_reader, open_writer
from audit.proof.checkpoints import CheckpointFile, Notary, Signer
from audit.record import AuditRecord, EventKind
from bot.backup.archive import ERASURES
from bot.errors import JobFailed
from bot.jobs.work import HandedOn, WitnessLog
from bot.wiring.erasing import SCRUB_OWED, expire_log

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
_PROCESSES.set_forkserver_preload(["pytest", "audit.log", "audit.migrations", "bot.jobs.work"])
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
    status: int
    """The exit status; negative by which signal it was killed."""
    calls: tuple[str, ...]
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
    process = _PROCESSES.Process(target=run, args=(work, folder, theirs))
    process.start()
    theirs.close()
    assert process.pid is not None
    assert ours.recv() == "ready"
    log, told = folder / "strace.log", []
    paths = [folder / name for name in FILES]
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


SIGNER = Signer(bytes(range(32)))
KEPT_UNTIL = datetime(2026, 1, 1, tzinfo=UTC)
STORE, RECORDS = "audit.sqlite", "records.json"
CHECKPOINTS, HANDED_ON, WITNESS = "audit-checkpoints.txt", "audit-witnesses.txt", "witness.txt"
FILES = (
    *("", f"{STORE}.lock", STORE, f"{STORE}-wal", f"{STORE}-shm", f"{STORE}-journal"),
    *(CHECKPOINTS, HANDED_ON, WITNESS, ERASURES, SCRUB_OWED),
)
"""What it writes in its folder, which is the first."""
Done = TypeVar("Done")
_PR_SET_PTRACER = 0x59616D61


def url_of(folder: Path) -> str:
    return f"sqlite:///{folder / STORE}"


def records_of(folder: Path) -> list[AuditRecord]:
    return [AuditRecord.model_validate(each) for each in json.loads((folder / RECORDS).read_text())]


def append(folder: Path, tell: Callable[[str], object]) -> None:
    """Append the records of the folder; the id of each is told once it is kept, not before."""
    writer = again(lambda: open_writer(url_of(folder)))
    for record in records_of(folder):
        again(lambda record=record: writer.append(record))  # type: ignore[misc]  # a default as a binding
        tell(record.audit_id)
    writer.close()


def sign(folder: Path, tell: Callable[[str], object]) -> None:
    """Sign the log and hand that to a witness; told is of how many entries both have it."""
    with open_reader(url_of(folder)) as reader:
        notary = Notary(
            SIGNER,
            CheckpointFile(folder / CHECKPOINTS),
            reader.tree_head,
            lambda: datetime.now(UTC),
        )
        witness = CheckpointFile(folder / WITNESS)
        job = WitnessLog(notary, [witness], HandedOn(folder / HANDED_ON))
        tell(str(again(job)["entries"]))


def expire(folder: Path, tell: Callable[[str], object]) -> None:
    """Erase what was asked long ago; told is of how many entries, once it is in no file."""
    erasure = Erasure("expire", "kept no longer", KEPT_UNTIL, EventKind.EXPIRED)
    tell(str(again(lambda: expire_log(url_of(folder), folder, KEPT_UNTIL, erasure))))


def again(work: Callable[[], Done]) -> Done:
    """Once more where it failed, when what the error holds is let go of."""
    with suppress(AuditUnavailable, JobFailed):
        return work()
    return work()


def run(work: Callable[..., None], folder: Path, harness: Connection) -> None:
    """Do it once the harness traces this process, and says so; it hears what is told."""
    ctypes.CDLL(None).prctl(_PR_SET_PTRACER, ctypes.c_ulong(-1), 0, 0, 0)
    harness.send("ready")
    harness.recv()
    work(folder, harness.send)
