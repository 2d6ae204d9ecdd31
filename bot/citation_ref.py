"""The name of a citation within its record: `2-1`, `n1` or `d1-2`, as it stands in links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from audit.record import AuditRecord
from audit.record.claims import CitationRecord, ClaimRecord
from audit.record.contradictions import ContradictionRecord
from audit.record.nearest import NearestRecord

_COUNT = r"([1-9][0-9]{0,3})"
_REF = re.compile(rf"n{_COUNT}|{_COUNT}-{_COUNT}|d{_COUNT}-([12])")
HOLDS, AGAINST = 1, 2
"""The sides of a disagreement."""


@dataclass(frozen=True, slots=True)
class CitationRef:
    """A place in a record: a claim's citation, one of what came nearest, a side of a disagreement.

    All numbers count from 1, in the record's order.
    """

    claim: int | None
    """None for one of what came nearest, and for a side of a disagreement."""
    number: int
    disagreement: int | None = None

    @classmethod
    def parse(cls, text: str) -> "CitationRef | None":
        """Read `2-1`, the first citation of the second claim, `n1`, or `d1-2`, the second side.

        None for anything else.
        """
        found = _REF.fullmatch(text)
        if found is None:
            return None
        nearest, claim, citation, disagreement, side = found.groups()
        if disagreement:
            return cls(None, int(side), int(disagreement))
        return cls(None, int(nearest)) if nearest else cls(int(claim), int(citation))

    def __str__(self) -> str:
        if self.disagreement is not None:
            return f"d{self.disagreement}-{self.number}"
        return f"n{self.number}" if self.claim is None else f"{self.claim}-{self.number}"

    def claim_of(self, record: AuditRecord) -> ClaimRecord | None:
        """Return the claim that cites; None where there is none."""
        if self.claim is None or self.claim > len(record.claims):
            return None
        return record.claims[self.claim - 1]

    def disagreement_of(self, record: AuditRecord) -> ContradictionRecord | None:
        """Return the disagreement of which it is a side; None where there is none."""
        if self.disagreement is None or self.disagreement > len(record.contradictions):
            return None
        return record.contradictions[self.disagreement - 1]

    @property
    def other_side(self) -> "CitationRef | None":
        """Return what a side of a disagreement stands against; None for anything else."""
        if self.disagreement is None:
            return None
        return CitationRef(None, AGAINST if self.number == HOLDS else HOLDS, self.disagreement)

    @property
    def is_nearest(self) -> bool:
        return self.claim is None and self.disagreement is None

    def cited_by(self, record: AuditRecord) -> CitationRecord | NearestRecord | None:
        """Return what the record cites there; None where it has no such citation."""
        if self.disagreement is not None:
            found = self.disagreement_of(record)
            sides = (found.holds, found.against) if found else ()
            return sides[self.number - 1].citation if sides else None
        claim = self.claim_of(record)
        if self.claim is not None and claim is None:
            return None
        places = record.nearest if claim is None else claim.citations
        return places[self.number - 1] if self.number <= len(places) else None


def refs_in(record: AuditRecord) -> Iterator[CitationRef]:
    """Name all that a record cites: claim by claim, what came nearest, what disagrees."""
    for number, claim in enumerate(record.claims, start=1):
        for each in range(1, len(claim.citations) + 1):
            yield CitationRef(number, each)
    for each in range(1, len(record.nearest) + 1):
        yield CitationRef(None, each)
    for disagreement in range(1, len(record.contradictions) + 1):
        for side in (HOLDS, AGAINST):
            yield CitationRef(None, side, disagreement)
