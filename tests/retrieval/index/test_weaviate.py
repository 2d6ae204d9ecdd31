"""What is Weaviate's own: a server's settings, and what an operator is told of them."""

from collections.abc import Callable
from datetime import date
from typing import TypeVar

import numpy as np
import pytest
from weaviate import WeaviateClient
from weaviate_servers import an_alias

from retrieval.index.entries import Certificate
from retrieval.index.weaviate_index import WeaviateIndex
from retrieval.index.weaviate_server import Address, Server
from retrieval.ports import IndexEntry
from retrieval.types import AccessRule, Scope

pytestmark = [pytest.mark.server, pytest.mark.slow]

EAST = np.array([1, 0, 0, 0], dtype=np.float32)


GUEST = Scope({}, date(2026, 3, 1))
T = TypeVar("T")


def index_at(address: Address) -> WeaviateIndex:
    return index_over(Server(address), an_alias())


def index_over(server: Server, alias: str) -> WeaviateIndex:
    return WeaviateIndex(server, alias, Certificate("an embedder", 4, ("departments",)))


def an_entry(name: str = "a") -> IndexEntry:
    return IndexEntry(name, "document", AccessRule(), EAST, "words")


class Interrupted(Server):
    """Something happens on the server just before it is asked for the nth time."""

    def __init__(self, address: Address) -> None:
        super().__init__(address)
        self.happens: dict[int, Callable[[], None]] = {}
        self.asked = 0

    def ask(self, action: Callable[[WeaviateClient], T]) -> T:
        self.asked += 1
        self.happens.pop(self.asked, lambda: None)()
        return super().ask(action)


READINGS: dict[str, Callable[[WeaviateIndex], object]] = {
    "nearest": lambda index: [m.passage_id for m in index.nearest(EAST, GUEST, 5)],
    "reached": lambda index: index.reached() * ["c"],
    "is_outdated": lambda index: [] if index.is_outdated else ["c"],
}


@pytest.mark.parametrize("known", [True, False], ids=["known", "new"])
@pytest.mark.parametrize("exchanges", [{1, 3}, {2}, {2, 3, 4}], ids=str)
@pytest.mark.parametrize("reading", READINGS)
def test_whoever_reads_when_the_collection_is_dropped_reads_the_next_one(
    weaviate: Address, reading: str, exchanges: set[int], known: bool
) -> None:
    server, alias = Interrupted(weaviate), an_alias()
    writer, reader = index_over(Server(weaviate), alias), index_over(server, alias)
    with writer.renew(1) as first:
        first.upsert([an_entry("c")])
        first.reach(1)
    if known:
        assert reader.ids() == {"c"}

    def exchange() -> None:
        with writer.renew(1) as fresh:
            fresh.upsert([an_entry("c")])
            fresh.reach(1)

    server.happens = {server.asked + moment: exchange for moment in exchanges}
    assert READINGS[reading](reader) == ["c"]
    writer.clear()


def test_whoever_reads_when_the_last_collection_is_dropped_finds_nothing(
    weaviate: Address,
) -> None:
    server, alias = Interrupted(weaviate), an_alias()
    writer, reader = index_over(Server(weaviate), alias), index_over(server, alias)
    writer.upsert([an_entry()])
    assert reader.count() == 1
    server.happens = {server.asked + 1: writer.clear}
    assert reader.nearest(EAST, GUEST, 5) == []
    writer.upsert([an_entry("b")])
    assert reader.ids() == {"b"}
    writer.clear()
