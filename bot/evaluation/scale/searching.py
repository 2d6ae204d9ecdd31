"""An index is searched as readers do who may read much, little and next to nothing."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from bot.evaluation.scale.filling import Progress
from bot.evaluation.scale.made_up import BLOCK, READERS, MadeUp, Query, passage_id, scope_of
from bot.evaluation.scale.values import CLIENTS, DEPTHS, Recall, SearchTimes
from retrieval.ports import MATCH_DIGITS, PassageIndex
from retrieval.types import Scope

LIMIT = max(DEPTHS)
KINDS = ("dense", "bm25")

Search = Callable[[Query, Scope], object]


def search_times(
    index: PassageIndex, queries: Sequence[Query], progress: Progress
) -> list[SearchTimes]:
    """One row for each kind, reader and number of clients."""
    searches: dict[str, Search] = {
        "dense": lambda query, scope: index.nearest(query.vector, scope, LIMIT),
        "bm25": lambda query, scope: index.lexical(query.words, scope, LIMIT),
    }
    planned = [
        (kind, reader, clients) for kind in KINDS for reader in READERS for clients in CLIENTS
    ]
    found = []
    for done, (kind, reader, clients) in enumerate(planned):
        progress(done, len(planned), f"{kind}, {reader}, {clients} at once")
        spent = _spent(searches[kind], queries, scope_of(reader), clients)
        middle, slow = np.percentile(spent, [50, 95])
        found.append(SearchTimes(kind, reader, clients, float(middle), float(slow)))
    return found


def _spent(search: Search, queries: Sequence[Query], scope: Scope, clients: int) -> list[float]:
    """The milliseconds of each query, by so many clients at once."""
    search(queries[0], scope)  # what an engine reads first is not asked for again

    def timed(query: Query) -> float:
        start = time.perf_counter()
        search(query, scope)
        return (time.perf_counter() - start) * 1000

    with ThreadPoolExecutor(clients) as pool:
        return list(pool.map(timed, queries))


def recalls(
    index: PassageIndex,
    made_up: MadeUp,
    blocks: int,
    queries: Sequence[Query],
    progress: Progress,
) -> list[Recall]:
    """Compare what is found with what is truly nearest, by comparing every passage."""
    truth = _truly_nearest(made_up, blocks, queries, progress)
    return list(_recalls(index, queries, truth))


def _recalls(
    index: PassageIndex, queries: Sequence[Query], truth: dict[str, list[list[str]]]
) -> Iterator[Recall]:
    for reader, nearest in truth.items():
        scope = scope_of(reader)
        found = [
            [match.passage_id for match in index.nearest(query.vector, scope, LIMIT)]
            for query in queries
        ]
        for depth in DEPTHS:
            shares = [
                len(set(got[:depth]) & set(true[:depth])) / len(true[:depth])
                for got, true in zip(found, nearest, strict=True)
            ]
            yield Recall(reader, depth, float(np.mean(shares)))


def _truly_nearest(
    made_up: MadeUp, blocks: int, queries: Sequence[Query], progress: Progress
) -> dict[str, list[list[str]]]:
    """For each reader and query the ids of the nearest, best first."""
    asked = np.stack([query.vector for query in queries])
    best: dict[str, tuple[NDArray[np.float32], NDArray[np.int64]]] = {
        reader: (np.empty((len(queries), 0), np.float32), np.empty((len(queries), 0), np.int64))
        for reader in READERS
    }
    for block in range(blocks):
        progress(block, blocks, "comparing every passage")
        cosines = asked @ made_up.vectors(block).T
        for reader, (held, ids) in best.items():
            readable = np.flatnonzero(made_up.readable(block, reader))
            numbers = np.broadcast_to(readable + block * BLOCK, (len(queries), len(readable)))
            best[reader] = _first(
                np.hstack([held, cosines[:, readable]]), np.hstack([ids, numbers])
            )
    return {
        reader: [[passage_id(number) for number in row] for row in ids]
        for reader, (_, ids) in best.items()
    }


def _first(
    cosines: NDArray[np.float32], ids: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """As an index ranks: by as many digits as it tells, equal ones by id."""
    order = np.argsort(-np.round(cosines, MATCH_DIGITS), axis=1, kind="stable")[:, :LIMIT]
    return np.take_along_axis(cosines, order, axis=1), np.take_along_axis(ids, order, axis=1)
