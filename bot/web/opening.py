"""What one reader may open: a citation, what its reply said, other versions; nothing tells why not.

Who may read is asked anew at every opening, of the same rules by which a click in Slack is judged
(`RecordAccess`, `RecordView`). The link names a citation and never a person, so whoever comes by it
sees what they may read themselves: nothing follows from a channel that it was posted in. What
another version says is judged by the rule of that version besides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from audit.errors import AmbiguousId, UnknownRecord
from audit.log import AuditReader
from audit.record import AuditRecord
from audit.values import Cited, team_of
from bot.access.people import Person
from bot.access.reading import RecordAccess, RecordView, is_of_team, is_private
from bot.answering.citations.links import CitationRef
from bot.web.views import Freshness, VersionView
from retrieval.documents.holdings import StoredVersion
from retrieval.documents.port import LibraryReader
from retrieval.metadata.access import permits
from retrieval.types import Scope


@dataclass(frozen=True, slots=True)
class OpenedCitation:
    record: AuditRecord
    view: RecordView
    ref: CitationRef
    cited: Cited
    versions: tuple[StoredVersion, ...]
    version: StoredVersion


@dataclass(frozen=True, slots=True)
class Opening:
    """Safe to share between threads; raises what the audit store and the library raise."""

    records: AuditReader
    library: LibraryReader
    visibility: RecordAccess

    def __call__(self, audit_id: str, ref: str, reader: Person | None) -> OpenedCitation | None:
        """Return None where this reader is to learn nothing, for whatever reason."""
        named, record = CitationRef.parse(ref), self.record(audit_id)
        if named is None or record is None or named.cited_by(record) is None:
            return None
        seen = RecordView(record, self.visibility.withheld(record, reader, None))
        cited = named.opened_in(seen)
        if cited is None:
            return None
        versions = tuple(self.library.history(cited.document_id))
        version = next((each for each in versions if each.version == cited.version), None)
        if version is None or version.erased_at is not None:
            return None
        return OpenedCitation(record, seen, named, cited, versions, version)

    def record(self, audit_id: str) -> AuditRecord | None:
        """Return the record with this id: a beginning of one opens nothing."""
        try:
            record = self.records.record(audit_id).record
        except (UnknownRecord, AmbiguousId):
            return None
        return record if record.audit_id == audit_id else None


def freshness_of(opened: OpenedCitation, library: LibraryReader) -> Freshness:
    if not library.access_of([opened.cited.document_id]):
        return Freshness.LEFT
    same = opened.versions[-1].sha256 == opened.version.sha256
    return Freshness.AS_CITED if same else Freshness.CHANGED


@dataclass(frozen=True, slots=True)
class Exchanges:
    """A reply's words are for whoever asked, for its channel's audience, and for administrators.

    A link may be handed on to anybody, even where the documents are for everyone.
    """

    scope_for: Callable[[Person | None, str | None, date], Scope]
    is_listed: Callable[[str], bool]
    """Whether it is known who is in a channel: of one that is not, it may be two people's own."""
    today: Callable[[], date]

    def may_read(self, record: AuditRecord, reader: Person | None) -> bool:
        if not is_of_team(record, team_of(reader.id if reader else "")):
            return False
        if reader is not None and (reader.admin or reader.id == record.person.id):
            return True
        channel = record.channel.id
        known = not is_private(channel) and self.is_listed(channel)
        return known and self._is_of(channel, reader)

    def _is_of(self, channel: str, reader: Person | None) -> bool:
        own = self.scope_for(reader, None, self.today()).facets
        common = self.scope_for(None, channel, self.today()).facets
        return all(values <= own.get(facet, frozenset()) for facet, values in common.items())


DIGEST_DIGITS = 8


@dataclass(frozen=True, slots=True)
class OtherVersions:
    scope_for: Callable[[Person | None, str | None, date], Scope]
    today: Callable[[], date]

    def listed(
        self, opened: OpenedCitation, reader: Person | None, shown: StoredVersion
    ) -> tuple[VersionView, ...]:
        """Return those that this reader may know of, newest first; at least the cited one."""
        return tuple(
            VersionView(
                digest=each.sha256[:DIGEST_DIGITS],
                since=each.ingested_at,
                until=each.removed_at,
                cited=each.version == opened.version.version,
                same_file=each.sha256 == opened.version.sha256,
                shown=each.version == shown.version,
                opens=each.sha256 if self._opens(opened, each, reader) else "",
            )
            for each in reversed(opened.versions)
            if each.version == opened.version.version or self._may_read(each, reader)
        )

    def named(
        self, opened: OpenedCitation, reader: Person | None, digest: str
    ) -> StoredVersion | None:
        """The newest version of these bytes; None where it is not theirs, or not there at all."""
        if digest in ("", opened.version.sha256):
            return opened.version
        return next(
            (
                each
                for each in reversed(opened.versions)
                if each.sha256 == digest and self._opens(opened, each, reader)
            ),
            None,
        )

    def _opens(self, opened: OpenedCitation, each: StoredVersion, reader: Person | None) -> bool:
        """Tell whether it is another one of which there is something to show to this reader."""
        is_other = each.sha256 != opened.version.sha256
        return is_other and each.is_text_kept and self._may_read(each, reader)

    def _may_read(self, each: StoredVersion, reader: Person | None) -> bool:
        """Tell whether somebody, as they are today, might have read a version while it stood."""
        if each.erased_at is not None or each.rule is None:
            return False
        over = each.rule.valid_to
        if over is not None and over < each.ingested_at.date():
            return False  # its time was over before it came
        today = self.today()
        last = min(each.removed_at.date(), today) if each.removed_at else today
        scope = self.scope_for(reader, None, today)
        return permits(each.rule, Scope(scope.facets, last, expired=True))
