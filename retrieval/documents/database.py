"""The library's database: SQLite as a file in the home, or PostgreSQL by URL.

Opening is quick because Alembic is imported only where the revision that the database states,
read with plain SQL, is not the current one.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock
from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from retrieval.documents.seal import Seal
from retrieval.documents.tables import REVISION, REVISION_TABLE
from retrieval.errors import LibraryUnavailable
from retrieval.turns import FileTurn, ServerTurn, Turn

WAIT_S = 30
"""How long a transaction waits for another writer before it fails."""
_CONNECT_S = 10
_MAKING = 0x6C696272
_INGEST = 0x696E67
"""Keys of PostgreSQL's advisory locks: while tables are made, and while an ingest writes."""
_LOOK_AGAIN = 0.2
"""Seconds between two looks at a lock that another ingest holds."""


class Database:
    """Transactions on a database whose tables are of the current revision."""

    def __init__(self, url: str, seal: Seal) -> None:
        """Make the tables or bring them up. Raise `LibraryUnavailable`."""
        self._url = parse_url(url)
        self._engine = _engine(self._url)
        with explained(self._url):
            if self._path is None:
                self._migrate(seal)
                return
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # SQLite waits for a lock, but not for the one that a change of its journal needs.
            with FileLock(f"{self._path}.lock"):
                _keep_write_ahead_log(self._path)
                self._migrate(seal)

    @property
    def _path(self) -> Path | None:
        """The file; None for a server."""
        return Path(self._url.database or "") if self._url.get_backend_name() == "sqlite" else None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with explained(self._url), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        engine = self._engine.execution_options(writes=True)
        with explained(self._url), engine.begin() as connection:
            yield connection

    def overwrite_deleted(self) -> None:
        """See that nothing of what was deleted is left in SQLite's files.

        Deleted rows are overwritten as they go (`secure_delete`); the log of what was written
        before still has them. A server's own vacuum does the same in its time.
        """
        if self._path is None:
            return
        with explained(self._url), self._engine.connect() as connection:
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
            with explained(self._url):
                if not turn.take():
                    waiting()
                while not turn.take():
                    time.sleep(_LOOK_AGAIN)
            yield  # what goes wrong meanwhile is not the database's fault
        finally:
            turn.release()

    def _ingest_turn(self) -> Turn:
        if self._path:
            return FileTurn(self._path.with_name("ingest.lock"))
        return ServerTurn(self._url, _INGEST)

    def _migrate(self, seal: Seal) -> None:
        with self._engine.execution_options(writes=True).begin() as connection:
            if connection.dialect.name == "postgresql":
                lock = text("SELECT pg_advisory_xact_lock(:key)")
                connection.execute(lock, {"key": _MAKING})
            if _stated_revision(connection) != REVISION:
                from retrieval.documents.migrations import upgrade  # brings in Alembic

                upgrade(connection, seal)


def parse_url(url: str) -> URL:
    """Read `sqlite:///PATH` or `postgresql://...`; raise `LibraryUnavailable` for all else."""
    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1))
    except ArgumentError as error:
        raise LibraryUnavailable(_BAD_URL) from error
    if parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:"):
        return parsed
    if parsed.get_backend_name() == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    raise LibraryUnavailable(_BAD_URL)


_BAD_URL = (
    "The library's URL names no database that can be used. "
    "Write sqlite:///PATH or postgresql://USER:PASSWORD@HOST/DATABASE."
)


def described(url: URL) -> str:
    """Return the library in words, without user, password or options."""
    if url.get_backend_name() == "sqlite":
        return f"The library {url.database}"
    host = url.host or url.query.get("host") or "this machine"
    return f"The library in database {url.database} at {host}"


@contextmanager
def explained(url: URL) -> Iterator[None]:
    """Turn every error of the driver, the pool or the file system into ours."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        cause = getattr(error, "orig", None) or error
        raise LibraryUnavailable(_advice(url, cause)) from error


def _advice(url: URL, cause: BaseException) -> str:
    words = " ".join(str(cause).split()).rstrip(".")
    if url.get_backend_name() == "sqlite":
        return (
            f"{described(url)} cannot be used ({words}). Check that the disk has space and that "
            "the folder may be written to; if the file is damaged, move it away and run "
            "`vouch ingest` again."
        )
    for secret in filter(None, (url.password, url.username)):
        words = words.replace(str(secret), "***")
    return (
        f"{described(url)} cannot be used ({words}). See that the server runs, that "
        "VOUCH_LIBRARY_URL is right, and that its user may write there."
    )


def _stated_revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(REVISION_TABLE):
        return None
    query = f"SELECT version_num FROM {REVISION_TABLE}"  # noqa: S608 - a constant of ours
    found: str | None = connection.scalar(text(query))
    return found


def _keep_write_ahead_log(path: Path) -> None:
    """Have readers never wait for the writer; a property of the file."""
    connection = sqlite3.connect(path, timeout=WAIT_S)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(
            url,
            pool_pre_ping=True,
            hide_parameters=True,
            connect_args={"connect_timeout": _CONNECT_S, "client_encoding": "utf8"},
        )
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
