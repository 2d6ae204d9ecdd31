"""Whether a database can be written is tried within seconds, and leaves nothing in it."""

import sqlite3
import tempfile
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import create_engine, text
from sqlalchemy.engine import URL
from sqlalchemy.pool import NullPool

PATIENCE_S = 2
"""How long another program may keep it locked; a health check waits little longer."""
_ROOM = b"\0" * 4096
"""What a small record takes on the disk."""


def try_write(url: URL, table: str, turn: int) -> None:
    """Begin to write into a table, and take it back; raise what the driver or the disk raises.

    `turn`: key of the advisory lock that those who write take on PostgreSQL.

    An insert of no row needs the right to write, the lock and a primary server, and leaves
    neither a row nor, on PostgreSQL, the remains of one.
    """
    insert = f"INSERT INTO {table} SELECT * FROM {table} WHERE 1 = 0"  # noqa: S608 - ours
    if url.get_backend_name() == "sqlite":
        _try_file(Path(url.database or ""), insert)
    else:
        _try_server(url, insert, turn)


def _try_file(path: Path, insert: str) -> None:
    """The journal is written beside the file, so the folder counts and the room on its disk."""
    with tempfile.TemporaryFile(dir=path.absolute().parent, buffering=0) as file:
        file.write(_ROOM)
    address = f"file:{quote(str(path.absolute()))}?mode=rw"
    connection = sqlite3.connect(address, uri=True, timeout=PATIENCE_S, isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(insert)
        connection.execute("ROLLBACK")
    finally:
        connection.close()


def _try_server(url: URL, insert: str, turn: int) -> None:
    engine = create_engine(
        url,
        poolclass=NullPool,
        hide_parameters=True,
        connect_args={"connect_timeout": PATIENCE_S, "client_encoding": "utf8"},
    )
    with engine.connect() as connection:
        connection.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE_S}s'"))
        connection.execute(text(f"SET LOCAL statement_timeout = '{2 * PATIENCE_S}s'"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": turn})
        connection.execute(text(insert))
        connection.rollback()
