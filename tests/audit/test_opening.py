"""Opening a store: quick where it is current, made with care where it is not."""

import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from audit_stores import AuditStore
from sample_records import a_record
from sqlalchemy import create_engine, inspect
from sqlmodel import SQLModel

from audit import migrations
from audit.errors import AuditDamaged, AuditUnavailable
from audit.finding.queries import RecordQuery
from audit.log import AuditReader, open_reader, open_writer
from audit.record import AuditEvent, AuditRecord, Confidence, Decision, NearestRecord
from audit.storing.store import REVISIONS, STORE, reading_engine, revision
from audit.storing.tables import REVISION, AuditTable

OLD = Path(__file__).parents[1] / "fixtures" / "homes" / "0.2" / "audit.sqlite"
LIST = """
import sys
from audit.log import open_reader, open_writer
if sys.argv[2] == "write":
    open_writer(sys.argv[1])
else:
    open_reader(sys.argv[1]).find()
print("alembic" in sys.modules)
"""


@pytest.mark.slow
@pytest.mark.parametrize("door", ["read", "write"])
def test_a_current_store_opens_without_alembic(tmp_path: Path, door: str) -> None:
    url = f"sqlite:///{tmp_path / 'audit.db'}"
    open_writer(url).close()
    command = [sys.executable, "-c", LIST, url, door]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"


def test_the_rows_belong_to_the_newest_migration(store: AuditStore) -> None:
    open_writer(store.url).close()
    engine = create_engine(store.url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        config = migrations.configuration(REVISIONS, connection)
        assert ScriptDirectory.from_config(config).get_current_head() == REVISION
        inspector = inspect(connection)
        for name, table in AuditTable.metadata.tables.items():
            made = {column["name"]: column["nullable"] for column in inspector.get_columns(name)}
            assert made == {column.name: column.nullable for column in table.columns}
    engine.dispose()


def test_the_audit_tables_are_in_nobody_elses_metadata() -> None:
    assert not AuditTable.metadata.tables.keys() & SQLModel.metadata.tables.keys()


@pytest.mark.parametrize("newer", ["0009", "9999", "3f2c"])
def test_a_store_of_a_newer_program_is_refused_and_not_called_broken(
    store: AuditStore, newer: str
) -> None:
    with open_writer(store.url) as writer:
        writer.append(a_record())
    store.outside(
        f"UPDATE audit_revision SET version_num = '{newer}'",  # noqa: S608 - a constant
        "DROP INDEX audit_entry_time",
        "ALTER TABLE audit_entry RENAME TO audit_link",
    )
    asks: tuple[Callable[[AuditReader], object], ...] = (
        AuditReader.verify,
        AuditReader.find,
        AuditReader.head,
    )
    refused = "made by a newer or another version.*Install that version"
    for ask in asks:
        with open_reader(store.url) as reader, pytest.raises(AuditUnavailable, match=refused) as no:
            ask(reader)
        assert not isinstance(no.value, AuditDamaged)
    with pytest.raises(AuditUnavailable, match=refused):
        open_writer(store.url)


def test_a_store_of_an_earlier_program_verifies_before_and_after_it_is_brought_up(
    store: AuditStore,
) -> None:
    with open_writer(store.url) as writer:
        writer.append(a_record())
    store.outside("UPDATE audit_revision SET version_num = '0001'", *store.without_tree)
    with open_reader(store.url) as reader:
        assert reader.verify().ok
        assert len(reader.find().records) == 1
    open_writer(store.url).close()
    assert revision(reading_engine(STORE.parse(store.url))) == REVISION
    with open_reader(store.url) as reader:
        assert reader.verify().ok


@pytest.mark.parametrize("earlier", ["0006", "0007"])
def test_what_an_earlier_program_did_not_note_is_found_before_and_after_it_is_brought_up(
    store: AuditStore, earlier: str
) -> None:
    quoted = "Leave ends in May. You may take 9 days."
    near = NearestRecord(document_id="d", file="d.md", quote=quoted, text=quoted)
    with open_writer(store.url) as writer:
        sure = Confidence(overall=0.57)
        writer.append(
            a_record(decision=Decision.ABSTAIN, claims=(), nearest=(near,), confidence=sure)
        )
    store.tamper("UPDATE audit_terms SET terms = '[\"kind:answer\"]'")
    store.outside(f"UPDATE audit_revision SET version_num = '{earlier}'")  # noqa: S608 - a constant
    for bring_up in (False, True):
        if bring_up:
            open_writer(store.url).close()
        with open_reader(store.url) as reader:
            assert reader.verify().first_bad is None
            assert len(reader.find(RecordQuery(told="you may take 9 days [2]")).records) == 1
            assert reader.find(RecordQuery(told="take 9 days")).records == ()
            assert len(reader.find(RecordQuery(surer=55, less_sure=58)).records) == 1


def test_the_file_of_0_2_verifies_before_and_after_it_is_brought_up(tmp_path: Path) -> None:
    shutil.copy(OLD, tmp_path)
    url = f"sqlite:///{tmp_path / OLD.name}"
    with open_reader(url) as reader:
        before = reader.verify()
    assert before.first_bad is None
    with open_writer(url) as writer:
        writer.append(a_record())
    with open_reader(url) as reader:
        after = reader.verify(before.head)
        assert reader.tree_head()[0] == after.records + after.events
        proven = reader.proven(next(reader.entries()).entry.audit_id, after.records)
        assert len(proven.path) > 1, "what was there before is in the tree, too"
    assert (after.first_bad, after.records) == (None, before.records + 1)


def test_another_form_of_entries_comes_with_another_revision() -> None:
    """Else an earlier program would take them for altered: see `REVISION`."""
    forms = AuditRecord.model_fields["schema_version"], AuditEvent.model_fields["schema_version"]
    assert ([form.default for form in forms], REVISION) == ([2, 1], "0008")


def test_only_the_bots_user_may_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "audit.db"
    with open_writer(f"sqlite:///{path}") as writer:
        writer.append(a_record())
        files = [file for file in path.parent.iterdir() if file.suffix != ".lock"]
        assert len(files) == 3
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_a_path_with_odd_characters_works(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/50% of #1 files/audit db.sqlite"
    with open_writer(url) as writer, open_reader(url) as reader:
        writer.append(a_record())
        assert reader.verify().records == 1
