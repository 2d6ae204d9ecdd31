"""Locks that processes take in turn: of a file on one machine, of a server among several.

Whichever it is, a process that dies lets go of what it held.
"""

from contextlib import suppress
from pathlib import Path
from typing import Protocol

from filelock import FileLock, Timeout
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

_CONNECT_S = 10
_NOTICED = {
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""Settings of a session by which a server lets go within a minute of what a machine held that is
gone without a word; its own default is two hours."""


class ProcessLock(Protocol):
    """One lock. Its methods raise what the file system or the driver raises."""

    def take(self) -> bool:
        """Try to take it, at once; True where it is held now, also where it was before."""
        ...

    def is_held(self) -> bool:
        """Tell whether it is held still: a server lets go where the connection is lost."""
        ...

    def release(self) -> None:
        """Let go of it, if it is held."""
        ...


def is_free(turn: ProcessLock) -> bool:
    """Tell whether nobody holds it; for that moment it is taken."""
    took = turn.take()
    turn.release()
    return took


class LockFile:
    """A lock on a file; whoever shares it between threads shares the turn."""

    def __init__(self, path: Path) -> None:
        self._lock = FileLock(path, thread_local=False)

    def take(self) -> bool:
        if self._lock.is_locked:
            return True
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return False
        return True

    def is_held(self) -> bool:
        return bool(self._lock.is_locked)

    def release(self) -> None:
        self._lock.release()


class AdvisoryLock:
    """An advisory lock of PostgreSQL, on a connection of its own for as long as it is wanted."""

    def __init__(self, url: URL, key: int) -> None:
        """Take `key`: 64 bits, signed; connects when the lock is first wanted."""
        self._key = key
        self._engine = create_engine(
            url,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args={
                "connect_timeout": _CONNECT_S,
                "keepalives_idle": 15,
                "keepalives_interval": 5,
                "keepalives_count": 3,
            },
        )
        self._connection: Connection | None = None
        self._holds = False

    def take(self) -> bool:
        if not self._holds:
            connection = self._connection or self._connected()
            question = text("SELECT pg_try_advisory_lock(:key)")
            self._holds = bool(connection.scalar(question, {"key": self._key}))
        return self._holds

    def is_held(self) -> bool:
        """The lock is the session's, so it is held as long as that answers."""
        if self._holds and self._connection is not None:
            try:
                self._connection.execute(text("SELECT 1"))
            except SQLAlchemyError:
                self.release()
        return self._holds

    def release(self) -> None:
        """Give it back at once: the server notices only in its own time that a session ended."""
        held, self._holds = self._holds, False
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if held and not connection.invalidated:
            with suppress(SQLAlchemyError):
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": self._key})
        connection.close()

    def _connected(self) -> Connection:
        self._connection = self._engine.connect()
        for name, value in _NOTICED.items():
            setting = text("SELECT set_config(:name, :value, false)")
            self._connection.execute(setting, {"name": name, "value": value})
        return self._connection
