"""More candidates of each retriever are fused, and what that costs is timed."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from ranked_outcomes import GOLD

from bot.lab.fusion import ANY, BEST, FIRST, FUSION, GAIN, REPEATS, Asked, Taken, Timing, sweep
from bot.quality.questions import Kind, LabelledQuestion
from bot.settings import Settings
from bot.wiring import Container
from retrieval.models.caching import CachingEmbedder
from retrieval.ports import TEXT_SPACE, Match
from retrieval.search.retrievers import Query
from retrieval.types import Scope

QUESTION = LabelledQuestion(id="q", question="?", kind=Kind.ANSWERABLE, gold=(GOLD,))
WRONG = {"file": "b.md", "page": None, "line_start": 1, "line_end": 2, "paragraph": None}
RIGHT = {"file": "a.md", "page": None, "line_start": 5, "line_end": 6, "paragraph": None}


def taken(dense: str, bm25: str) -> Taken:
    """A letter is a passage; `g` answers."""
    places = {each: RIGHT if each == "g" else WRONG for each in dense + bm25}
    return Taken(QUESTION, {"dense": list(dense), "bm25": list(bm25)}, places, relevant=1)


def test_what_two_retrievers_have_second_comes_first_as_soon_as_two_of_each_are_fused() -> None:
    found = sweep([taken("xgy", "zgv")], range(1, 4), k=60, compared=2)
    assert found.figures[FIRST] == {"dense": [0, 0, 0], "bm25": [0, 0, 0], FUSION: [0, 1, 1]}
    assert found.figures[BEST] == {"dense": [0, 1, 1], "bm25": [0, 1, 1], FUSION: [0, 1, 1]}
    assert found.figures[GAIN]["dense"] == pytest.approx([0, 1 / np.log2(3), 1 / np.log2(3)])
    assert found.figures[GAIN][FUSION] == pytest.approx([0, 1, 1])
    assert {way: each.mean for way, each in found.differences.items()} == {"dense": -1, "bm25": -1}


def test_one_candidate_of_each_is_more_than_one_of_one() -> None:
    """Of equal scores the smaller id comes first."""
    found = sweep([taken("a", "g")], [1], k=60, compared=1)
    assert found.figures[ANY] == {"dense": [0], "bm25": [1], FUSION: [1]}
    assert found.figures[BEST] == {"dense": [0], "bm25": [1], FUSION: [0]}


def test_with_a_small_constant_a_first_place_outweighs_two_third_ones() -> None:
    each = taken("xag", "zbg")
    assert each.cut(3, k=0)[FUSION][0] == "x"
    assert each.cut(3, k=60)[FUSION][0] == "g"


@dataclass
class Waiting:
    """A retriever that takes its time: what is timed is the clock's, not the machine's."""

    name: str
    wait: float
    space: str | None = None
    score: str = "score"
    rank: str = "rank"
    weighed: bool = True
    asked: list[str] = field(default_factory=list)

    def __call__(self, query: Query, scope: Scope) -> Sequence[Match]:
        time.sleep(self.wait)
        self.asked.append(query.text)
        return [Match("a", "a.md", 1.0)]


class CountingEmbedder:
    """How often it reads is what matters."""

    name = "counting"
    dimension = 2

    def __init__(self) -> None:
        self.read: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.read += texts
        return np.array([[1, 0]] * len(texts), dtype=np.float32)


def test_fusion_takes_what_its_retrievers_take_together_and_really_asks_them() -> None:
    slow, quick = Waiting("slow", 0.01, TEXT_SPACE), Waiting("quick", 0.003)
    embedder, reported = CountingEmbedder(), list[tuple[int, int]]()
    scope = Scope({}, date(2026, 3, 2))
    asked = [Asked(QUESTION, text, scope) for text in ("one", "two")]
    timing = Timing({TEXT_SPACE: embedder}, (slow, quick), 60)
    spent = timing.seconds(asked, lambda done, total, _: reported.append((done, total)))
    assert spent["slow"] >= 0.01
    assert spent["quick"] >= 0.003
    assert spent[FUSION] >= 0.013
    rounds = REPEATS + 1
    for each in (slow, quick):
        assert sorted(each.asked) == sorted(["one", "two"] * rounds * 2), "alone and fused"
    assert len(embedder.read) == 2 * rounds * 2, "words need no vector"
    assert reported[-1] == (2 * rounds, 2 * rounds)


def test_models_that_are_timed_remember_nothing(tmp_path: Path) -> None:
    container = Container(Settings(_env_file=None, home=tmp_path))  # type: ignore[call-arg]  # pydantic-settings' own
    assert isinstance(container.models.named.embedder, CachingEmbedder)
    assert not isinstance(container.reading_anew().models.named.embedder, CachingEmbedder)
