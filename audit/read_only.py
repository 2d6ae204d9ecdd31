"""A SQLite store is read where nothing may be written too: a backup, a folder mounted read-only.

In write-ahead logging even a reader keeps two files beside the database. Where it cannot, the
database can still be read alone, if its log is empty: SQLite then looks for no log and takes no
lock (`immutable`, sqlite.org/uri.html).
"""

import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

_NO_PLACE_TO_WRITE = ("SQLITE_CANTOPEN", "SQLITE_READONLY")
"""Beginnings of SQLite's names for what keeps a reader from its two files."""


def connect_to_read(path: Path, **options: Any) -> sqlite3.Connection:
    """Open a database that is there, to read; make nothing. Raise `sqlite3.Error`.

    One whose log holds something is not read without it: the newest records would be missing.
    """
    address = f"file:{quote(str(path.absolute()))}"
    connection: sqlite3.Connection = sqlite3.connect(f"{address}?mode=rw", uri=True, **options)
    try:
        connection.execute("PRAGMA schema_version")  # opens the log
    except sqlite3.OperationalError as error:
        connection.close()
        if not error.sqlite_errorname.startswith(_NO_PLACE_TO_WRITE) or _has_log(path):
            raise
        connection = sqlite3.connect(f"{address}?immutable=1", uri=True, **options)
    return connection


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0
