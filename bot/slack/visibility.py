"""What somebody who clicks may see of a record, decided anew at every click.

The button was drawn for whoever could read the reply then. Since, a document may have
been withdrawn or restricted, and a person may have changed department.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date

from audit.record import AuditRecord
from bot.access import Person
from retrieval.filters import permits
from retrieval.types import AccessRule, Scope


@dataclass(frozen=True, slots=True)
class RecordVisibility:
    """Compares a record's documents with the library as it stands today."""

    scope_for: Callable[[Person | None, str | None, date], Scope]
    access_of: Callable[[Collection[str]], Mapping[str, AccessRule]]
    """Rules by document id; a document that left the library has none."""
    today: Callable[[], date]

    def withheld(
        self, record: AuditRecord, clicker: Person | None, channel: str | None
    ) -> frozenset[str]:
        """Return the ids of the record's documents that the clicker may not read today.

        `channel` is where the reply stands, None for a direct message: what everyone
        there may read the clicker may read too.
        """
        named = documents_of(record)
        rules = self.access_of(named)
        scopes = [self.scope_for(clicker, None, self.today())]
        if channel is not None:
            scopes.append(self.scope_for(None, channel, self.today()))
        return frozenset(
            document_id
            for document_id in named
            if document_id not in rules
            or not any(permits(rules[document_id], scope) for scope in scopes)
        )


def documents_of(record: AuditRecord) -> frozenset[str]:
    """Return the ids of all documents that a record names anywhere."""
    claims = (*record.claims, *record.dropped)
    return frozenset(
        [
            *(citation.document_id for claim in claims for citation in claim.citations),
            *(candidate.document_id for candidate in record.candidates),
            *(nearest.document_id for nearest in record.nearest),
            *(expired.source.document_id for expired in record.expired),
        ]
    )
