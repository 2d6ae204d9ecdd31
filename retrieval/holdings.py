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

    @property
    def glance(self) -> tuple[int, int, str]:
        """All that can be known without reading the file."""
        return self.size, self.modified_ns, self.circumstances

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


@dataclass(frozen=True, slots=True)
class Acquisition:
    """A document's new version, to be stored with all its passages at once."""

    root: str
    document: Document
    fingerprint: Fingerprint
    passages: Sequence[Passage]
