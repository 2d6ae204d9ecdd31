"""The figures of a ranking are those that the papers define."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quality_runs import ranked_outcome

from bot.quality import metrics


def by_definition(gains: Sequence[bool], relevant: int) -> dict[str, float]:
    """After Järvelin and Kekäläinen (2002): gains of 0 and 1, discounted by log2(rank + 1)."""
    found = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(10, relevant) + 1))
    return {
        "P@1": float(any(gains[:1])),
        "P@5": sum(gains[:5]) / 5,
        "MRR": next((1 / rank for rank, gain in enumerate(gains, start=1) if gain), 0.0),
        "nDCG@10": found / ideal if ideal else 0.0,
        "recall@50": float(any(gains)),
        "P@1 by document": float(any(gains[:1])),
    }


@given(st.lists(st.tuples(st.lists(st.booleans(), max_size=10), st.integers(0, 15)), min_size=1))
def test_they_are_as_defined_whatever_was_ranked(asked: list[tuple[list[bool], int]]) -> None:
    """Equal scores do not count, only the order; so do passages that the ranking has not."""
    figures = metrics.of_each([ranked_outcome(gains, left) for gains, left in asked])
    for (gains, left), found in zip(asked, figures, strict=True):
        assert found == pytest.approx(by_definition(gains, sum(gains) + left))


def test_a_passage_of_the_right_document_counts_by_document_alone() -> None:
    beside = [
        ranked_outcome([False, True], file="a.md"),
        ranked_outcome([False, True], file="b.md"),
    ]
    figures = metrics.retrieval(beside)
    assert (figures["P@1"], figures["P@1 by document"]) == (0, 0.5)
