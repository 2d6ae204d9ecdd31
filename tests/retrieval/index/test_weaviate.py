"""What is Weaviate's own: a server's settings, and what an operator is told of them."""

import numpy as np
import pytest
from weaviate_servers import an_alias, weaviate_node

from retrieval.index.certificate import Space
from retrieval.index.weaviate.index import WeaviateIndex
from retrieval.index.weaviate.server import Address, Server
from retrieval.ports import TEXT_SPACE, IndexEntry
from retrieval.types import AccessRule

pytest_plugins = ["weaviate_servers"]
pytestmark = [pytest.mark.server, pytest.mark.slow]

EAST = np.array([1, 0, 0, 0], dtype=np.float32)


def index_at(address: Address) -> WeaviateIndex:
    spaces = {TEXT_SPACE: Space("an embedder", 4)}
    return WeaviateIndex(Server(address), an_alias(), spaces, ["departments"])


def an_entry() -> IndexEntry:
    return IndexEntry("a", "a", "document", AccessRule(), {TEXT_SPACE: EAST}, "words")


def test_a_server_that_ranks_new_words_wrongly_is_warned_of() -> None:
    with weaviate_node(USE_INVERTED_SEARCHABLE="true") as node:
        index = index_at(node.address)
        assert index.warning() == ""
        index.upsert([an_entry()])
        assert "USE_INVERTED_SEARCHABLE=false" in index.warning()


def test_a_server_that_is_set_up_well_is_not(weaviate: Address) -> None:
    index = index_at(weaviate)
    index.upsert([an_entry()])
    assert index.warning() == ""
    index.clear()
