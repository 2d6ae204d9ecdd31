"""What a library is to those who read it; `SqlLibrary` is what the ingest writes."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Protocol

from retrieval.documents.holdings import (
    Holding,
    KeptOut,
    KnownSource,
    Parsed,
    SourceTimes,
    StoredVersion,
)
from retrieval.types import AccessRule, Passage

VersionKey = tuple[str, str]
"""A document's id and its version, as audit records name them."""


class LibraryReader(Protocol):
    """The documents that stand in the library today, and what is kept of earlier ones.

    What is suspended is not served: no method tells of it but where that is said.
    """

    def passages(self, passage_ids: Collection[str]) -> dict[str, Passage]:
        """Return passages by id; an id that is not there is left out."""
        ...

    def neighbours(self, passage: Passage, distance: int) -> list[Passage]:
        """Return up to `distance` passages of its document on each side, in reading order."""
        ...

    def first_passages(self, document_ids: Collection[str]) -> dict[str, Passage]:
        """Return the passage with which each document begins, by the document's id."""
        ...

    def with_passages(self, document_ids: Collection[str]) -> frozenset[str]:
        """Return which of these documents have any; none is read, so that no seal is asked."""
        ...

    def all_passages(self) -> Iterator[Passage]:
        """Yield every passage, source by source, file by file, in reading order."""
        ...

    def passage_ids(self, document_ids: Collection[str] | None = None) -> frozenset[str]:
        """Return the id of every passage; of these documents alone, where they are given."""
        ...

    def changes(self) -> int:
        """Return a number that grows with every change of what is served."""
        ...

    def changed_since(self, change: int) -> frozenset[str]:
        """Return the id of every document whose passages changed, or that left, after a change."""
        ...

    def library_id(self) -> str:
        """Return what no other library has: an index on a server goes by it."""
        ...

    def has_expired(self, on: date) -> bool:
        """Tell whether the time of any document is over on a day."""
        ...

    def access_of(self, document_ids: Collection[str]) -> dict[str, AccessRule]:
        """Return who may read documents today; one that has left the library is left out."""
        ...

    def rules_at(self, versions: Collection[VersionKey]) -> dict[VersionKey, AccessRule]:
        """Return who might read versions in their time; left out is what was not kept."""
        ...

    def passages_at(self, wanted: Collection[tuple[str, str, str]]) -> dict[str, Passage]:
        """Return kept passages by their id; wanted are (document id, version, passage id)."""
        ...

    def history(self, document_id: str) -> list[StoredVersion]:
        """Return a document's versions, the first one first; also of what left or was purged."""
        ...

    def replaced_since(self, when: datetime) -> Mapping[str, datetime]:
        """Return when documents last changed or left that did since then, by id; not new ones."""
        ...

    def original(self, document_id: str, version: str) -> bytes | None:
        """Return the file of a version; None where it is not kept."""
        ...

    def parsed(self, document_id: str, version: str) -> Parsed | None:
        """Return what a parser made of a version; None where it is not kept."""
        ...

    def shown(self, sha256: str) -> str | None:
        """Return what a writer was shown, by its hash; empty where erased, None if never kept."""
        ...

    def documents_named(self, name: str) -> dict[str, str]:
        """Return id and latest file of all that a name may mean, exactly before loosely."""
        ...

    def holdings_like(self, name: str) -> list[Holding]:
        """Return every document that a name may mean; also suspended ones."""
        ...

    def holdings_at(self, path: Path) -> list[Holding]:
        """Return the document of a file of the system, in each source that it was read for."""
        ...

    def sources(self) -> list[KnownSource]:
        """Return what was ingested, by name."""
        ...

    def holdings(self, source: str) -> dict[str, Holding]:
        """Return the documents of one source, by file; also suspended ones."""
        ...

    def source_times(self) -> list[SourceTimes]:
        """Return when each source was last read and last changed, by name."""
        ...

    def kept_out(self) -> list[KeptOut]:
        """Return all that was kept from everyone when last looked at, by source and file."""
        ...

    def is_empty(self) -> bool:
        """Tell whether there is no document at all, not even a suspended one."""
        ...

    def files(self, but: Collection[str] = ()) -> frozenset[str]:
        """Return the files that are served, but of these sources."""
        ...

    def counts(self) -> Mapping[str, int]:
        """Return how many `documents` and `passages` are served."""
        ...

    def broken(self, document_ids: Collection[str] | None = None) -> dict[str, str]:
        """Return id and file of documents with a passage that is not as it was stored."""
        ...

    def keep_shown(self, passages: Sequence[Passage]) -> None:
        """Keep what a writer is shown, so that an exchange can be explained; twice is once."""
        ...
