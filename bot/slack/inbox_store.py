"""Opens the inbox's database: SQLite as a file beside the bot, or a server by URL.

What is committed survives a power cut: SQLite writes with `synchronous=FULL`, PostgreSQL
has `synchronous_commit` on where the server has it off. Transactions take turns, on
SQLite as on a server, so each decides over the true state; they are short.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from sqlalchemy import (
    Connection,
    CursorResult,
    Engine,
    create_engine,
    event,
    make_url,
    select,
    text,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from audit.failures import without_secrets
from audit.probe import try_write
from bot.errors import InboxUnavailable
from bot.slack.inbox_revisions import UnknownForm, migrate
from bot.slack.inbox_tables import exchanges

BUSY_S = 10
"""How long a statement waits for another program that has the file open."""
_CONNECT_S = 10
_TURN = 0x696E626F78
"""Key of the advisory lock on PostgreSQL ("inbox" in ASCII)."""
_BAD_URL = (
    "The inbox URL names no database that can be used. "
    "Write sqlite:///PATH or postgresql://USER:PASSWORD@HOST/DATABASE."
)


def parse_url(url: str) -> URL:
    """Parse `sqlite:///PATH` or `postgresql://...`; raise `InboxUnavailable` for all else."""
    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1))
    except ArgumentError as error:
        raise InboxUnavailable(_BAD_URL) from error
    if is_file(parsed) and parsed.database not in (None, "", ":memory:"):
        return parsed
    if parsed.get_backend_name() == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    raise InboxUnavailable(_BAD_URL)


def is_file(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def own_file(url: URL) -> FileLock:
    """Make the file and hold it: it belongs to one process. The system frees it on a kill."""
    path = Path(url.database or "")
    lock = FileLock(path.with_name(path.name + ".lock"), blocking=False)
    with explained(url):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire()
        except Timeout as error:
            raise InboxUnavailable(
                f"{describe(url)} is in use by another Vouch. Stop that one, or give this "
                "one another VOUCH_HOME; several together need a PostgreSQL inbox."
            ) from error
        path.touch(mode=0o600)  # it holds what people asked
    return lock


def demand_writable(url: str) -> None:
    """Raise `InboxUnavailable` where nothing can be stored; takes seconds, leaves nothing."""
    parsed = parse_url(url)
    with explained(parsed):
        try_write(parsed, exchanges.name, _TURN)


def is_missing(url: str) -> bool:
    """Tell whether it is a file that is not there yet."""
    parsed = parse_url(url)
    return is_file(parsed) and not Path(parsed.database or "").exists()


def open_engine(url: URL) -> Engine:
    """Open an engine with today's tables; those of an earlier version are brought up.

    Processes that start together take turns. Raise `InboxUnavailable` for a newer inbox.
    """
    engine = _sqlite(url) if is_file(url) else _postgresql(url)
    try:
        with transaction(engine) as connection:
            migrate(connection)
    except UnknownForm as error:
        engine.dispose()
        raise InboxUnavailable(
            f"{describe(url)} was made by a newer or another version of Vouch. Start that "
            "version, or give this one another inbox; nothing in it was changed."
        ) from error
    return engine


def demand_kept(connection: Connection, row: Mapping[str, Any]) -> None:
    """Read a new exchange back: a trigger or rule can drop or change it without an error.

    Raise `InboxUnavailable`, which undoes the transaction: Slack then delivers it again.
    """
    mine = select(exchanges).where(exchanges.c.key == row["key"])
    kept = connection.execute(mine).mappings().one_or_none()
    if kept is None or any(kept[name] != value for name, value in row.items()):
        raise _lost(connection)


def demand_one(changed: CursorResult[Any]) -> None:
    """Demand that a change to one exchange was kept, likewise."""
    if changed.rowcount != 1:
        raise _lost(changed.connection)


def _lost(connection: Connection) -> InboxUnavailable:
    return InboxUnavailable(
        f"{describe(connection.engine.url)} did not keep what was written to it. Look for a "
        "trigger or rule that is not Vouch's, and remove it."
    )


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    with explained(engine.url), engine.begin() as connection:
        yield connection


@contextmanager
def explained(url: URL) -> Iterator[None]:
    """Turn every error of the driver, the pool or the file system into ours."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
        words = without_secrets(" ".join(str(cause).split()).rstrip("."), url)
        advice = (
            "See that the disk has room and that the bot's user may write there"
            if is_file(url)
            else "See that the server runs, has room, and that the inbox URL is right"
        )
        raise InboxUnavailable(f"{describe(url)} cannot be used: {words}. {advice}.") from error


def describe(url: URL) -> str:
    """Name the inbox in words, without user, password or options."""
    if is_file(url):
        return f"The inbox {url.database}"
    host = url.host or url.query.get("host") or "this machine"
    return f"The inbox in database {url.database} at {host}"


def _sqlite(url: URL) -> Engine:
    path = Path(url.database or "").absolute()

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
        )
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "fullfsync = ON"):
            connection.execute(f"PRAGMA {pragma}")
        return connection

    engine = create_engine(url, creator=connect, hide_parameters=True)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _postgresql(url: URL) -> Engine:
    engine = create_engine(
        url,
        isolation_level="READ COMMITTED",
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={"connect_timeout": _CONNECT_S, "client_encoding": "utf8"},
    )
    event.listen(engine, "begin", _take_turn)
    return engine


def _take_turn(connection: Connection) -> None:
    """Hold a lock until the commit is visible, so that nobody decides over an older state."""
    durable = (
        "SELECT CASE WHEN current_setting('synchronous_commit') = 'off' "
        "THEN set_config('synchronous_commit', 'on', true) END"
    )
    connection.execute(text(durable))
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _TURN})
