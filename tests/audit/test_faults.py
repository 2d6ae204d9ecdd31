"""The disk fails, or the process is killed, at one call after the other; nothing is lost.

A kill is no power cut: what the system was handed stands. That is asked for by `synchronous=FULL`.
"""

import json
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from faults import (
    CHECKPOINTS,
    KEPT_UNTIL,
    KILL,
    RECORDS,
    SIGNER,
    STORE,
    WITNESS,
    Ended,
    Fault,
    append,
    demand_strace,
    evenly,
    every_fault,
    expire,
    records_of,
    sign,
    traced,
    url_of,
)
from sample_records import NOON, a_record

from audit.errors import AuditError
from audit.log import open_reader, open_writer
from audit.proof.checkpoints import Checkpoint, CheckpointFile
from audit.proof.verification import Signed
from audit.record import AuditEvent, AuditRecord
from bot.backup.archive import ERASURES

pytestmark = pytest.mark.slow
OLD = Path(__file__).parents[1] / "fixtures" / "homes" / "0.2" / STORE
A_FEW = 12
SECRET = "zebrafish"
Work = Callable[..., None]


@pytest.fixture(autouse=True)
def _strace() -> None:
    demand_strace()


def to_append(folder: Path, *numbers: int) -> None:
    records = [a_record(number).model_dump(mode="json") for number in numbers]
    (folder / RECORDS).write_text(json.dumps(records))


def nothing(folder: Path) -> None:
    """A log is made with the first record."""
    to_append(folder, 1)


def some_entries(folder: Path) -> None:
    to_append(folder, 1, 2, 3)
    with open_writer(url_of(folder)) as writer:
        for number in range(4, 7):
            writer.append(a_record(number))


def of_an_earlier_program(folder: Path) -> None:
    """A chain without a tree is upgraded."""
    shutil.copyfile(OLD, folder / STORE)
    to_append(folder, 1)


def old_and_new(folder: Path) -> None:
    """Two of three questions are of before the time for which they are kept."""
    with open_writer(url_of(folder)) as writer:
        for number, time, word in ((1, NOON, SECRET), (2, KEPT_UNTIL, "rain"), (3, NOON, SECRET)):
            writer.append(a_record(number, time=time, question=f"Is {word} a reason?"))


def entries_in(folder: Path) -> list[str]:
    with open_reader(url_of(folder)) as reader:
        return [stored.entry.audit_id for stored in reader.entries()]


def holds(folder: Path, *signed: Checkpoint) -> bool:
    with open_reader(url_of(folder)) as reader:
        return reader.verify(signed=Signed(SIGNER.key, signed) if signed else None).ok


def appended(folder: Path, ended: Ended, before: Sequence[str]) -> None:
    """Nothing that was told is lost, and the next process goes on."""
    if ended.told:
        assert holds(folder)
        assert set(ended.told) <= set(entries_in(folder))
    append(folder, lambda _: None)
    assert holds(folder)
    ids = [record.audit_id for record in records_of(folder)]
    assert entries_in(folder) == [*before, *ids]


def signed(folder: Path, ended: Ended, _: Sequence[str]) -> None:
    """Whatever stands in both files was signed of this log, and the next run signs it."""
    files = [CheckpointFile(folder / name) for name in (CHECKPOINTS, WITNESS)]
    if ended.told:
        assert all(str(file.all()[-1].size) == ended.told[-1] for file in files)
    assert holds(folder, *(each for file in files for each in file.all()))
    told: list[str] = []
    sign(folder, told.append)
    assert all(str(file.all()[-1].size) == told[-1] for file in files)
    assert holds(folder, *(each for file in files for each in file.all()))


def expired(folder: Path, ended: Ended, _: Sequence[str]) -> None:
    """What is old is gone once, and from every file, at the latest after the next one."""
    assert holds(folder)
    if ended.told:
        assert_expired(folder)
    expire(folder, lambda _: None)
    assert holds(folder)
    assert_expired(folder)


def assert_expired(folder: Path) -> None:
    with open_reader(url_of(folder)) as reader:
        stored = list(reader.entries())
    records = [each.entry for each in stored if isinstance(each.entry, AuditRecord)]
    events = [each.entry for each in stored if isinstance(each.entry, AuditEvent)]
    assert [each.time for each in records if not each.erased] == [KEPT_UNTIL]
    assert [each.details["entries"] for each in events] == [[[1, 1], [3, 3]]]
    listed = (folder / ERASURES).read_text()
    assert all(each.audit_id in listed for each in records if each.erased)
    assert not any(SECRET.encode() in file.read_bytes() for file in folder.glob("audit*"))


SCENES = {
    "made": (nothing, append, appended),
    "appended": (some_entries, append, appended),
    "upgraded": (of_an_earlier_program, append, appended),
    "signed": (some_entries, sign, signed),
    "expired": (old_and_new, expire, expired),
}


def faults_of(scene: str, folder: Path) -> tuple[Path, list[Fault]]:
    """A folder to begin in, and every fault that there is on the way from there."""
    begin, work, _ = SCENES[scene]
    start = folder / "start"
    start.mkdir()
    begin(start)
    whole = shutil.copytree(start, folder / "whole")
    ended = traced(work, whole)
    assert (ended.status, bool(ended.told)) == (0, True)
    return start, every_fault(ended.calls)


def check_survival(scene: str, start: Path, fault: Fault, folder: Path) -> None:
    _, work, check = SCENES[scene]
    shutil.copytree(start, folder)
    before = entries_in(start) if (start / STORE).exists() else []
    ended = traced(work, folder, fault)
    assert (ended.status, ended.failed) == (
        (-signal.SIGKILL, False) if fault.how == KILL else (0, True)
    )
    check(folder, ended, before)
    shutil.rmtree(folder)


def check_all(scene: str, start: Path, faults: Sequence[Fault], folder: Path) -> None:
    """Every one is tried, whatever became of those before."""
    lost = []
    for number, fault in enumerate(faults):
        try:
            check_survival(scene, start, fault, folder / str(number))
        except (AssertionError, AuditError) as error:
            lost.append((fault.injected, str(error)))
    assert not lost, f"{len(lost)} of {len(faults)}: {lost}"


@pytest.mark.parametrize("scene", SCENES)
def test_a_few_faults_lose_and_double_nothing(scene: str, tmp_path: Path) -> None:
    start, faults = faults_of(scene, tmp_path)
    check_all(scene, start, evenly(faults, A_FEW), tmp_path)


@pytest.mark.exhaustive
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("scene", SCENES)
def test_no_fault_loses_or_doubles_anything(scene: str, tmp_path: Path) -> None:
    start, faults = faults_of(scene, tmp_path)
    check_all(scene, start, faults, tmp_path)
    sys.stdout.write(f"{scene}: {len(faults)} {dict(Counter(each.call for each in faults))}\n")
