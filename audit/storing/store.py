"""The audit database is SQLite as a file beside the bot, or PostgreSQL by URL.

An append is durable when the call returns. On SQLite readers never wait for the writer, whose log
is on the disk by then; on PostgreSQL `synchronous_commit` is turned on where the server has it off.
"""

from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL

from audit.database import Revisions, Store
from audit.engines import (
    WAIT_S,
    file_of,
    is_file,
    made_file,
    server_engine,
    sqlite_engine,
    take_turn,
)
from audit.errors import AuditDamaged, AuditUnavailable
from audit.storing.tables import EARLIER, REVISION, REVISION_TABLE, entries

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
    STORE, Path(__file__).parents[1] / "migrations" / "versions", REVISION_TABLE, REVISION
)


def writing_engine(url: URL) -> Engine:
    """An engine whose transactions append, one writer at a time."""
    if is_file(url):
        return sqlite_engine(url, text_factory=_as_it_stands)
    engine = server_engine(url, isolation_level="READ COMMITTED")
    event.listen(engine, "begin", lambda begun: take_turn(begun, _CHAIN_LOCK, WAIT_S))
    return engine


def reading_engine(url: URL) -> Engine:
    """An engine whose transactions see one state throughout and cannot write."""
    if is_file(url):
        return sqlite_engine(url, reads=True, text_factory=_as_it_stands)
    engine = server_engine(url, isolation_level="REPEATABLE READ")
    return engine.execution_options(postgresql_readonly=True)


def revision(engine: Engine) -> str | None:
    """None where there is no store yet; raises `AuditUnavailable` for one of a newer program."""
    if is_file(engine.url) and not file_of(engine.url).exists():
        return None
    with STORE.transaction(engine) as connection:
        return _stated_revision(connection)


def is_there(engine: Engine) -> bool:
    return revision(engine) is not None


def make(engine: Engine) -> None:
    if not is_file(engine.url):
        _migrate(engine)
        return
    with STORE.explained(engine.url), made_file(file_of(engine.url)):
        _migrate(engine)


def demand_writable(url: str) -> None:
    """Raise `AuditUnavailable` where nothing can be appended; takes seconds, leaves nothing."""
    STORE.demand_writable(url, entries.name, _CHAIN_LOCK)


def is_on_server(url: str) -> bool:
    return not is_file(STORE.parse(url))


def is_stored_in_file(url: str) -> bool:
    parsed = STORE.parse(url)
    return is_file(parsed) and file_of(parsed).exists()


def demand_kept(connection: Connection, is_kept: bool) -> None:
    """Raise `AuditUnavailable` where a trigger or rule dropped or changed what was written."""
    if not is_kept:
        raise AuditUnavailable(
            f"{STORE.describe(connection.engine.url)} did not keep what was written to it, so "
            "nothing of it stands. `vouch audit verify` names a trigger or rule that is not ours."
        )


def empty_engine() -> Engine:
    """An empty store in memory: what a reader reads while there is no store yet."""
    engine = create_engine("sqlite://")
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
        raise REVISIONS.other_version(connection)
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


def _as_it_stands(stored: bytes) -> str:
    """Bytes that are no UTF-8 come from outside: keep them, and verification will tell."""
    return stored.decode("utf-8", "surrogateescape")
