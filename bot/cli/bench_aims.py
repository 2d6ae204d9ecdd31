"""How fast the models are beside how fast they should be, in one table of `vouch bench`."""

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

if TYPE_CHECKING:
    from retrieval.ports import Reranker, RerankPair

RERANKED_S = 0.25
"""Seconds for 50 candidates; this and the other aims are for two cores."""
QUESTIONS_A_SECOND = 3.0
"""From four people at once."""
PASSAGES_A_SECOND = 300.0


def seconds_to_rerank(reranker: "Reranker", runs: Sequence[Sequence["RerankPair"]]) -> float:
    """At the best of the runs, each of pairs that nobody read before: what was read is kept."""
    seconds = []
    for pairs in runs:
        start = time.perf_counter()
        reranker.scores(pairs)
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def aims_table(
    reranked_s: float, questions_a_second: float, passages_a_second: float, candidates: int
) -> Table:
    """The share that is reached is the speed beside the aim's, so that more is always better."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    table = Table("speed", title=f"Aims for two cores; here are {cores}")
    for column in ("measured", "aim", "reached"):
        table.add_column(column, justify="right")
    rows = (
        (f"seconds to rerank {candidates}", reranked_s, RERANKED_S, RERANKED_S / reranked_s),
        (
            "questions a second, four people at once",
            questions_a_second,
            QUESTIONS_A_SECOND,
            questions_a_second / QUESTIONS_A_SECOND,
        ),
        (
            "passages ingested a second",
            passages_a_second,
            PASSAGES_A_SECOND,
            passages_a_second / PASSAGES_A_SECOND,
        ),
    )
    for what, measured, aim, reached in rows:
        table.add_row(what, f"{measured:,.3g}", f"{aim:,g}", f"{reached:.0%}")
    return table
