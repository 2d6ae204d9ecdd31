"""Rows go from a database to another of the same tables, whichever engines these are."""

from collections.abc import Callable, Sequence

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    LargeBinary,
    Table,
    func,
    insert,
    inspect,
    select,
    text,
)

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
