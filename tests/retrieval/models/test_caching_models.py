"""A model that remembers says what the model says, and reads no text twice."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from fakes import WordsEmbedder
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from retrieval.models.caching import CachingCrossEncoder, CachingEmbedder

texts = st.lists(st.sampled_from(["cats", "dogs bark", "", "a b c", "trees"]), max_size=6)


class Counting(WordsEmbedder):
    """Keeps what it was asked to read; as a cross-encoder, the words of both texts."""

    def __init__(self) -> None:
        self.read: list[object] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.read += texts
        return super().embed(texts)

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        self.read += pairs
        return np.array([[len(a) + 10 * len(b)] for a, b in pairs], np.float32)


@given(st.lists(texts, max_size=4))
def test_an_embedder(batches: list[list[str]]) -> None:
    counting = Counting()
    caching = CachingEmbedder(counting)
    for batch in batches:
        assert np.array_equal(caching.embed(batch), WordsEmbedder().embed(batch))
    assert len(counting.read) == len(set(counting.read))


pairs = st.tuples(st.text("ab", max_size=3), st.text("ab", max_size=3))


@given(st.lists(st.lists(pairs, min_size=1)), st.none() | st.integers(1, 3))
def test_a_cross_encoder(batches: list[list[tuple[str, str]]], most: int | None) -> None:
    counting = Counting()
    caching = CachingCrossEncoder(counting, most)
    for batch in batches:
        assert np.array_equal(caching.logits(batch), Counting().logits(batch))
    assert most or len(counting.read) == len(set(counting.read))
    new = [("new", str(number)) for number in range((most or 3) + 1)]
    caching.logits(new)
    counting.read.clear()
    caching.logits(new)
    assert len(counting.read) == (1 if most else 0), "one more than are kept"


def test_what_was_read_last_is_what_is_kept() -> None:
    counting = Counting()
    caching = CachingEmbedder(counting, 2)
    for text in ("cats", "trees", "dogs bark", "dogs bark", "trees", "cats"):
        caching.embed([text])
    assert counting.read == ["cats", "trees", "dogs bark", "cats"]


def test_several_threads_may_ask_at_once() -> None:
    caching = CachingEmbedder(Counting(), 3)
    words = [f"cats {number}" for number in range(20)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(caching.embed, [words] * 40))
    for vectors in found:
        assert np.array_equal(vectors, WordsEmbedder().embed(words))
