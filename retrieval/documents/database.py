"""The library's database, SQLite as a file in the home or PostgreSQL by URL, and its seals."""

import errno
import hashlib
import hmac
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine
from sqlalchemy.engine import URL
from sqlalchemy.pool import NullPool

from audit.database import Revisions, Store
from audit.engines import (
    empty_log,
    file_of,
    is_file,
    made_file,
    server_engine,
    sqlite_engine,
    take_turn,
)
from retrieval.documents.locks import AdvisoryLock, LockFile, ProcessLock
from retrieval.documents.tables import REVISION, REVISION_TABLE
from retrieval.errors import LibraryUnavailable

KEY_BYTES = 32
KEY_CHECK = "vouch library"
"""A library keeps the seal of these words, to tell whether a key is its own."""


@dataclass(frozen=True, slots=True)
class Seal:
    key: bytes

    def of(self, *parts: str) -> str:
        """64 hexadecimal digits; each text counts with its length, and lends no end to the next."""
        sealed = hmac.new(self.key, digestmod=hashlib.sha256)
        for part in parts:
            encoded = part.encode()
            sealed.update(len(encoded).to_bytes(8, "big") + encoded)
        return sealed.hexdigest()

    def holds(self, seal: str, *parts: str) -> bool:
        return hmac.compare_digest(seal, self.of(*parts))


def stated_keys(stated: str) -> tuple[bytes, ...]:
    """What a stated key may mean: its text, which seals new libraries, or its digits."""
    try:
        digits = bytes.fromhex(stated)
    except ValueError:
        return (stated.encode(),)
    return (stated.encode(), *([digits] if len(digits) >= KEY_BYTES else ()))


def stored_key(path: Path) -> bytes:
    """The key in a file, made for its owner alone if need be. Raise `LibraryUnavailable`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path)
        key = bytes.fromhex(path.read_text().strip())
    except (OSError, ValueError) as error:
        raise LibraryUnavailable(
            f"The key {path} cannot be read or made ({error}). Bring it back from a "
            "backup, or see that its folder may be written to."
        ) from error
    if len(key) < KEY_BYTES:
        raise LibraryUnavailable(f"The key {path} is too short. Bring it back from a backup.")
    return key


def _make(path: Path) -> None:
    """Make it whole or not at all, whoever else makes it at the same time."""
    if path.exists():
        return
    own = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    descriptor = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())  # what it seals is on the disk before long, too
        try:
            os.link(own, path)
        except FileExistsError:
            return
    finally:
        own.unlink()


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
            try:
                with made_file(self._path, wait_s=-1):
                    self._migrate(seal)
            except OSError as error:
                self._open_to_read(self._path, error)

    def _open_to_read(self, path: Path, why_not: OSError) -> None:
        """As a backup, or a folder mounted read-only; raise `why_not` where that is not why."""
        if why_not.errno not in (errno.EACCES, errno.EROFS) or not path.exists():
            raise why_not
        self._engine = _engine(self._url, reads=True)
        with self._engine.begin() as connection:
            if REVISIONS.stated(connection) != REVISION:
                raise why_not

    @property
    def _path(self) -> Path | None:
        """The file; None for a server."""
        return file_of(self._url) if is_file(self._url) else None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with STORE.transaction(self._engine.execution_options(reads=True)) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with STORE.transaction(self._engine) as connection:
            yield connection

    def overwrite_deleted(self) -> None:
        """Nothing that was deleted stays in SQLite's files; a server's vacuum does the same."""
        if self._path is not None:
            with STORE.explained(self._url):
                empty_log(self._path)

    @contextmanager
    def ingest_turn(self, waiting: Callable[[], None]) -> Iterator[None]:
        """Hold the one lock that ingests take in turn; a process that dies lets go of it."""
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
        with self._engine.begin() as connection:
            if self._path is None:
                take_turn(connection, _MAKING)
            REVISIONS.bring_up(connection, seal=seal)


def _engine(url: URL, *, reads: bool = False) -> Engine:
    if not is_file(url):
        return server_engine(url)
    # One connection a transaction: cheap, and no thread or forked process meets another's.
    return sqlite_engine(url, "secure_delete = ON", reads=reads, poolclass=NullPool)
