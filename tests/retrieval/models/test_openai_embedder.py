"""An embedder on a server that speaks OpenAI's protocol."""

import json
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
from embedding_server import Answer, EmbeddingServer, embedding_server, failing, vectors
from fakes import DIMENSION, WordsEmbedder

from bot.wiring.models import Models, ModelServer
from retrieval.errors import EmbedderUnavailable
from retrieval.models.embedders import TEXTS_AT_ONCE
from retrieval.ports import Embedder

KEY = "sk-a-key-that-must-stay-secret"


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding_server() as running:
        yield running


def an_embedder(server: EmbeddingServer, setting: str = "openai:words") -> Embedder:
    there = ModelServer(server.url, KEY, timeout=10)
    return Models(setting, "bundled", "bundled", threads=1, server=there).embedder


def test_vectors_come_in_the_order_of_the_texts_and_of_length_one(server: EmbeddingServer) -> None:
    texts = ["dogs bark", "", "cats sleep"]
    found = an_embedder(server).embed(texts)
    assert found == pytest.approx(WordsEmbedder().embed(texts))
    assert server.texts[:3] == ["dogs bark", " ", "cats sleep"], "no empty one: it is refused"
    assert server.received[0]["model"] == "words"


def test_many_texts_go_in_several_requests(server: EmbeddingServer) -> None:
    texts = [f"text {number}" for number in range(2 * TEXTS_AT_ONCE + 1)]
    found = an_embedder(server).embed(texts)
    assert found == pytest.approx(WordsEmbedder().embed(texts))
    assert [len(each["input"]) for each in server.received[:3]] == [TEXTS_AT_ONCE] * 2 + [1]


def test_long_texts_go_in_requests_of_their_own_and_only_their_beginning(
    server: EmbeddingServer,
) -> None:
    an_embedder(server).embed([f"{number} " + "long " * 10_000 for number in range(20)])
    assert all(len(text) == 16_000 for text in server.texts if text != " ")
    sizes = [sum(map(len, each["input"])) for each in server.received]
    assert len(sizes) > 2
    assert max(sizes) <= 250_000


def test_the_dimension_is_asked_once_where_it_is_not_known(server: EmbeddingServer) -> None:
    embedder = an_embedder(server)
    assert (embedder.dimension, embedder.dimension) == (DIMENSION, DIMENSION)
    assert len(server.received) == 1
    assert an_embedder(server, "text-embedding-3-large").dimension == 3072
    assert embedder.embed([]).shape == (0, DIMENSION)
    assert len(server.received) == 1


def test_an_index_belongs_to_the_model_wherever_it_is_served(server: EmbeddingServer) -> None:
    assert an_embedder(server).name == "openai:words"
    assert an_embedder(server, "text-embedding-3-small").name == "text-embedding-3-small"
    assert server.received == []


def said(server: EmbeddingServer, setting: str = "openai:words") -> str:
    """The message of a failure, which never gives the key away."""
    with pytest.raises(EmbedderUnavailable) as caught:
        an_embedder(server, setting).embed(["dogs bark", "cats sleep"])
    seen: BaseException | None = caught.value
    while seen is not None:
        assert KEY not in str(seen)
        seen = seen.__cause__
    return str(caught.value)


def one_too_few(texts: Sequence[str]) -> Answer:
    return vectors(texts[1:])


def zeros(texts: Sequence[str]) -> Answer:
    data = [{"index": at, "embedding": [0.0] * DIMENSION} for at in range(len(texts))]
    return 200, json.dumps({"data": data})


def ragged(texts: Sequence[str]) -> Answer:
    data = [{"index": at, "embedding": [1.0] * (at + 2)} for at in range(len(texts))]
    return 200, json.dumps({"data": data})


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (one_too_few, "no vector for each text"),
        (zeros, "point nowhere"),
        (ragged, "no vector for each text"),
        (lambda _: (200, "<html>"), "no vector for each text"),
        (lambda _: (200, '{"data": [{"embedding": "x"}]}'), "no vector for each text"),
        (failing(401, f"bad key {KEY}"), "VOUCH_EMBEDDINGS_API_KEY"),
        (failing(404, "no such model"), "VOUCH_EMBEDDER"),
    ],
)
def test_an_answer_that_is_none_is_told_as_that(
    server: EmbeddingServer, answer: Callable[[Sequence[str]], Answer], told: str
) -> None:
    server.script = [answer]
    assert told in said(server)


def test_a_model_of_another_size_than_it_is_known_for_is_refused(server: EmbeddingServer) -> None:
    message = said(server, "text-embedding-3-small")
    assert f"vectors of {DIMENSION} numbers, not 1536" in message


def test_a_server_that_is_busy_is_asked_again(server: EmbeddingServer) -> None:
    server.script = [failing(503), failing(429), vectors]
    found = an_embedder(server).embed(["dogs bark"])
    assert found == pytest.approx(WordsEmbedder().embed(["dogs bark"]))


def test_a_server_that_stays_out_of_order_is_told_as_that(server: EmbeddingServer) -> None:
    server.script = [failing(503)]
    assert "The embedder at 127.0.0.1:" in said(server)
    assert len(server.received) == 3


def test_the_same_text_is_sent_once(server: EmbeddingServer) -> None:
    embedder = an_embedder(server)
    first = embedder.embed(["dogs bark"])
    asked = len(server.received)
    assert np.array_equal(embedder.embed(["dogs bark"]), first)
    assert len(server.received) == asked
