"""A record through the eyes of one person: what of it they may be shown today.

Of a document that is withheld nothing is shown: neither title, file, place and quote nor a
claim's words that may be copied from it. Which words those are only verification knows, so
a claim is shown where all that it cites may be read and bears it out; what was dropped, and
why an inference follows, may be anybody's words, and is shown only where nothing is withheld.
"""

from dataclasses import dataclass

from audit.record import AuditRecord
from audit.record.claims import CitationRecord, ClaimRecord, Status
from audit.record.contradictions import ContradictionRecord
from audit.record.evidence import Candidate


@dataclass(frozen=True, slots=True)
class Seen:
    """`withheld`: ids of the record's documents that this person may not read today."""

    record: AuditRecord
    withheld: frozenset[str]

    @property
    def hidden(self) -> frozenset[str]:
        """Return the documents that are withheld and that the writer saw or cited."""
        claims = (*self.record.claims, *self.record.dropped)
        cited = {citation.document_id for claim in claims for citation in claim.citations}
        used = {each.document_id for each in self.record.candidates if each.used}
        return self.withheld & (cited | used | self.contradicting)

    @property
    def contradicting(self) -> set[str]:
        sides = [s for each in self.record.contradictions for s in (each.holds, each.against)]
        return {side.citation.document_id for side in sides}

    @property
    def all_readable(self) -> bool:
        return not self.hidden

    def may_show(self, claim: ClaimRecord) -> bool:
        borne_out = claim.status is Status.VERIFIED and claim.citations
        return self.all_readable or bool(
            borne_out and len(self.readable(claim)) == len(claim.citations)
        )

    def may_compare(self, found: ContradictionRecord) -> bool:
        """Tell whether both sides may be read: one alone tells that there is another."""
        sides = {side.citation.document_id for side in (found.holds, found.against)}
        return not self.withheld & sides

    def readable(self, claim: ClaimRecord) -> list[CitationRecord]:
        return [each for each in claim.citations if each.document_id not in self.withheld]

    def candidates(self, *, used: bool) -> list[Candidate]:
        """Return what may be shown; and no hint of a rule that prevails but may not."""
        readable = [
            each for each in self.record.candidates if each.document_id not in self.withheld
        ]
        prevailing = {each.passage_id for each in readable}
        return [
            each
            if each.overridden_by in prevailing
            else each.model_copy(update={"overridden_by": None})
            for each in readable
            if each.used is used
        ]

    def title(self, candidate: Candidate) -> str:
        """Name the document as a citation does, else by its file."""
        claims = (*self.record.claims, *self.record.dropped)
        named = [(c.document_id, c.title) for claim in claims for c in claim.citations]
        named += [(each.document_id, each.title) for each in self.record.nearest]
        titles = (title for document_id, title in named if document_id == candidate.document_id)
        return next((title for title in titles if title.strip()), candidate.file)
