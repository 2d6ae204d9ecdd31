"""The database has the tables, indexes and guards that the migrations made, and indexes that agree.

What the database tells of them is compared with what it tells of a new store: on SQLite one is made
in memory; on PostgreSQL, where a reader may make nothing, it stands in `audit.guards`. What is
missing, altered or added is named. Something added counts as much: one trigger of somebody else's
can throw records away without an error.

Every index must find what the tables hold, and nothing else: queries see no more than it finds. On
SQLite its own check reads each row through each index, but for the full-text index: its check is an
INSERT, which a reader may not run. So the words are indexed anew in a temporary database, and both
indexes are read side by side, from end to end and word by word. On PostgreSQL each table is read in
the order of each index, through it and without it.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, groupby, islice, zip_longest
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, CursorResult, Table, func, inspect, select, text

from audit.database import connect_to_read, file_of
from audit.guards import DESCRIBED, PARTS, SQLITE
from audit.store import empty_engine
from audit.tables import REVISION_TABLE, AuditTable

_TABLES = tuple(AuditTable.metadata.tables)
_WORD = re.compile(r"\w+|[^\w\s]")


class Part(NamedTuple):
    """A table, column, index, trigger and the like."""

    kind: str
    name: str
    words: tuple[str, ...]
    """All else that makes it what it is."""


def structure_faults(connection: Connection) -> tuple[str, ...]:
    """What differs from a new store of this program."""
    if connection.dialect.name == "sqlite":
        with empty_engine().connect() as new:
            made = Counter(_on_sqlite(new))
        names = {part.name.lower() for part in made}
        found = Counter(part for part in _on_sqlite(connection) if _concerns(part, names))
    else:
        made = Counter(parts(PARTS))
        tables = {"tables": [*_TABLES, REVISION_TABLE]}
        found = Counter(parts(connection.execute(text(DESCRIBED), tables)))
    return tuple(dict.fromkeys(_differences(made, found)))


def _on_sqlite(connection: Connection) -> Iterator[Part]:
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


def _concerns(part: Part, names: set[str]) -> bool:
    """The file may hold another store's tables too, and views, which change nothing.

    Its words say what it is and on which table, as SQLite reads them.
    """
    is_view = [word.upper() for word in part.words[:2]] == ["CREATE", "VIEW"]
    return not is_view and any(word.lower() in names for word in part.words)


def parts(rows: Iterable[Iterable[str]]) -> Iterator[Part]:
    """What is told of each; white space, and quotation marks around a name, make no difference."""
    for kind, name, told in rows:
        yield Part(kind, " ".join(name.split()), tuple(_WORD.findall(told.replace('"', " "))))


def _differences(made: Counter[Part], found: Counter[Part]) -> Iterator[str]:
    ours, theirs = ({(part.kind, part.name) for part in each} for each in (made, found))
    for kind, name, _ in (*(made - found), *(found - made)):
        of_both = "not as it was made" if (kind, name) in ours else "not ours"
        yield f"the {kind} {name} is {of_both if (kind, name) in theirs else 'missing'}"


_NEW = (
    SQLITE[0].replace("audit_text", "temp.anew", 1).replace("content='audit_entry'", "content=''")
)
"""The same columns and tokenizer, without a table that holds the text."""
_VOCABULARY = "CREATE VIRTUAL TABLE temp.words_of_{1} USING fts5vocab({0}, {1}, instance)"
_WORDS = "SELECT term, doc FROM temp.words_of_{}"
_FIND = "SELECT rowid FROM main.audit_text WHERE audit_text MATCH ?"
_WAYS = ("seqscan", "bitmapscan", "indexscan", "indexonlyscan", "sort", "incremental_sort")
"""That PostgreSQL's planner chooses from."""
_WORDS_ASTRAY = """
    SELECT word FROM (
        SELECT word, array_agg(sequence ORDER BY sequence) AS held
        FROM audit_entry, unnest(string_to_array(words, ' ')) AS word GROUP BY word
    ) AS each_word
    WHERE held IS DISTINCT FROM (
        SELECT array_agg(sequence ORDER BY sequence) FROM audit_entry
        WHERE string_to_array(words, ' ') @> ARRAY[word]
    ) LIMIT 1"""


def index_faults(connection: Connection) -> tuple[str, ...]:
    """Which indexes do not agree with their tables, where these are as the migrations made them."""
    if connection.dialect.name != "sqlite":
        return tuple(_on_postgresql(connection))
    found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
    if found != "ok":
        return (f"the database's own check finds: {found}",)
    wrong = _wrong_in_text(file_of(connection.engine.url))
    return tuple(f"the full-text index audit_text does not agree with entry {n}" for n in wrong)


def _wrong_in_text(path: Path) -> list[int]:
    """One entry that it finds by a word that it has not, or does not find by one that it has."""
    with closing(connect_to_read(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")  # one state throughout
        connection.execute(_NEW)
        connection.execute(
            "INSERT INTO temp.anew (rowid, words) SELECT sequence, words FROM main.audit_entry"
        )
        for schema, index in (("main", "audit_text"), ("temp", "anew")):
            connection.execute(_VOCABULARY.format(schema, index))
        return list(islice(chain(_unlike(connection), _not_found(connection)), 1))


def _unlike(connection: sqlite3.Connection) -> Iterator[int]:
    stored, anew = (connection.execute(_WORDS.format(each)) for each in ("audit_text", "anew"))
    for pair in zip_longest(stored, anew):
        if pair[0] != pair[1]:
            yield min(each for each in pair if each)[1]


def _not_found(connection: sqlite3.Connection) -> Iterator[int]:
    for word, instances in groupby(connection.execute(_WORDS.format("anew")), itemgetter(0)):
        found = {number for (number,) in connection.execute(_FIND, [f'"{word}"'])}
        yield from found ^ {number for _, number in instances}


def _on_postgresql(connection: Connection) -> Iterator[str]:
    inspector = inspect(connection)
    for name, table in AuditTable.metadata.tables.items():
        key = inspector.get_pk_constraint(name)
        indexes = {key["name"]: list(key["constrained_columns"])} | {
            each["name"]: [column for column in each["column_names"] if column]
            for each in inspector.get_indexes(name)
        }
        for index, columns in indexes.items():
            if columns and not _agrees(connection, table, columns):
                yield f"the index {index} does not agree with its table"
    _plan_with(connection, "bitmapscan", "sort")
    if connection.scalar(text(_WORDS_ASTRAY)) is not None:
        yield "the index audit_entry_words does not agree with its table"


def _agrees(connection: Connection, table: Table, columns: Sequence[str]) -> bool:
    through, without = (
        _in_order(connection, table, columns, ways)
        for ways in (("indexscan", "indexonlyscan"), ("seqscan", "sort"))
    )
    return all(found == held for found, held in zip_longest(through, without))


def _in_order(
    connection: Connection, table: Table, columns: Sequence[str], ways: Sequence[str]
) -> CursorResult[tuple[object, ...]]:
    _plan_with(connection, *ways)
    chosen = [table.c[name] for name in columns]
    return connection.execute(
        select(*chosen).order_by(*chosen), execution_options={"yield_per": 1000}
    )


def _plan_with(connection: Connection, *ways: str) -> None:
    """For the rest of the transaction."""
    connection.execute(
        select(*(func.set_config(f"enable_{way}", str(way in ways), True) for way in _WAYS))
    )
