"""A library of an earlier version is brought up in place; what was cited is found as before."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from libraries import KEY, library_in
from sqlalchemy import create_engine, make_url

from audit.migrations import configuration
from retrieval.documents.database import REVISIONS
from retrieval.documents.migrations.versions.revision_0001 import names_of
from retrieval.documents.sql_library import SqlLibrary
from retrieval.documents.tables import REVISION, REVISION_TABLE, TABLES
from retrieval.errors import LibraryUnavailable

HOME = Path(__file__).parents[1] / "fixtures" / "homes" / "0.2"
LEAVE, SALARIES, CANTEEN, DESKS = (
    *("92c2785c6794263b", "1fb724daa8e74040", "ef0037a44868f458", "b015ed91060f5340"),
)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The folder of a library that 0.2 made."""
    shutil.copy(HOME / "library.sqlite", tmp_path)
    return tmp_path


def test_documents_and_passages_keep_their_ids(old: Path) -> None:
    library = library_in(old)
    assert library.counts() == {"documents": 4, "passages": 4}
    assert library.broken() == {}
    passages = library.passages(["018a1737151db782f53d247c", "9d7c99565d909c7d70f70109"])
    assert [p.document.document_id for p in passages.values()] == [LEAVE, SALARIES]
    begins = passages["018a1737151db782f53d247c"].sentences[0]
    assert (begins.line_start, begins.page_label, begins.cells) == (3, "", ())
    assert library.next_version(LEAVE) == "3"


def test_rules_hold_as_before(old: Path) -> None:
    rules = library_in(old).access_of([LEAVE, SALARIES, CANTEEN])
    assert rules[SALARIES].audience == (("departments", ("hr",)),)
    assert str(rules[CANTEEN].valid_to) == "2025-12-31"
    assert rules[LEAVE].audience == ()


def test_sources_are_named_after_their_folders(old: Path) -> None:
    library = library_in(old)
    assert [(each.name, each.root, each.whole) for each in library.sources()] == [
        ("handbook", "/srv/handbook", True),
        ("handbook-2", "/srv/other/handbook", False),
    ]
    assert sorted(library.holdings("handbook-2")) == ["desks.md"]
    assert [(each.source, each.file) for each in library.kept_out()] == [("handbook", "broken.md")]
    assert library.identity("handbook", "leave.md") == LEAVE


def test_of_what_was_replaced_before_only_the_hash_is_known_so_nobody_may_read_it(
    old: Path,
) -> None:
    library = library_in(old)
    first, second = library.history(LEAVE)
    assert (first.rule, second.rule is not None) == (None, True)
    assert first.sha256 != second.sha256
    assert library.rules_at([(LEAVE, "1"), (LEAVE, "2")]).keys() == {(LEAVE, "2")}


def test_a_library_from_before_documents_could_be_suspended_is_brought_up_too(old: Path) -> None:
    with closing(sqlite3.connect(old / "library.sqlite")) as connection, connection:
        connection.execute("DROP VIEW served")
        connection.execute("ALTER TABLE documents DROP COLUMN suspended")
    assert library_in(old).counts() == {"documents": 4, "passages": 4}


def test_what_was_suspended_stays_so(old: Path) -> None:
    with closing(sqlite3.connect(old / "library.sqlite")) as connection, connection:
        connection.execute("UPDATE documents SET suspended = 1 WHERE document_id = ?", [SALARIES])
    assert library_in(old).access_of([SALARIES]) == {}


def test_the_earlier_version_refuses_it_afterwards(old: Path) -> None:
    library_in(old)
    with closing(sqlite3.connect(old / "library.sqlite")) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)


def test_a_form_that_nobody_knows_is_left_as_it_is(old: Path) -> None:
    with closing(sqlite3.connect(old / "library.sqlite")) as connection:
        connection.execute("PRAGMA user_version = 7")
    for _ in range(2):
        with pytest.raises(LibraryUnavailable, match="another version of Vouch"):
            library_in(old)
    with closing(sqlite3.connect(old / "library.sqlite")) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert "documents" in tables
    assert "library_state" not in tables


def test_two_folders_of_one_name_are_told_apart() -> None:
    assert names_of(["/b/docs", "/a/docs", "/", "/docs-2"]) == {
        "/": "files",
        "/a/docs": "docs",
        "/b/docs": "docs-2",
        "/docs-2": "docs-2-2",
    }


def test_the_tables_are_those_that_the_migrations_make(library_url: str) -> None:
    SqlLibrary(library_url, KEY)
    engine = create_engine(make_url(library_url.replace("postgresql:", "postgresql+psycopg:")))
    with engine.connect() as connection:
        configured = configuration(REVISIONS, connection)
        assert ScriptDirectory.from_config(configured).get_current_head() == REVISION
        found = MigrationContext.configure(connection, opts={"version_table": REVISION_TABLE})
        assert found.get_current_revision() == REVISION
        assert compare_metadata(found, TABLES) == []


def test_what_led_to_passages_before_is_forgotten_with_all_its_words(old: Path) -> None:
    file = old / "library.sqlite"
    library_in(old)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE library_revision SET version_num = '0007'")
        connection.execute("CREATE TABLE library_lead (document_id, texts)")
        connection.execute("CREATE TABLE library_learned (audit_id, document_id)")
        connection.executemany("INSERT INTO library_lead VALUES (?, 'zebrafish')", [(LEAVE,)] * 999)
    assert b"zebrafish" in file.read_bytes()
    assert library_in(old).counts() == {"documents": 4, "passages": 4}
    assert b"zebrafish" not in file.read_bytes()
