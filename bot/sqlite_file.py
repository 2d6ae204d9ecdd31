"""A few small tables in a SQLite file of their own, such as who is signed in to the pages."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any


class SqliteFile:
    """Safe to share between threads and processes; raises what `as_error` makes of errors."""

    def __init__(
        self, path: Path | None, tables: str, as_error: Callable[[sqlite3.Error], Exception]
    ) -> None:
        """`path`: None keeps all in memory. `tables`: SQL that makes them where they are not."""
        self._as_error = as_error
        self._turn = Lock()
        try:
            self._database = sqlite3.connect(
                path or ":memory:", check_same_thread=False, isolation_level=None
            )
            self._database.executescript(f"PRAGMA journal_mode = WAL; {tables}")
        except sqlite3.Error as error:
            raise as_error(error) from error

    def close(self) -> None:
        with self._turn:
            self._database.close()

    def _run(self, statement: str, *values: object) -> list[Any]:
        """Run one statement, which is a transaction of its own, and return its rows."""
        try:
            with self._turn:
                return self._database.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise self._as_error(error) from error
