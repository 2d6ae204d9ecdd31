"""A LanceDB table: its rows, its folder, and what it is searched by.

Every structure is made of what is in the table when it is folded in; rows that came since are
scanned besides, so that none of them is ever left out.
"""

import os
import shutil
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from unittest.mock import patch

import numpy as np
import pyarrow as pa
from cachetools import LRUCache, cachedmethod

from retrieval.errors import IndexUnavailable
from retrieval.index.entries import (
    FIRST_DAY,
    LAST_DAY,
    RE_EMBED,
    Certificate,
    Origin,
    clean,
    demand_direction,
    ordinal,
    read_certificate,
    write_certificate,
)
from retrieval.metadata.access import audience_tokens, wanted_tokens
from retrieval.ports import IndexEntry
from retrieval.types import Scope

if TYPE_CHECKING:
    from lancedb.db import DBConnection
    from lancedb.query import LanceVectorQueryBuilder
    from lancedb.table import Table


VECTOR = "vector"


def schema(dimension: int) -> pa.Schema:
    columns = {
        "passage_id": pa.string(),
        "document_id": pa.string(),
        "audience": pa.list_(pa.string()),  # tokens of `filters`
        "valid_from": pa.int32(),  # days, as `date.toordinal`
        "valid_to": pa.int32(),
        "words": pa.string(),
        VECTOR: pa.list_(pa.float32(), dimension),
    }
    return pa.schema(columns)


def rows_of(entries: Sequence[IndexEntry], certificate: Certificate) -> pa.Table:
    """Raise `ValueError` for what such an index does not hold."""
    rules = [entry.rule for entry in entries]
    columns = {
        "passage_id": [entry.passage_id for entry in entries],
        "document_id": [entry.document_id for entry in entries],
        "audience": [list(audience_tokens(rule, certificate.facets)) for rule in rules],
        "valid_from": [ordinal(rule.valid_from, FIRST_DAY) for rule in rules],
        "valid_to": [ordinal(rule.valid_to, LAST_DAY) for rule in rules],
        "words": [clean(entry.words) for entry in entries],
        VECTOR: _vectors(certificate.dimension, entries),
    }
    return pa.table(columns, schema=schema(certificate.dimension))


def _vectors(dimension: int, entries: Sequence[IndexEntry]) -> pa.Array:
    given = [np.asarray(entry.vector, np.float32) for entry in entries]
    if any(vector.shape != (dimension,) for vector in given):
        raise ValueError(f"a vector must have {dimension} dimensions")
    held = np.stack(given)
    demand_direction(held, dimension)
    return pa.FixedSizeListArray.from_arrays(held.ravel(), dimension)


def readable(scope: Scope, facets: Sequence[str]) -> str:
    """What a reader may read; tokens are ASCII, and quotes in them are doubled."""
    day = scope.on.toordinal()
    dates = [f"valid_from <= {day}", *([] if scope.expired else [f"valid_to >= {day}"])]
    audience = [
        f"array_has_any(audience, make_array({_quoted(tokens)}))"
        for tokens in wanted_tokens(scope, facets)
    ]
    named = [] if scope.documents is None else ["false"]
    if scope.documents:
        named = [among("document_id", sorted(scope.documents))]
    return " AND ".join([*dates, *audience, *named])


def among(name: str, values: Collection[str]) -> str:
    return f"{name} IN ({_quoted(values)})"


def _quoted(values: Collection[str]) -> str:
    return ", ".join("'" + value.replace("'", "''") + "'" for value in values)


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
        if (table := self.table()) is not None:  # `or` would not do: one without rows is falsy
            return table
        if read_certificate(self.path) is None:
            # Its certificate comes first, so no table is ever without one.
            write_certificate(self.path, self.mine)
        return _connect(self.path).create_table(TABLE, schema=schema(self.mine.dimension))

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


_IMPORTING = threading.Lock()
"""Two at once would put each other's patch back."""


def _connect(path: Path) -> "DBConnection":
    # Its warnings tell of parts without entries, one by one; what goes wrong, it raises.
    os.environ.setdefault("LANCE_LOG", "error")
    # It takes a second, so only where an index is really used. Its client for a server that is
    # never called here would take two more, all of them to check arguments.
    with _IMPORTING, patch("pydantic.validate_call", lambda method: method):
        import lancedb

    # 0: every read looks for other processes' writes; by default none ever does.
    return lancedb.connect(path, read_consistency_interval=timedelta(0))


BITS_IN_BYTE = 8
REFINED = 10
FOLDED_AT = 500
"""One entry in so many of a large table waits to be folded in, at most."""
VECTOR_INDEX = "near"
"""So begins the name of a structure of nearness; then come its column and its size."""
READERS_KNOWN = 1_000
"""Of so many readers, on a day, it is remembered whether they may read few entries."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """How thoroughly a large table is searched; measured: docs/measurements.md, on scale."""

    approximate_from: int = 100_000
    """Entries in a table; below, comparing each takes no longer than a reader notices."""
    flat_up_to: int = 20_000
    """Entries that a reader may read; so few are compared one by one in any table."""
    probes: int = 80
    """Of the parts into which a table is divided by nearness, those that are looked into."""
    whole: int = 500
    """At least so many of the nearest, and ten times as many as are asked for, are compared by
    their whole vectors, and not by what is kept of each number."""

    def search(self, query: "LanceVectorQueryBuilder", asked: int) -> "LanceVectorQueryBuilder":
        """Search so thoroughly; where too few are found, the other parts are looked into too."""
        query.minimum_nprobes(self.probes)
        query.maximum_nprobes(0)
        return query.refine_factor(max(REFINED, -(-self.whole // asked)))


class ReadersOfFew:
    """Those who may read so few entries that all are compared; counting takes time."""

    def __init__(self, flat_up_to: int) -> None:
        self._flat_up_to = flat_up_to
        self._lock = threading.Lock()
        self._known: LRUCache[tuple[int, str], bool] = LRUCache(READERS_KNOWN)

    @cachedmethod(
        lambda self: self._known,
        key=lambda _self, table, where: (table.version, where),
        lock=lambda self: self._lock,
    )
    def include(self, table: "Table", where: str) -> bool:
        """Whether they include the reader whose filter this is."""
        return not is_approximate(table) or table.count_rows(where) <= self._flat_up_to

    def forget(self) -> None:
        """Forget all: versions of another table count anew."""
        with self._lock:
            self._known.clear()


def index_words(table: "Table") -> None:
    """Make the inverted index, which must not be made before there are rows."""
    from lancedb.index import FTS

    if not _names(table, "words"):
        table.create_index(
            "words",
            config=FTS(
                language="English",
                stem=True,
                ascii_folding=True,
                remove_stop_words=False,  # BM25 weighs them down; "IT" is a department
            ),
        )


def index_audience(table: "Table") -> None:
    """Have a reader's tokens looked up instead of compared with every entry's."""
    from lancedb.index import LabelList

    if not _names(table, "audience") and table.count_rows():
        table.create_index("audience", config=LabelList())


def index_nearness(table: "Table", dimension: int, nearness: Nearness) -> None:
    """Divide a large table by nearness, anew when it has doubled.

    Numbers are kept as a bit each (RaBitQ: Gao and Long, 2024), or as a byte where need be.
    """
    from lancedb.index import IvfRq, IvfSq

    held = table.count_rows()
    size = held.bit_length()
    kind = IvfSq if dimension % BITS_IN_BYTE else IvfRq
    known, is_large = _names(table, VECTOR), held >= nearness.approximate_from
    stays = {name for name in known if is_large and int(name.rpartition("_")[2]) >= size}
    if is_large and not stays:
        stays = {f"{VECTOR_INDEX}_{size}"}
        table.create_index(VECTOR, config=kind(distance_type="cosine"), name=min(stays))
    for name in known:
        if name not in stays:
            table.drop_index(name)


def is_worth_folding(table: "Table", nearness: Nearness) -> bool:
    """Whether so much came that folding it in is worth half a minute, at a million entries."""
    held = table.count_rows()
    if held < nearness.approximate_from:
        return True
    stats = (table.index_stats(each.name) for each in table.list_indices())
    return any(each and each.num_unindexed_rows * FOLDED_AT >= held for each in stats)


def is_approximate(table: "Table") -> bool:
    return any(each.name.startswith(VECTOR_INDEX) for each in table.list_indices())


def _names(table: "Table", column: str) -> list[str]:
    return [each.name for each in table.list_indices() if each.columns == [column]]
