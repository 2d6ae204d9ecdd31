"""The embedded index: a LanceDB table in a folder, for one writer and many readers.

Vectors are compared one by one (there is no approximate index), so results are exact;
words are ranked by BM25 from an inverted index, and rows that it does not hold yet are
scanned. Every search sees what any process has committed before it began.
"""

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from retrieval.errors import IndexUnavailable
from retrieval.index.certificate import (
    RE_EMBED,
    Certificate,
    Origin,
    read_certificate,
    write_certificate,
)
from retrieval.ports import IndexEntry, Match

if TYPE_CHECKING:
    from lancedb.db import DBConnection
    from lancedb.table import Table

TABLE = "passages"
GRACE = timedelta(hours=1)
"""Files of older versions are kept this long for readers in the midst of a search."""
AT_ONCE = 1000
"""Ids in one statement: the time to plan a longer list grows faster than the list."""
DIGITS = 5
"""Scores are single precision; further digits differ between equal passages."""

T = TypeVar("T")


class LanceIndex:
    """Implements `retrieval.ports.PassageIndex`; safe from any thread.

    Nothing is opened or made before it is needed. Every method raises `IndexMismatch`
    where the folder holds another embedder's index, and `IndexUnavailable` where it
    cannot be used.
    """

    def __init__(
        self, path: Path, embedder_name: str, dimension: int, grace: timedelta = GRACE
    ) -> None:
        self._path = path
        self._mine = Certificate(embedder_name, dimension)
        self._dimension = dimension
        self._grace = grace
        self._lock = threading.Lock()
        self._opened: tuple[Origin, Table] | None = None

    def upsert(self, entries: Sequence[IndexEntry]) -> None:
        """Raise `ValueError` for a vector of another dimension or with no direction."""
        if not entries:
            return
        rows = self._rows({entry.passage_id: entry for entry in entries}.values())
        with self._plainly():
            table = self._table()
            if table is None:  # `or` would not do: a table without rows is falsy
                table = self._make()
            merge = table.merge_insert("passage_id")
            merge.when_matched_update_all().when_not_matched_insert_all().execute(rows)
            _index_words(table)

    def delete(self, passage_ids: Collection[str]) -> None:
        with self._plainly():
            if (table := self._table()) is not None:
                for some in _batches(passage_ids):
                    table.delete(_among("passage_id", some))

    def ids(self) -> frozenset[str]:
        def read(table: "Table") -> frozenset[str]:
            rows = table.search().select(["passage_id"]).to_arrow()
            return frozenset(rows["passage_id"].to_pylist())

        return self._read(read, frozenset())

    def nearest(
        self, vector: NDArray[np.float32], allowed: Collection[str], limit: int
    ) -> list[Match]:
        """Raise `ValueError` for a vector of another dimension or with no direction."""
        self._check(vector[np.newaxis])

        def search(table: "Table", most: int) -> list[Match]:
            query = table.search(vector).where(_among("access_id", allowed), prefilter=True)
            query = query.distance_type("cosine")  # type: ignore[attr-defined]  # it is by vector
            rows = query.select(["passage_id", "_distance"]).limit(most).to_arrow()
            scores = 1 - rows["_distance"].to_numpy()
            return _matches(rows, np.clip(scores, -1, 1))

        return self._best(search, allowed, limit)

    def lexical(self, words: str, allowed: Collection[str], limit: int) -> list[Match]:
        def search(table: "Table", most: int) -> list[Match]:
            from lancedb.query import MatchQuery

            match = MatchQuery(_clean(words), "words")  # type: ignore[call-arg]  # has defaults
            query = table.search(match, query_type="fts")
            query = query.where(_among("access_id", allowed), prefilter=True)
            rows = query.select(["passage_id", "_score"]).limit(most).to_arrow()
            return _matches(rows, rows["_score"].to_numpy())

        return self._best(search, allowed, limit)

    def vectors(self, passage_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        def read(table: "Table") -> dict[str, NDArray[np.float32]]:
            found: dict[str, NDArray[np.float32]] = {}
            for some in _batches(passage_ids):
                query = table.search().where(_among("passage_id", some))
                rows = query.select(["passage_id", "vector"]).to_arrow().combine_chunks()
                vectors = rows["vector"].combine_chunks().flatten().to_numpy()
                shaped = vectors.reshape(-1, self._dimension)
                found.update(zip(rows["passage_id"].to_pylist(), shaped, strict=True))
            return found

        return self._read(read, {}) if passage_ids else {}

    def optimize(self) -> None:
        with self._plainly():
            if (table := self._table()) is not None:
                table.optimize(cleanup_older_than=self._grace)

    def _best(
        self,
        search: Callable[["Table", int], list[Match]],
        allowed: Collection[str],
        limit: int,
    ) -> list[Match]:
        """The best matches; equal ones by passage id, however they lie in the table.

        So all that equal the last one must be seen before it is known which is last.
        """

        def read(table: "Table") -> list[Match]:
            asked = limit + 1
            while True:
                found = search(table, asked)
                if len(found) < asked or found[-1].score < found[limit - 1].score:
                    return sorted(found, key=lambda match: (-match.score, match.passage_id))[:limit]
                asked *= 8

        return self._read(read, []) if allowed and limit > 0 else []

    def _read(self, action: Callable[["Table"], T], nothing: T) -> T:
        """Read from the table, twice if need be: a re-embed may have replaced its files."""
        with self._plainly():
            if (table := self._table()) is None:
                return nothing
            try:
                return action(table)
            except (OSError, RuntimeError, ValueError):
                with self._lock:
                    self._opened = None
                table = self._table()
                return nothing if table is None else action(table)

    def _table(self) -> "Table | None":
        """The table as it is now, or None where nothing was ever written."""
        if (found := read_certificate(self._path)) is None:
            return None
        certificate, origin = found
        certificate.check(self._mine)
        with self._lock:
            if self._opened is None or self._opened[0] != origin:
                database = _connect(self._path)
                if TABLE not in database.list_tables().tables:
                    return None
                self._opened = origin, database.open_table(TABLE)
            _, table = self._opened
            return table

    def _make(self) -> "Table":
        """An empty table; its certificate comes first, so no table is ever without one."""
        if read_certificate(self._path) is None:
            write_certificate(self._path, self._mine)
        return _connect(self._path).create_table(TABLE, schema=_schema(self._dimension))

    def _rows(self, entries: Collection[IndexEntry]) -> pa.Table:
        vectors = np.array([entry.vector for entry in entries], dtype=np.float32)
        self._check(vectors)
        columns = {
            "passage_id": [entry.passage_id for entry in entries],
            "document_id": [entry.document_id for entry in entries],
            "access_id": [entry.access_id for entry in entries],
            "vector": pa.FixedSizeListArray.from_arrays(vectors.ravel(), self._dimension),
            "words": [_clean(entry.words) for entry in entries],
        }
        return pa.table(columns, schema=_schema(self._dimension))

    def _check(self, vectors: NDArray[np.float32]) -> None:
        if vectors.shape[1:] != (self._dimension,):
            raise ValueError(f"a vector must have {self._dimension} dimensions")
        if not (np.isfinite(vectors).all() and vectors.any(axis=1).all()):
            raise ValueError("a vector must be finite and not all zeros: it has no direction")

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        """Say what to do about an error of the library's own."""
        try:
            yield
        except (OSError, RuntimeError, ValueError) as error:
            raise IndexUnavailable(
                f"The index in {self._path} cannot be used ({error}). Check that the disk has "
                f"space and that the folder may be written to; if it is damaged, {RE_EMBED}."
            ) from error


def _connect(path: Path) -> "DBConnection":
    import lancedb  # takes a second, so only where an index is really used

    # 0: every read looks for other processes' writes; by default none ever does.
    return lancedb.connect(path, read_consistency_interval=timedelta(0))


def _schema(dimension: int) -> pa.Schema:
    return pa.schema(
        {
            "passage_id": pa.string(),
            "document_id": pa.string(),
            "access_id": pa.string(),
            "vector": pa.list_(pa.float32(), dimension),
            "words": pa.string(),
        }
    )


def _index_words(table: "Table") -> None:
    """Make the inverted index, which must not be made before there are rows."""
    from lancedb.index import FTS

    if not table.list_indices():
        table.create_index(
            "words",
            config=FTS(
                language="English",
                stem=True,
                ascii_folding=True,
                remove_stop_words=False,  # BM25 weighs them down; "IT" is a department
            ),
        )


def _matches(rows: pa.Table, scores: NDArray[np.float32]) -> list[Match]:
    passage_ids = rows["passage_id"].to_pylist()
    return [Match(i, round(float(s), DIGITS)) for i, s in zip(passage_ids, scores, strict=True)]


def _batches(passage_ids: Collection[str]) -> Iterator[list[str]]:
    in_order = sorted(set(passage_ids))
    for start in range(0, len(in_order), AT_ONCE):
        yield in_order[start : start + AT_ONCE]


def _among(column: str, values: Collection[str]) -> str:
    quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
    return f"{column} IN ({quoted})"


def _clean(words: str) -> str:
    """Without lone surrogates, which no UTF-8 can hold."""
    return words.encode("utf-8", "ignore").decode()
