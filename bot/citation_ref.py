"""The name of a citation within its record: `2-1` or `n1`, as it stands in links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from audit.record import AuditRecord, CitationRecord, ClaimRecord, NearestRecord

_REF = re.compile(r"n([1-9][0-9]{0,3})|([1-9][0-9]{0,3})-([1-9][0-9]{0,3})")


@dataclass(frozen=True, slots=True)
class CitationRef:
    """A place in a record: a claim's citation, or one of what came nearest.

    Both numbers count from 1, in the record's order.
    """

    claim: int | None
    """None for one of what came nearest."""
    number: int

    @classmethod
    def parse(cls, text: str) -> "CitationRef | None":
        """Read `2-1`, the first citation of the second claim, or `n1`; None for anything else."""
        found = _REF.fullmatch(text)
        if found is None:
            return None
        nearest, claim, citation = found.groups()
        return cls(None, int(nearest)) if nearest else cls(int(claim), int(citation))

    def __str__(self) -> str:
        return f"n{self.number}" if self.claim is None else f"{self.claim}-{self.number}"

    def claim_of(self, record: AuditRecord) -> ClaimRecord | None:
        """Return the claim that cites; None where there is none."""
        if self.claim is None or self.claim > len(record.claims):
            return None
        return record.claims[self.claim - 1]

    def cited_by(self, record: AuditRecord) -> CitationRecord | NearestRecord | None:
        """Return what the record cites there; None where it has no such citation."""
        claim = self.claim_of(record)
        if self.claim is not None and claim is None:
            return None
        places = record.nearest if claim is None else claim.citations
        return places[self.number - 1] if self.number <= len(places) else None


def refs_in(record: AuditRecord) -> Iterator[CitationRef]:
    """Name all that a record cites, claim by claim, and then what came nearest."""
    for number, claim in enumerate(record.claims, start=1):
        for each in range(1, len(claim.citations) + 1):
            yield CitationRef(number, each)
    for each in range(1, len(record.nearest) + 1):
        yield CitationRef(None, each)
