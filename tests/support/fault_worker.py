"""What is done while the disk fails: a log is appended to, signed, or expires, and traced."""

import ctypes
import json
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

from audit import migrations  # noqa: F401  # Alembic's import is not what is tried
from audit.erasure.erasing import Erasure
from audit.errors import AuditUnavailable
from audit.log import open_reader, open_writer
from audit.proof.checkpoints import Signer
from audit.proof.witnesses import CheckpointFile, Notary
from audit.record import AuditRecord, EventKind
from bot.backup.archive import ERASURES
from bot.errors import JobFailed
from bot.jobs.audit_log import HandedOn, WitnessLog
from bot.wiring.erasing import SCRUB_OWED, expire_log

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
        again(lambda record=record: writer.append(record))  # type: ignore[misc]
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
