"""LanceDB, embedded: files in a folder, no server. The default index.

Filters are membership of one text column, applied before ranking; a search looks at every
row that passes (exact nearest neighbours), so nothing that may be read is missed.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import IndexMismatch, IndexUnavailable
from retrieval.ports import IndexEntry, Match

if TYPE_CHECKING:
    from lancedb.table import Table

TABLE = "passages"
OLD_VERSIONS_KEPT = timedelta(hours=1)
"""A reader in another process may still be looking at an older version of the table."""
EXACT_AT_LEAST = 10
"""Ties at the end of a page are settled by passage id, so a little more is fetched."""


class LanceIndex:
    """Implements `retrieval.ports.PassageIndex`; opens at its first use.

    Any number of processes may read; writers hold the ingest lock.
    """

    def __init__(self, folder: Path, embedder_name: str, dimension: int) -> None:
        self._folder = folder
        self._embedder_name = embedder_name
        self._dimension = dimension

    def upsert(self, entries: Sequence[IndexEntry]) -> None:
        rows = {entry.passage_id: _row(entry) for entry in entries}
        if rows:
            with self._explained():
                merge = self._table.merge_insert("passage_id")
                merge.when_matched_update_all().when_not_matched_insert_all().execute(
                    list(rows.values())
                )

    def delete(self, passage_ids: Collection[str]) -> None:
        if passage_ids:
            with self._explained():
                self._table.delete(_among("passage_id", passage_ids))

    def ids(self) -> frozenset[str]:
        with self._explained():
            column = self._table.search().select(["passage_id"]).to_arrow()["passage_id"]
            return frozenset(column.to_pylist())

    def nearest(
        self, vector: NDArray[np.float32], allowed: Collection[str], limit: int
    ) -> list[Match]:
        if not allowed:
            return []
        with self._explained():
            query = self._table.search(vector, vector_column_name="vector")
            rows = (
                query.distance_type("dot")
                .where(_among("access_id", allowed), prefilter=True)
                .limit(limit + EXACT_AT_LEAST)
                .select(["passage_id", "_distance"])
                .to_list()
            )
        # LanceDB's dot distance is 1 - dot product, and all vectors are of length 1.
        return _best([Match(row["passage_id"], 1 - row["_distance"]) for row in rows], limit)

    def lexical(self, words: str, allowed: Collection[str], limit: int) -> list[Match]:
        from lancedb.query import MatchQuery

        if not allowed or not self._is_searchable:
            return []
        with self._explained():
            rows = (
                self._table.search(MatchQuery(words, "words"), query_type="fts")
                .where(_among("access_id", allowed), prefilter=True)
                .limit(limit + EXACT_AT_LEAST)
                .select(["passage_id", "_score"])
                .to_list()
            )
        return _best([Match(row["passage_id"], row["_score"]) for row in rows], limit)

    def vectors(self, passage_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        if not passage_ids:
            return {}
        with self._explained():
            rows = (
                self._table.search()
                .where(_among("passage_id", passage_ids))
                .select(["passage_id", "vector"])
                .to_list()
            )
        return {row["passage_id"]: np.asarray(row["vector"], np.float32) for row in rows}

    def optimize(self) -> None:
        with self._explained():
            if self._table.count_rows() and not self._is_searchable:
                self._make_searchable()
            self._table.optimize(cleanup_older_than=OLD_VERSIONS_KEPT)

    @property
    def _is_searchable(self) -> bool:
        """Whether the lexical index was made; LanceDB wants rows before it is."""
        with self._explained():
            return bool(self._table.list_indices())

    def _make_searchable(self) -> None:
        """Words are lower-cased, stripped of accents and stemmed; none is left out."""
        from lancedb.index import FTS

        self._table.create_index(
            "words",
            config=FTS(with_position=False, stem=True, remove_stop_words=False, ascii_folding=True),
        )

    @cached_property
    def _table(self) -> "Table":
        import lancedb
        import pyarrow as pa

        schema = pa.schema(
            [
                ("passage_id", pa.string()),
                ("document_id", pa.string()),
                ("access_id", pa.string()),
                ("vector", pa.list_(pa.float32(), self._dimension)),
                ("words", pa.string()),
            ]
        )
        with self._explained():
            self._check_embedder()
            # An interval of 0 makes every read see what other processes wrote.
            database = lancedb.connect(self._folder, read_consistency_interval=timedelta(0))
            return database.create_table(TABLE, schema=schema, exist_ok=True)

    def _check_embedder(self) -> None:
        """Vectors of two embedders cannot be compared: refuse rather than rank nonsense."""
        note = self._folder / "index.json"
        mine = {"embedder": self._embedder_name, "dimension": self._dimension}
        if not note.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            unfinished = note.with_suffix(".part")
            unfinished.write_text(json.dumps(mine), encoding="utf-8")
            unfinished.replace(note)
            return
        made_by = json.loads(note.read_text(encoding="utf-8"))
        if made_by != mine:
            raise IndexMismatch(
                f"The index was made by the embedder {made_by.get('embedder')!r}, and the "
                f"settings name {self._embedder_name!r}. Set VOUCH_EMBEDDER back, or make the "
                "index anew with `vouch ingest --re-embed`."
            )

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (OSError, RuntimeError, ValueError) as error:
            raise IndexUnavailable(
                f"The index in {self._folder} cannot be used ({error}). Check the disk's space "
                "and the folder's permissions; if its files are damaged, make it anew with "
                "`vouch ingest --re-embed`."
            ) from error


def _row(entry: IndexEntry) -> dict[str, Any]:
    return {
        "passage_id": entry.passage_id,
        "document_id": entry.document_id,
        "access_id": entry.access_id,
        "vector": np.asarray(entry.vector, np.float32),
        "words": entry.words,
    }


def _among(column: str, values: Collection[str]) -> str:
    quoted = ("'" + value.replace("'", "''") + "'" for value in sorted(values))
    return f"{column} IN ({', '.join(quoted)})"


def _best(matches: list[Match], limit: int) -> list[Match]:
    return sorted(matches, key=lambda match: (-match.score, match.passage_id))[:limit]
