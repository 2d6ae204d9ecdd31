"""Entries on a Weaviate server, for many writers and many readers."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import IndexUnavailable
from retrieval.index.entries import (
    Certificate,
    batches,
    best,
    demand_direction,
    distinct,
    match,
)
from retrieval.index.weaviate_collections import (
    VECTOR,
    Collections,
    as_object,
    filtered_as,
    of_documents,
    readable,
    uuid_of,
)
from retrieval.index.weaviate_server import Consistency, NoAnswer, Server
from retrieval.language.words import lexemes
from retrieval.ports import IndexEntry, Match
from retrieval.types import Scope

if TYPE_CHECKING:
    from uuid import UUID

    from weaviate.collections import Collection as Stored_
    from weaviate.collections.classes.batch import BatchObjectReturn
    from weaviate.collections.classes.data import DataObject
    from weaviate.collections.classes.internal import QueryReturn

    Stored = Stored_[Any, Any]
    Found = QueryReturn[Any, Any]
    Ask = Callable[[Callable[[Stored], Any]], Any]
    Objects = Sequence[DataObject[Any, None]]

MOST = 10_000
"""Objects that the server gives, or deletes, at once (its QUERY_MAXIMUM_RESULTS)."""
AT_ONCE = 500
"""Objects in one request: some megabytes."""
MATCHED = ["passage_id", "document_id"]
"""What is read of an entry that is found."""

T = TypeVar("T")


class WeaviateIndex:
    """Nothing is connected or made before it is needed; safe from any thread."""

    name = "weaviate"

    def __init__(
        self,
        server: Server,
        alias: str,
        mine: Certificate,
        *,
        consistency: Consistency = "QUORUM",
        replicas: int = 1,
    ) -> None:
        """`alias` is the library's own; `mine` says what it is to hold."""
        self._collections = Collections(server, alias, replicas)
        self._server = server
        self._mine = mine
        self._consistency = consistency
        self._beside: str | None = None
        self._known: str | None = None

    def upsert(self, entries: Sequence[IndexEntry]) -> None:
        objects = [as_object(entry, self._mine) for entry in distinct(entries)]
        if not objects:
            return
        name = self._current() or self._collections.make_first(self._mine)
        for start in range(0, len(objects), AT_ONCE):
            store(objects[start : start + AT_ONCE], partial(self._ask, name))

    def delete(self, passage_ids: Collection[str]) -> None:
        if not passage_ids or (name := self._current()) is None:
            return
        for some in batches(passage_ids, AT_ONCE):
            delete(some, partial(self._ask, name))

    def ids(self, document_ids: Collection[str] | None = None) -> frozenset[str]:
        def every(stored: "Stored") -> frozenset[str]:
            listed = stored.iterator(return_properties=["passage_id"], cache_size=MOST)
            return frozenset(str(each.properties["passage_id"]) for each in listed)

        def of_these(stored: "Stored") -> frozenset[str]:
            return frozenset(
                passage_id
                for document_id in document_ids or ()
                for passage_id in _of_document(stored, document_id)
            )

        return self._read(every if document_ids is None else of_these, frozenset())

    def count(self) -> int:
        """What is stored, whether or not a filter meets it."""

        def read(stored: "Stored") -> int:
            return stored.aggregate.over_all(total_count=True).total_count or 0

        return self._read(read, 0)

    def reached(self) -> int:
        return self._of_current(lambda name: self._collections.reached(self._checked(name)), 0)

    def reach(self, change: int) -> None:
        name = self._current() or self._collections.make_first(self._mine)
        self._collections.reach(name, change)

    @property
    def is_outdated(self) -> bool:
        def read(name: str) -> bool:
            return self._collections.certificate(name).is_outdated(self._mine)

        return self._of_current(read, nothing=False)

    def clear(self) -> None:
        self._collections.drop_all()

    @contextmanager
    def renew(self, change: int) -> Iterator["WeaviateIndex"]:
        fresh = WeaviateIndex(
            self._server,
            self._collections.alias,
            self._mine,
            consistency=self._consistency,
            replicas=self._collections.replicas,
        )
        fresh._beside = self._collections.beside(self._mine, change)  # one of its own kind
        yield fresh
        self._collections.put_to_use(fresh._beside)

    def nearest(self, vector: NDArray[np.float32], scope: Scope, limit: int) -> list[Match]:
        from weaviate.classes.query import MetadataQuery

        demand_direction(vector[np.newaxis], self._mine.dimension)
        where = readable(scope, self._mine.facets)

        def search(stored: "Stored", asked: int) -> list[Match]:
            found = stored.query.near_vector(
                near_vector=vector.tolist(),
                target_vector=VECTOR,
                filters=where,
                limit=asked,
                return_metadata=MetadataQuery(distance=True),
                return_properties=MATCHED,
            )
            return [
                _match(each.properties, _cosine(each.metadata.distance)) for each in found.objects
            ]

        return self._best(search, limit)

    def lexical(self, words: str, scope: Scope, limit: int) -> list[Match]:
        from weaviate.classes.query import MetadataQuery

        wanted = lexemes(words)
        where = readable(scope, self._mine.facets)

        def search(stored: "Stored", asked: int) -> list[Match]:
            found = stored.query.bm25(
                query=wanted,
                query_properties=["words"],
                filters=where,
                limit=asked,
                return_metadata=MetadataQuery(score=True),
                return_properties=MATCHED,
            )
            return [_match(each.properties, each.metadata.score or 0.0) for each in found.objects]

        return self._best(search, limit) if wanted else []

    def vectors(self, passage_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        def read(stored: "Stored") -> dict[str, NDArray[np.float32]]:
            return {
                str(each.properties["passage_id"]): np.asarray(each.vector[VECTOR], np.float32)
                for some in batches(passage_ids, AT_ONCE)
                for each in _with_vectors(stored, some).objects
            }

        return self._read(read, {}) if passage_ids else {}

    def optimize(self) -> None:
        """The server folds in what is written by itself."""

    def _best(self, search: Callable[["Stored", int], list[Match]], limit: int) -> list[Match]:
        def read(stored: "Stored") -> list[Match]:
            return best(lambda asked: search(stored, asked), limit, MOST)

        return self._read(read, []) if limit > 0 else []

    def _read(self, action: Callable[["Stored"], T], nothing: T) -> T:
        def read(name: str) -> T:
            return self._ask(self._checked(name), action)

        return self._of_current(read, nothing, self._known)

    def _of_current(self, read: Callable[[str], T], nothing: T, known: str | None = None) -> T:
        """What is read of the collection in use, or the next where it is exchanged meanwhile."""
        name = known or self._in_use()
        while name is not None:
            try:
                return read(name)
            except NoAnswer:
                raise
            except IndexUnavailable:
                now = self._in_use()
                if now == name:
                    raise
                name = now
        self._known = None
        return nothing

    def _current(self) -> str | None:
        """The collection in use, which is remembered for readers. Raise `IndexMismatch`."""
        return self._of_current(self._checked, None)

    def _checked(self, name: str) -> str:
        if name != self._known:
            self._collections.certificate(name).check(self._mine)
            self._known = name
        return name

    def _in_use(self) -> str | None:
        return self._beside or self._collections.current()

    def _ask(self, name: str, action: Callable[["Stored"], T]) -> T:
        from weaviate.classes.config import ConsistencyLevel

        level = ConsistencyLevel(self._consistency)
        return self._server.ask(
            lambda client: action(client.collections.use(name).with_consistency_level(level))
        )


def _of_document(stored: "Stored", document_id: str) -> Iterator[str]:
    """The passages of a document; one of more than `MOST` is told by a look at everything."""
    found = stored.query.fetch_objects(
        filters=of_documents([document_id]), limit=MOST, return_properties=["passage_id"]
    ).objects
    if len(found) < MOST:
        return (str(each.properties["passage_id"]) for each in found)
    wanted = uuid_of(document_id)
    listed = stored.iterator(return_properties=["passage_id", "document"])
    return (
        str(each.properties["passage_id"])
        for each in listed
        if each.properties["document"] == wanted
    )


def _with_vectors(stored: "Stored", passage_ids: Sequence[str]) -> "Found":
    return stored.query.fetch_objects_by_ids(
        [uuid_of(each) for each in passage_ids],
        limit=len(passage_ids),
        include_vector=[VECTOR],
        return_properties=["passage_id"],
    )


def _match(properties: Mapping[str, Any], score: float) -> Match:
    return match(str(properties["passage_id"]), str(properties["document_id"]), score)


def _cosine(distance: float | None) -> float:
    return float(np.clip(1 - (distance or 0.0), -1, 1))


SENT_TWICE = 100
"""Objects that are: an unchanged one costs little, and so many meet every shard of a collection."""

QUEUED = 5.0
"""Seconds in which a server with ASYNC_INDEXING puts a batch into its graph."""
NOT_HEARD_OF = "could not find index for class"
"""A node's words of a collection that the others know."""


def store(objects: "Objects", ask: "Ask") -> None:
    """Raise `IndexUnavailable` where one of them was not stored, or cannot be found."""
    _insert(objects, ask)
    if lost := _lost_for_good(objects, ask):
        for each in lost:
            ask(partial(_delete_one, uuid=_id(each)))
        _insert(lost, ask)
        if _lost_for_good(lost, ask):
            raise IndexUnavailable(
                f"Weaviate does not find {len(lost)} entries that it stored. Run `vouch ingest "
                "--re-embed`."
            )
    _insert(objects[-SENT_TWICE:], ask)


def delete(passage_ids: Sequence[str], ask: "Ask") -> None:
    """Raise `IndexUnavailable` where one of them stays.

    A filter that meets fewer than all may have missed what a killed server left.
    """
    ids = [uuid_of(each) for each in passage_ids]
    done = ask(lambda stored: stored.data.delete_many(where=_of_ids(ids)))
    if done.failed:
        raise IndexUnavailable(
            f"Weaviate could not delete {done.failed} entries. Try again in a minute."
        )
    if done.matches < len(ids):
        for each in ids:
            ask(partial(_delete_one, uuid=each))


def _delete_one(stored: "Stored", uuid: "UUID") -> None:
    stored.data.delete_by_id(uuid)


def _insert(objects: "Objects", ask: "Ask") -> None:
    """Again where a node of a cluster has not heard yet that the collection was made."""
    from tenacity import (
        Retrying,
        retry_if_exception,
        stop_after_attempt,
        wait_random_exponential,
    )

    patiently = Retrying(
        retry=retry_if_exception(lambda error: NOT_HEARD_OF in str(error)),
        stop=stop_after_attempt(8),
        wait=wait_random_exponential(multiplier=0.1, max=2),
        reraise=True,
    )
    patiently(_insert_once, objects, ask)


def _insert_once(objects: "Objects", ask: "Ask") -> None:
    done: BatchObjectReturn = ask(lambda stored: stored.data.insert_many(objects))
    if done.has_errors:
        first = next(iter(done.errors.values())).message
        raise IndexUnavailable(
            f"Weaviate did not store {len(done.errors)} entries ({first}). Run `vouch ingest` anew."
        )


def _lost_for_good(objects: "Objects", ask: "Ask") -> "Objects":
    """Those that are not found after a while either, in which a server may work off its queue."""
    from tenacity import Retrying, retry_if_result, stop_after_delay, wait_fixed

    patiently = Retrying(
        retry=retry_if_result(bool),
        stop=stop_after_delay(QUEUED),
        wait=wait_fixed(0.5),
        retry_error_callback=lambda state: state.outcome.result() if state.outcome else (),
    )
    lost: Objects = patiently(_lost, objects, ask)
    return lost


def _lost(objects: "Objects", ask: "Ask") -> "Objects":
    """Those that a search by vector does not find, by all that readers' filters ask."""
    anywhere: Any = objects[0].vector
    found = ask(
        lambda stored: stored.query.near_vector(
            near_vector=anywhere[VECTOR],
            target_vector=VECTOR,
            filters=_of_ids([_id(each) for each in objects]) & filtered_as(objects),
            limit=len(objects),
            return_properties=[],
        )
    )
    ids = {each.uuid for each in found.objects}
    return [each for each in objects if _id(each) not in ids]


def _id(each: "DataObject[Any, None]") -> "UUID":
    from uuid import UUID

    return UUID(str(each.uuid))


def _of_ids(ids: "Sequence[UUID]") -> Any:
    from weaviate.classes.query import Filter

    return Filter.by_id().contains_any(ids)
