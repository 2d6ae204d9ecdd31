"""What any audit log keeps to, on every store that it can live in."""

# ruff: noqa: S608 - statements are put together from constants of the tests

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sample_records
from audit_stores import AuditStore, PostgresqlServer, SqliteStore, blamed, cut_off_after
from hypothesis import given
from sample_records import a_citation, a_record, an_event, wild_records

from audit.errors import AuditUnavailable, EntryConflict, UnknownRecord
from audit.finding.queries import RecordQuery
from audit.log import AuditReader, AuditWriter, StoredEntry, open_reader, open_writer
from audit.proof.hashes import GENESIS, entry_hash
from audit.record import AuditRecord, EventKind
from audit.storing.store import STORE, reading_engine
from audit.storing.tables import entries
from audit.values import ClaimRecord, Status

# --- what is appended is kept -------------------------------------------------------


def test_any_record_reads_back_and_verifies(writer: AuditWriter, reader: AuditReader) -> None:
    @given(record=wild_records)
    def holds(record: AuditRecord) -> None:
        stored = writer.append(record)
        assert reader.record(record.audit_id) == stored
        assert stored.entry == record

    holds()
    verification = reader.verify()
    assert verification.first_bad is None
    assert verification.records == len(list(reader.entries()))


def test_a_file_name_that_is_no_utf_8_is_kept(writer: AuditWriter, reader: AuditReader) -> None:
    name = "Pr\udcfcfung.md"  # as Python reads a Latin-1 file name
    record = a_record(
        claims=(ClaimRecord(text="x", status=Status.BROKEN, citations=(a_citation(name),)),)
    )
    writer.append(record)
    assert reader.record(record.audit_id).entry == record
    [found] = reader.find(RecordQuery(document=name)).records
    assert found.audit_id == record.audit_id
    assert reader.verify().ok


def test_what_happened_later_stands_in_the_same_chain(
    writer: AuditWriter, reader: AuditReader
) -> None:
    record = a_record()
    writer.append(record)
    writer.append(a_record(1))
    stored = writer.append(an_event(record))
    assert stored.sequence == 3
    assert [event.entry for event in reader.events(record.audit_id)] == [stored.entry]
    verification = reader.verify()
    assert (verification.ok, verification.records, verification.events) == (True, 2, 1)
    assert len(reader.find().records) == 2


def test_an_event_about_an_unknown_record_is_refused(
    writer: AuditWriter, reader: AuditReader
) -> None:
    with pytest.raises(UnknownRecord, match="Append the record first"):
        writer.append(an_event(a_record()))
    assert list(reader.entries()) == []


def test_appending_the_same_record_again_stores_it_once(
    writer: AuditWriter, reader: AuditReader
) -> None:
    record = a_record()
    assert writer.append(record) == writer.append(record)
    assert reader.verify().records == 1


def test_an_id_cannot_be_used_for_another_record(writer: AuditWriter) -> None:
    record = a_record()
    writer.append(record)
    with pytest.raises(EntryConflict):
        writer.append(record.model_copy(update={"reply": "Something else."}))


def test_a_store_that_is_not_there_yet_reads_as_empty(
    store: AuditStore, reader: AuditReader
) -> None:
    assert (reader.find().records, reader.feedback().given) == ((), ())
    assert reader.find(RecordQuery(text="leave", document="a.md")).records == ()
    assert reader.askers() == ()
    with pytest.raises(UnknownRecord):
        reader.record("0195")
    with open_writer(store.url) as writer:
        writer.append(a_record())
    assert reader.verify().records == 1


def test_a_store_that_is_not_there_does_not_verify(store: AuditStore, reader: AuditReader) -> None:
    verification = reader.verify()
    assert (verification.ok, verification.records, verification.head) == (False, 0, GENESIS)
    assert verification.first_bad is not None
    assert "is not there" in verification.first_bad.what
    assert verification.events == 0
    assert not verification.lacks_expected_head
    open_writer(store.url).close()
    assert reader.verify().ok


# --- what the database loses without a word -----------------------------------------


@pytest.mark.parametrize("table", ["audit_entry", "audit_cited"])
def test_a_record_of_which_the_database_loses_something_is_not_taken_for_stored(
    store: AuditStore, writer: AuditWriter, reader: AuditReader, table: str
) -> None:
    store.lose(table)
    claims = () if table == "audit_entry" else a_record().claims
    for record in (a_record(claims=claims), a_record(1)):
        with pytest.raises(AuditUnavailable, match=r"did not keep|append-only"):
            writer.append(record)
    assert list(reader.entries()) == []


@pytest.mark.parametrize("kind", EventKind)
def test_an_event_that_the_database_loses_is_not_taken_for_stored(
    store: AuditStore, writer: AuditWriter, reader: AuditReader, kind: EventKind
) -> None:
    record = a_record()
    stored = writer.append(record)
    store.lose("audit_entry")
    with pytest.raises(AuditUnavailable, match="did not keep"):
        writer.append(an_event(record).model_copy(update={"kind": kind}))
    assert list(reader.entries()) == [stored]


@pytest.mark.server
def test_a_record_that_the_database_alters_is_not_taken_for_stored(
    postgresql: PostgresqlServer,
) -> None:
    store = postgresql.new_database()
    with open_writer(store.url) as writer, open_reader(store.url) as reader:
        store.outside(
            "CREATE FUNCTION alter_it() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN new.payload := replace(new.payload, '14', '15'); RETURN new; END $$",
            "CREATE TRIGGER other BEFORE INSERT ON audit_entry "
            "FOR EACH ROW EXECUTE FUNCTION alter_it()",
        )
        with pytest.raises(AuditUnavailable, match="did not keep"):
            writer.append(a_record())
        assert list(reader.entries()) == []


# --- what the database refuses ------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_entry SET decision = 'ABSTAIN' WHERE sequence = 2",
        "DELETE FROM audit_entry WHERE sequence = 5",
        "UPDATE audit_cited SET name = 'other.md'",
        "DELETE FROM audit_cited",
        "INSERT INTO audit_cited (name, sequence) VALUES ('other.md', 2)",
        "INSERT INTO audit_entry SELECT 9, kind, 'new', audit_id, time, person_id, person_name, "
        "channel_id, decision, question, words, payload, hash, hash FROM audit_entry "
        "WHERE sequence = 5",
    ],
)
def test_the_database_refuses_to_alter_what_is_stored(
    store: AuditStore, five: list[StoredEntry], reader: AuditReader, statement: str
) -> None:
    with pytest.raises(Exception, match="append-only"):
        store.outside(statement)
    assert list(reader.entries()) == five
    assert reader.verify().ok


def test_sqlite_refuses_to_replace_a_row(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "audit.db")
    with open_writer(store.url) as writer:
        writer.append(a_record())
    for sequence in (1, 2):  # 1 meets the number, 2 the id
        with pytest.raises(Exception, match="append-only"):
            store.outside(
                f"INSERT OR REPLACE INTO audit_entry SELECT {sequence}, kind, entry_id, audit_id, "
                "time, person_id, person_name, channel_id, decision, 'forged', words, payload, "
                "hash, hash FROM audit_entry WHERE sequence = 1"
            )


@pytest.mark.server
@pytest.mark.parametrize("table", ["audit_entry", "audit_cited"])
def test_postgresql_refuses_to_truncate(postgresql: PostgresqlServer, table: str) -> None:
    store = postgresql.new_database()
    with open_writer(store.url) as writer:
        writer.append(a_record())
    with pytest.raises(Exception, match="append-only"):
        store.outside(f"TRUNCATE {table}")


@pytest.mark.usefixtures("five")
def test_a_reader_cannot_write(store: AuditStore) -> None:
    engine = reading_engine(STORE.parse(store.url))
    with pytest.raises(Exception, match=r"read-?only"), engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO audit_cited (name, sequence) VALUES ('x', 5)")


# --- what verification catches when the guards are gone -----------------------------

BLAMED = {
    "sequence": "missing",
    "payload": "payload",
    "previous_hash": "previous_hash",
    "hash": "hash",
}


@pytest.mark.parametrize("column", [column.name for column in entries.columns])
def test_an_altered_column_is_caught_and_named(
    store: AuditStore, five: list[StoredEntry], reader: AuditReader, column: str
) -> None:
    values = {"sequence": "99", "payload": "replace(payload, '14 weeks', '16 weeks')"}
    value = values.get(column, "'forged'")
    store.tamper(f"UPDATE audit_entry SET {column} = {value} WHERE sequence = 3")
    verification = reader.verify()
    assert not verification.ok
    assert verification.records == 2
    assert verification.first_bad is not None
    assert BLAMED.get(column, f"column {column}") in verification.first_bad.what


def test_a_payload_with_its_hash_made_to_fit_is_caught(
    store: AuditStore, five: list[StoredEntry], reader: AuditReader
) -> None:
    forged = five[2].payload.replace("14 weeks", "16 weeks")
    forged_hash = entry_hash(3, five[1].hash, forged)
    store.tamper(
        f"UPDATE audit_entry SET payload = '{forged}', hash = '{forged_hash}', "
        "words = replace(words, '14', '16') WHERE sequence = 3"
    )
    assert blamed(reader, "audit_tree").sequence == 3


@pytest.mark.parametrize(
    "payload",
    [
        *("{}", "no json", '{"kind":"answer"}', "[1]"),
        *("[" * 100_000, '{"kind": NaN}', f'{{"reply": 1{"0" * 400}, "claims": []}}'),
    ],
)
def test_a_payload_that_is_no_record_is_caught(
    store: AuditStore, five: list[StoredEntry], reader: AuditReader, payload: str
) -> None:
    fitting = entry_hash(5, five[3].hash, payload)
    store.tamper(
        f"UPDATE audit_entry SET payload = '{payload}', hash = '{fitting}' WHERE sequence = 5"
    )
    assert blamed(reader, "not a record").sequence == 5


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM audit_cited WHERE sequence = 3",
        "UPDATE audit_cited SET name = 'x.md' WHERE sequence = 3 AND name = 'handbook/leave.md'",
        "INSERT INTO audit_cited (name, sequence) VALUES ('x.md', 3)",
        "INSERT INTO audit_cited (name, sequence) VALUES ('x.md', 0)",
        "INSERT INTO audit_cited (name, sequence) VALUES ('x.md', 6)",
    ],
)
def test_altered_citations_are_caught(
    store: AuditStore, five: list[StoredEntry], reader: AuditReader, statement: str
) -> None:
    store.tamper(statement)
    blamed(reader, "audit_cited")


def test_a_long_chain_is_read_in_parts(
    store: AuditStore, five: list[StoredEntry], reader: AuditReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    for size in (1, 2, 4, 5):
        monkeypatch.setattr("audit.proof.verification._BATCH", size)
        assert reader.verify().records == len(five)
    store.tamper("DELETE FROM audit_cited WHERE sequence = 5")
    monkeypatch.setattr("audit.proof.verification._BATCH", 4)
    assert blamed(reader, "audit_cited").sequence == 5


@pytest.mark.parametrize("sequence", [1, 3])
def test_a_removed_entry_is_caught(
    store: AuditStore, five: list[StoredEntry], reader: AuditReader, sequence: int
) -> None:
    store.tamper(
        f"DELETE FROM audit_cited WHERE sequence = {sequence}",
        f"DELETE FROM audit_entry WHERE sequence = {sequence}",
    )
    blamed(reader, f"entry {sequence} is missing")


def test_two_swapped_entries_are_caught(
    store: AuditStore, five: list[StoredEntry], reader: AuditReader
) -> None:
    store.tamper(
        *(
            f"UPDATE {table} SET sequence = {new} WHERE sequence = {old}"
            for table in ("audit_entry", "audit_cited")
            for old, new in ((2, -1), (3, 2), (-1, 3))
        )
    )
    first_bad = blamed(reader, "previous_hash")
    assert (first_bad.sequence, first_bad.audit_id) == (2, five[2].entry.audit_id)


def test_the_head_is_that_of_the_newest_entry(reader: AuditReader, writer: AuditWriter) -> None:
    assert reader.head() == (0, GENESIS)
    for number in (1, 2):
        stored = writer.append(a_record(number))
        assert reader.head() == (number, stored.hash)


def test_a_broken_entry_is_not_taken_for_a_log_that_went_back(
    store: AuditStore, five: list[StoredEntry], reader: AuditReader
) -> None:
    store.tamper("UPDATE audit_entry SET payload = '{}' WHERE sequence = 2")
    assert not reader.verify(expected_head=five[4].hash).lacks_expected_head


def test_only_a_head_noted_elsewhere_shows_that_the_end_was_cut_off(
    store: AuditStore, five: list[StoredEntry], reader: AuditReader
) -> None:
    noted = reader.verify().head
    assert noted == five[-1].hash
    store.tamper(*cut_off_after(3))
    assert reader.verify().ok
    verification = reader.verify(expected_head=noted)
    assert not verification.ok
    assert verification.first_bad is not None
    assert "the log went back to before that head" in verification.first_bad.what
    assert verification.lacks_expected_head
    assert reader.verify(expected_head=five[1].hash).ok  # noted earlier, the chain has grown


def test_only_a_head_noted_elsewhere_shows_that_the_end_was_rewritten(
    store: AuditStore, five: list[StoredEntry], reader: AuditReader
) -> None:
    store.tamper(*cut_off_after(4))
    with open_writer(store.url) as intruder:
        intruder.append(a_record(4, reply="Another answer."))
    assert reader.verify().ok
    assert not reader.verify(expected_head=five[-1].hash).ok


# --- many writers, and writers that die ---------------------------------------------


def start_appending(
    store: AuditStore, count: int, largest_file: int = 0
) -> "subprocess.Popen[str]":
    command = [sys.executable, sample_records.__file__, store.url, str(count), str(largest_file)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/"
    )


def stored_ids(reader: AuditReader) -> list[str]:
    return [stored.entry.audit_id for stored in reader.entries()]


@pytest.mark.slow
def test_four_processes_that_make_and_fill_a_store_keep_one_chain(
    store: AuditStore, reader: AuditReader
) -> None:
    processes = [start_appending(store, 50) for _ in range(4)]
    acknowledged: list[str] = []
    for process in processes:
        out, failure = process.communicate()
        assert failure == ""
        acknowledged += out.split()
    assert len(acknowledged) == 200
    assert sorted(stored_ids(reader)) == sorted(acknowledged)
    assert reader.verify().ok


def test_threads_that_share_a_writer_keep_one_chain(
    writer: AuditWriter, reader: AuditReader
) -> None:
    with ThreadPoolExecutor(8) as pool:
        stored = list(pool.map(lambda number: writer.append(a_record(number)), range(80)))
    assert sorted(entry.sequence for entry in stored) == list(range(1, 81))
    assert reader.verify().records == 80


@pytest.mark.slow
@pytest.mark.parametrize("acknowledgements", [1, 17, 40])
def test_a_writer_killed_while_appending_loses_nothing_it_acknowledged(
    store: AuditStore, reader: AuditReader, acknowledgements: int
) -> None:
    process = start_appending(store, 100_000)
    assert process.stdout is not None
    acknowledged = [process.stdout.readline().strip() for _ in range(acknowledgements)]
    process.kill()
    out, _ = process.communicate()
    acknowledged += [line for line in out.split("\n")[:-1] if line]
    assert set(acknowledged) <= set(stored_ids(reader))
    with open_writer(store.url) as writer:
        writer.append(a_record())
    verification = reader.verify()
    assert verification.ok
    assert verification.records >= len(acknowledged) + 1
