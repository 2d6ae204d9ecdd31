"""What an ingest knows of the documents that a library holds, and what it adds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from retrieval.metadata.access import Audience, allowed_by
from retrieval.types import (
    AccessRule,
    Document,
    Fragment,
    PageSize,
    ParsedDocument,
    Passage,
    PlacedHeading,
)


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
    sketch: str = ""
    """Of its text, to tell how alike two documents are; empty where it was not read yet."""

    @property
    def glance(self) -> tuple[int, int, int, str]:
        """All that can be known without reading the file."""
        return self.size, self.modified_ns, self.changed_ns, self.circumstances

    def same_stat(self, other: "Fingerprint") -> bool:
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

    source: str
    """The source's name."""
    document: Document
    fingerprint: Fingerprint
    suspended: bool = False
    """Whether it is kept but not served: nobody can see whether its file still stands, or it is
    not yet compared with all that one ingest reads."""


@dataclass(frozen=True, slots=True)
class KnownSource:
    """A source is what an ingest reads as one; it goes by its name, wherever its folder stands."""

    name: str
    root: str
    """The folder where it stood when it was last read; empty where that was never told."""
    whole: bool = False
    """Whether the folder was given as a whole, and not some of its documents."""
    said: Audience | None = None
    """Who may read it, as the operator said; None where nobody did."""
    stated: Audience | None = None
    """The same as the `metadata.yaml` of its folder states it."""
    url: str = ""
    """Where it lives, if elsewhere; its folder is a mirror then. It holds no secret."""

    @property
    def audience(self) -> Audience | None:
        """Whom all that was said allows; None where nothing was, so that it is nobody's."""
        return allowed_by(self.said, self.stated)


@dataclass(frozen=True, slots=True)
class SourceTimes:
    """A source was last read, and last changed, at these times, in UTC."""

    name: str
    read_at: datetime | None
    """None where no ingest noted it, as in a library of 0.3 that was not read since."""
    changed_at: datetime | None
    """When a document of it last came, changed or left; None where it never held one."""


@dataclass(frozen=True, slots=True)
class KeptOut:
    """Something was kept from everyone by an ingest, and this says why."""

    source: str
    """The source's name."""
    file: str
    """A document, a folder or a metadata file, relative to the source's folder."""
    reason: str
    """In words for the person who will mend it."""
    fingerprint: Fingerprint | None = None
    """Of the file that was read in vain: while it has it, it is not read again. None where no
    reading was tried, or where another one may go well."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a parser made of a version, as it is kept."""

    source: str
    """The text that offsets of sentences count in."""
    fragments: tuple[Fragment, ...]
    pages: tuple[PageSize, ...] = ()
    """This and what follows as in `ParsedDocument`; empty for what 0.3 and before read."""
    headings: tuple[PlacedHeading, ...] = ()
    left_out: tuple[Fragment, ...] = ()

    @classmethod
    def of(cls, document: ParsedDocument) -> "Parsed":
        """What is kept of a document; what it says of itself is kept as its metadata."""
        return cls(
            document.source,
            document.fragments,
            document.pages,
            document.headings,
            document.left_out,
        )


@dataclass(frozen=True, slots=True)
class Acquisition:
    """A document's new version, to be stored with all its passages at once."""

    source: str
    """The source's name."""
    document: Document
    fingerprint: Fingerprint
    passages: Sequence[Passage]
    content: bytes | None = None
    """The file's bytes; None to keep none."""
    parsed: Parsed | None = None
    parser: str = ""
    """Which parsers read it and how it was cut."""
    suspended: bool = False
    """Whether it is not served yet."""


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """A version of a document, as it is kept while it stands and afterwards."""

    document_id: str
    version: str
    source: str
    """The source's name at the time, as the next two."""
    file: str
    title: str
    rule: AccessRule | None
    """Who might read it; None where that is not kept, so that nobody may."""
    sha256: str
    """Of the file's bytes."""
    parser: str
    ingested_at: datetime
    """In UTC, as the next two."""
    removed_at: datetime | None
    """None while it stands."""
    erased_at: datetime | None
    """When it was purged."""
    is_text_kept: bool
    """Whether there still is what a parser made of it."""


@dataclass(frozen=True, slots=True)
class Purge:
    """What was erased of a document, whose hashes stay."""

    file: str
    versions: int
    passages: int
    also_stands_as: tuple[str, ...]
    """Files of other documents with the same bytes, which are as they were."""
