"""The folder of a table and of its certificate: opened, made, cleared and exchanged."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from retrieval.errors import IndexUnavailable
from retrieval.index.certificate import (
    RE_EMBED,
    Certificate,
    Origin,
    read_certificate,
    write_certificate,
)
from retrieval.index.lance.schema import schema

if TYPE_CHECKING:
    from lancedb.db import DBConnection
    from lancedb.table import Table

TABLE = "passages"
REACHED = "reached"
"""A file beside the certificate: the number of the library's last change that was folded in."""

T = TypeVar("T")


class TableFolder:
    """Nothing in it is opened or made before it is needed; safe from any thread."""

    def __init__(self, path: Path, mine: Certificate, forget: Callable[[], None]) -> None:
        """`forget` what is known of the table: it is called where another one is opened."""
        self.path = path
        self.mine = mine
        self._forget = forget
        self._lock = threading.Lock()
        self._opened: tuple[Origin, Table] | None = None

    def read(self, action: Callable[["Table"], T], nothing: T) -> T:
        """Read from the table, twice if need be: a re-embed may have replaced its files."""
        with self.plainly():
            if (table := self.table()) is None:
                return nothing
            try:
                return action(table)
            except (OSError, RuntimeError, ValueError):
                with self._lock:
                    self._opened = None
                table = self.table()
                return nothing if table is None else action(table)

    def table(self) -> "Table | None":
        """The table as it is now, or None where nothing was ever written."""
        if (found := read_certificate(self.path)) is None:
            return None
        certificate, origin = found
        certificate.check(self.mine)
        with self._lock:
            if self._opened is None or self._opened[0] != origin:
                database = _connect(self.path)
                if TABLE not in database.list_tables().tables:
                    return None
                self._opened = origin, database.open_table(TABLE)
                self._forget()  # versions count anew
            _, table = self._opened
            return table

    def made(self) -> "Table":
        """The table, made where there is none."""
        if (table := self.table()) is not None:  # `or` would not do: one without rows is falsy
            return table
        if read_certificate(self.path) is None:
            # Its certificate comes first, so no table is ever without one.
            write_certificate(self.path, self.mine)
        return _connect(self.path).create_table(TABLE, schema=schema(self.mine.spaces))

    @property
    def is_outdated(self) -> bool:
        found = read_certificate(self.path)
        return found is not None and found[0].is_outdated(self.mine)

    def reached(self) -> int:
        if self.table() is not None:
            with suppress(FileNotFoundError):
                return int((self.path / REACHED).read_text())
        return 0

    def reach(self, change: int) -> None:
        self.made()
        new = self.path.with_name(f"{self.path.name}.{REACHED}.new")
        new.write_text(str(change))
        new.replace(self.path / REACHED)

    def clear(self) -> None:
        with suppress(FileNotFoundError):
            shutil.rmtree(self.path)

    def replace_by(self, fresh: Path) -> None:
        """Two folders change places; a process that dies between the two leaves an empty index."""
        self.clear()
        with suppress(FileNotFoundError):  # nothing was written to it
            fresh.replace(self.path)

    @contextmanager
    def plainly(self) -> Iterator[None]:
        """Say what to do about an error of the library's own."""
        try:
            yield
        except (OSError, RuntimeError, ValueError) as error:
            raise IndexUnavailable(
                f"The index in {self.path} cannot be used ({error}). Check that the disk has "
                f"space and that the folder may be written to; if it is damaged, {RE_EMBED}."
            ) from error


def _connect(path: Path) -> "DBConnection":
    # Its warnings tell of parts without entries, one by one; what goes wrong, it raises.
    os.environ.setdefault("LANCE_LOG", "error")
    import lancedb  # takes a second, so only where an index is really used

    # 0: every read looks for other processes' writes; by default none ever does.
    return lancedb.connect(path, read_consistency_interval=timedelta(0))
