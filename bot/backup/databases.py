"""A store as a SQLite file: copied while others write to it, and brought back.

The copy of a SQLite store is made by SQLite's own online backup, within one read transaction: it
is the store as it was at one moment, to the last byte, and writers do not wait for it. What stands
on a PostgreSQL server is read row by row within one transaction that sees one state throughout
(REPEATABLE READ), into a SQLite file that the store's own program made. So an archive looks the
same whichever engine it came from, and is restored to either.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    Integer,
    LargeBinary,
    Table,
    create_engine,
    delete,
    func,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.engine import URL
from sqlalchemy.pool import NullPool

from audit.database import Revisions
from audit.engines import WAIT_S, closing_engine, connect_to_read, file_of, is_file, server_engine
from bot.errors import BackupFailed
from bot.wording import backups as wording

AT_ONCE = 500
"""Rows in memory; of a table with files in it, one."""
Progress = Callable[[int, int, str], None]
"""Called with steps done, steps in all, and what is in hand."""


def copy_tables(
    source: Connection, target: Connection, tables: Sequence[Table], progress: Progress
) -> None:
    """Copy every row of these tables into empty ones, each connection in one transaction."""
    counts = [_count(source, table) for table in tables]
    done, total = 0, sum(counts)
    for table in tables:
        at_once = 1 if any(isinstance(c.type, LargeBinary) for c in table.c) else AT_ONCE
        rows = source.execute(select(table).execution_options(yield_per=at_once)).mappings()
        for some in rows.partitions():
            target.execute(insert(table), [dict(row) for row in some])
            done += len(some)
            progress(done, total, table.name)


def go_on_counting(source: Connection, target: Connection, tables: Sequence[Table]) -> None:
    """Have PostgreSQL number new rows on from where a SQLite file would have."""
    find = text("SELECT pg_get_serial_sequence(:table, :column)")
    for table in tables:
        for column in filter(_is_number, table.primary_key):
            named = {"table": table.name, "column": column.name}
            if sequence := target.scalar(find, named):
                last = max(target.scalar(select(func.max(column))) or 0, _counted(source, table))
                target.execute(select(func.setval(sequence, last + 1, False)))


def has_rows(connection: Connection, tables: Sequence[Table]) -> bool:
    return any(connection.execute(select(table).limit(1)).first() for table in tables)


def _count(connection: Connection, table: Table) -> int:
    return int(connection.scalar(select(func.count()).select_from(table)) or 0)


def _counted(source: Connection, table: Table) -> int:
    """What SQLite counted up to where it never gives a number twice (sqlite.org/autoinc.html)."""
    if not inspect(source).has_table("sqlite_sequence"):
        return 0
    query = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
    return int(source.scalar(query, {"table": table.name}) or 0)


def _is_number(column: Column[object]) -> bool:
    return isinstance(column.type, Integer | BigInteger)


PAGES_AT_ONCE = 2_000
Copy = Callable[[Connection, Connection, Progress], None]


@dataclass(frozen=True)
class SqlStore:
    name: str
    url: URL
    tables: Sequence[Table]
    revisions: Revisions
    make: Callable[[str], None]
    """Make the store at a URL where there is none, and bring up an older one."""
    made_with: Sequence[Table] = field(default=())
    """Tables that have rows as soon as the store is made."""
    copied_by: Copy | None = None
    """For rows that cannot be copied table by table."""

    @property
    def file(self) -> Path | None:
        """Where it stands; None for a server."""
        return file_of(self.url) if is_file(self.url) else None

    def save(self, path: Path, progress: Progress) -> bool:
        """False where there is no store yet; raise `BackupFailed`, and what the database raises."""
        if self.file is not None:
            if not self.file.exists():
                return False
            _copy_file(self.file, path, progress)
            return True
        with closing_engine(_server(self.url, reads=True)) as engine, engine.begin() as source:
            if not inspect(source).has_table(self.revisions.table):
                return False
            found, newest = self.revisions.stated(source), self.revisions.newest
            if found != newest:
                raise BackupFailed(wording.other_revision(self.name, str(found), newest))
            self.make(sqlite_url(path))
            with closing_engine(_file(path)) as made, made.begin() as target:
                self._copy(source, target, progress)
        return True

    def load(self, path: Path, progress: Progress) -> None:
        """Fill the store on a server, which has no rows, from a file of today's revision."""
        self.make(self.url.render_as_string(hide_password=False))
        with (
            closing_engine(_file(path)) as kept,
            kept.begin() as source,
            closing_engine(_server(self.url, reads=False)) as engine,
            engine.begin() as target,
        ):
            self._copy(source, target, progress)
            go_on_counting(source, target, self.tables)

    def is_taken(self) -> bool:
        if self.file is not None:
            return self.file.exists()
        with closing_engine(_server(self.url, reads=True)) as engine, engine.begin() as connection:
            there = [each for each in self.tables if inspect(connection).has_table(each.name)]
            return has_rows(connection, [each for each in there if each not in self.made_with])

    def _copy(self, source: Connection, target: Connection, progress: Progress) -> None:
        for table in self.made_with:
            target.execute(delete(table))
        if self.copied_by is not None:
            self.copied_by(source, target, progress)
        else:
            held = inspect(source)  # some are made when they are first needed
            there = [table for table in self.tables if held.has_table(table.name)]
            copy_tables(source, target, there, progress)


def sqlite_url(path: Path) -> str:
    return f"sqlite:///{path.absolute()}"


def _copy_file(source: Path, target: Path, progress: Progress) -> None:
    def report(_: int, remaining: int, total: int) -> None:
        progress(total - remaining, total, target.name)

    with (
        closing(connect_to_read(source, timeout=WAIT_S, isolation_level=None)) as reading,
        closing(sqlite3.connect(target)) as writing,
    ):
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM sqlite_master").fetchone()  # the moment it shows
        reading.backup(writing, pages=PAGES_AT_ONCE, progress=report, sleep=0)


def _file(path: Path) -> Engine:
    return create_engine(sqlite_url(path), poolclass=NullPool, hide_parameters=True)


def _server(url: URL, *, reads: bool) -> Engine:
    engine = server_engine(url, isolation_level="REPEATABLE READ", poolclass=NullPool)
    return engine.execution_options(postgresql_readonly=True) if reads else engine
