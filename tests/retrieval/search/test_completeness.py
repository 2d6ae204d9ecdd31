"""An index that lacks something is noticed, without a comparison at every question."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import lance_index
from shelves import Shelves

from retrieval.documents.port import LibraryReader
from retrieval.index.lance_index import LanceIndex
from retrieval.search.completeness import LOOK_AGAIN, IndexCompleteness, missing


class Counted:
    """A library that counts how often it was compared."""

    def __init__(self, library: LibraryReader) -> None:
        self._library = library
        self.asked = 0

    def changes(self) -> int:
        return self._library.changes()

    def changed_since(self, change: int) -> frozenset[str]:
        self.asked += 1
        return self._library.changed_since(change)

    def passage_ids(self, document_ids: Collection[str] | None = None) -> frozenset[str]:
        assert document_ids is not None, "no question waits for all ids of a library"
        return self._library.passage_ids(document_ids)

    def counts(self) -> Mapping[str, int]:
        return self._library.counts()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    shelves = Shelves(tmp_path)
    shelves.add("rules", "Dogs bark.", "Cats do not.")
    return shelves


def test_what_the_index_lost_is_counted_until_it_is_back(shelves: Shelves) -> None:
    unsearched = IndexCompleteness(shelves.library, shelves.index)
    assert unsearched() == 0
    shelves.index.delete(["rules-1"])
    shelves.library.doubt(["rules"])  # any change makes it look again
    assert [unsearched(), unsearched()] == [1, 1]
    shelves.indexed.mend()
    assert unsearched() == 0


def test_nothing_is_compared_again_while_nothing_changed(shelves: Shelves) -> None:
    library, clock = Counted(shelves.library), Clock()
    unsearched = IndexCompleteness(library, shelves.index, clock)  # type: ignore[arg-type]  # only these are asked
    assert [unsearched(), unsearched(), library.asked] == [0, 0, 1]
    shelves.add("fees", "Fees are ten.")
    assert [unsearched(), library.asked] == [0, 2]


def test_an_index_that_loses_its_files_is_noticed_in_time(shelves: Shelves) -> None:
    clock = Clock()
    unsearched = IndexCompleteness(shelves.library, shelves.index, clock)
    assert unsearched() == 0
    shelves.index.delete(["rules-1"])
    clock.now += LOOK_AGAIN
    assert unsearched() == 1


class Unlisted(LanceIndex):
    """An index whose ids are too many to be listed."""

    def ids(self, document_ids: Collection[str] | None = None) -> frozenset[str]:
        assert document_ids is not None, "all ids were listed"
        return super().ids(document_ids)


@pytest.fixture
def unlisted(shelves: Shelves) -> Unlisted:
    """The index of the shelves, which follows the library from here on."""
    shelves.indexed.mend()
    folder = shelves.index._folder  # noqa: SLF001  # another handle to it
    return Unlisted(folder.path, folder.mine)


def test_an_ingest_of_one_document_compares_no_other(shelves: Shelves, unlisted: Unlisted) -> None:
    stacks = replace(shelves.indexed, index=unlisted)
    shelves.add("fees", "Fees are ten.", "And twenty.")
    stacks.mend()
    assert shelves.index.ids() == {"rules-0", "rules-1", "fees-0", "fees-1"}
    shelves.add("costs", "Fees are twelve.")
    stacks.library.remove(["fees"])
    stacks.mend()
    assert shelves.index.ids() == {"rules-0", "rules-1", "costs-0"}
    stacks.library.remove(["costs"])
    stacks.mend()
    assert shelves.index.ids() == shelves.library.passage_ids() == {"rules-0", "rules-1"}


def test_what_another_index_followed_this_one_follows_too(shelves: Shelves, tmp_path: Path) -> None:
    """Two machines with an index each read from one library."""
    elsewhere = lance_index(tmp_path / "elsewhere")
    other = replace(shelves.indexed, index=elsewhere)
    other.mend()
    assert missing(shelves.library, elsewhere) == 0
    shelves.library.remove(["rules"])
    shelves.add("laws", "Dogs may bark.", "Cats may not.")  # as many as before
    shelves.indexed.mend()
    assert missing(shelves.library, elsewhere) == 2
    other.mend()
    assert elsewhere.ids() == shelves.library.passage_ids() == {"laws-0", "laws-1"}


def test_what_was_lost_of_documents_that_did_not_change_is_brought_back(shelves: Shelves) -> None:
    shelves.indexed.mend()
    shelves.index.delete(["rules-0"])
    assert missing(shelves.library, shelves.index) == 1
    shelves.indexed.mend()
    assert shelves.index.ids() == {"rules-0", "rules-1"}
