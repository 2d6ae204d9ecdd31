"""Opening a store: quick where it is current, made with care where it is not."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from audit_stores import AuditStore
from sample_records import a_record
from sqlalchemy import create_engine, inspect
from sqlmodel import SQLModel

from audit import migrations
from audit.errors import AuditUnavailable
from audit.log import open_reader, open_writer
from audit.tables import REVISION, AuditTable

pytest_plugins = ["audit_stores"]

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
        config = migrations.configuration(connection)
        assert ScriptDirectory.from_config(config).get_current_head() == REVISION
        inspector = inspect(connection)
        for name, table in AuditTable.metadata.tables.items():
            made = {column["name"]: column["nullable"] for column in inspector.get_columns(name)}
            assert made == {column.name: column.nullable for column in table.columns}
    engine.dispose()


def test_the_audit_tables_are_in_nobody_elses_metadata() -> None:
    assert not AuditTable.metadata.tables.keys() & SQLModel.metadata.tables.keys()


def test_a_store_of_a_newer_program_is_left_alone(store: AuditStore) -> None:
    open_writer(store.url).close()
    store.outside("UPDATE audit_revision SET version_num = '9999'")
    with pytest.raises(AuditUnavailable, match="newer version"):
        open_writer(store.url)
    with pytest.raises(AuditUnavailable, match="newest version"):
        open_reader(store.url).find()


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
