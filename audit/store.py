"""The audit database is SQLite as a file beside the bot, or PostgreSQL by URL.

An append is durable when the call returns. On SQLite that is write-ahead logging with
`synchronous=FULL`: readers never wait for the writer, and the log is on the disk before
COMMIT returns (NORMAL, the usual choice with WAL, would lose the last answers on a power
cut). On PostgreSQL `synchronous_commit` is turned on where the server has it off.
"""

import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

from filelock import FileLock
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection, StaticPool

from audit.database import (
    Revisions,
    Store,
    connect_to_read,
    file_of,
    is_file,
    keep_write_ahead_log,
    reopen_after_faults,
    server_engine,
    take_turn,
    try_write,
)
from audit.errors import AuditDamaged, AuditUnavailable
from audit.tables import EARLIER, REVISION, REVISION_TABLE, entries

WAIT_S = 30
"""How long an append waits for other writers before it fails."""

_CHAIN_LOCK = 0x766F756368
"""Key of the advisory lock that PostgreSQL writers take in turn ("vouch" in ASCII)."""


STORE = Store(
    name="The audit store",
    url="VOUCH_AUDIT_URL",
    unavailable=AuditUnavailable,
    damaged=AuditDamaged,
    repair="Stop the bot and restore them from a backup",
    rights="Grant it SELECT and INSERT on the audit tables, and UPDATE and DELETE to erase",
    other_tables=(
        "its tables are not this program's. `vouch audit verify` tells what became of them"
    ),
)
REVISIONS = Revisions(
    STORE, Path(__file__).parent / "migrations" / "versions", REVISION_TABLE, REVISION
)


def writing_engine(url: URL) -> Engine:
    """An engine whose transactions append, one writer at a time."""
    if is_file(url):
        return _sqlite_engine(url, begin="BEGIN IMMEDIATE", query_only=False)
    engine = server_engine(url, isolation_level="READ COMMITTED")
    event.listen(engine, "begin", lambda begun: take_turn(begun, _CHAIN_LOCK, WAIT_S))
    return engine


def reading_engine(url: URL) -> Engine:
    """An engine whose transactions see one state throughout and cannot write."""
    if is_file(url):
        return _sqlite_engine(url, begin="BEGIN", query_only=True)
    engine = server_engine(url, isolation_level="REPEATABLE READ")
    return engine.execution_options(postgresql_readonly=True)


def revision(engine: Engine) -> str | None:
    """The revision that the store states; None where there is no store yet.

    Raises `AuditUnavailable` for one of a newer program.
    """
    if is_file(engine.url) and not file_of(engine.url).exists():
        return None
    with STORE.transaction(engine) as connection:
        return _stated_revision(connection)


def is_there(engine: Engine) -> bool:
    """Whether there is a store to read; raises `AuditUnavailable` for one of a newer program."""
    return revision(engine) is not None


def make(engine: Engine) -> None:
    """Make the store, or bring it to the current revision, where it is not."""
    if not is_file(engine.url):
        _migrate(engine)
        return
    path = file_of(engine.url)
    with STORE.explained(engine.url):
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(path.name + ".lock"), timeout=WAIT_S):
            _make_file(path)
            _migrate(engine)


def demand_writable(url: str) -> None:
    """Raise `AuditUnavailable` where nothing can be appended; takes seconds, leaves nothing."""
    parsed = STORE.parse(url)
    with STORE.explained(parsed):
        try_write(parsed, entries.name, _CHAIN_LOCK)


def is_on_server(url: str) -> bool:
    return not is_file(STORE.parse(url))


def is_stored_in_file(url: str) -> bool:
    parsed = STORE.parse(url)
    return is_file(parsed) and file_of(parsed).exists()


def empty_engine() -> Engine:
    """An empty store in memory: what a reader reads while there is no store yet."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    _migrate(engine)
    return engine


def _migrate(engine: Engine) -> None:
    with STORE.transaction(engine) as connection:
        if _stated_revision(connection) != REVISION:
            _refuse_narrow_encoding(connection)
            REVISIONS.bring_up(connection)


def _stated_revision(connection: Connection) -> str | None:
    """None where it has no audit tables yet; raises `AuditUnavailable` for an unknown one."""
    found = REVISIONS.stated(connection)
    if found not in (None, *EARLIER, REVISION):
        raise AuditUnavailable(
            f"{STORE.describe(connection.engine.url)} was made by a newer version of this program: "
            f"it has revision {found}, and this one reads {REVISION}. Install the newest version."
        )
    return found


def _refuse_narrow_encoding(connection: Connection) -> None:
    """In another encoding, the first emoji would make an answer impossible."""
    if connection.dialect.name != "postgresql":
        return
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise AuditUnavailable(
            f"{STORE.describe(connection.engine.url)} is encoded in {encoding}, which cannot hold "
            "every text. Make one for it: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0."
        )


def _make_file(path: Path) -> None:
    """Readable by the bot's user alone: it holds what people asked."""
    path.touch(mode=0o600)
    keep_write_ahead_log(path, WAIT_S)


def _sqlite_engine(url: URL, *, begin: str, query_only: bool) -> Engine:
    path = file_of(url)
    open_file = connect_to_read if query_only else _connect_to_write

    def connect() -> sqlite3.Connection:
        connection = open_file(path, timeout=WAIT_S, isolation_level=None, check_same_thread=False)
        connection.text_factory = _as_it_stands
        for pragma in ("synchronous = FULL", "fullfsync = ON", f"query_only = {query_only}"):
            connection.execute(f"PRAGMA {pragma}")
        return connection

    engine = create_engine(url, creator=connect, hide_parameters=True)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    reopen_after_faults(engine)
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
