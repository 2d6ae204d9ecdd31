"""A Weaviate server that fails is told of, is found again, and loses nothing for good."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pytest
from fakes import WordsEmbedder
from libraries import library_in
from shelves import GUEST, Shelves
from weaviate.backup.backup import BackupStorage
from weaviate.exceptions import WeaviateQueryError
from weaviate_servers import WeaviateNode, an_alias, weaviate_cluster, weaviate_node

from retrieval.errors import IndexUnavailable
from retrieval.index.entries import Certificate
from retrieval.index.weaviate_collections import as_object
from retrieval.index.weaviate_index import WeaviateIndex
from retrieval.index.weaviate_server import Address, Server
from retrieval.ingest.indexed_library import IndexedLibrary
from retrieval.metadata.ontology import load_ontology
from retrieval.ports import IndexEntry, PassageIndex
from retrieval.types import AccessRule

if TYPE_CHECKING:
    from weaviate.collections.classes.data import DataObject

pytestmark = [pytest.mark.server, pytest.mark.slow]

EMBEDDER = WordsEmbedder()
FACETS = tuple(load_ontology().facets)
MINE = Certificate(EMBEDDER.name, EMBEDDER.dimension, FACETS)
QUERY = EMBEDDER.embed(["leave"])[0]
PATIENCE = 2.0
"""Seconds for which the server is waited for here."""
KEY = "correct-horse"

T = TypeVar("T")


@pytest.fixture(scope="module")
def node() -> Iterator[WeaviateNode]:
    with weaviate_node() as node:
        yield node


@pytest.fixture(scope="module")
def guarded() -> Iterator[WeaviateNode]:
    """It wants a key, and answers one request at a time."""
    settings = {
        "AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED": "false",
        "AUTHENTICATION_APIKEY_ENABLED": "true",
        "AUTHENTICATION_APIKEY_ALLOWED_KEYS": KEY,
        "AUTHENTICATION_APIKEY_USERS": "vouch",
        "MAXIMUM_CONCURRENT_GET_REQUESTS": "1",
    }
    with weaviate_node(**settings) as node:
        yield node


@pytest.fixture
def alias() -> str:
    return an_alias()


def index_at(address: Address, alias: str, replicas: int = 1) -> WeaviateIndex:
    return WeaviateIndex(Server(address), alias, MINE, replicas=replicas)


def impatient(node: WeaviateNode) -> Address:
    return replace(node.address, timeout_seconds=PATIENCE)


def entries(number: int, name: str = "p") -> list[IndexEntry]:
    rng = np.random.default_rng(len(name))
    drawn = rng.normal(size=(number, EMBEDDER.dimension)).astype(np.float32)
    return [
        IndexEntry(
            f"{name}{place}",
            "document",
            AccessRule(),
            vector / np.linalg.norm(vector),
            "words",
        )
        for place, vector in enumerate(drawn)
    ]


def found(index: PassageIndex) -> int:
    """How many a search by meaning finds of all that there is."""
    return len(index.nearest(QUERY, GUEST, 5000))


class OnServer(Shelves):
    """Shelves whose index stands on a server."""

    def __init__(self, folder: Path, index: WeaviateIndex) -> None:
        self.library = library_in(folder)
        self.index = index  # type: ignore[assignment]  # another engine's
        self.indexed = IndexedLibrary(self.library, index, EMBEDDER)


# --- a server that dies ---------------------------------------------------------------


@pytest.mark.exhaustive
def test_what_was_written_is_found_after_the_server_was_killed_by_the_same_handle(
    node: WeaviateNode, alias: str
) -> None:
    index = index_at(impatient(node), alias)
    index.upsert(entries(300))
    node.kill()
    for ask in (
        partial(found, index),
        index.count,
        partial(index.lexical, "words", GUEST, 5),
        partial(index.upsert, entries(1)),
    ):
        with pytest.raises(IndexUnavailable, match=r"cannot be reached.*VOUCH_WEAVIATE_URL"):
            ask()
    node.start()
    assert found(index) == index.count() == 300
    assert found(index_at(node.address, alias)) == 300


@pytest.mark.exhaustive
def test_what_a_killed_server_lost_of_a_batch_is_made_good_by_writing_it_again(
    node: WeaviateNode,
) -> None:
    """As the server is by itself: what it loses of which is a matter of moments."""
    indexes = {alias: index_at(node.address, alias) for alias in (an_alias() for _ in range(10))}
    objects = [as_object(each, MINE) for each in entries(200)]
    for alias, index in indexes.items():
        index.reach(1)
        (name,) = collections_of(node, alias)
        put_in(node, name, objects)
    node.kill()
    node.start()
    assert {index.count() for index in indexes.values()} == {200}
    lacking = [index for index in indexes.values() if found(index) < 200]
    assert lacking, "else there is nothing to make good"
    lacking[0].upsert(entries(200))
    assert found(lacking[0]) == 200


def put_in(node: WeaviateNode, name: str, objects: "list[DataObject[Any, None]]") -> None:
    """Past the index, and whatever it does that nothing be lost."""
    Server(node.address).ask(lambda client: client.collections.use(name).data.insert_many(objects))


@pytest.mark.exhaustive
def test_a_server_that_dies_in_the_midst_of_an_ingest_costs_no_passage(
    node: WeaviateNode, alias: str, tmp_path: Path
) -> None:
    shelves = OnServer(tmp_path, index_at(replace(node.address, timeout_seconds=6), alias))
    shelves.add("first", "Dogs bark.")
    death = threading.Timer(0.3, node.kill)
    death.start()
    with pytest.raises(IndexUnavailable):
        fill_for_ever(shelves)
    death.join()
    node.start()
    shelves.indexed.mend()
    standing = shelves.library.passage_ids()
    # Of a batch that was cut short the server may keep objects that no filter meets.
    assert shelves.index.count() == len(standing) == found(shelves.index)
    assert shelves.index.ids() >= standing
    add_cats(shelves, len(standing) // CATS)
    assert shelves.index.ids() == shelves.library.passage_ids() > standing
    assert found(shelves.index) == shelves.index.count() == len(standing) + CATS


CATS = 40


def fill_for_ever(shelves: Shelves) -> None:
    for number in count():
        add_cats(shelves, number)


def add_cats(shelves: Shelves, number: int) -> None:
    shelves.add(f"more{number}", *(f"Cats {n} purr." for n in range(CATS)))


def test_an_index_that_was_half_made_anew_when_the_server_died_is_gone_on_with_by_the_next(
    node: WeaviateNode, alias: str
) -> None:
    index = index_at(impatient(node), alias)
    index.upsert(entries(20))
    with pytest.raises(IndexUnavailable):
        renew_until_death(index, node)
    node.start()
    assert found(index) == 20
    assert len(collections_of(node, alias)) == 2
    with index.renew(1) as fresh:
        fresh.upsert(entries(7, "newest"))
    assert found(index) == 5 + 7
    assert len(collections_of(node, alias)) == 1


def renew_until_death(index: WeaviateIndex, node: WeaviateNode) -> None:
    with index.renew(1) as fresh:
        fresh.upsert(entries(5, "new"))
        node.kill()
        fresh.upsert(entries(5, "newer"))


def collections_of(node: WeaviateNode, alias: str, key: str = "") -> list[str]:
    server = Server(replace(node.address, api_key=key))
    names = server.ask(lambda client: client.collections.list_all(simple=True))
    return [name for name in names if name.startswith(alias)]


def test_who_reads_while_an_index_is_exchanged_finds_all_of_the_one_or_the_other(
    node: WeaviateNode, alias: str
) -> None:
    index, reader = index_at(node.address, alias), index_at(node.address, alias)
    index.upsert(entries(20))
    seen: list[int] = []
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            seen.append(found(reader))

    with ThreadPoolExecutor(2) as readers:
        reading = [readers.submit(read) for _ in range(2)]
        for _ in range(4):
            with index.renew(1) as fresh:
                fresh.upsert(entries(20))
        over.set()
        for each in reading:
            each.result()
    assert set(seen) == {20}


# --- a server that hangs, and one that lost everything --------------------------------


def test_a_server_that_hangs_is_told_of_when_the_time_is_over(
    node: WeaviateNode, alias: str
) -> None:
    index = index_at(impatient(node), alias)
    index.upsert(entries(3))
    node.pause()
    try:
        for ask in (partial(found, index), partial(index.upsert, entries(1, "more"))):
            with pytest.raises(
                IndexUnavailable, match=r"within 2 seconds \(VOUCH_WEAVIATE_TIMEOUT"
            ):
                ask()
    finally:
        node.go_on()
    assert found(index) == 3


def test_an_index_that_comes_back_empty_is_no_reason_to_know_nothing(
    node: WeaviateNode, alias: str, tmp_path: Path
) -> None:
    shelves = OnServer(tmp_path, index_at(node.address, alias))
    shelves.add("rules", "Dogs bark, 0.9.", "Cats do not.")
    assert shelves.search("Who barks?").hits
    node.lose_everything()
    with pytest.raises(IndexUnavailable, match=r"2 passages .* missing .* `vouch ingest`"):
        shelves.search("Who barks?")
    shelves.indexed.mend()
    assert shelves.search("Who barks?").hits


def test_an_index_that_lost_its_alias_is_made_anew_by_the_next_ingest(
    node: WeaviateNode, alias: str, tmp_path: Path
) -> None:
    shelves = OnServer(tmp_path, index_at(node.address, alias))
    shelves.add("rules", "Dogs bark, 0.9.")
    Server(node.address).ask(lambda client: client.alias.delete(alias_name=alias))
    other = OnServer(tmp_path, index_at(node.address, alias))
    with pytest.raises(IndexUnavailable, match="1 passages"):
        other.search("Who barks?")
    other.indexed.mend()
    assert other.search("Who barks?").hits
    assert len(collections_of(node, alias)) == 1


# --- a server restored from its own backup --------------------------------------------


@pytest.mark.exhaustive
def test_a_server_restored_from_its_own_backup_answers_as_before(
    node: WeaviateNode, alias: str
) -> None:
    index = index_at(node.address, alias)
    index.upsert(entries(40))
    index.reach(17)
    server, names = Server(node.address), collections_of(node, alias)
    kept = alias.lower(), BackupStorage.FILESYSTEM
    threading.Event().wait(1.1)  # of a log begun in this second the server would keep nothing
    server.ask(lambda client: client.backup.create(*kept, names, wait_for_completion=True))
    node.lose_everything()
    server.ask(lambda client: client.backup.restore(*kept, wait_for_completion=True))
    for each in (index, index_at(node.address, alias)):
        assert (found(each), each.count(), each.reached()) == (40, 40, 17)
    index.upsert(entries(2, "later"))
    assert found(index) == 42


# --- a server that is busy, wants a key, is another one -------------------------------


@pytest.mark.exhaustive
def test_a_server_that_is_too_busy_is_asked_again_until_it_answers_in_full(
    guarded: WeaviateNode, alias: str
) -> None:
    address = replace(guarded.address, api_key=KEY)
    index, server = index_at(address, alias), Server(address)
    refused: list[str] = []
    seen: list[int] = []
    index.upsert(entries(2000))
    (name,) = collections_of(guarded, alias, KEY)
    bare = server.client().collections.use(name)

    def crowd() -> None:
        """Asks without patience, which the server refuses by turns."""
        for _ in range(25):
            try:
                bare.query.near_vector(near_vector=QUERY.tolist(), limit=2000)
            except WeaviateQueryError as error:
                refused.append(str(error))

    others = [threading.Thread(target=crowd) for _ in range(3)]
    for each in others:
        each.start()
    while any(each.is_alive() for each in others):
        seen.append(found(index))
    assert refused, "else it was never busy"
    assert any("429" in each for each in refused)
    assert set(seen) == {2000}


def test_who_is_not_let_in_is_told_which_setting_and_never_the_key(
    guarded: WeaviateNode, alias: str
) -> None:
    index_at(replace(guarded.address, api_key=KEY), alias).upsert(entries(1))
    for key, told in {
        "": r"without a key\. Set VOUCH_WEAVIATE_KEY",
        "wrong-horse": "with this",
    }.items():
        with pytest.raises(IndexUnavailable, match=told) as refused:
            found(index_at(replace(guarded.address, api_key=key), alias))
        assert "VOUCH_WEAVIATE_KEY" in str(refused.value)
        assert "horse" not in str(refused.value)


def test_wrong_ports_and_addresses_are_named(node: WeaviateNode, alias: str) -> None:
    right = impatient(node)
    index_at(right, alias).upsert(entries(1))
    for wrong in (
        replace(right, url="http://127.0.0.1:1"),
        replace(right, url="http://nowhere.invalid:8080"),
        replace(right, url="127.0.0.1:8080"),
        replace(right, url=node.url.replace("http:", "https:")),
        replace(right, grpc_port=1),
        replace(right, grpc_port=node.ports["data"]),
    ):
        with pytest.raises(IndexUnavailable, match=r"VOUCH_WEAVIATE_URL and VOUCH_WEAVIATE_GRPC"):
            found(index_at(wrong, alias))


class _Older(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"hostname": "http://[::]:8080", "modules": {}, "version": "1.28.0"}')

    def log_message(self, *_: object) -> None:
        """Nobody listens."""


def test_a_server_of_an_old_version_is_told_by_its_number(alias: str) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Older) as older:
        threading.Thread(target=older.serve_forever, daemon=True).start()
        index = index_at(Address(f"http://127.0.0.1:{older.server_port}", 1), alias)
        with pytest.raises(IndexUnavailable, match=r"version 1\.28\.0, and Vouch needs 1\.32"):
            index.count()
        older.shutdown()


# --- a cluster ------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_a_cluster_answers_and_is_written_to_while_one_of_three_is_away(alias: str) -> None:
    with weaviate_cluster(3) as nodes:
        places = [replace(node.address, timeout_seconds=10) for node in nodes]
        first, second, third = (index_at(each, alias, replicas=3) for each in places)
        first.upsert(entries(100))
        # A write is acknowledged by two of three, and a search reads one copy.
        eventually(lambda: [found(each) for each in (first, second, third)] == [100, 100, 100])
        nodes[2].kill()
        at_last(lambda: first.upsert(entries(50, "while away")))
        at_last(lambda: first.delete(["p1"]))
        at_last(lambda: first.reach(9))
        assert at_last(lambda: (found(second), second.count(), second.reached())) == (149, 149, 9)
        at_last(lambda: made_anew(second, 60))
        assert at_last(lambda: found(first)) == 60
        nodes[2].start()
        eventually(lambda: found(third) == 60 == len(third.ids()))


def made_anew(index: WeaviateIndex, number: int) -> None:
    with index.renew(1) as fresh:
        fresh.upsert(entries(number))


def at_last(action: Callable[[], T]) -> T:
    """What it comes to: where the one that is away led the cluster, another is chosen first.

    What is asked meanwhile hangs for as long as the timeout says, and is then an error.
    """
    pause = threading.Event()
    for _ in range(4):
        with suppress(IndexUnavailable):
            return action()
        pause.wait(0.5)
    return action()


def eventually(holds: Callable[[], bool]) -> None:
    """A node that comes back is brought up to date in its own time."""
    pause = threading.Event()
    for _ in range(400):
        with suppress(IndexUnavailable):
            if holds():
                return
        pause.wait(0.5)
    pytest.fail("the node that was away was not brought up to date")
