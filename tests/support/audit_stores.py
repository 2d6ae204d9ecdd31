"""The stores that every audit log is held to: SQLite files, and a PostgreSQL server.

The server is a real one, started from the installed binaries for the tests alone: it
listens on a Unix socket in a folder of its own, so it needs no port and meets nobody.

PYTEST_DONT_REWRITE: it is a plugin that tests also import names from.
"""

import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psycopg
import pytest
from psycopg import sql

from audit.erasure import guards as erasure_guards
from audit.log import AuditReader, AuditWriter, StoredEntry, open_reader, open_writer
from audit.proof.checking import FirstBad
from audit.proof.verification import Signed
from audit.storing.guards import FOUND_POSTGRESQL, POSTGRESQL, SQLITE, TREE_POSTGRESQL

LEAVE_OUT = "VOUCH_TEST_WITHOUT_POSTGRESQL"
PASSWORD = "correct-horse"
GUARDED = (
    *("audit_entry", "audit_cited", "audit_tree", "audit_terms", "audit_found"),
    "audit_erased",
)
WITHOUT_KIND = (
    "DROP INDEX audit_entry_kind",
    "CREATE INDEX audit_entry_decision ON audit_entry (decision, sequence)",
)


class AuditStore(Protocol):
    """A store as the contract sees it, and as somebody with the keys sees it."""

    @property
    def url(self) -> str: ...

    @property
    def without_tree(self) -> tuple[str, ...]: ...

    def tamper(self, *statements: str) -> None:
        """Run statements as an intruder would, who removes the guards and puts them back."""
        ...

    def lose(self, table: str) -> None:
        """Have a trigger throw away what is inserted, without an error."""
        ...

    def outside(self, *statements: str) -> None: ...


def cut_off_after(sequence: int) -> list[str]:
    """Statements that leave no trace of later entries."""
    tables = ("audit_cited", "audit_entry", "audit_tree", "audit_terms")
    return [f"DELETE FROM {table} WHERE sequence > {sequence}" for table in tables]  # noqa: S608


def blamed(reader: AuditReader, what: str, signed: Signed | None = None) -> FirstBad:
    """What is wrong first, which is said with these words."""
    first_bad = reader.verify(signed=signed).first_bad
    assert first_bad is not None
    assert what in first_bad.what
    return first_bad


@dataclass(frozen=True)
class SqliteStore:
    path: Path
    without_tree = (
        *WITHOUT_KIND,
        *(f"DROP TABLE {table}" for table in GUARDED[2:]),
        *(
            f"DROP TRIGGER audit_erased_{table[len('audit_') :]}"
            for table in ("audit_entry_update", "audit_cited_delete")
        ),
        *SQLITE[:2],
        *(each for each in SQLITE if "audit_entry_no_update" in each),
        *(each for each in SQLITE if "audit_cited_no_delete" in each),
        "INSERT INTO audit_text (audit_text) VALUES ('rebuild')",
    )

    @property
    def url(self) -> str:
        return f"sqlite:///{self.path}"

    def outside(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.path)) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    def tamper(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.path)) as connection:
            kept = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
            guards = connection.execute(kept).fetchall()
        dropped = [f"DROP TRIGGER {name}" for name, _ in guards]
        self.outside(*dropped, *statements, *(made for _, made in guards))

    def lose(self, table: str) -> None:
        self.outside(
            f"CREATE TRIGGER lost BEFORE INSERT ON {table} BEGIN SELECT RAISE(IGNORE); END"
        )


@dataclass(frozen=True)
class PostgresqlStore:
    server: "PostgresqlServer"
    database: str
    without_tree = (
        *WITHOUT_KIND,
        "DROP TABLE audit_tree, audit_terms, audit_found, audit_erased",
        "DROP FUNCTION audit_tree_next, audit_terms_next, audit_found_last, audit_erased_next",
        "DROP FUNCTION audit_erased_entry, audit_erased_block CASCADE",
        *(
            f"DROP TRIGGER audit_erased_{table[len('audit_') :]}_refuse ON {table}"
            for table in ("audit_entry", "audit_cited")
        ),
        POSTGRESQL[0],
        *(
            each
            for each in POSTGRESQL
            if "_refuse BEFORE" in each or "TRIGGER audit_entry_refuse" in each
        ),
    )

    @property
    def url(self) -> str:
        return self.server.url(self.database)

    def outside(self, *statements: str) -> None:
        with psycopg.connect(self.url) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def tamper(self, *statements: str) -> None:
        gone = erasure_guards.GONE_POSTGRESQL
        made = [
            each
            for each in (*POSTGRESQL, *TREE_POSTGRESQL, *FOUND_POSTGRESQL)
            if each.split()[-1] not in gone
        ]
        made += erasure_guards.POSTGRESQL
        self.outside(
            *(f"ALTER TABLE {table} DISABLE TRIGGER ALL" for table in GUARDED),
            *statements,
            *(each for each in made if "ENABLE ALWAYS" in each),
        )

    def lose(self, table: str) -> None:
        self.outside(
            "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql "
            "AS $$ BEGIN RETURN NULL; END $$",
            f"CREATE TRIGGER lost BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION lose()",
        )


@dataclass(frozen=True)
class PostgresqlServer:
    folder: Path
    binaries: Path
    durable: bool = False
    """Else without `fsync`: nothing here is to outlast the machine, and it recovers at once."""

    def start(self) -> None:
        fsync = "on" if self.durable else "off"
        settings = f"-c listen_addresses='' -c shared_buffers=16MB -c fsync={fsync}"
        options = f"-k {self.folder} {settings}"
        self._control("-l", self.folder / "log", "-o", options, "start")

    def crash(self) -> None:
        """Stop at once, without tidying up: the next start recovers from the log."""
        self._control("-m", "immediate", "stop")

    def _control(self, *arguments: object) -> None:
        data = self.folder / "data"
        _run(self.binaries / "pg_ctl", *("-D", data, "-w", "-t", "180", "-s"), *arguments)

    def url(self, database: str, password: str = PASSWORD) -> str:
        return f"postgresql://vouch:{password}@/{database}?host={self.folder}"

    def new_database(self, encoding: str = "UTF8") -> PostgresqlStore:
        name = f"audit_{time.monotonic_ns()}"
        create = sql.SQL("CREATE DATABASE {} ENCODING {} TEMPLATE template0").format(
            sql.Identifier(name), sql.Literal(encoding)
        )
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(create)
        return PostgresqlStore(self, name)


@contextmanager
def postgresql_server(*, durable: bool = False) -> Iterator[PostgresqlServer]:
    """Skips where the developer asked for it; fails where the binaries are missing."""
    if os.environ.get(LEAVE_OUT):
        pytest.skip(f"{LEAVE_OUT} is set")
    binaries = _binaries()
    folder = Path(tempfile.mkdtemp(prefix="vouch-pg-"))
    data, words = folder / "data", folder / "password"
    words.write_text(PASSWORD)
    _hand_to_server_user(folder, words)
    try:
        _run(
            binaries / "initdb",
            *("-D", data, "-U", "vouch", "--pwfile", words, "--auth", "scram-sha-256"),
            *("-E", "UTF8", "--no-locale", "--no-sync"),
        )
        server = PostgresqlServer(folder, binaries, durable)
        server.start()
        try:
            yield server
        finally:
            server.crash()
    finally:  # hundreds of databases: nobody waits for gigabytes to be deleted
        subprocess.Popen(["rm", "-rf", folder], start_new_session=True)


def _binaries() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    if on_path:
        return Path(on_path).resolve().parent
    return pytest.fail(
        "PostgreSQL's server is not installed. Run `apt-get install postgresql`, "
        f"or set {LEAVE_OUT}=1 to leave its tests out."
    )


def _hand_to_server_user(*paths: Path) -> None:
    """The server refuses to run as root; Debian's package has made a user for it."""
    if os.geteuid() == 0:
        for path in paths:
            shutil.chown(path, "postgres", "postgres")


def _run(*command: object) -> None:
    as_user = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
    prefix = as_user if os.geteuid() == 0 else ()
    finished = subprocess.run(
        [*prefix, *map(str, command)], capture_output=True, text=True, cwd="/", check=False
    )
    if finished.returncode:
        pytest.fail(f"{command[0]} failed: {finished.stdout}{finished.stderr}")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlServer]:
    with postgresql_server() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.server)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> AuditStore:
    if request.param == "sqlite":
        return SqliteStore(tmp_path / "audit.db")
    server: PostgresqlServer = request.getfixturevalue("postgresql")
    return server.new_database()


@pytest.fixture
def writer(store: AuditStore) -> Iterator[AuditWriter]:
    with open_writer(store.url) as writer:
        yield writer


@pytest.fixture
def reader(store: AuditStore) -> Iterator[AuditReader]:
    with open_reader(store.url) as reader:
        yield reader


@pytest.fixture
def five(writer: AuditWriter) -> list[StoredEntry]:
    from sample_records import a_record

    return [writer.append(a_record(number)) for number in range(5)]
