"""A model that remembers says what the model says, and reads no text twice."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import numpy as np
import pytest
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


@given(
    st.lists(st.lists(st.tuples(st.text("ab", max_size=3), st.text("ab", max_size=3)), min_size=1))
)
def test_a_cross_encoder(batches: list[list[tuple[str, str]]]) -> None:
    counting = Counting()
    caching = CachingCrossEncoder(counting)
    for batch in batches:
        assert np.array_equal(caching.logits(batch), Counting().logits(batch))
    assert len(counting.read) == len(set(counting.read))


@given(
    st.lists(st.lists(st.tuples(st.text("ab", max_size=3), st.text("ab", max_size=3)), min_size=1)),
    st.integers(1, 3),
)
def test_one_that_keeps_only_the_last(batches: list[list[tuple[str, str]]], most: int) -> None:
    counting = Counting()
    caching = CachingCrossEncoder(counting, most)
    for batch in batches:
        assert np.array_equal(caching.logits(batch), Counting().logits(batch))
    new = [("new", str(number)) for number in range(most + 1)]
    caching.logits(new)
    counting.read.clear()
    caching.logits(new)
    assert len(counting.read) == 1


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


class Waiting(Counting):
    """Says when it begins to read, and goes on when it is told; may then fail, once."""

    def __init__(self, failure: BaseException | None = None) -> None:
        super().__init__()
        self.began, self.go_on, self.failure = Event(), Event(), failure

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.began.set()
        assert self.go_on.wait(10)
        failure, self.failure = self.failure, None
        if failure:
            raise failure
        return super().embed(texts)


def asked_while_it_is_read(
    waiting: Waiting,
) -> tuple[list[NDArray[np.float32]], BaseException | None]:
    """What three get who ask while somebody's text is being read, and what that one gets."""
    caching, asking = CachingEmbedder(waiting), Barrier(4)

    def another() -> NDArray[np.float32]:
        asking.wait(10)
        return caching.embed(["cats"])

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(caching.embed, ["cats"])
        assert waiting.began.wait(10)
        others = [pool.submit(another) for _ in range(3)]
        asking.wait(10)
        Event().wait(0.1)  # until all of them have asked: nothing tells from outside
        waiting.go_on.set()
        return [each.result(10) for each in others], first.exception(10)


def test_several_people_who_ask_the_same_at_once_have_it_read_once() -> None:
    waiting = Waiting()
    got, failed = asked_while_it_is_read(waiting)
    assert failed is None
    assert waiting.read == ["cats"]
    for vectors in got:
        assert np.array_equal(vectors, WordsEmbedder().embed(["cats"]))


def test_somebody_elses_failure_is_not_ones_own() -> None:
    got, failed = asked_while_it_is_read(Waiting(RuntimeError("interrupted")))
    assert isinstance(failed, RuntimeError)
    for vectors in got:
        assert np.array_equal(vectors, WordsEmbedder().embed(["cats"]))


def test_people_whose_texts_overlap_do_not_wait_for_each_other() -> None:
    caching = CachingEmbedder(Counting(), 1)
    with ThreadPoolExecutor(8) as pool:
        batches = [["cats", "trees"], ["trees", "cats"], ["dogs bark", "cats"]] * 200
        for batch, vectors in zip(batches, pool.map(caching.embed, batches), strict=True):
            assert np.array_equal(vectors, WordsEmbedder().embed(batch))


def test_a_text_that_could_not_be_read_is_tried_again() -> None:
    waiting = Waiting(RuntimeError("interrupted"))
    waiting.go_on.set()
    caching = CachingEmbedder(waiting)
    with pytest.raises(RuntimeError):
        caching.embed(["cats"])
    assert np.array_equal(caching.embed(["cats"]), WordsEmbedder().embed(["cats"]))
