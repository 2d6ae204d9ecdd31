"""What an ingest knows of the documents that a library holds, and what it adds."""

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.types import Document, Passage


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What tells cheaply whether a file must be read, and surely whether it changed."""

    size: int
    modified_ns: int
    sha256: str
    circumstances: str
    """Of the metadata files above it and of how this version of Vouch cuts documents."""
    changed_ns: int = -1
    """When the system last saw the file change. Unlike its size and the time it says itself,
    no editor, copy or archive sets it; -1 where it was too fresh to tell a later change by."""

    @property
    def glance(self) -> tuple[int, int, int, str]:
        """All that can be known without reading the file."""
        return self.size, self.modified_ns, self.changed_ns, self.circumstances

    def seen_at(self, other: "Fingerprint") -> bool:
        """Whether a glance tells surely that this is the file that the other was taken of."""
        return self.glance == other.glance and self.changed_ns >= 0

    def same_content(self, other: "Fingerprint") -> bool:
        """Whether the file would be cut and described as before."""
        return (self.sha256, self.circumstances) == (other.sha256, other.circumstances)


UNKNOWN = Fingerprint(size=-1, modified_ns=-1, sha256="", circumstances="")
"""No file has it."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A document of the library, as an ingest needs to know it."""

    document: Document
    fingerprint: Fingerprint
    suspended: bool = False
    """Whether it is kept but not served, as nobody can see whether its file still stands."""


@dataclass(frozen=True, slots=True)
class KeptOut:
    """Something that an ingest kept from everyone, and why."""

    root: str
    """The ingested folder."""
    file: str
    """A document, a folder or a metadata file, relative to it."""
    reason: str
    """In words for the person who will mend it."""


@dataclass(frozen=True, slots=True)
class Acquisition:
    """A document's new version, to be stored with all its passages at once."""

    root: str
    document: Document
    fingerprint: Fingerprint
    passages: Sequence[Passage]
