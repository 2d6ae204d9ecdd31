"""What goes wrong with the store and its files: each fault is explained and loses nothing."""

import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from math import cos, sin, tan
from pathlib import Path

import pytest
import sample_records
from audit_stores import PASSWORD, AuditStore, PostgresqlServer, blamed
from sample_records import a_record, an_event

from audit.engines import append_durably
from audit.errors import AuditDamaged, AuditUnavailable
from audit.log import open_reader, open_writer
from audit.places import Place
from audit.proof.hashes import GENESIS
from audit.record import Candidate, CandidateScores
from audit.storing.store import demand_writable


@pytest.mark.slow
@pytest.mark.parametrize(
    "room", [200_000, 1_000_000, pytest.param(4_300_000, marks=pytest.mark.exhaustive)]
)
def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path, room: int) -> None:
    url = f"sqlite:///{tmp_path / 'audit.db'}"
    finished = subprocess.run(
        [sys.executable, sample_records.__file__, url, "100000", str(room)],
        capture_output=True,
        text=True,
        check=False,
    )
    acknowledged = finished.stdout.split()
    assert acknowledged
    assert "disk" in finished.stderr
    with open_reader(url) as reader, open_writer(url) as writer:
        assert [stored.entry.audit_id for stored in reader.entries()] == acknowledged
        writer.append(a_record())  # there is room again
        assert reader.verify().records == len(acknowledged) + 1


def test_a_locked_store_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("audit.storing.store.WAIT_S", 0.1)
    path = tmp_path / "audit.db"
    with open_writer(f"sqlite:///{path}") as writer:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(AuditUnavailable, match="Close the program that has it open"):
            writer.append(a_record())
        other.close()
        assert writer.append(a_record()).sequence == 1


def test_who_meets_other_tables_is_told_what_tells_more(store: AuditStore) -> None:
    open_writer(store.url).close()
    store.outside("ALTER TABLE audit_entry RENAME TO audit_link")
    for ask in (demand_writable, lambda url: open_reader(url).find()):
        with pytest.raises(AuditUnavailable, match="`vouch audit verify` tells"):
            ask(store.url)


def test_a_store_that_is_deleted_while_the_bot_runs_takes_no_more(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    with open_writer(f"sqlite:///{path}") as writer:
        writer.append(a_record())
        for file in tmp_path.iterdir():
            file.unlink()
        with pytest.raises(AuditUnavailable, match="See that the file is there"):
            writer.append(a_record(1))


def test_a_store_that_is_put_back_takes_up_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    with open_writer(f"sqlite:///{path}") as writer:
        writer.append(a_record())
    kept = path.read_bytes()
    with open_writer(f"sqlite:///{path}") as writer:
        writer.append(a_record(1))
        for file in tmp_path.iterdir():
            file.unlink()
        path.write_bytes(kept)
        assert writer.append(a_record(2)).sequence == 2


def test_a_file_that_is_no_database_is_said(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    path.write_text("This is a letter, not a database. " * 100)
    with pytest.raises(AuditDamaged, match="restore them from a backup"):
        open_writer(f"sqlite:///{path}")


def test_bytes_altered_in_the_file_are_caught(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    with open_writer(f"sqlite:///{path}") as writer:
        records = [a_record(number) for number in range(5)]
        for record in records:
            writer.append(record)
        writer.append(an_event(records[2], text="In fact 14 weeks."))
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT payload FROM audit_entry WHERE sequence = 3"
        [(packed,)] = connection.execute(query).fetchall()
    half = len(packed) // 2
    altered = packed[:half] + bytes([packed[half] ^ 1]) + packed[half + 1 :]
    content = path.read_bytes()
    for stood, forged in (
        (packed[half - 8 : half + 8], altered[half - 8 : half + 8]),
        (b"In fact 14 weeks.", b"In fact 16 weeks."),
        (b"In fact 14 weeks.", b"In fact 1\xff weeks."),
    ):
        assert content.count(stood) == 1
        path.write_bytes(content.replace(stood, forged))
        with open_reader(f"sqlite:///{path}") as reader:
            blamed(reader, "payload")


def test_a_record_of_real_size_takes_six_kilobytes_and_reads_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    scores = CandidateScores(dense_rank=1, bm25_rank=31, fusion=0.0252, hierarchy=20.0)
    candidates = [
        Candidate(
            passage_id=sha256(f"passage {number}".encode()).hexdigest()[:24],
            document_id=sha256(f"document {number // 4}".encode()).hexdigest()[:16],
            file=f"university/regulations/academic-regulations-{number // 4}.pdf",
            version="1",
            place=Place(page=number % 9 + 1, line_start=number, line_end=number + 4),
            scores=scores.model_copy(
                update={"cosine": sin(number), "logit": cos(number), "relevance": tan(number)}
            ),
            eligibility="over the threshold",
            used=number < 3,
        )
        for number in range(50)
    ]
    record = a_record().model_copy(update={"candidates": tuple(candidates)})
    with open_writer(f"sqlite:///{path}") as writer:
        stored = writer.append(record)
    with closing(sqlite3.connect(path)) as connection:
        [(size,)] = connection.execute("SELECT length(payload) FROM audit_entry").fetchall()
    assert (len(stored.payload) > 25_000, size < 6_000) == (True, True), (len(stored.payload), size)
    with open_reader(f"sqlite:///{path}") as reader:
        assert reader.record(record.audit_id).entry == record
        assert reader.verify().ok


def test_what_is_no_database_does_not_verify(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    path.write_bytes(b"no database at all, but long enough to be looked at as one" * 100)
    with open_reader(f"sqlite:///{path}") as reader:
        verification = reader.verify()
    assert (verification.ok, verification.records, verification.events) == (False, 0, 0)
    assert verification.head == GENESIS
    assert not verification.lacks_expected_head


def test_the_entries_before_a_damaged_page_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.proof.verification._BATCH", 10)
    path = tmp_path / "audit.db"
    with open_writer(f"sqlite:///{path}") as writer:
        stored = [writer.append(a_record(number)) for number in range(50)]
    content = bytearray(path.read_bytes())
    name = stored[30].entry.audit_id.encode()
    page = content.index(b"answer" + name + name) // 4096
    content[page * 4096] = 0  # which says what kind of page it is
    path.write_bytes(content)
    with open_reader(f"sqlite:///{path}") as reader:
        verification = reader.verify()
    assert not verification.ok
    assert verification.first_bad is not None
    assert "restore them from a backup" in verification.first_bad.what
    assert 0 < verification.records <= 30
    assert verification.first_bad.sequence == verification.records + 1


@pytest.mark.parametrize(
    "url", ["", "audit.db", "mysql://host/x", "sqlite://", "sqlite:///:memory:"]
)
def test_a_url_of_no_use_is_said(url: str) -> None:
    with pytest.raises(AuditUnavailable, match="Write sqlite:///PATH or postgresql://"):
        open_writer(url)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(AuditUnavailable, match="try again"):
        open_writer(f"sqlite:///{tmp_path}/file/audit.db")


def test_an_unreachable_server_is_said() -> None:
    with pytest.raises(AuditUnavailable, match="See that it runs") as caught:
        open_writer("postgresql://vouch:hunter2@/audit?host=/nonexistent&password=hunter3")
    assert "hunter" not in str(caught.value)


@pytest.mark.server
@pytest.mark.parametrize(
    ("database", "password", "said"),
    [("postgres", "hunter2", "refuses the user or password"), ("nowhere", PASSWORD, "Create it")],
)
def test_a_server_that_lets_nobody_in_is_said_and_no_password_shown(
    postgresql: PostgresqlServer, database: str, password: str, said: str
) -> None:
    with pytest.raises(AuditUnavailable, match=said) as caught:
        open_writer(postgresql.url(database, password))
    assert password not in str(caught.value)


@pytest.mark.server
def test_a_database_that_cannot_hold_every_text_is_refused(postgresql: PostgresqlServer) -> None:
    with pytest.raises(AuditUnavailable, match="LATIN1"):
        open_writer(postgresql.new_database(encoding="LATIN1").url)


@pytest.mark.server
def test_a_user_who_may_only_read_cannot_append(postgresql: PostgresqlServer) -> None:
    store = postgresql.new_database()
    with open_writer(store.url) as writer:
        writer.append(a_record())
    user = f"auditor_{store.database}"
    store.outside(
        f"CREATE USER {user} PASSWORD 'x'", f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {user}"
    )
    url = store.url.replace(f"vouch:{PASSWORD}", f"{user}:x")
    with open_reader(url) as reader:
        assert reader.verify().records == 1
    with open_writer(url) as writer, pytest.raises(AuditUnavailable, match="Grant it"):
        writer.append(a_record())


@pytest.mark.server
def test_a_server_that_crashes_loses_nothing_that_was_acknowledged(
    postgresql: PostgresqlServer,
) -> None:
    store = postgresql.new_database()
    with open_writer(store.url) as writer, open_reader(store.url) as reader:
        for number in range(20):
            writer.append(a_record(number))
        postgresql.crash()
        try:
            with pytest.raises(AuditUnavailable):
                writer.append(a_record(20))
        finally:
            postgresql.start()
        assert writer.append(a_record(20)).sequence == 21
        assert reader.verify().records == 21


@contextmanager
def room_for(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_line_that_was_written_in_part_is_an_error_and_ended_before_the_next(
    tmp_path: Path,
) -> None:
    file = tmp_path / "grows.txt"
    append_durably(file, "one\n")
    with room_for(8), pytest.raises(OSError, match="too large"):
        append_durably(file, "another\n")
    append_durably(file, "three\n")
    assert file.read_text().splitlines() == ["one", "anot", "three"]
    assert oct(file.stat().st_mode)[-3:] == "600"
