"""The embedded index is a LanceDB table in a folder, for one writer and many readers.

Vectors are compared one by one; in a large table that is done for readers of little, and for others
its nearest parts are looked into. Words are ranked by BM25.
"""

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from retrieval.errors import RetrievalError
from retrieval.index.entries import (
    Certificate,
    batches,
    best,
    clean,
    demand_direction,
    distinct,
    match,
)
from retrieval.index.lance_table import (
    VECTOR,
    Nearness,
    ReadersOfFew,
    TableFolder,
    among,
    index_audience,
    index_nearness,
    index_words,
    is_worth_folding,
    readable,
    rows_of,
)
from retrieval.ports import IndexEntry, Match
from retrieval.types import Scope

if TYPE_CHECKING:
    from lancedb.table import Table

GRACE = timedelta(hours=1)
"""Files of older versions are kept this long for readers in the midst of a search."""
AT_ONCE = 1000
"""Ids in one statement: the time to plan a longer list grows faster than the list."""
MATCHED = ("passage_id", "document_id")
"""What is read of an entry that is found."""


class LanceIndex:
    """Nothing is opened or made before it is needed; safe from any thread."""

    name = "lancedb"

    def __init__(
        self,
        path: Path,
        mine: Certificate,
        grace: timedelta = GRACE,
        nearness: Nearness = Nearness(),  # noqa: B008  # it is frozen
    ) -> None:
        """Of a rule that states a facet which `mine` does not name nobody reads anything."""
        self._mine = mine
        self._grace = grace
        self._nearness = nearness
        self._readers_of_few = ReadersOfFew(nearness.flat_up_to)
        self._folder = TableFolder(path, self._mine, self._readers_of_few.forget)

    def upsert(self, entries: Sequence[IndexEntry]) -> None:
        if not entries:
            return
        rows = rows_of(distinct(entries), self._mine)
        with self._folder.plainly():
            table = self._folder.made()
            merge = table.merge_insert("passage_id")
            merge.when_matched_update_all().when_not_matched_insert_all().execute(rows)
            index_words(table)

    def delete(self, passage_ids: Collection[str]) -> None:
        with self._folder.plainly():
            if (table := self._folder.table()) is not None:
                for some in batches(passage_ids, AT_ONCE):
                    table.delete(among("passage_id", some))

    def ids(self, document_ids: Collection[str] | None = None) -> frozenset[str]:
        def read(table: "Table") -> frozenset[str]:
            if document_ids is None:
                return _ids_in(table)
            found = (
                _ids_in(table, among("document_id", some))
                for some in batches(document_ids, AT_ONCE)
            )
            return frozenset().union(*found)

        return self._folder.read(read, frozenset())

    def count(self) -> int:
        return self._folder.read(lambda table: table.count_rows(), 0)

    def nearest(self, vector: NDArray[np.float32], scope: Scope, limit: int) -> list[Match]:
        demand_direction(vector[np.newaxis], self._mine.dimension)
        where = readable(scope, self._mine.facets)

        def search(table: "Table", asked: int) -> list[Match]:
            query = table.search(vector, vector_column_name=VECTOR).where(where, prefilter=True)
            query = query.distance_type("cosine")  # type: ignore[attr-defined]  # it is by vector
            if self._readers_of_few.include(table, where):
                query.bypass_vector_index()
            else:
                self._nearness.search(query, asked)
            rows = query.select([*MATCHED, "_distance"]).limit(asked).to_arrow()
            scores = 1 - rows["_distance"].to_numpy()
            return _matches(rows, np.clip(scores, -1, 1))

        return self._best(search, limit)

    def lexical(self, words: str, scope: Scope, limit: int) -> list[Match]:
        where = readable(scope, self._mine.facets)

        def search(table: "Table", asked: int) -> list[Match]:
            from lancedb.query import MatchQuery

            wanted = MatchQuery(clean(words), "words")  # type: ignore[call-arg]  # has defaults
            query = table.search(wanted, query_type="fts")
            query = query.where(where, prefilter=True)
            rows = query.select([*MATCHED, "_score"]).limit(asked).to_arrow()
            return _matches(rows, rows["_score"].to_numpy())

        return self._best(search, limit)

    def vectors(self, passage_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        def read(table: "Table") -> dict[str, NDArray[np.float32]]:
            found: dict[str, NDArray[np.float32]] = {}
            for some in batches(passage_ids, AT_ONCE):
                query = table.search().where(among("passage_id", some))
                rows = query.select(["passage_id", VECTOR]).to_arrow().combine_chunks()
                vectors = rows[VECTOR].combine_chunks().flatten().to_numpy()
                shaped = vectors.reshape(-1, self._mine.dimension)
                found.update(zip(rows["passage_id"].to_pylist(), shaped, strict=True))
            return found

        return self._folder.read(read, {}) if passage_ids else {}

    def optimize(self) -> None:
        with self._folder.plainly():
            if (table := self._folder.table()) is not None:
                index_audience(table)
                index_nearness(table, self._mine.dimension, self._nearness)
                if is_worth_folding(table, self._nearness):
                    table.optimize(cleanup_older_than=self._grace)

    def reached(self) -> int:
        with self._folder.plainly():
            return self._folder.reached()

    def reach(self, change: int) -> None:
        with self._folder.plainly():
            self._folder.reach(change)

    @property
    def is_outdated(self) -> bool:
        return self._folder.is_outdated

    def clear(self) -> None:
        with self._folder.plainly():
            self._folder.clear()
            self._beside().clear()

    @contextmanager
    def renew(self, change: int) -> Iterator["LanceIndex"]:
        beside = self._beside()
        fresh = LanceIndex(beside.path, self._mine, self._grace)
        if not fresh._was_begun_for(change):  # one of its own kind
            fresh.clear()
            fresh.reach(change)
        yield fresh
        with self._folder.plainly():
            self._folder.replace_by(beside.path)

    def _beside(self) -> TableFolder:
        """Where the next one is made."""
        path = self._folder.path
        return TableFolder(path.with_name(f"{path.name}.next"), self._mine, lambda: None)

    def _was_begun_for(self, change: int) -> bool:
        try:
            return self.reached() == change
        except RetrievalError:  # of others, or damaged
            return False

    def _best(self, search: Callable[["Table", int], list[Match]], limit: int) -> list[Match]:
        def read(table: "Table") -> list[Match]:
            return best(lambda asked: search(table, asked), limit, most=sys.maxsize)

        return self._folder.read(read, []) if limit > 0 else []


def _matches(rows: pa.Table, scores: NDArray[np.float32]) -> list[Match]:
    ids = (rows[name].to_pylist() for name in MATCHED)
    return [match(*each) for each in zip(*ids, scores, strict=True)]


def _ids_in(table: "Table", where: str = "true") -> frozenset[str]:
    rows = table.search().where(where).select(["passage_id"]).to_arrow()
    return frozenset(rows["passage_id"].to_pylist())
