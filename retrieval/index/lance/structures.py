"""What a LanceDB table is searched by: words, readers, and nearness where it is large.

Every structure is made of what is in the table when it is folded in; rows that came since are
scanned besides, so that none of them is ever left out.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cachetools import LRUCache

if TYPE_CHECKING:
    from lancedb.query import LanceVectorQueryBuilder
    from lancedb.table import Table

BITS_IN_BYTE = 8
REFINED = 10
FOLDED_AT = 500
"""One entry in so many of a large table waits to be folded in, at most."""
NEAR = "near"
"""So begins the name of a structure of nearness; then come its column and its size."""
READERS_KNOWN = 1_000
"""Of so many readers, on a day, it is remembered whether they may read few entries."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """From when on not every vector is compared, and how thoroughly it is searched then.

    The figures were chosen by `vouch bench-index`: docs/measurements.md, on scale.
    """

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

    def include(self, table: "Table", where: str) -> bool:
        """Whether they include the reader whose filter this is."""
        key = table.version, where
        with self._lock:
            if (known := self._known.get(key)) is not None:
                return known
        few = not is_approximate(table) or table.count_rows(where) <= self._flat_up_to
        with self._lock:
            self._known[key] = few
        return few

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


def index_nearness(table: "Table", columns: Mapping[str, int], nearness: Nearness) -> None:
    """Divide a large table by nearness, anew when it has doubled; a small one is compared whole.

    `columns` have dimensions. Numbers are kept as a bit each (RaBitQ: Gao and Long, 2024), or as a
    byte where their dimension does not allow that.
    """
    from lancedb.index import IvfRq, IvfSq

    held = table.count_rows()
    size = held.bit_length()
    for column, dimension in columns.items():
        kind = IvfSq if dimension % BITS_IN_BYTE else IvfRq
        known, is_large = _names(table, column), held >= nearness.approximate_from
        stays = {name for name in known if is_large and int(name.rpartition("_")[2]) >= size}
        if is_large and not stays and _holding(table, column) >= nearness.approximate_from:
            stays = {f"{NEAR}_{column}_{size}"}
            table.create_index(column, config=kind(distance_type="cosine"), name=min(stays))
        for name in known:
            if name not in stays:
                table.drop_index(name)


def is_worth_folding(table: "Table", nearness: Nearness) -> bool:
    """Whether so much came since that folding it in is worth a rewriting of whole structures.

    That takes half a minute at a million entries; scanning a few besides takes milliseconds.
    """
    held = table.count_rows()
    if held < nearness.approximate_from:
        return True
    stats = (table.index_stats(each.name) for each in table.list_indices())
    return any(each and each.num_unindexed_rows * FOLDED_AT >= held for each in stats)


def is_approximate(table: "Table") -> bool:
    return any(each.name.startswith(NEAR) for each in table.list_indices())


def _names(table: "Table", column: str) -> list[str]:
    return [each.name for each in table.list_indices() if each.columns == [column]]


def _holding(table: "Table", column: str) -> int:
    """How many rows have a vector there: all of them are read for that."""
    return int(table.count_rows(f"{column} IS NOT NULL"))
