"""Somebody changes the store's tables, indexes or guards, and not one entry: it does not verify."""

# ruff: noqa: S608 - statements are put together from constants of the tests

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from audit_stores import (
    GUARDED,
    AuditStore,
    PostgresqlServer,
    PostgresqlStore,
    SqliteStore,
    blamed,
)
from sample_records import a_record
from sqlalchemy import create_engine, text

from audit.log import open_reader, open_writer
from audit.proof.verification import parts, verify
from audit.storing.guards import DESCRIBED, PARTS
from audit.storing.store import STORE, reading_engine
from audit.values import PersonRecord

PEOPLE = ("ana", "ben", "ana")
INDEX = "CREATE INDEX audit_entry_person_id ON audit_entry"
ANEW = f"DROP INDEX audit_entry_person_id\n{INDEX}"
REWORD = "UPDATE sqlite_master SET"

ON_BOTH = {
    "DROP INDEX audit_entry_time": "audit_entry_time",
    "DROP TABLE audit_cited": "audit_cited",
    "ALTER TABLE audit_entry RENAME COLUMN words TO other": "audit_entry.words",
    "CREATE UNIQUE INDEX more ON audit_entry (time)": "the index more is not ours",
    "CREATE UNIQUE INDEX more ON audit_cited (sequence, name)": "the index more is not ours",
    f"{ANEW} (person_id, sequence) WHERE person_id <> 'ana'": "audit_entry_person_id is not as",
    f"{ANEW} (person_id, sequence DESC)": "audit_entry_person_id is not as",
    f"{ANEW} (lower(person_id), sequence)": "audit_entry_person_id is not as",
    f"{ANEW} (sequence, person_id)": "audit_entry_person_id is not as",
    "DROP INDEX audit_cited_sequence": "the index audit_cited_sequence is missing",
    "ALTER TABLE audit_cited ADD COLUMN more TEXT DEFAULT 'x'": "column audit_cited.more is not",
}
ON_SQLITE = {
    **{
        f"DROP TRIGGER {name}": name
        for name in (
            *("audit_entry_append", "audit_erased_entry_update", "audit_entry_no_delete"),
            *("audit_cited_append", "audit_cited_no_update", "audit_erased_cited_delete"),
            *("audit_terms_append", "audit_erased_terms_update", "audit_terms_no_delete"),
            *("audit_found_append", "audit_erased_found_update", "audit_erased_found_delete"),
            *("audit_tree_append", "audit_erased_append", "audit_erased_no_delete"),
        )
    },
    "DROP TRIGGER audit_erased_entry_update\nCREATE TRIGGER audit_erased_entry_update "
    "BEFORE UPDATE ON audit_entry BEGIN SELECT 1; END": "audit_erased_entry_update",
    f"{REWORD} sql = replace(sql, 'UNIQUE (entry_id)', "
    "'UNIQUE (entry_id), CHECK (person_id <> ''cleo'')') WHERE name = 'audit_entry'": (
        "the table audit_entry is not as it was made"
    ),
    f"{REWORD} sql = replace(sql, 'person_id TEXT', 'person_id TEXT COLLATE NOCASE') "
    "WHERE name = 'audit_entry'": "the table audit_entry is not as it was made",
    f"{REWORD} sql = replace(sql, 'decision TEXT', 'decision TEXT DEFAULT ''ABSTAIN''') "
    "WHERE name = 'audit_entry'": "the table audit_entry is not as it was made",
    f"{REWORD} sql = replace(sql, 'sequence)', 'sequence) ON CONFLICT REPLACE') "
    "WHERE name = 'audit_cited'": "the table audit_cited is not as it was made",
    f"{REWORD} sql = replace(sql, 'no delete', 'no update') "
    "WHERE name = 'audit_entry_no_delete'": "audit_entry_no_delete is not as it was made",
    f"{ANEW} (person_id COLLATE NOCASE, sequence)": "audit_entry_person_id is not as",
    "CREATE TRIGGER lost BEFORE INSERT ON AUDIT_ENTRY BEGIN SELECT RAISE(IGNORE); END": (
        "the trigger lost is not ours"
    ),
    'CREATE TRIGGER lost AFTER INSERT ON "audit_found" BEGIN SELECT 1; END': (
        "the trigger lost is not ours"
    ),
    "ALTER TABLE audit_cited RENAME TO hidden\nCREATE VIEW audit_cited AS SELECT * FROM hidden": (
        "the table audit_cited is missing"
    ),
    "DROP INDEX audit_entry_time\nCREATE TABLE notes (said TEXT)\n"
    "CREATE INDEX audit_entry_time ON notes (said)": "audit_entry_time is not as it was made",
    "CREATE TABLE notes (said TEXT)\nCREATE TRIGGER noted AFTER INSERT ON notes BEGIN "
    "INSERT INTO audit_cited VALUES (new.said, 3); END": "the trigger noted is not ours",
}
ON_POSTGRESQL = {
    "ALTER TABLE audit_entry DISABLE TRIGGER audit_erased_entry_refuse": "erased_entry_refuse",
    "ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_append": "audit_entry_append",
    "ALTER TABLE audit_tree DISABLE TRIGGER audit_tree_append": "audit_tree_append",
    "ALTER TABLE audit_found DISABLE TRIGGER audit_erased_found_refuse": "erased_found_refuse",
    "DROP TRIGGER audit_erased_cited_refuse ON audit_cited": "audit_erased_cited_refuse",
    "CREATE OR REPLACE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql "
    "AS $$ BEGIN RETURN old; END $$": "audit_refuse",
    "CREATE RULE lost AS ON INSERT TO audit_entry DO INSTEAD NOTHING": "lost",
    "ALTER TABLE audit_entry ADD CHECK (person_id <> 'cleo')": "audit_entry_person_id_check is not",
    "ALTER TABLE audit_entry ADD CHECK (person_id <> 'cleo') NOT VALID": "_check is not ours",
    'ALTER TABLE audit_entry ALTER person_id TYPE text COLLATE "POSIX"': "audit_entry.person_id",
    "ALTER TABLE audit_entry ALTER decision SET DEFAULT 'ABSTAIN'": "audit_entry.decision",
    "ALTER TABLE audit_entry ALTER kind DROP NOT NULL": "audit_entry.kind is not as it was made",
    f'{ANEW} (person_id COLLATE "POSIX", sequence)': "audit_entry_person_id is not as",
    f"{ANEW} (person_id text_pattern_ops, sequence)": "audit_entry_person_id is not as",
    f"{ANEW} (person_id, sequence) WITH (fillfactor = 70) WHERE person_id <> 'ana'": (
        "audit_entry_person_id is not as"
    ),
    f"{ANEW} USING hash (person_id)": "audit_entry_person_id is not as",
    "ALTER TABLE audit_entry DROP CONSTRAINT audit_entry_entry_id_key\n"
    "CREATE INDEX audit_entry_entry_id_key ON audit_entry (entry_id)": "entry_id_key is missing",
    "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'audit_entry_time'::regclass": (
        "the index audit_entry_time is not as it was made"
    ),
    "ALTER TABLE audit_entry ENABLE ROW LEVEL SECURITY": "the table audit_entry is not as it was",
    "CREATE POLICY hidden ON audit_entry USING (person_id <> 'ana')": "hidden is not ours",
    "CREATE TABLE more () INHERITS (audit_entry)": "inherited by more is not ours",
    "ALTER FUNCTION audit_entry_link() SECURITY DEFINER": "audit_entry_link is not as it was made",
    "ALTER FUNCTION audit_entry_link() SET search_path = elsewhere": "audit_entry_link is not as",
    "CREATE OR REPLACE TRIGGER audit_entry_append BEFORE INSERT ON audit_entry FOR EACH ROW "
    "WHEN (new.person_id <> 'ana') EXECUTE FUNCTION audit_entry_link()": "audit_entry_append is",
    "CREATE SCHEMA elsewhere\nCREATE FUNCTION elsewhere.audit_refuse() RETURNS trigger "
    "LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'\n"
    "DROP TRIGGER audit_erased_cited_refuse ON audit_cited\n"
    "CREATE TRIGGER audit_erased_cited_refuse BEFORE UPDATE OR TRUNCATE ON audit_cited "
    "EXECUTE FUNCTION elsewhere.audit_refuse()\n"
    "ALTER TABLE audit_cited ENABLE ALWAYS TRIGGER audit_erased_cited_refuse": (
        "audit_erased_cited_refuse is not"
    ),
    "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'\n"
    "CREATE TRIGGER lost BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION lose()\n"
    "UPDATE pg_trigger SET tgisinternal = true WHERE tgname = 'lost'": "lost is not ours",
}
INDEXES = {
    **{
        f"audit_entry_{column}": f"audit_entry ({column}, sequence)"
        for column in ("audit_id", "time", "person_id", "channel_id")
    },
    "audit_entry_kind": "audit_entry (decision, kind, sequence)",
    "audit_cited_sequence": "audit_cited (sequence)",
}
HARMLESS = (
    "ANALYZE",
    "CREATE VIEW asked AS SELECT question FROM audit_entry",
    "CREATE TABLE notes (said TEXT UNIQUE)\nCREATE INDEX notes_said ON notes (said)",
)
HARMLESS_ON_SQLITE = ("REINDEX", "VACUUM")
HARMLESS_ON_POSTGRESQL = (
    "REINDEX TABLE audit_entry",
    "ALTER TABLE audit_entry SET (autovacuum_enabled = false)",
    "ALTER INDEX audit_entry_time SET (fillfactor = 70)",
    "CREATE ROLE reports\nGRANT SELECT ON audit_entry TO reports",
)


def asked(store: AuditStore) -> None:
    with open_writer(store.url) as writer:
        for number, who in enumerate(PEOPLE):
            writer.append(a_record(number, person=PersonRecord(id=who)))


@pytest.fixture
def filled(store: AuditStore) -> AuditStore:
    asked(store)
    return store


@pytest.fixture
def file(tmp_path: Path) -> SqliteStore:
    store = SqliteStore(tmp_path / "audit.db")
    asked(store)
    return store


@pytest.fixture
def server(postgresql: PostgresqlServer) -> PostgresqlStore:
    store = postgresql.new_database()
    asked(store)
    return store


@pytest.fixture(scope="module")
def unchanged(postgresql: PostgresqlServer) -> PostgresqlStore:
    store = postgresql.new_database()
    asked(store)
    return store


def change(store: AuditStore, changes: str) -> None:
    """Each in a connection of its own: SQLite reads a reworded schema when it opens the file."""
    for each in changes.split("\n"):
        if isinstance(store, SqliteStore):
            store.outside("PRAGMA writable_schema = ON", each)
        else:
            store.outside(each)


def rebuild_without(store: AuditStore, index: str, on: str, condition: str) -> None:
    made = f"CREATE INDEX {index} ON {on}"
    change(store, f"DROP INDEX {index}\n{made} WHERE {condition}")
    if isinstance(store, SqliteStore):
        change(store, f"{REWORD} sql = '{made}' WHERE name = '{index}'")
    else:
        change(store, f"UPDATE pg_index SET indpred = NULL WHERE indexrelid = '{index}'::regclass")


def assert_blamed(store: AuditStore, what: str) -> None:
    with open_reader(store.url) as reader:
        blamed(reader, what)


@pytest.mark.parametrize("changes", ON_BOTH)
def test_what_was_changed_is_named(filled: AuditStore, changes: str) -> None:
    change(filled, changes)
    assert_blamed(filled, ON_BOTH[changes])


@pytest.mark.parametrize("changes", ON_SQLITE)
def test_what_was_changed_in_the_file_is_named(file: SqliteStore, changes: str) -> None:
    change(file, changes)
    assert_blamed(file, ON_SQLITE[changes])


@pytest.mark.server
@pytest.mark.parametrize("changes", ON_POSTGRESQL)
def test_what_was_changed_on_the_server_is_named(unchanged: PostgresqlStore, changes: str) -> None:
    """In a transaction that is taken back, so that all have one database."""
    engine = create_engine(STORE.parse(unchanged.url))
    with engine.connect() as connection:
        for each in changes.split("\n"):
            connection.exec_driver_sql(each)
        first_bad = verify(connection).first_bad
    engine.dispose()
    assert first_bad is not None
    assert ON_POSTGRESQL[changes] in first_bad.what


def test_what_changes_nothing_is_not_blamed(filled: AuditStore) -> None:
    own = HARMLESS_ON_SQLITE if isinstance(filled, SqliteStore) else HARMLESS_ON_POSTGRESQL
    for changes in (*HARMLESS, *own):
        change(filled, changes)
    with open_reader(filled.url) as reader:
        assert reader.verify().first_bad is None


@pytest.mark.server
def test_the_description_is_that_of_what_the_migrations_make(server: PostgresqlStore) -> None:
    """Whoever adds a migration finds here what to write down."""
    engine = reading_engine(STORE.parse(server.url))
    tables = {"tables": [*GUARDED, "audit_revision"]}
    with engine.begin() as connection:
        told = {tuple(part) for part in parts(connection.execute(text(DESCRIBED), tables))}
    engine.dispose()
    assert told == set(parts(PARTS))


@pytest.mark.parametrize("index", INDEXES)
def test_an_index_without_somebodys_rows_is_named(filled: AuditStore, index: str) -> None:
    """It was made anew without them, and then told to be what it was."""
    rebuild_without(filled, index, INDEXES[index], "sequence <> 2")
    assert_blamed(filled, index)


@pytest.mark.server
@pytest.mark.parametrize(
    ("table", "name", "kind", "columns"),
    [
        ("audit_entry", "audit_entry_entry_id_key", "UNIQUE", "(entry_id)"),
        ("audit_entry", "audit_entry_pkey", "PRIMARY KEY", "(sequence)"),
        ("audit_cited", "audit_cited_pkey", "PRIMARY KEY", "(name, sequence)"),
    ],
)
def test_a_key_without_somebodys_rows_is_named(
    server: PostgresqlStore, table: str, name: str, kind: str, columns: str
) -> None:
    server.outside(
        f"ALTER TABLE {table} DROP CONSTRAINT {name}",
        f"CREATE UNIQUE INDEX {name} ON {table} {columns} WHERE sequence <> 3",
        f"UPDATE pg_index SET indpred = NULL WHERE indexrelid = '{name}'::regclass",
    )
    server.outside(f"ALTER TABLE {table} ADD CONSTRAINT {name} {kind} USING INDEX {name}")
    assert_blamed(server, f"the index {name} does not agree with its table")


def test_what_is_wrong_with_entry_and_guard_is_said_at_once(file: SqliteStore) -> None:
    file.outside(
        "DROP TRIGGER audit_erased_entry_update",
        "UPDATE audit_entry SET kind = '' WHERE sequence = 2",
    )
    assert_blamed(file, "column kind does not agree with the payload; the trigger audit_erased_")


def test_a_damaged_page_of_the_file_is_noticed(file: SqliteStore) -> None:
    place = "SELECT rootpage, page_size FROM sqlite_master, pragma_page_size WHERE name = ?"
    with closing(sqlite3.connect(file.path)) as connection:
        page, size = connection.execute(place, ["audit_entry_channel_id"]).fetchone()
    whole = file.path.read_bytes()
    begin, end = (page - 1) * size, page * size
    damaged = whole[begin:end].replace(b"C0123", b"C0124", 1)
    file.path.write_bytes(whole[:begin] + damaged + whole[end:])
    assert_blamed(file, "channel_id")
