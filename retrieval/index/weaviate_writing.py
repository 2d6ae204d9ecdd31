"""Writing to a collection so that what was written can be found, also after the server died.

A server that is killed keeps its objects, but loses of its graph of vectors what it had not
flushed: it flushes a batch's objects before it has put their vectors into the graph, and flushes
the graph with the next batch alone (1.35; shard_write_batch_objects.go). It may lose their
properties likewise: then no filter meets them, neither one that counts nor one that deletes. What
it lost is not found any more, and to write the same object anew changes nothing. So each batch is
looked for, what is not found is deleted by its id, which needs no filter, and written anew, and a
few objects are sent twice.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from retrieval.errors import IndexUnavailable
from retrieval.index.weaviate_collections import VECTOR, filtered_as, uuid_of

if TYPE_CHECKING:
    from uuid import UUID

    from weaviate.collections import Collection as Stored_
    from weaviate.collections.classes.batch import BatchObjectReturn
    from weaviate.collections.classes.data import DataObject

    Stored = Stored_[Any, Any]
    Ask = Callable[[Callable[[Stored], Any]], Any]
    Objects = Sequence[DataObject[Any, None]]

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
    """Those that a search by vector does not find, by all that readers' filters ask.

    So few as are asked for are all compared, by what of the graph is there.
    """
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
