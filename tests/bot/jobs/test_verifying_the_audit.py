"""The audit store is verified every night, and whoever cuts it off is noticed the next one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from audit_stores import SqliteStore, cut_off_after
from block_records import a_record
from clocked import Admins, Clock

from audit.log import AuditReader, open_reader, open_writer
from audit.values import new_id
from bot.errors import JobFailed
from bot.jobs.work import AuditHeads, VerifyAudit


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    store = SqliteStore(tmp_path / "audit.sqlite")
    answered(store, 3)
    return store


@pytest.fixture
def records(store: SqliteStore) -> Iterator[AuditReader]:
    with open_reader(store.url) as reader:
        yield reader


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "audit-heads.txt"


def answered(store: SqliteStore, count: int) -> None:
    with open_writer(store.url) as writer:
        for _ in range(count):
            writer.append(a_record(audit_id=new_id(Clock()())))


def verify(records: AuditReader, file: Path, admins: Admins | None = None) -> dict[str, Any]:
    job = VerifyAudit(records.verify, AuditHeads(file), admins, Clock())
    return dict(job())


def test_the_head_is_noted_with_the_day_and_told(records: AuditReader, file: Path) -> None:
    admins = Admins()
    numbers = verify(records, file, admins)
    head = records.verify().head
    assert numbers == {"records": 3, "events": 0, "head": head}
    [line] = file.read_text().splitlines()
    day, noted, *rest = line.split(" ")
    assert (len(day), noted, rest) == (25, head, ["records=3", "events=0", "told"])
    [said] = admins.told
    assert head in said


def test_a_log_that_was_cut_off_is_noticed(
    store: SqliteStore, records: AuditReader, file: Path
) -> None:
    verify(records, file)
    store.tamper(*cut_off_after(2))
    assert records.verify().ok, "the chain alone cannot show it"
    before = file.read_text()
    with pytest.raises(JobFailed, match="cut off at its end"):
        verify(records, file)
    assert file.read_text() == before, "no head of it is noted"


def test_what_was_altered_is_named(store: SqliteStore, records: AuditReader, file: Path) -> None:
    store.tamper("UPDATE audit_entry SET payload = replace(payload, 'a', 'b') WHERE sequence = 2")
    with pytest.raises(JobFailed, match="does not verify at"):
        verify(records, file)
    assert not file.exists()


def test_a_head_is_told_once_however_late_and_again_when_the_log_grew(
    store: SqliteStore, records: AuditReader, file: Path
) -> None:
    admins = Admins(away=True)
    assert verify(records, file, admins)["records"] == 3
    admins.away = False
    for _ in range(3):
        verify(records, file, admins)
    assert len(admins.told) == 1
    assert len(file.read_text().splitlines()) == 4
    answered(store, 1)
    verify(records, file, admins)
    assert len(admins.told) == 2


def test_a_line_that_a_power_cut_left_unfinished_is_passed_over(
    store: SqliteStore, records: AuditReader, file: Path
) -> None:
    verify(records, file)
    noted = records.verify().head
    with file.open("a") as torn:
        torn.write("2026-03-01T04:00:00+00:00 sha256:ab")
    assert AuditHeads(file).newest() is not None
    answered(store, 1)
    verify(records, file)
    newest = AuditHeads(file).newest()
    assert newest is not None
    assert newest.head == records.verify().head != noted


def test_a_file_that_cannot_be_written_is_a_failure(records: AuditReader, file: Path) -> None:
    file.mkdir()
    with pytest.raises(JobFailed, match="could not be noted"):
        verify(records, file)
