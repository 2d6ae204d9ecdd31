"""An index is searched as readers do who may read much, little and next to nothing."""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from bot.lab.scale import (
    BLOCK,
    CLIENTS,
    DEPTHS,
    READERS,
    MadeUp,
    Progress,
    Query,
    Recall,
    ScaleRow,
    SearchTimes,
    passage_id,
    scope_of,
)
from bot.quality.metrics import figure
from retrieval.ports import MATCH_DIGITS, PassageIndex
from retrieval.types import Scope

PASSAGES = "passages"
COSTS = ("filling, s", "of it folding in, s", "peak memory, MB", "disk, MB")
TIMES = "Milliseconds, median / 95th percentile"
RECALL = "Of the truly nearest passages, found"
LEAST_RECALL = "recall at 50, under the hardest filter"
UNKNOWN = "-"
READERS_IN_WORDS = {"half": "50 %", "hundredth": "1 %", "ten-thousandth": "0.01 %"}


def table_title(engine: str, passages: int, rules: int, exact: bool) -> str:
    how = "exact" if exact else "approximate"
    return f"{engine} ({how}), {passages:,} passages, {_rules(rules)}"


def legend_line(engine: str, rules: int) -> str:
    return f"{engine}, {_rules(rules)}"


def clients_in_words(number: int) -> str:
    return "one client" if number == 1 else f"{number} at once"


def slow_label(kind: str) -> str:
    return f"{kind}: median, ms, slowest reader"


def _rules(number: int) -> str:
    return f"{number} rules" if number else "a rule for each document"


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


AIM_RECALL = 0.95


def keep_row(path: Path, row: ScaleRow) -> None:
    """Add it to a file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(row)) + "\n")


def kept_rows(path: Path) -> list[ScaleRow]:
    """Raise `ValueError` for what is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [_row(line) for line in lines if line.strip()]
    except (LookupError, TypeError, ValueError) as error:
        raise ValueError(f"{path} holds no rows of `vouch bench-index run --json`") from error


def _row(line: str) -> ScaleRow:
    held = json.loads(line)
    times = tuple(SearchTimes(**each) for each in held.pop("times"))
    recalls = tuple(Recall(**each) for each in held.pop("recalls"))
    return ScaleRow(**held, times=times, recalls=recalls)


def row_tables(row: ScaleRow) -> list[Table]:
    """What it took, how fast it is, and what it finds."""
    return [_costs(row), _times(row), _recall_table(row)]


def _costs(row: ScaleRow) -> Table:
    table = Table(title=table_title(row.engine, row.passages, row.rules, row.exact))
    for heading in COSTS:
        table.add_column(heading, justify="right")
    table.add_row(
        f"{row.build_seconds:,.0f}",
        f"{row.folding_seconds:,.0f}",
        _megabytes(row.peak_megabytes),
        _megabytes(row.disk_megabytes),
    )
    return table


def _times(row: ScaleRow) -> Table:
    table = Table("search", "may read", title=TIMES)
    for clients in CLIENTS:
        table.add_column(clients_in_words(clients), justify="right")
    shown: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in row.times:
        shown[each.kind, each.reader].append(f"{each.median_ms:.0f} / {each.slow_ms:.0f}")
    for (kind, reader), cells in shown.items():
        table.add_row(kind, READERS_IN_WORDS[reader], *cells)
    return table


def _recall_table(row: ScaleRow) -> Table:
    table = Table("may read", title=RECALL)
    for depth in DEPTHS:
        table.add_column(f"at {depth}", justify="right")
    for reader in READERS:
        shares = (each.share for each in row.recalls if each.reader == reader)
        table.add_row(READERS_IN_WORDS[reader], *(f"{share:.3f}" for share in shares))
    return table


def _megabytes(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:,.0f}"


def draw_rows(rows: Sequence[ScaleRow], path: Path) -> None:
    """A PNG: times of dense and of BM25 search, and recall, by how many passages there are."""
    lines: dict[tuple[str, int], list[ScaleRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.passages):
        lines[row.engine, row.rules].append(row)
    with figure(path, 3) as (dense, words, recall):
        for (engine, rules), along in lines.items():
            label = legend_line(engine, rules)
            sizes = [row.passages for row in along]
            for axes, kind in ((dense, "dense"), (words, "bm25")):
                axes.plot(sizes, [row.slowest(kind, 1) for row in along], marker="o", label=label)
            recall.plot(
                sizes, [row.least_recall(DEPTHS[-1]) for row in along], marker="o", label=label
            )
        for axes, kind in ((dense, "dense"), (words, "bm25")):
            axes.set(xscale="log", yscale="log", xlabel=PASSAGES, ylabel=slow_label(kind))
        recall.axhline(AIM_RECALL, color="grey", linestyle=":")
        recall.set(xscale="log", xlabel=PASSAGES, ylabel=LEAST_RECALL, ylim=(0.8, 1.005))
        dense.legend(fontsize="small")
