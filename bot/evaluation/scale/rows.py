"""Rows are kept a line each, shown in a terminal and drawn as a picture."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.table import Table

from bot.evaluation.report import figure
from bot.evaluation.scale.made_up import READERS
from bot.evaluation.scale.values import CLIENTS, DEPTHS, Recall, ScaleRow, SearchTimes
from bot.wording import scale as wording

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
    return [_costs(row), _times(row), _recalls(row)]


def _costs(row: ScaleRow) -> Table:
    table = Table(title=wording.title(row.engine, row.passages, row.rules, row.exact))
    for heading in wording.COSTS:
        table.add_column(heading, justify="right")
    table.add_row(
        f"{row.build_seconds:,.0f}",
        f"{row.folding_seconds:,.0f}",
        _megabytes(row.peak_megabytes),
        _megabytes(row.disk_megabytes),
    )
    return table


def _times(row: ScaleRow) -> Table:
    table = Table("search", "may read", title=wording.TIMES)
    for clients in CLIENTS:
        table.add_column(wording.clients(clients), justify="right")
    shown: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in row.times:
        shown[each.kind, each.reader].append(f"{each.median_ms:.0f} / {each.slow_ms:.0f}")
    for (kind, reader), cells in shown.items():
        table.add_row(kind, wording.READERS[reader], *cells)
    return table


def _recalls(row: ScaleRow) -> Table:
    table = Table("may read", title=wording.RECALL)
    for depth in DEPTHS:
        table.add_column(f"at {depth}", justify="right")
    for reader in READERS:
        shares = (each.share for each in row.recalls if each.reader == reader)
        table.add_row(wording.READERS[reader], *(f"{share:.3f}" for share in shares))
    return table


def _megabytes(value: float | None) -> str:
    return wording.UNKNOWN if value is None else f"{value:,.0f}"


def draw_rows(rows: Sequence[ScaleRow], path: Path) -> None:
    """A PNG: times of dense and of BM25 search, and recall, by how many passages there are."""
    lines: dict[tuple[str, int], list[ScaleRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.passages):
        lines[row.engine, row.rules].append(row)
    with figure(path, 3) as (dense, words, recall):
        for (engine, rules), along in lines.items():
            label = wording.line(engine, rules)
            sizes = [row.passages for row in along]
            for axes, kind in ((dense, "dense"), (words, "bm25")):
                axes.plot(sizes, [row.slowest(kind, 1) for row in along], marker="o", label=label)
            recall.plot(
                sizes, [row.least_recall(DEPTHS[-1]) for row in along], marker="o", label=label
            )
        for axes, kind in ((dense, "dense"), (words, "bm25")):
            axes.set(xscale="log", yscale="log", xlabel=wording.PASSAGES, ylabel=wording.slow(kind))
        recall.axhline(AIM_RECALL, color="grey", linestyle=":")
        recall.set(
            xscale="log", xlabel=wording.PASSAGES, ylabel=wording.LEAST_RECALL, ylim=(0.8, 1.005)
        )
        dense.legend(fontsize="small")
