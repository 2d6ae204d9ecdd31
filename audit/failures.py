"""A driver's error means something for the person who runs the bot, who can do something next."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from audit.errors import AuditDamaged, AuditUnavailable

_OTHER_TABLES = "its tables are not this program's. `vouch audit verify` tells what became of them"

_SQLITE = (
    ("SQLITE_FULL", "the disk is full. Free some space; nothing that was stored is lost"),
    ("SQLITE_IOERR", "the disk refuses to write or read. Look at its space, quota and health"),
    ("SQLITE_BUSY", "another program keeps it locked. Close the program that has it open"),
    ("SQLITE_LOCKED", "another program keeps it locked. Close the program that has it open"),
    ("SQLITE_READONLY", "it may not be written. Give the bot's user the right to write there"),
    ("SQLITE_CANTOPEN", "it cannot be opened. See that the file is there and may be written"),
    ("SQLITE_ERROR", _OTHER_TABLES),  # what is asked in SQL is ours, and right
    ("SQLITE_PERM", "it may not be opened. Give the bot's user the right to write there"),
)
"""Beginnings of SQLite's error names, since the extended ones differ in their ends."""

_SQLITE_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")

_POSTGRESQL = (
    ("28", "it refuses the user or password. Correct them in the audit URL"),
    ("3D000", "the database does not exist. Create it, or correct the audit URL"),
    ("42501", "the user may not do this. Grant it SELECT and INSERT on the audit tables"),
    ("42P01", _OTHER_TABLES),
    ("42703", _OTHER_TABLES),
    ("25006", "the server is read-only. Point the audit URL at the primary server"),
    ("53100", "the server's disk is full. Free some space; nothing that was stored is lost"),
    ("53", "the server is out of resources. Look at its connections and memory"),
    ("55P03", "another session keeps the chain locked. Look for one that hangs"),
    ("57", "the server is shutting down or starting up. Try again when it is up"),
)
"""Beginnings of SQLSTATE codes, the first that fits wins."""

_POSTGRESQL_DAMAGED = "XX"

_HARMLESS = frozenset({"host", "hostaddr", "port", "dbname", "sslmode", "connect_timeout"})
"""Options of a URL that say where the database is, and not how to get in."""

_UNREACHABLE = "the server cannot be reached. See that it runs and that the audit URL is right"


def describe(url: URL) -> str:
    """The store in words, without user, password or options."""
    if url.get_backend_name() == "sqlite":
        return f"The audit store {url.database}"
    host = url.host or url.query.get("host") or "this machine"
    return f"The audit store in database {url.database} at {host}"


@contextmanager
def explained(url: URL) -> Iterator[None]:
    """Turn every error of the driver, the pool or the file system into ours."""
    try:
        yield
    except DBAPIError as error:
        raise _explain(error, url) from error
    except sqlite3.Error as error:
        raise _explain_sqlite(error, url) from error
    except (SQLAlchemyError, OSError) as error:
        raise AuditUnavailable(
            _sentence(url, f"{_reason(error, url)}. See that it can be opened and try again")
        ) from error


def _explain(error: DBAPIError, url: URL) -> AuditUnavailable:
    cause = error.orig or error
    if isinstance(cause, sqlite3.Error):
        return _explain_sqlite(cause, url)
    return _explain_postgresql(error, cause, url)


def _explain_sqlite(cause: sqlite3.Error, url: URL) -> AuditUnavailable:
    name = getattr(cause, "sqlite_errorname", "")
    if name.startswith(_SQLITE_DAMAGED):
        return _damaged(cause, url)
    for beginning, advice in _SQLITE:
        if name.startswith(beginning):
            return AuditUnavailable(_sentence(url, f"{advice} ({_reason(cause, url)})"))
    return AuditUnavailable(_sentence(url, _reason(cause, url)))


def _explain_postgresql(error: DBAPIError, cause: BaseException, url: URL) -> AuditUnavailable:
    state = getattr(cause, "sqlstate", None) or _state_from_words(str(cause))
    if state.startswith(_POSTGRESQL_DAMAGED):
        return _damaged(cause, url)
    for beginning, advice in _POSTGRESQL:
        if state.startswith(beginning):
            return AuditUnavailable(_sentence(url, f"{advice} ({_reason(cause, url)})"))
    if isinstance(error, OperationalError):
        return AuditUnavailable(_sentence(url, f"{_UNREACHABLE} ({_reason(cause, url)})"))
    return AuditUnavailable(_sentence(url, _reason(cause, url)))


def _state_from_words(message: str) -> str:
    """The client gives no code for a refused connection, only the server's words."""
    if "password" in message or "authentication" in message:
        return "28P01"
    if "database" in message and "does not exist" in message:
        return "3D000"
    return ""


def _damaged(cause: BaseException, url: URL) -> AuditDamaged:
    advice = "its files are damaged. Stop the bot and restore them from a backup"
    return AuditDamaged(_sentence(url, f"{advice} ({_reason(cause, url)})"))


def _sentence(url: URL, reason: str) -> str:
    return f"{describe(url)} cannot be used: {reason}."


def _reason(error: BaseException, url: URL) -> str:
    return without_secrets(" ".join(str(error).split()).rstrip("."), url)


def without_secrets(text: str, url: URL) -> str:
    """The driver's words, without password, user and what the URL's options hold."""
    given = url.normalized_query.items()
    options = {value for name, values in given if name not in _HARMLESS for value in values}
    user = f'"{url.username}"' if url.username else ""  # alone it may be any word
    for secret in sorted({str(url.password or ""), user, *options} - {""}, key=len, reverse=True):
        text = text.replace(secret, "***")
    return text
