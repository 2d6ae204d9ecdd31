"""Somebody reads how fast the models are beside how fast they should be."""

import time
from collections.abc import Sequence

from rich.console import Console

from bot.lab.commands.bench import aims_table, seconds_to_rerank
from retrieval.ports import RerankPair, RerankScore


class FirstSlow:
    """Stands for a reranker on a machine that is busy at first."""

    name = "first slow"

    def __init__(self) -> None:
        self.read: list[str] = []

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        if not self.read:
            time.sleep(0.2)
        self.read += [pair.text for pair in pairs]
        return [RerankScore(0.0, 0.5) for _ in pairs]


def said(reranked_s: float, questions: float, passages: float) -> list[str]:
    console = Console(width=120)
    with console.capture() as captured:
        console.print(aims_table(reranked_s, questions, passages, 50))
    return [" ".join(line.replace("│", " ").split()) for line in captured.get().splitlines()]


def test_every_run_reads_its_own_pairs_and_the_best_one_counts() -> None:
    reranker = FirstSlow()
    runs = [[RerankPair("when?", text, {})] for text in ("monday", "tuesday", "friday")]
    assert seconds_to_rerank(reranker, runs) < 0.1
    assert reranker.read == ["monday", "tuesday", "friday"]


def test_an_aim_that_is_not_reached_is_told_as_its_share() -> None:
    lines = said(0.5, 1.5, 150.0)
    assert "seconds to rerank 50 0.5 0.25 50%" in lines
    assert "questions a second, four people at once 1.5 3 50%" in lines
    assert "passages ingested a second 150 300 50%" in lines


def test_more_than_was_aimed_at_is_more_than_all_whatever_is_measured() -> None:
    told = [line.split()[-1] for line in said(0.125, 6.0, 600.0) if "%" in line]
    assert told == ["200%", "200%", "200%"]
