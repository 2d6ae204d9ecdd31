"""Opens the inbox's database: SQLite as a file beside the bot, or a server by URL.

What is committed survives a power cut: PostgreSQL has `synchronous_commit` on where the server has
it off. Transactions take turns, on SQLite as on a server, so each decides over the true state; they
are short.

An inbox from before an inbox stated its revision is known by the columns of its tables.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

from filelock import FileLock, Timeout
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    Table,
    delete,
    event,
    inspect,
    select,
    update,
)
from sqlalchemy.engine import URL
from sqlalchemy.pool import NullPool

from audit.database import Revisions, Store
from audit.engines import (
    closing_engine,
    file_of,
    is_file,
    make_file,
    server_engine,
    sqlite_engine,
    take_turn,
)
from bot.errors import InboxUnavailable
from bot.slack.inbox.tables import METADATA, REVISION, REVISION_TABLE, exchanges


class UnknownForm(Exception):
    """The tables are not of any version that this one knows how to bring up."""


_EXCHANGE_0001 = frozenset(
    {
        *("exchange_id", "audit_id", "key", "conversation", "kind", "text", "user_id"),
        *("asked_channel", "private", "thread", "ts", "quoted", "received_at", "paced_until"),
        *("stage", "channel", "placing_since", "placeholder", "told", "attempts", "posted_at"),
        *("not_before", "passable", "claimed_by", "claimed_until"),
    }
)
_EXCHANGE_0002 = _EXCHANGE_0001 | {"shared", "stands_alone"}
_EXCHANGE_0003 = _EXCHANGE_0002 | {"withdrawn_at"}
_PACE = frozenset({"user_id", "next_expected"})
_LEFTOVER = frozenset(
    {
        *("leftover_id", "channel", "thread", "ts", "mark", "oldest", "exchange_id"),
        *("look_until", "noted_at", "not_before", "attempts"),
    }
)
_FORMS: Mapping[str, Mapping[str, frozenset[str]]] = {
    "0001": {"inbox_exchange": _EXCHANGE_0001, "inbox_pace": _PACE},
    "0002": {"inbox_exchange": _EXCHANGE_0002, "inbox_pace": _PACE},
    "0003": {
        "inbox_exchange": _EXCHANGE_0003,
        "inbox_pace": _PACE,
        "inbox_shut": frozenset({"key", "since"}),
        "inbox_overheard": frozenset({"key", "conversation", "user_id", "said", "heard_at"}),
        "inbox_leftover": _LEFTOVER,
    },
}
"""The columns of each table by the revision that has them; 0.2.0's comes first."""


def unstated_revision(connection: Connection) -> str | None:
    """Return the revision whose form the tables have; None where there are none yet.

    The columns must be exactly those: one that nobody here knows may restrict who reads a
    reply. Raise `UnknownForm` otherwise.
    """
    inspector = inspect(connection)
    found = {
        name: frozenset(column["name"] for column in inspector.get_columns(name))
        for name in inspector.get_table_names()
        if name in _FORMS["0003"]
    }
    if not found:
        return None
    for revision, form in _FORMS.items():
        if found == form:
            return revision
    raise UnknownForm


BUSY_S = 10
"""How long a statement waits for another program that has the file open."""
_TURN = 0x696E626F78
"""Key of the advisory lock on PostgreSQL ("inbox" in ASCII)."""
STORE = Store(
    name="The inbox",
    url="VOUCH_INBOX_URL",
    unavailable=InboxUnavailable,
    damaged=InboxUnavailable,
    repair="Stop the bot and restore them from a backup",
)
REVISIONS = Revisions(
    STORE, Path(__file__).parent / "migrations" / "versions", REVISION_TABLE, REVISION
)


def own_file(url: URL) -> FileLock:
    """Hold the file: it belongs to one process. The system frees it on a kill."""
    path = file_of(url)
    lock = FileLock(path.with_name(path.name + ".lock"), blocking=False)
    with STORE.explained(url):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire()
        except Timeout as error:
            raise InboxUnavailable(
                f"{STORE.describe(url)} is in use by another Vouch. Stop that one, or give this "
                "one another VOUCH_HOME; several together need a PostgreSQL inbox."
            ) from error
    return lock


def demand_writable(url: str) -> None:
    """Raise `InboxUnavailable` where nothing can be stored; takes seconds, leaves nothing."""
    STORE.demand_writable(url, exchanges.name, _TURN)


def is_missing(url: str) -> bool:
    """Tell whether there is none yet, making nothing; raise `InboxUnavailable` where unsaid."""
    parsed = STORE.parse(url)
    if is_file(parsed):
        return not file_of(parsed).exists()
    with STORE.transaction(server_engine(parsed, poolclass=NullPool)) as connection:
        return not inspect(connection).has_table(exchanges.name)


Transact = Callable[[], AbstractContextManager[Connection]]
"""A transaction of the inbox."""


class LateEngine:
    """An inbox that is opened, and made, when it is first used; safe to share between threads."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._engine: Engine | None = None
        self._turn = Lock()

    def transaction(self) -> AbstractContextManager[Connection]:
        with self._turn:
            if self._engine is None:
                self._engine = open_engine(STORE.parse(self.url))
        return STORE.transaction(self._engine)


@contextmanager
def opened(url: str) -> Iterator[Connection]:
    """One transaction in an inbox that another process may own; raise `InboxUnavailable`."""
    with (
        closing_engine(open_engine(STORE.parse(url))) as engine,
        STORE.transaction(engine) as connection,
    ):
        yield connection


def open_engine(url: URL) -> Engine:
    """Open an engine with today's tables; those of an earlier version are brought up.

    Processes that start together take turns. Raise `InboxUnavailable` for a newer inbox.
    """
    engine = _engine(url)
    try:
        with STORE.transaction(engine) as connection:
            _migrate(connection)
    except InboxUnavailable:
        engine.dispose()
        raise
    return engine


def _engine(url: URL) -> Engine:
    if is_file(url):
        with STORE.explained(url):
            make_file(file_of(url))
        return sqlite_engine(url, "journal_mode = WAL", wait_s=BUSY_S)
    engine = server_engine(url, isolation_level="READ COMMITTED")
    event.listen(engine, "begin", lambda begun: take_turn(begun, _TURN))
    return engine


def _migrate(connection: Connection) -> None:
    """Make the tables or bring them up, in the connection's transaction; what waits is kept."""
    stated = REVISIONS.stated(connection)
    try:
        REVISIONS.bring_up(connection, stamped=None if stated else unstated_revision(connection))
    except UnknownForm as error:
        raise REVISIONS.other_version(connection) from error
    inspector = inspect(connection)
    for table in METADATA.sorted_tables:
        if {column["name"] for column in inspector.get_columns(table.name)} != set(table.c.keys()):
            raise REVISIONS.other_version(connection)


Taken = TypeVar("Taken")


class DueRows(Generic[Taken]):
    """Rows are taken one after another as they are due, by one replica at a time."""

    def __init__(
        self,
        transact: Transact,
        table: Table,
        due: str,
        hold: timedelta,
        rows: Select[Any],
        taken: Callable[[Row[Any]], Taken],
    ) -> None:
        """`due`: names its column; `hold`: how long one replica has one for itself.

        `taken`: makes of one of the `rows` what is handed out, which bears the table's key.
        """
        self._transact, self._table, self._due = transact, table, table.c[due]
        (self._key,) = table.primary_key
        self._hold, self._rows, self._taken = hold, rows, taken

    def take(self, now: datetime, *which: ColumnElement[bool]) -> Taken | None:
        """Take the next that is due; for a while nobody else takes it."""
        due = select(self._key).where(self._due <= now, *which).order_by(self._due).limit(1)
        with self._transact() as connection:
            key = connection.scalar(due)
            if key is None:
                return None
            held = update(self._table).where(self._key == key).values({self._due: now + self._hold})
            connection.execute(held)
            return self._taken(connection.execute(self._rows.where(self._key == key)).one())

    def done(self, taken: Taken) -> None:
        with self._transact() as connection:
            mine = self._key == getattr(taken, self._key.name)
            connection.execute(delete(self._table).where(mine))

    def postpone(self, taken: Taken, until: datetime, *, attempts: int) -> None:
        with self._transact() as connection:
            mine = update(self._table).where(self._key == getattr(taken, self._key.name))
            connection.execute(mine.values({self._due: until, "attempts": attempts}))
