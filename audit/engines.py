"""A file of SQLite's or a server of PostgreSQL's is opened here, for every store of Vouch.

A file is read where nothing may be written too: a backup, a folder mounted read-only. In
write-ahead logging even a reader keeps two files beside the database. Where it cannot, the database
can still be read alone, if its log is empty: SQLite then looks for no log and takes no lock
(`immutable`, sqlite.org/uri.html). Beside them plain files that must be on the disk on return.
"""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from filelock import FileLock
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool, PoolProxiedConnection

CONNECT_S = 10
"""How long a server may take to answer."""
WAIT_S = 30
"""How long another program may keep a file locked, before what waits for it fails."""
PATIENCE_S = 2
"""The same while it is tried whether anything can be written; a health check waits little longer.
"""
_DURABLE = ("synchronous = FULL", "fullfsync = ON")
"""The log is on the disk before COMMIT returns: NORMAL, the usual choice with a write-ahead log,
would lose what was committed last on a power cut."""


def is_file(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def file_of(url: URL) -> Path:
    return Path(url.database or "")


def make_file(path: Path) -> None:
    """Make it where there is none, readable by the bot's user alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)


@contextmanager
def made_file(path: Path, wait_s: float = WAIT_S) -> Iterator[None]:
    """Make it and wait for others who do; raise `OSError` after `wait_s`, negative for ever."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_name(f"{path.name}.lock"), timeout=wait_s):
        make_file(path)
        # Within the turn: SQLite waits for a lock, but not for the one that this change needs.
        with closing(sqlite3.connect(path, timeout=WAIT_S)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        yield


def sqlite_engine(
    url: URL,
    *pragmas: str,
    reads: bool = False,
    wait_s: float = WAIT_S,
    text_factory: Callable[[bytes], str] = str,
    **options: Any,
) -> Engine:
    """An engine on a file that is there; what it commits survives a power cut.

    Its transactions take the writer's lock at once: a reader that turns into a writer may find the
    file changed. Those of `execution_options(reads=True)` take none; an engine that `reads` cannot
    write at all.
    """
    path = file_of(url).absolute()
    open_file = connect_to_read if reads else connect_to_write

    def connect() -> sqlite3.Connection:
        connection = open_file(path, timeout=wait_s, isolation_level=None, check_same_thread=False)
        connection.text_factory = text_factory
        for pragma in (*_DURABLE, *pragmas, f"query_only = {reads}"):
            connection.execute(f"PRAGMA {pragma}")
        return connection

    engine = create_engine(
        url, creator=connect, hide_parameters=True, execution_options={"reads": reads}, **options
    )
    event.listen(engine, "begin", _begin)
    _reopen_after_faults(engine)
    _reopen_when_replaced(engine, path)
    return engine


def _begin(connection: Connection) -> None:
    reads = connection.get_execution_options()["reads"]
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


_NO_PLACE_TO_WRITE = ("SQLITE_CANTOPEN", "SQLITE_READONLY")
"""Beginnings of SQLite's names for what keeps a reader from its two files."""
_DISK_FAULTS = ("SQLITE_IOERR", *_NO_PLACE_TO_WRITE)


def _reopen_after_faults(engine: Engine) -> None:
    """Where SQLite can once not open a file to write, it opens it to read, and stays so."""

    def note(context: ExceptionContext) -> None:
        name = getattr(context.original_exception, "sqlite_errorname", "")
        if name.startswith(_DISK_FAULTS):
            context.is_disconnect = True

    event.listen(engine, "handle_error", note)


def _reopen_when_replaced(engine: Engine, path: Path) -> None:
    """Without this, what is written to a deleted file would succeed and be lost on closing."""

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


def connect_to_write(path: Path, **options: Any) -> sqlite3.Connection:
    """Open a database that is there; make nothing. Raise `sqlite3.Error`."""
    return _connect(path, "mode=rw", options)


def connect_to_read(path: Path, **options: Any) -> sqlite3.Connection:
    """Also where nothing may be written, but not without a log that holds something."""
    connection = connect_to_write(path, **options)
    try:
        connection.execute("PRAGMA schema_version")  # opens the log
    except sqlite3.OperationalError as error:
        connection.close()
        if not error.sqlite_errorname.startswith(_NO_PLACE_TO_WRITE) or _has_log(path):
            raise
        connection = _connect(path, "immutable=1", options)
    return connection


def _connect(path: Path, how: str, options: dict[str, Any]) -> sqlite3.Connection:
    address = f"file:{quote(str(path.absolute()))}?{how}"
    connection: sqlite3.Connection = sqlite3.connect(address, uri=True, **options)
    return connection


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def empty_log(path: Path) -> bool:
    """Have the file hold all that its log does; False where another program keeps that open."""
    with closing(connect_to_write(path, timeout=WAIT_S)) as connection:
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy


def scrub_file(path: Path) -> None:
    """Take what was deleted out of it, with room for a second one; raise `sqlite3.Error`."""
    with closing(connect_to_write(path, timeout=WAIT_S, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("VACUUM")
    if not empty_log(path):
        raise sqlite3.OperationalError("another program keeps its log open; try again")


def server_engine(url: URL, connect_s: int = CONNECT_S, **options: Any) -> Engine:
    return create_engine(
        url,
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={"connect_timeout": connect_s, "client_encoding": "utf8"},
        **options,
    )


@contextmanager
def closing_engine(engine: Engine) -> Iterator[Engine]:
    try:
        yield engine
    finally:
        engine.dispose()


def take_turn(connection: Connection, key: int, wait_s: float = 0) -> None:
    """Hold an advisory lock until a durable commit is visible; `wait_s`: 0 for any time."""
    durable = (
        "SELECT set_config('lock_timeout', :wait, true), CASE "
        "WHEN current_setting('synchronous_commit') = 'off' "
        "THEN set_config('synchronous_commit', 'on', true) END"
    )
    connection.execute(text(durable), {"wait": f"{wait_s}s"})
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})


_ROOM = b"\0" * 4096
"""What a small record takes on the disk."""


def try_write(url: URL, table: str, turn: int) -> None:
    """Begin to write into a table, and take it back; raise what the driver or the disk raises.

    An insert of no row needs the right to write, the lock (`turn`) and a primary server, and leaves
    neither a row nor, on PostgreSQL, the remains of one.
    """
    insert = f"INSERT INTO {table} SELECT * FROM {table} WHERE 1 = 0"  # noqa: S608 - ours
    if is_file(url):
        _try_file(file_of(url), insert)
    else:
        _try_server(url, insert, turn)


def _try_file(path: Path, insert: str) -> None:
    """The journal is written beside the file, so the folder counts and the room on its disk."""
    with tempfile.TemporaryFile(dir=path.absolute().parent, buffering=0) as file:
        file.write(_ROOM)
    opened = connect_to_write(path, timeout=PATIENCE_S, isolation_level=None)
    with closing(opened) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(insert)
        connection.execute("ROLLBACK")


def _try_server(url: URL, insert: str, turn: int) -> None:
    with server_engine(url, PATIENCE_S, poolclass=NullPool).connect() as connection:
        connection.execute(text(f"SET LOCAL statement_timeout = '{2 * PATIENCE_S}s'"))
        take_turn(connection, turn, PATIENCE_S)
        connection.execute(text(insert))
        connection.rollback()


def append_durably(path: Path, text: str) -> None:
    """Add whole lines, on the disk on return; a line that was torn is ended before."""
    is_new = not path.exists()
    is_torn = not is_new and path.read_bytes()[-1:] not in (b"", b"\n")
    with open(path, "ab", opener=private) as file:
        file.write(f"\n{text}".encode() if is_torn else text.encode())
        file.flush()
        os.fsync(file.fileno())
    if is_new:
        sync_folder(path.parent)


def replace_durably(path: Path, content: bytes) -> None:
    """Write a whole file, on the disk on return, or leave what stood; its owner's alone."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    with open(part, "wb", opener=private) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync_folder(path.parent)


def text_of(path: Path) -> str:
    """What such a file holds; empty where there is none. Raise `OSError`."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""


def private(name: str, flags: int) -> int:
    """Open a file that, where it is new, is its owner's alone."""
    return os.open(name, flags, 0o600)


def sync_folder(folder: Path) -> None:
    """A file that is new is kept only with the entry in its folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
