"""A citation is opened for one reader, or it is not, and nothing tells why.

Who may read is asked anew at every opening, of the same rules by which a click in Slack is judged
(`RecordVisibility`, `Seen`). The link names a citation and never a person, so whoever comes by it
sees what they may read themselves: nothing follows from a channel that it was posted in.
"""

from dataclasses import dataclass
from typing import Protocol

from audit.errors import AmbiguousId, UnknownRecord
from audit.log import StoredEntry
from audit.record import AuditRecord
from audit.record.claims import CitationRecord
from audit.record.nearest import NearestRecord
from bot.access import Person
from bot.citation_ref import CitationRef
from bot.record_visibility import RecordVisibility
from bot.seen import Seen
from retrieval.documents.holdings import KeptVersion
from retrieval.documents.port import LibraryReader

Cited = CitationRecord | NearestRecord


class Records(Protocol):
    """An audit reader, as far as it is needed here."""

    def record(self, audit_id: str) -> StoredEntry:
        """One record, by its id or how it begins; raise `UnknownRecord` or `AmbiguousId`."""
        ...


@dataclass(frozen=True, slots=True)
class Opened:
    """A citation that its reader may see."""

    record: AuditRecord
    seen: Seen
    ref: CitationRef
    cited: Cited
    versions: tuple[KeptVersion, ...]
    version: KeptVersion


@dataclass(frozen=True, slots=True)
class Opening:
    """Opens citations; safe to share between threads.

    Raise what the audit store and the library raise where they cannot be read.
    """

    records: Records
    library: LibraryReader
    visibility: RecordVisibility

    def __call__(self, audit_id: str, ref: str, reader: Person | None) -> Opened | None:
        """Return None where this reader is to learn nothing, for whatever reason."""
        named, record = CitationRef.parse(ref), self._record(audit_id)
        cited = named.cited_by(record) if named and record else None
        if named is None or record is None or cited is None:
            return None
        seen = Seen(record, self.visibility.withheld(record, reader, None))
        if cited.document_id in seen.withheld:
            return None
        disagreement = named.disagreement_of(record)
        if disagreement and not seen.may_compare(disagreement):
            return None
        versions = tuple(self.library.history(cited.document_id))
        version = next((each for each in versions if each.version == cited.version), None)
        if version is None or version.erased_at is not None:
            return None
        return Opened(record, seen, named, cited, versions, version)

    def _record(self, audit_id: str) -> AuditRecord | None:
        """Return the record with this id: a beginning of one opens nothing."""
        try:
            entry = self.records.record(audit_id).entry
        except (UnknownRecord, AmbiguousId):
            return None
        is_it = isinstance(entry, AuditRecord) and entry.audit_id == audit_id
        return entry if isinstance(entry, AuditRecord) and is_it else None
