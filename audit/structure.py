"""The database must have the tables, indexes and guards that the migrations made.

What the database tells of them is compared with what it tells of a new store: on SQLite one is made
in memory; on PostgreSQL, where a reader may make nothing, it stands in `made_on_postgresql`.
What is missing, altered or added is named. Something added counts as much: one trigger of
somebody else's can throw records away without an error.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sqlalchemy import Connection, text

from audit.made_on_postgresql import DESCRIBED, PARTS
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
