"""A database of Vouch's: SQLite as a file, or PostgreSQL by URL, opened and brought up in one way.

A store states what it is called, which errors it raises and where its revisions stand. A driver's
error becomes one of these, in words for the person who runs the bot. Alembic is imported only where
the revision that a database states, read with plain SQL, is not the current one.

A SQLite store is read where nothing may be written too: a backup, a folder mounted read-only. In
write-ahead logging even a reader keeps two files beside the database. Where it cannot, the database
can still be read alone, if its log is empty: SQLite then looks for no log and takes no lock
(`immutable`, sqlite.org/uri.html).
"""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import NullPool

CONNECT_S = 10
"""How long a server may take to answer."""
_SQLITE = (
    ("SQLITE_FULL", "the disk is full. Free some space; nothing that was stored is lost"),
    ("SQLITE_IOERR", "the disk refuses to write or read. Look at its space, quota and health"),
    ("SQLITE_BUSY", "another program keeps it locked. Close the program that has it open"),
    ("SQLITE_LOCKED", "another program keeps it locked. Close the program that has it open"),
    ("SQLITE_READONLY", "it may not be written. Give the bot's user the right to write there"),
    ("SQLITE_CANTOPEN", "it cannot be opened. See that the file is there and may be written"),
    ("SQLITE_ERROR", "{other_tables}"),  # what is asked in SQL is ours, and right
    ("SQLITE_PERM", "it may not be opened. Give the bot's user the right to write there"),
)
"""Beginnings of SQLite's error names, since the extended ones differ in their ends."""
_SQLITE_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
_POSTGRESQL = (
    ("28", "it refuses the user or password. Correct them in {url}"),
    ("3D000", "the database does not exist. Create it, or correct {url}"),
    ("42501", "the user may not do this. {rights}"),
    ("42P01", "{other_tables}"),
    ("42703", "{other_tables}"),
    ("25006", "the server is read-only. Point {url} at the primary server"),
    ("53100", "the server's disk is full. Free some space; nothing that was stored is lost"),
    ("53", "the server is out of resources. Look at its connections and memory"),
    ("55P03", "another session keeps it locked. Look for one that hangs"),
    ("57", "the server is shutting down or starting up. Try again when it is up"),
)
"""Beginnings of SQLSTATE codes, the first that fits wins."""
_POSTGRESQL_DAMAGED = "XX"
_HARMLESS = frozenset({"host", "hostaddr", "port", "dbname", "sslmode", "connect_timeout"})
"""Options of a URL that say where the database is, and not how to get in."""
_UNREACHABLE = "the server cannot be reached. See that it runs and that {url} is right"


@dataclass(frozen=True, slots=True)
class Store:
    """A store is called so, and its database's errors become these."""

    name: str
    """Such as "The audit store", as a sentence begins."""
    url: str
    """The setting that holds its URL."""
    unavailable: type[Exception]
    damaged: type[Exception]
    repair: str
    """What to do where its files are damaged."""
    rights: str = "Grant it all rights on the tables that it made"
    """What to do where a server's user may not do something."""
    other_tables: str = "its tables are not this program's. See that it is the right database"

    def parse(self, url: str) -> URL:
        """Read `sqlite:///PATH` or `postgresql://...`; raise `unavailable` for all else."""
        try:
            parsed = make_url(url.replace("postgres://", "postgresql://", 1))
        except ArgumentError as error:
            raise self._bad_url() from error
        if is_file(parsed) and parsed.database not in (None, "", ":memory:"):
            return parsed
        if parsed.get_backend_name() == "postgresql":
            return parsed.set(drivername="postgresql+psycopg")
        raise self._bad_url()

    def describe(self, url: URL) -> str:
        """In words, without user, password or options."""
        if is_file(url):
            return f"{self.name} {url.database}"
        host = url.host or url.query.get("host") or "this machine"
        return f"{self.name} in database {url.database} at {host}"

    @contextmanager
    def explained(self, url: URL) -> Iterator[None]:
        """Turn every error of the driver, the pool or the file system into ours."""
        try:
            yield
        except DBAPIError as error:
            raise self._explain(error, url) from error
        except sqlite3.Error as error:
            raise self._explain_sqlite(error, url) from error
        except (SQLAlchemyError, OSError) as error:
            todo = "See that there is room and that the bot may write there, and try again"
            raise self._failure(url, f"{_reason(error, url)}. {todo}") from error

    @contextmanager
    def transaction(self, engine: Engine) -> Iterator[Connection]:
        """A transaction of the engine's kind, with errors in our words."""
        with self.explained(engine.url), engine.begin() as connection:
            yield connection

    def _bad_url(self) -> Exception:
        return self.unavailable(
            f"{self.url} names no database that can be used. "
            "Write sqlite:///PATH or postgresql://USER:PASSWORD@HOST/DATABASE."
        )

    def _explain(self, error: DBAPIError, url: URL) -> Exception:
        cause = error.orig or error
        if isinstance(cause, sqlite3.Error):
            return self._explain_sqlite(cause, url)
        state = getattr(cause, "sqlstate", None) or _state_from_words(str(cause))
        if state.startswith(_POSTGRESQL_DAMAGED):
            return self._is_damaged(cause, url)
        for beginning, advice in _POSTGRESQL:
            if state.startswith(beginning):
                return self._failure(url, advice, cause)
        if isinstance(error, OperationalError):
            return self._failure(url, _UNREACHABLE, cause)
        return self._failure(url, _reason(cause, url))

    def _explain_sqlite(self, cause: sqlite3.Error, url: URL) -> Exception:
        name = getattr(cause, "sqlite_errorname", "")
        if name.startswith(_SQLITE_DAMAGED):
            return self._is_damaged(cause, url)
        for beginning, advice in _SQLITE:
            if name.startswith(beginning):
                return self._failure(url, advice, cause)
        return self._failure(url, _reason(cause, url))

    def _is_damaged(self, cause: BaseException, url: URL) -> Exception:
        why = f"its files are damaged. {self.repair} ({_reason(cause, url)})"
        return self.damaged(f"{self.describe(url)} cannot be used: {why}.")

    def _failure(self, url: URL, advice: str, cause: BaseException | None = None) -> Exception:
        if cause is not None:
            told = {"url": self.url, "rights": self.rights, "other_tables": self.other_tables}
            advice = f"{advice.format(**told)} ({_reason(cause, url)})"
        return self.unavailable(f"{self.describe(url)} cannot be used: {advice}.")


@dataclass(frozen=True, slots=True)
class Revisions:
    """The forms that a store's tables had, one after the other, as Alembic's scripts."""

    store: Store
    scripts: Path
    """Their folder."""
    table: str
    """In which a database states its revision."""
    newest: str

    def stated(self, connection: Connection) -> str | None:
        """Return the revision that the database states; None where it states none."""
        if not inspect(connection).has_table(self.table):
            return None
        query = f"SELECT version_num FROM {self.table}"  # noqa: S608 - a constant of ours
        found: str | None = connection.scalar(text(query))
        return found

    def bring_up(
        self, connection: Connection, *, stamped: str | None = None, **attributes: object
    ) -> None:
        """Make the tables or bring them to the newest revision, in the connection's transaction.

        `stamped`: the revision that tables have which state none. `attributes` are for the
        scripts. Raise the store's error for tables of a newer program.
        """
        if self.stated(connection) == self.newest:
            return
        from alembic import command
        from alembic.util import CommandError

        from audit.migrations import configuration

        config = configuration(self, connection, attributes)
        try:
            if stamped:
                command.stamp(config, stamped)
            command.upgrade(config, "head")
        except CommandError as error:
            raise self.other_version(connection) from error

    def other_version(self, connection: Connection) -> Exception:
        """What to raise for tables that are not of any revision here."""
        return self.store.unavailable(
            f"{self.store.describe(connection.engine.url)} was made by a newer or another "
            "version of Vouch. Install that version; nothing in it was changed."
        )


class Door:
    """What opens a store for one use; as a context manager it is closed at the block's end."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def close(self) -> None:
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def is_file(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def file_of(url: URL) -> Path:
    return Path(url.database or "")


def keep_write_ahead_log(path: Path, wait_s: float) -> None:
    """Have readers never wait for the writer; a property of the file, made where there is none.

    Call it under a lock: SQLite does not wait for other connections when it changes.
    """
    with closing(sqlite3.connect(path, timeout=wait_s)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")


_DISK_FAULTS = ("SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY")


def reopen_after_faults(engine: Engine) -> None:
    """Have SQLite open the file anew after the disk failed.

    Where it can once not open it to write it opens it to read, and the connection stays like that.
    """

    def note(context: ExceptionContext) -> None:
        name = getattr(context.original_exception, "sqlite_errorname", "")
        if name.startswith(_DISK_FAULTS):
            context.is_disconnect = True

    event.listen(engine, "handle_error", note)


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
    """Hold an advisory lock until the commit is visible, so that the next writer sees it.

    What is committed then survives a power cut, where the server had that off. `wait_s`: how
    long to wait for others, 0 for as long as it takes.
    """
    durable = (
        "SELECT set_config('lock_timeout', :wait, true), CASE "
        "WHEN current_setting('synchronous_commit') = 'off' "
        "THEN set_config('synchronous_commit', 'on', true) END"
    )
    connection.execute(text(durable), {"wait": f"{wait_s}s"})
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})


def _state_from_words(message: str) -> str:
    """The client gives no code for a refused connection, only the server's words."""
    if "password" in message or "authentication" in message:
        return "28P01"
    if "database" in message and "does not exist" in message:
        return "3D000"
    return ""


def _reason(error: BaseException, url: URL) -> str:
    return without_secrets(" ".join(str(error).split()).rstrip("."), url)


def without_secrets(words: str, url: URL) -> str:
    """The driver's words, without password, user and what the URL's options hold."""
    given = url.normalized_query.items()
    options = {value for name, values in given if name not in _HARMLESS for value in values}
    user = f'"{url.username}"' if url.username else ""  # alone it may be any word
    for secret in sorted({str(url.password or ""), user, *options} - {""}, key=len, reverse=True):
        words = words.replace(secret, "***")
    return words


_NO_PLACE_TO_WRITE = ("SQLITE_CANTOPEN", "SQLITE_READONLY")
"""Beginnings of SQLite's names for what keeps a reader from its two files."""


def connect_to_read(path: Path, **options: Any) -> sqlite3.Connection:
    """Open a database that is there, to read; make nothing. Raise `sqlite3.Error`.

    One whose log holds something is not read without it: the newest records would be missing.
    """
    address = f"file:{quote(str(path.absolute()))}"
    connection: sqlite3.Connection = sqlite3.connect(f"{address}?mode=rw", uri=True, **options)
    try:
        connection.execute("PRAGMA schema_version")  # opens the log
    except sqlite3.OperationalError as error:
        connection.close()
        if not error.sqlite_errorname.startswith(_NO_PLACE_TO_WRITE) or _has_log(path):
            raise
        connection = sqlite3.connect(f"{address}?immutable=1", uri=True, **options)
    return connection


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


PATIENCE_S = 2
"""How long another program may keep it locked; a health check waits little longer."""
_ROOM = b"\0" * 4096
"""What a small record takes on the disk."""


def try_write(url: URL, table: str, turn: int) -> None:
    """Begin to write into a table, and take it back; raise what the driver or the disk raises.

    `turn`: key of the advisory lock that those who write take on PostgreSQL.

    An insert of no row needs the right to write, the lock and a primary server, and leaves
    neither a row nor, on PostgreSQL, the remains of one.
    """
    insert = f"INSERT INTO {table} SELECT * FROM {table} WHERE 1 = 0"  # noqa: S608 - ours
    if url.get_backend_name() == "sqlite":
        _try_file(file_of(url), insert)
    else:
        _try_server(url, insert, turn)


def _try_file(path: Path, insert: str) -> None:
    """The journal is written beside the file, so the folder counts and the room on its disk."""
    with tempfile.TemporaryFile(dir=path.absolute().parent, buffering=0) as file:
        file.write(_ROOM)
    address = f"file:{quote(str(path.absolute()))}?mode=rw"
    opened = sqlite3.connect(address, uri=True, timeout=PATIENCE_S, isolation_level=None)
    with closing(opened) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(insert)
        connection.execute("ROLLBACK")


def _try_server(url: URL, insert: str, turn: int) -> None:
    with server_engine(url, PATIENCE_S, poolclass=NullPool).connect() as connection:
        connection.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE_S}s'"))
        connection.execute(text(f"SET LOCAL statement_timeout = '{2 * PATIENCE_S}s'"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": turn})
        connection.execute(text(insert))
        connection.rollback()
