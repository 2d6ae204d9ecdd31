"""The audit database is SQLite as a file beside the bot, or PostgreSQL by URL.

An append is durable when the call returns. On SQLite that is write-ahead logging with
`synchronous=FULL`: readers never wait for the writer, and the log is on the disk before
COMMIT returns (NORMAL, the usual choice with WAL, would lose the last answers on a power
cut). On PostgreSQL `synchronous_commit` is turned on where the server has it off.

Opening is quick because Alembic is imported only where the revision that the database
states, read with plain SQL, is not the current one.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from filelock import FileLock
from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection, StaticPool

from audit.errors import AuditUnavailable
from audit.failures import describe, explained
from audit.probe import try_write
from audit.read_only import connect_to_read
from audit.tables import EARLIER, REVISION, REVISION_TABLE, entries

WAIT_S = 30
"""How long an append waits for other writers before it fails."""

_CONNECT_S = 10

_CHAIN_LOCK = 0x766F756368
"""Key of the advisory lock that PostgreSQL writers take in turn ("vouch" in ASCII)."""


def parse_url(url: str) -> URL:
    """`sqlite:///PATH` or `postgresql://...`; raises `AuditUnavailable` for all else."""
    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1))
    except ArgumentError as error:
        raise AuditUnavailable(_BAD_URL) from error
    if parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:"):
        return parsed
    if parsed.get_backend_name() == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    raise AuditUnavailable(_BAD_URL)


_BAD_URL = (
    "The audit URL names no database that can be used. "
    "Write sqlite:///PATH or postgresql://USER:PASSWORD@HOST/DATABASE."
)


def writing_engine(url: URL) -> Engine:
    """An engine whose transactions append, one writer at a time."""
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url, begin="BEGIN IMMEDIATE", query_only=False)
    engine = _postgresql_engine(url, isolation_level="READ COMMITTED")
    event.listen(engine, "begin", _take_chain_lock)
    return engine


def reading_engine(url: URL) -> Engine:
    """An engine whose transactions see one state throughout and cannot write."""
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url, begin="BEGIN", query_only=True)
    engine = _postgresql_engine(url, isolation_level="REPEATABLE READ")
    return engine.execution_options(postgresql_readonly=True)


def revision(engine: Engine) -> str | None:
    """The revision that the store states; None where there is no store yet.

    Raises `AuditUnavailable` for one of a newer program.
    """
    if engine.url.get_backend_name() == "sqlite" and not _path(engine.url).exists():
        return None
    with transaction(engine) as connection:
        return _stated_revision(connection)


def is_there(engine: Engine) -> bool:
    """Whether there is a store to read; raises `AuditUnavailable` for one of a newer program."""
    return revision(engine) is not None


def make(engine: Engine) -> None:
    """Make the store, or bring it to the current revision, where it is not."""
    if engine.url.get_backend_name() != "sqlite":
        _migrate(engine)
        return
    path = _path(engine.url)
    with explained(engine.url):
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(path.name + ".lock"), timeout=WAIT_S):
            _make_file(path)
            _migrate(engine)


def demand_writable(url: str) -> None:
    """Raise `AuditUnavailable` where nothing can be appended; takes seconds, leaves nothing."""
    parsed = parse_url(url)
    with explained(parsed):
        try_write(parsed, entries.name, _CHAIN_LOCK)


def is_file(url: str) -> bool:
    """Whether it is a file that is there."""
    parsed = parse_url(url)
    return parsed.get_backend_name() == "sqlite" and _path(parsed).exists()


def empty_engine() -> Engine:
    """An empty store in memory: what a reader reads while there is no store yet."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    _migrate(engine)
    return engine


def _migrate(engine: Engine) -> None:
    with transaction(engine) as connection:
        if _stated_revision(connection) != REVISION:
            from audit.migrations import upgrade  # brings in Alembic

            _refuse_narrow_encoding(connection)
            upgrade(connection)


def _stated_revision(connection: Connection) -> str | None:
    """None where it has no audit tables yet; raises `AuditUnavailable` for an unknown one."""
    if not inspect(connection).has_table(REVISION_TABLE):
        return None
    query = f"SELECT version_num FROM {REVISION_TABLE}"  # noqa: S608 - a constant of ours
    found: str | None = connection.scalar(text(query))
    if found not in (None, *EARLIER, REVISION):
        raise AuditUnavailable(
            f"{describe(connection.engine.url)} was made by a newer version of this program: it "
            f"has revision {found}, and this one reads {REVISION}. Install the newest version."
        )
    return found


def _refuse_narrow_encoding(connection: Connection) -> None:
    """In another encoding, the first emoji would make an answer impossible."""
    if connection.dialect.name != "postgresql":
        return
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise AuditUnavailable(
            f"{describe(connection.engine.url)} is encoded in {encoding}, which cannot hold "
            "every text. Make one for it: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0."
        )


def _path(url: URL) -> Path:
    return Path(url.database or "")


def _make_file(path: Path) -> None:
    """Readable by the bot's user alone: it holds what people asked.

    The journal mode is a property of the file. It is set here, under a lock, because
    SQLite does not wait for other connections when it changes.
    """
    path.touch(mode=0o600)
    connection = sqlite3.connect(path, timeout=WAIT_S)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


def _sqlite_engine(url: URL, *, begin: str, query_only: bool) -> Engine:
    path = _path(url)
    open_file = connect_to_read if query_only else _connect_to_write

    def connect() -> sqlite3.Connection:
        connection = open_file(path, timeout=WAIT_S, isolation_level=None, check_same_thread=False)
        connection.text_factory = _as_it_stands
        for pragma in ("synchronous = FULL", "fullfsync = ON", f"query_only = {query_only}"):
            connection.execute(f"PRAGMA {pragma}")
        return connection

    engine = create_engine(url, creator=connect, hide_parameters=True)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    _reopen_when_replaced(engine, path)
    return engine


def _connect_to_write(path: Path, **options: Any) -> sqlite3.Connection:
    address = f"file:{quote(str(path.absolute()))}?mode=rw"  # rw: never makes the file
    connection: sqlite3.Connection = sqlite3.connect(address, uri=True, **options)
    return connection


def _as_it_stands(stored: bytes) -> str:
    """Bytes that are no UTF-8 come from outside: keep them, and verification will tell."""
    return stored.decode("utf-8", "surrogateescape")


def _reopen_when_replaced(engine: Engine, path: Path) -> None:
    """Without this, appends to a deleted file would succeed and be lost on closing."""

    def note(_: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
        entry.info["file"] = _identity(path)

    def compare(_: DBAPIConnection, entry: ConnectionPoolEntry, __: PoolProxiedConnection) -> None:
        if entry.info["file"] != _identity(path):
            raise DisconnectionError

    event.listen(engine, "connect", note)
    event.listen(engine, "checkout", compare)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _postgresql_engine(url: URL, isolation_level: str) -> Engine:
    return create_engine(
        url,
        isolation_level=isolation_level,
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={"connect_timeout": _CONNECT_S, "client_encoding": "utf8"},
    )


def _take_chain_lock(connection: Connection) -> None:
    """Held until the commit is visible, so the next writer reads the true head."""
    durable = (
        "SELECT set_config('lock_timeout', :wait, true), CASE "
        "WHEN current_setting('synchronous_commit') = 'off' "
        "THEN set_config('synchronous_commit', 'on', true) END"
    )
    connection.execute(text(durable), {"wait": f"{WAIT_S}s"})
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _CHAIN_LOCK})


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """A transaction of the engine's kind, with errors in our words."""
    with explained(engine.url), engine.begin() as connection:
        yield connection
