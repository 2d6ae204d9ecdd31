"""What a language model wrote is kept with its document, until the index has it and afterwards."""

from datetime import UTC, datetime

import pytest

from retrieval.documents.holdings import Acquisition, Fingerprint
from retrieval.documents.port import NOT_YET, LeadKey, LeadTexts
from retrieval.documents.sql_library import SqlLibrary
from retrieval.ports import EntryKind
from retrieval.types import Document, Metadata

pytest_plugins = ["audit_stores", "libraries"]

MODEL = "a model, prompt 1"
SAID: LeadTexts = {EntryKind.QUESTION: ("Who\0 asks?", "Wer fragt, „und warum“?")}
FEES, OTHER = ("fees", "hash-1"), ("fees", "hash-2")


def stored(library: SqlLibrary, *names: str) -> None:
    for name in names:
        owner = Document(name, f"{name}.md", "1", datetime.now(UTC), name, Metadata())
        library.store([Acquisition("docs", owner, Fingerprint(1, 2, name, ""), [])])


def kept(library: SqlLibrary, *keys: LeadKey) -> set[LeadKey]:
    return set(library.written(MODEL, keys))


def test_what_was_written_is_there_again_for_the_same_passage_and_model_alone(
    library: SqlLibrary,
) -> None:
    library.keep_written(MODEL, FEES, SAID)
    assert library.written(MODEL, [FEES, OTHER]) == {FEES: SAID}
    assert library.written("another", [FEES]) == {}
    assert library.written(MODEL, [("leave", "hash-1")]) == {}
    library.keep_written(MODEL, FEES, {})
    assert library.written(MODEL, [FEES]) == {FEES: {}}, "the last is kept"


def test_it_is_owed_until_the_index_has_it_and_what_could_not_be_written_stays_so(
    library: SqlLibrary,
) -> None:
    library.keep_written(MODEL, FEES, SAID)
    library.keep_written(MODEL, OTHER, None, owed="it was away")
    assert library.owed([MODEL]) == {FEES: NOT_YET, OTHER: "it was away"}
    library.settle([MODEL], [FEES, OTHER])
    assert library.owed([MODEL]) == {OTHER: "it was away"}
    assert (library.owed([]), library.owed(["another"])) == ({}, {})
    assert kept(library, FEES, OTHER) == {FEES}


def test_more_than_one_statement_takes_is_found(library: SqlLibrary) -> None:
    keys = [("fees", f"hash-{n}") for n in range(700)]
    for key in keys[::100]:
        library.keep_written(MODEL, key, SAID)
    assert kept(library, *keys) == set(keys[::100])
    library.settle([MODEL], keys)
    assert library.owed([MODEL]) == {}


def test_it_goes_when_its_passage_says_something_else(library: SqlLibrary) -> None:
    for key in (FEES, OTHER, ("leave", "hash-1")):
        library.keep_written(MODEL, key, SAID)
    library.retain_written("fees", ["hash-2", "hash-3"])
    assert kept(library, FEES, OTHER, ("leave", "hash-1")) == {OTHER, ("leave", "hash-1")}


@pytest.mark.parametrize("way", ["removed", "purged", "never stored"])
def test_it_goes_with_the_document(library: SqlLibrary, way: str) -> None:
    stored(library, "fees", "leave")
    gone = ("never", "hash-1") if way == "never stored" else FEES
    for key in (gone, ("leave", "hash-1")):
        library.keep_written(MODEL, key, SAID)
    if way == "purged":
        library.purge("fees")
    else:
        library.remove(["fees"])
        library.forget_strays()
    assert kept(library, gone, ("leave", "hash-1")) == {("leave", "hash-1")}


def test_of_a_document_that_waits_it_stays(library: SqlLibrary) -> None:
    stored(library, "fees")
    library.keep_written(MODEL, FEES, SAID)
    library.suspend(["fees"])
    library.forget_strays()
    assert kept(library, FEES) == {FEES}
