"""The embedded index is a LanceDB table in a folder, for one writer and many readers.

Vectors are compared one by one, so results are exact; in a large table that is done for readers of
little, and for others its nearest parts are looked into (`lance_structures`). Words are ranked by
BM25 from an inverted index. Every search sees what any process has committed before it began. A row
is an entry; its columns are told by `_schema`.
"""

import os
import shutil
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pyarrow as pa
from cachetools import LRUCache
from numpy.typing import NDArray

from retrieval.errors import IndexUnavailable
from retrieval.filters import audience_tokens, wanted_tokens
from retrieval.index.certificate import (
    RE_EMBED,
    Certificate,
    Origin,
    Space,
    read_certificate,
    write_certificate,
)
from retrieval.index.entries import (
    FIRST_DAY,
    LAST_DAY,
    batches,
    best,
    clean,
    demand_direction,
    demand_kinds,
    demand_spaces,
    distinct,
    entry_ids_by_passage,
    match,
    ordinal,
    values_of,
)
from retrieval.index.lance.structures import (
    Nearness,
    index_audience,
    index_nearness,
    index_words,
    is_approximate,
    is_worth_folding,
)
from retrieval.ports import PASSAGES, TEXT_SPACE, EntryKind, IndexEntry, Match
from retrieval.types import Scope

if TYPE_CHECKING:
    from lancedb.db import DBConnection
    from lancedb.table import Table

TABLE = "passages"
GRACE = timedelta(hours=1)
"""Files of older versions are kept this long for readers in the midst of a search."""
AT_ONCE = 1000
"""Ids in one statement: the time to plan a longer list grows faster than the list."""
READERS_KNOWN = 1_000
"""Of so many readers, on a day, it is remembered whether they may read few entries."""
_MATCHED = ("passage_id", "document_id")
"""What is read of an entry that is found."""
REACHED = "reached"
"""A file beside the certificate: the number of the library's last change that was folded in."""

T = TypeVar("T")


class LanceIndex:
    """It implements `retrieval.ports.PassageIndex`, and is safe from any thread.

    Nothing is opened or made before it is needed. Every method raises `IndexMismatch`
    where the folder holds another embedder's index, and `IndexUnavailable` where it
    cannot be used.
    """

    name = "lancedb"

    def __init__(
        self,
        path: Path,
        spaces: Mapping[str, Space],
        facets: Sequence[str],
        grace: timedelta = GRACE,
        nearness: Nearness = Nearness(),  # noqa: B008  # it is frozen
        made_by: Mapping[EntryKind, str] = {},  # nobody changes it
    ) -> None:
        """`facets` are the ontology's: of a rule that states another one nobody reads anything.

        `made_by`: what makes entries of other kinds than passages, as in `Certificate`.
        """
        self._path = path
        self._mine = Certificate(spaces, tuple(facets), made_by=made_by)
        self._spaces = spaces
        self._facets = tuple(facets)
        self._grace = grace
        self._lock = threading.Lock()
        self._opened: tuple[Origin, Table] | None = None
        self._nearness = nearness
        self._looked: LRUCache[tuple[int, str], bool] = LRUCache(READERS_KNOWN)

    @property
    def exact(self) -> bool:
        return not self._read(is_approximate, False)

    def upsert(self, entries: Sequence[IndexEntry]) -> None:
        if not entries:
            return
        rows = self._rows(distinct(entries))
        with self._plainly():
            table = self._table()
            if table is None:  # `or` would not do: a table without rows is falsy
                table = self._make()
            merge = table.merge_insert("entry_id")
            merge.when_matched_update_all().when_not_matched_insert_all().execute(rows)
            index_words(table)

    def retain(self, entries: Sequence[IndexEntry]) -> None:
        kept = entry_ids_by_passage(entries)
        with self._plainly():
            if (table := self._table()) is None:
                return
            for some in batches(kept, AT_ONCE):
                found = table.search().where(_among("passage_id", some))
                rows = found.select(["entry_id", "passage_id"]).to_arrow()
                pairs = zip(*(rows[name].to_pylist() for name in rows.column_names), strict=True)
                others = [entry_id for entry_id, passage in pairs if entry_id not in kept[passage]]
                for left in batches(others, AT_ONCE):
                    table.delete(_among("entry_id", left))

    def delete(self, passage_ids: Collection[str]) -> None:
        with self._plainly():
            if (table := self._table()) is not None:
                for some in batches(passage_ids, AT_ONCE):
                    table.delete(_among("passage_id", some))

    def ids(
        self,
        document_ids: Collection[str] | None = None,
        kinds: Collection[EntryKind] = PASSAGES,
    ) -> frozenset[str]:
        def read(table: "Table") -> frozenset[str]:
            of_kinds = _of_kinds(kinds)
            if document_ids is None:
                return _ids_where(table, of_kinds)
            found = (
                _ids_where(table, f"{of_kinds} AND {_among('document_id', some)}")
                for some in batches(document_ids, AT_ONCE)
            )
            return frozenset().union(*found)

        return self._read(read, frozenset())

    def count(self) -> int:
        return self._read(lambda table: table.count_rows(_of_kinds(PASSAGES)), 0)

    def nearest(
        self,
        vector: NDArray[np.float32],
        scope: Scope,
        limit: int,
        kinds: Collection[EntryKind] = PASSAGES,
        space: str = TEXT_SPACE,
        documents: Collection[str] | None = None,
    ) -> list[Match]:
        demand_direction(vector[np.newaxis], self._spaces[space].dimension)
        column = _column(space)
        if not kinds or (documents is not None and not documents):
            return []
        where = f"{_of_kinds(kinds)} AND {self._readable(scope)}"
        if documents:
            where = f"{where} AND {_among('document_id', documents)}"

        def search(table: "Table", asked: int) -> list[Match]:
            query = table.search(vector, vector_column_name=column).where(where, prefilter=True)
            query = query.distance_type("cosine")  # type: ignore[attr-defined]  # it is by vector
            if documents or self._compares_all(table, where):
                query.bypass_vector_index()
            else:
                self._nearness.search(query, asked)
            rows = query.select([*_MATCHED, "_distance"]).limit(asked).to_arrow()
            scores = 1 - rows["_distance"].to_numpy()
            return _matches(rows, np.clip(scores, -1, 1))

        return self._best(search, limit)

    def lexical(self, words: str, scope: Scope, limit: int) -> list[Match]:
        where = f"{_of_kinds(PASSAGES)} AND {self._readable(scope)}"

        def search(table: "Table", asked: int) -> list[Match]:
            from lancedb.query import MatchQuery

            wanted = MatchQuery(clean(words), "words")  # type: ignore[call-arg]  # has defaults
            query = table.search(wanted, query_type="fts")
            query = query.where(where, prefilter=True)
            rows = query.select([*_MATCHED, "_score"]).limit(asked).to_arrow()
            return _matches(rows, rows["_score"].to_numpy())

        return self._best(search, limit)

    def vectors(
        self, passage_ids: Sequence[str], space: str = TEXT_SPACE
    ) -> dict[str, NDArray[np.float32]]:
        column, dimension = _column(space), self._spaces[space].dimension

        def read(table: "Table") -> dict[str, NDArray[np.float32]]:
            found: dict[str, NDArray[np.float32]] = {}
            for some in batches(passage_ids, AT_ONCE):
                query = table.search().where(f"{column} IS NOT NULL AND {_among('entry_id', some)}")
                rows = query.select(["entry_id", column]).to_arrow().combine_chunks()
                vectors = rows[column].combine_chunks().flatten().to_numpy()
                shaped = vectors.reshape(-1, dimension)
                found.update(zip(rows["entry_id"].to_pylist(), shaped, strict=True))
            return found

        return self._read(read, {}) if passage_ids else {}

    def optimize(self) -> None:
        with self._plainly():
            if (table := self._table()) is not None:
                index_audience(table)
                index_nearness(table, self._dimensions(), self._nearness)
                if is_worth_folding(table, self._nearness):
                    table.optimize(cleanup_older_than=self._grace)

    def reached(self) -> int:
        with self._plainly():
            if self._table() is None:
                return 0
            with suppress(FileNotFoundError):
                return int((self._path / REACHED).read_text())
            return 0

    def reach(self, change: int) -> None:
        with self._plainly():
            if self._table() is None:
                self._make()
            new = self._path.with_name(f"{self._path.name}.{REACHED}.new")
            new.write_text(str(change))
            new.replace(self._path / REACHED)

    @property
    def is_outdated(self) -> bool:
        found = read_certificate(self._path)
        return found is not None and found[0].is_outdated(self._mine)

    def warning(self) -> str:
        return ""

    def clear(self) -> None:
        with self._plainly(), suppress(FileNotFoundError):
            shutil.rmtree(self._path)

    @contextmanager
    def renew(self) -> Iterator["LanceIndex"]:
        """Two folders change places; a process that dies between the two leaves an empty index."""
        fresh = LanceIndex(
            self._path.with_name(f"{self._path.name}.next"),
            self._spaces,
            self._facets,
            self._grace,
            made_by=self._mine.made_by,
        )
        fresh.clear()
        yield fresh
        with self._plainly():
            self.clear()
            with suppress(FileNotFoundError):  # nothing was written to it
                os.replace(fresh._path, self._path)  # noqa: PTH105  # one of its own kind

    def _dimensions(self) -> dict[str, int]:
        return {_column(name): space.dimension for name, space in self._spaces.items()}

    def _compares_all(self, table: "Table", where: str) -> bool:
        """Whether so few may be read that all are compared; a reader's count is remembered."""
        key = table.version, where
        with self._lock:
            if (known := self._looked.get(key)) is not None:
                return known
        few = not is_approximate(table) or table.count_rows(where) <= self._nearness.flat_up_to
        with self._lock:
            self._looked[key] = few
        return few

    def _readable(self, scope: Scope) -> str:
        """The filter as SQL; tokens are ASCII, and quotes in them are doubled."""
        day = scope.on.toordinal()
        dates = [f"valid_from <= {day}", *([] if scope.expired else [f"valid_to >= {day}"])]
        audience = [
            f"array_has_any(audience, make_array({_quoted(tokens)}))"
            for tokens in wanted_tokens(scope, self._facets)
        ]
        return " AND ".join([*dates, *audience])

    def _best(self, search: Callable[["Table", int], list[Match]], limit: int) -> list[Match]:
        def read(table: "Table") -> list[Match]:
            return best(lambda asked: search(table, asked), limit, most=sys.maxsize)

        return self._read(read, []) if limit > 0 else []

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
                self._looked.clear()  # versions count anew
            _, table = self._opened
            return table

    def _make(self) -> "Table":
        """An empty table; its certificate comes first, so no table is ever without one."""
        if read_certificate(self._path) is None:
            write_certificate(self._path, self._mine)
        return _connect(self._path).create_table(TABLE, schema=_schema(self._spaces))

    def _rows(self, entries: Sequence[IndexEntry]) -> pa.Table:
        demand_spaces(entries, self._spaces)
        demand_kinds(entries, self._mine.made_by)
        rules = [entry.rule for entry in entries]
        columns = {
            "entry_id": [entry.entry_id for entry in entries],
            "passage_id": [entry.passage_id for entry in entries],
            "document_id": [entry.document_id for entry in entries],
            "kind": [entry.kind.value for entry in entries],
            "audience": [list(audience_tokens(rule, self._facets)) for rule in rules],
            "valid_from": [ordinal(rule.valid_from, FIRST_DAY) for rule in rules],
            "valid_to": [ordinal(rule.valid_to, LAST_DAY) for rule in rules],
            "words": [clean(entry.words) for entry in entries],
        }
        vectors = {_column(name): self._vectors(name, entries) for name in self._spaces}
        return pa.table({**columns, **vectors}, schema=_schema(self._spaces))

    def _vectors(self, space: str, entries: Sequence[IndexEntry]) -> pa.Array:
        """A column of one space; null where an entry has no vector in it."""
        dimension = self._spaces[space].dimension
        lacking = np.array([space not in entry.vectors for entry in entries])
        held = np.zeros((len(entries), dimension), dtype=np.float32)
        given = [np.asarray(e.vectors[space], np.float32) for e in entries if space in e.vectors]
        if given:
            if any(vector.shape != (dimension,) for vector in given):
                raise ValueError(f"a vector must have {dimension} dimensions")
            demand_direction(np.stack(given), dimension)
            held[~lacking] = given
        return pa.FixedSizeListArray.from_arrays(held.ravel(), dimension, mask=pa.array(lacking))

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
    # Its warnings tell of parts without entries, one by one; what goes wrong, it raises.
    os.environ.setdefault("LANCE_LOG", "error")
    import lancedb  # takes a second, so only where an index is really used

    # 0: every read looks for other processes' writes; by default none ever does.
    return lancedb.connect(path, read_consistency_interval=timedelta(0))


def _schema(spaces: Mapping[str, Space]) -> pa.Schema:
    columns = {
        "entry_id": pa.string(),
        "passage_id": pa.string(),
        "document_id": pa.string(),
        "kind": pa.string(),
        "audience": pa.list_(pa.string()),  # tokens of `filters`
        "valid_from": pa.int32(),  # days, as `date.toordinal`
        "valid_to": pa.int32(),
        "words": pa.string(),
    }
    vectors = {_column(n): pa.list_(pa.float32(), s.dimension) for n, s in spaces.items()}
    return pa.schema({**columns, **vectors})


def _column(space: str) -> str:
    return f"vector_{space}"


def _of_kinds(kinds: Collection[EntryKind]) -> str:
    return _among("kind", values_of(kinds))


def _matches(rows: pa.Table, scores: NDArray[np.float32]) -> list[Match]:
    ids = (rows[name].to_pylist() for name in _MATCHED)
    return [match(*each) for each in zip(*ids, scores, strict=True)]


def _ids_where(table: "Table", where: str) -> frozenset[str]:
    rows = table.search().where(where).select(["passage_id"]).to_arrow()
    return frozenset(rows["passage_id"].to_pylist())


def _among(column: str, values: Collection[str]) -> str:
    return f"{column} IN ({_quoted(values)})"


def _quoted(values: Collection[str]) -> str:
    return ", ".join("'" + value.replace("'", "''") + "'" for value in values)
