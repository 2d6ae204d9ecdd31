"""The library's database: SQLite as a file in the home, or PostgreSQL by URL."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import NullPool

from audit.database import Revisions, Store, file_of, is_file, keep_write_ahead_log, server_engine
from retrieval.documents.locks import AdvisoryLock, LockFile, ProcessLock
from retrieval.documents.seal import Seal
from retrieval.documents.tables import REVISION, REVISION_TABLE
from retrieval.errors import LibraryUnavailable

WAIT_S = 30
"""How long a transaction waits for another writer before it fails."""
_MAKING = 0x6C696272
_INGEST = 0x696E67
"""Keys of PostgreSQL's advisory locks: while tables are made, and while an ingest writes."""
_LOOK_AGAIN = 0.2
"""Seconds between two looks at a lock that another ingest holds."""
STORE = Store(
    name="The library",
    url="VOUCH_LIBRARY_URL",
    unavailable=LibraryUnavailable,
    damaged=LibraryUnavailable,
    repair="Move it away and run `vouch ingest` again",
)
REVISIONS = Revisions(
    STORE, Path(__file__).parent / "migrations" / "versions", REVISION_TABLE, REVISION
)


class Database:
    """Transactions on a database whose tables are of the current revision."""

    def __init__(self, url: str, seal: Seal) -> None:
        """Make the tables or bring them up. Raise `LibraryUnavailable`."""
        self._url = STORE.parse(url)
        self._engine = _engine(self._url)
        with STORE.explained(self._url):
            if self._path is None:
                self._migrate(seal)
                return
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # SQLite waits for a lock, but not for the one that a change of its journal needs.
            with FileLock(f"{self._path}.lock"):
                keep_write_ahead_log(self._path, WAIT_S)
                self._migrate(seal)

    @property
    def _path(self) -> Path | None:
        """The file; None for a server."""
        return file_of(self._url) if is_file(self._url) else None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with STORE.transaction(self._engine) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with STORE.transaction(self._engine.execution_options(writes=True)) as connection:
            yield connection

    def overwrite_deleted(self) -> None:
        """See that nothing of what was deleted is left in SQLite's files.

        Deleted rows are overwritten as they go (`secure_delete`); the log of what was written
        before still has them. A server's own vacuum does the same in its time.
        """
        if self._path is None:
            return
        with STORE.explained(self._url), self._engine.connect() as connection:
            raw = connection.connection.driver_connection
            assert raw is not None  # noqa: S101 - it was just opened
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def ingest_turn(self, waiting: Callable[[], None]) -> Iterator[None]:
        """Hold the one lock that ingests take in turn; a process that dies lets go of it.

        SQLite's locks are locks on files, and so is this one, beside the file; on a server it is
        an advisory lock of a connection.
        """
        turn = self._ingest_turn()
        try:
            with STORE.explained(self._url):
                if not turn.take():
                    waiting()
                while not turn.take():
                    time.sleep(_LOOK_AGAIN)
            yield  # what goes wrong meanwhile is not the database's fault
        finally:
            turn.release()

    def _ingest_turn(self) -> ProcessLock:
        if self._path:
            return LockFile(self._path.with_name("ingest.lock"))
        return AdvisoryLock(self._url, _INGEST)

    def _migrate(self, seal: Seal) -> None:
        with self._engine.execution_options(writes=True).begin() as connection:
            if connection.dialect.name == "postgresql":
                lock = text("SELECT pg_advisory_xact_lock(:key)")
                connection.execute(lock, {"key": _MAKING})
            REVISIONS.bring_up(connection, seal=seal)


def _engine(url: URL) -> Engine:
    if not is_file(url):
        return server_engine(url)
    # One connection a transaction: cheap, and no thread or forked process meets another's.
    engine = create_engine(
        url,
        poolclass=NullPool,
        hide_parameters=True,
        connect_args={"timeout": WAIT_S, "isolation_level": None, "check_same_thread": False},
    )
    event.listen(engine, "connect", _overwrite_what_is_deleted)
    event.listen(engine, "begin", _begin)
    return engine


def _overwrite_what_is_deleted(connection: DBAPIConnection, _: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA secure_delete = ON")
    cursor.close()


def _begin(connection: Connection) -> None:
    """Take the writer's lock at once: a reader that turns into a writer may find it changed."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
