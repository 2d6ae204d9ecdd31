"""A database of Vouch's: SQLite as a file, or PostgreSQL by URL, opened and brought up in one way.

A store states what it is called, which errors it raises and where its revisions stand. A driver's
error becomes one of these, in words for the person who runs the bot. Alembic is imported only where
the revision that a database states, read with plain SQL, is not the current one.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from sqlalchemy import Connection, Engine, inspect, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, SQLAlchemyError

from audit.engines import is_file, try_write

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
    name: str
    """Such as "The audit store", as a sentence begins."""
    url: str
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
        with self.explained(engine.url), engine.begin() as connection:
            yield connection

    def demand_writable(self, url: str, table: str, turn: int) -> None:
        """Raise `unavailable` where nothing can be written; takes seconds, leaves nothing."""
        parsed = self.parse(url)
        with self.explained(parsed):
            try_write(parsed, table, turn)

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
    table: str
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

        `stamped`: the revision of tables that state none; `attributes` are for the scripts. Raise
        the store's error for tables of a newer program.
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
