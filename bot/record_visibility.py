"""What somebody who clicks may see of a record, decided anew at every click.

The button was drawn for whoever could read the reply then. Since, a document may have
been withdrawn or restricted, and a person may have changed department.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from audit.record import AuditRecord
from audit.record.claims import CitationRecord
from bot.access import Person
from retrieval.documents.port import VersionKey
from retrieval.metadata.access import permits
from retrieval.types import AccessRule, Scope


@dataclass(frozen=True, slots=True)
class RecordVisibility:
    """Compares a record's documents with the library as it stands today."""

    scope_for: Callable[[Person | None, str | None, date], Scope]
    access_of: Callable[[Collection[str]], Mapping[str, AccessRule]]
    """Rules by document id; a document that left the library has none."""
    rules_at: Callable[[Collection[VersionKey]], Mapping[VersionKey, AccessRule]]
    """Rules of versions in their time; one that is not kept is left out."""
    today: Callable[[], date]

    def withheld(
        self, record: AuditRecord, clicker: Person | None, channel: str | None
    ) -> frozenset[str]:
        """Return the ids of the record's documents that the clicker may not read now.

        Of a reply as of a day ahead: may not read on that day, being who they are today. One as of
        an earlier day may show what no longer holds.

        `channel` is where the reply stands, None for a direct message: what everyone
        there may read the clicker may read too. A document must be open to them as it is, and
        the versions that the record names as they were; one that left opens to administrators.
        """
        named, as_of = documents_of(record), max(self.today(), record.filter.on)
        is_of_the_past = record.filter.on < record.time.astimezone().date()  # of this place, too
        rules, versions = self.access_of(named), versions_of(record)
        then = self.rules_at(versions)
        closed = {
            key[0]
            for key in versions
            if key not in then or not self._permitted(then[key], clicker, channel, record.filter.on)
        }
        open_now = {
            document_id
            for document_id in rules
            if self._permitted(rules[document_id], clicker, channel, as_of, expired=is_of_the_past)
        }
        may_see_what_left = clicker is not None and clicker.admin
        left = named - rules.keys() if may_see_what_left else frozenset[str]()
        return frozenset(named - (open_now - closed) - left)

    def _permitted(
        self,
        rule: AccessRule,
        clicker: Person | None,
        channel: str | None,
        on: date,
        *,
        expired: bool = False,
    ) -> bool:
        """Tell whether the clicker, or everyone in the channel, may read it on a day."""
        scopes = [self.scope_for(clicker, None, on)]
        if channel is not None:
            scopes.append(self.scope_for(None, channel, on))
        return any(permits(rule, replace(scope, expired=expired)) for scope in scopes)


def versions_of(record: AuditRecord) -> frozenset[VersionKey]:
    """Return the versions that a record cites or considered."""
    return frozenset(
        [
            *((each.document_id, each.version) for each in _cited(record)),
            *((each.document_id, each.version) for each in record.candidates),
            *((each.document_id, each.version) for each in record.nearest if each.version),
        ]
    )


def documents_of(record: AuditRecord) -> frozenset[str]:
    """Return the ids of all documents that a record names anywhere."""
    return frozenset(
        [
            *(citation.document_id for citation in _cited(record)),
            *(candidate.document_id for candidate in record.candidates),
            *(nearest.document_id for nearest in record.nearest),
            *(expired.source.document_id for expired in record.expired),
        ]
    )


def _cited(record: AuditRecord) -> Iterator[CitationRecord]:
    for claim in (*record.claims, *record.dropped):
        yield from claim.citations
    for each in record.contradictions:
        yield from (each.holds.citation, each.against.citation)
