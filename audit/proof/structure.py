"""The database has the tables, indexes and guards that the migrations made, and indexes that agree.

What the database tells of them is compared with what it tells of a new store: on SQLite one is made
in memory; on PostgreSQL, where a reader may make nothing, it stands in `storing.guards`. What is
missing, altered or added is named. Something added counts as much: one trigger of somebody else's
can throw records away without an error.

Every index must find what the tables hold, and nothing else: queries see no more than it finds. On
SQLite its own check reads each row through each index. On PostgreSQL each table is read in the
order of each index, through it and without it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from sqlalchemy import Connection, CursorResult, Table, func, inspect, select, text

from audit.erasure import guards as erasure_guards
from audit.erasure.guards import ERASED
from audit.storing.guards import BEFORE_FOUND, BEFORE_KIND, DESCRIBED, FOUND, KIND, PARTS, TREE
from audit.storing.store import empty_engine
from audit.storing.tables import (
    REVISION,
    REVISION_TABLE,
    WITHOUT_ERASED,
    WITHOUT_KIND,
    WITHOUT_TERMS,
    WITHOUT_TREE,
    AuditTable,
)

_TABLES = tuple(AuditTable.metadata.tables)
_WORD = re.compile(r"\w+|[^\w\s]")


class SchemaPart(NamedTuple):
    """A table, column, index, trigger and the like."""

    kind: str
    name: str
    words: tuple[str, ...]
    """All else that makes it what it is."""


def structure_faults(connection: Connection, revision: str | None = REVISION) -> tuple[str, ...]:
    """What differs from a new store of this program, or of an earlier one's revision."""
    later, gone = _of_other_revisions(revision)
    if connection.dialect.name == "sqlite":
        with empty_engine().connect() as new:
            made = Counter(part for part in _on_sqlite(new) if not part.name.startswith(later))
        names = {part.name.lower() for part in made}
        there = [part for part in _on_sqlite(connection) if _concerns(part, names)]
    else:
        made = Counter(part for part in parts(PARTS) if not part.name.startswith(later))
        tables = {"tables": [name for name in (*_TABLES, REVISION_TABLE) if name not in later]}
        there = list(parts(connection.execute(text(DESCRIBED), tables)))
    found = Counter(part for part in there if not part.name.startswith(gone))
    return tuple(dict.fromkeys(_differences(made, found)))


def _of_other_revisions(revision: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """How names begin of what an earlier revision lacks, and of what it has that is gone since."""
    if revision not in WITHOUT_KIND:
        return (), ()
    later, gone = [KIND], [BEFORE_KIND]
    if revision in WITHOUT_ERASED:
        later = [*later, ERASED]
        gone = [*gone, *erasure_guards.GONE_SQLITE, *erasure_guards.GONE_POSTGRESQL]
    if revision in WITHOUT_TERMS:
        later, gone = [*later, *FOUND], [*gone, *BEFORE_FOUND]
    return (*later, *([TREE] if revision in WITHOUT_TREE else ())), tuple(gone)


def _on_sqlite(connection: Connection) -> Iterator[SchemaPart]:
    """All of the schema as it stands, and the columns once more, to be named."""
    schema = "SELECT type, coalesce(name, ''), coalesce(sql, '') || ' ' || tbl_name"
    yield from parts(connection.execute(text(f"{schema} FROM main.sqlite_master")))
    columns = (
        "SELECT 'column', :table || '.' || name, "
        "printf('%s %s %d %d', :table, type, \"notnull\", pk) "
        "FROM pragma_table_xinfo(:table, 'main')"
    )
    for table in _TABLES:
        yield from parts(connection.execute(text(columns), {"table": table}))


def _concerns(part: SchemaPart, names: set[str]) -> bool:
    """The file may hold another store's tables too, and views, which change nothing.

    Its words say what it is and on which table, as SQLite reads them.
    """
    is_view = [word.upper() for word in part.words[:2]] == ["CREATE", "VIEW"]
    return not is_view and any(word.lower() in names for word in part.words)


def parts(rows: Iterable[Iterable[str]]) -> Iterator[SchemaPart]:
    """What is told of each; white space, and quotation marks around a name, make no difference."""
    for kind, name, told in rows:
        yield SchemaPart(kind, " ".join(name.split()), tuple(_WORD.findall(told.replace('"', " "))))


def _differences(made: Counter[SchemaPart], found: Counter[SchemaPart]) -> Iterator[str]:
    ours, theirs = ({(part.kind, part.name) for part in each} for each in (made, found))
    for kind, name, _ in (*(made - found), *(found - made)):
        of_both = "not as it was made" if (kind, name) in ours else "not ours"
        yield f"the {kind} {name} is {of_both if (kind, name) in theirs else 'missing'}"


_WAYS = ("seqscan", "bitmapscan", "indexscan", "indexonlyscan", "sort", "incremental_sort")
"""That PostgreSQL's planner chooses from."""


def index_faults(connection: Connection) -> tuple[str, ...]:
    """Which indexes do not agree with their tables, where these are as the migrations made them."""
    if connection.dialect.name != "sqlite":
        return tuple(_on_postgresql(connection))
    found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
    return () if found == "ok" else (f"the database's own check finds: {found}",)


def _on_postgresql(connection: Connection) -> Iterator[str]:
    inspector = inspect(connection)
    for name, table in AuditTable.metadata.tables.items():
        if not inspector.has_table(name):
            continue  # as in a store of an earlier program; else its absence is told elsewhere
        key = inspector.get_pk_constraint(name)
        indexes = {key["name"]: list(key["constrained_columns"])} | {
            each["name"]: [column for column in each["column_names"] if column]
            for each in inspector.get_indexes(name)
        }
        for index, columns in indexes.items():
            if columns and not _agrees(connection, table, columns):
                yield f"the index {index} does not agree with its table"


def _agrees(connection: Connection, table: Table, columns: Sequence[str]) -> bool:
    through, without = (
        _in_order(connection, table, columns, ways)
        for ways in (("indexscan", "indexonlyscan"), ("seqscan", "sort"))
    )
    return all(found == held for found, held in zip_longest(through, without))


def _in_order(
    connection: Connection, table: Table, columns: Sequence[str], ways: Sequence[str]
) -> CursorResult[tuple[object, ...]]:
    connection.execute(  # for the rest of the transaction
        select(*(func.set_config(f"enable_{way}", str(way in ways), True) for way in _WAYS))
    )
    chosen = [table.c[name] for name in columns]
    return connection.execute(
        select(*chosen).order_by(*chosen), execution_options={"yield_per": 1000}
    )
