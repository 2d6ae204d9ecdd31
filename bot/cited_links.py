"""Where what a record cites can be opened in a browser."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from audit.record import AuditRecord, CitationRecord, NearestRecord
from bot.citation_ref import CitationRef

Values = Mapping[str, Any]


class OpeningCitation(CitationRecord):
    """A citation with the address of its page; its `link` is the document's own."""

    opens_at: str


class OpeningNearest(NearestRecord):
    """The same of what came nearest."""

    opens_at: str


def path_of(audit_id: str, ref: str) -> str:
    """Return the path of a citation's page."""
    return f"/cited/{quote(audit_id, safe='')}/{quote(ref, safe='')}"


@dataclass(frozen=True, slots=True)
class CitedLinks:
    """Addresses of the pages of one record's citations; a link names no person."""

    base: str
    """Without a slash at its end; empty where no pages are served, and then there are no links."""
    audit_id: str

    def of_citation(self, claim: int, citation: int) -> str:
        """Both from 0, in the record's order; empty where no pages are served."""
        return self._at(CitationRef(claim + 1, citation + 1))

    def of_nearest(self, number: int) -> str:
        """From 0."""
        return self._at(CitationRef(None, number + 1))

    def _at(self, ref: CitationRef) -> str:
        return f"{self.base}{path_of(self.audit_id, str(ref))}" if self.base else ""

    def among(self, values: Values) -> dict[str, Any]:
        """Return a record's values with an `url` beside each citation; the same without pages."""
        if not self.base:
            return dict(values)
        claims = [
            {**claim, "citations": list(self._cited(number, claim["citations"]))}
            for number, claim in enumerate(values["claims"])
        ]
        nearest = [
            {**each, "url": self.of_nearest(number)}
            for number, each in enumerate(values["nearest"])
        ]
        return {**values, "claims": claims, "nearest": nearest}

    def _cited(self, claim: int, citations: list[Values]) -> Iterator[dict[str, Any]]:
        for number, each in enumerate(citations):
            yield {**each, "url": self.of_citation(claim, number)}


def opening_here(record: AuditRecord, base: str) -> AuditRecord:
    """Return the record, of which each citation says where it opens; the same without pages."""
    if not base:
        return record
    links = CitedLinks(base, record.audit_id)
    claims = tuple(
        claim.model_copy(
            update={
                "citations": tuple(
                    OpeningCitation(**dict(each), opens_at=links.of_citation(number, at))
                    for at, each in enumerate(claim.citations)
                )
            }
        )
        for number, claim in enumerate(record.claims)
    )
    nearest = tuple(
        OpeningNearest(**dict(each), opens_at=links.of_nearest(number))
        for number, each in enumerate(record.nearest)
    )
    return record.model_copy(update={"claims": claims, "nearest": nearest})
