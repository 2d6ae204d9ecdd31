"""A store is copied to another engine entry by entry: its guards let in nothing else.

They check the chain's links on the way, so that a copy cannot lack an entry in its midst.
"""

from collections.abc import Callable

from sqlalchemy import Connection, func, insert, select

from audit.tables import cited, entries
from audit.verification import rows_with_cited


def copy_entries(
    source: Connection, target: Connection, progress: Callable[[int, int, str], None]
) -> None:
    """Copy all entries into an empty store; `source` is in a transaction that sees one state."""
    total = source.scalar(select(func.count()).select_from(entries)) or 0
    for row, names in rows_with_cited(source):
        target.execute(insert(entries), dict(row._mapping))  # noqa: SLF001 - SQLAlchemy's own door
        if names:
            named = [{"name": name, "sequence": row.sequence} for name in sorted(names)]
            target.execute(insert(cited), named)
        progress(row.sequence, total, entries.name)
