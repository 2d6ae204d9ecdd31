"""Where what a record cites can be opened in a browser."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from audit.record import AuditRecord
from audit.record.claims import CitationRecord
from audit.record.contradictions import SideRecord
from audit.record.nearest import NearestRecord
from bot.citation_ref import AGAINST, HOLDS, CitationRef

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

    def of_side(self, disagreement: int, side: int) -> str:
        """`disagreement` from 0; `side`: `HOLDS` or `AGAINST`."""
        return self._at(CitationRef(None, side, disagreement + 1))

    def _at(self, ref: CitationRef) -> str:
        return f"{self.base}{path_of(self.audit_id, str(ref))}" if self.base else ""

    def among(self, values: Values) -> dict[str, Any]:
        """Return a record's values, an `url` beside all that it cites; the same without pages."""
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
        linked = {**values, "claims": claims, "nearest": nearest}
        if "contradictions" in values:  # older records lack them
            linked["contradictions"] = [
                {**each, **dict(self._sides(number, each))}
                for number, each in enumerate(values["contradictions"])
            ]
        return linked

    def _cited(self, claim: int, citations: list[Values]) -> Iterator[dict[str, Any]]:
        for number, each in enumerate(citations):
            yield {**each, "url": self.of_citation(claim, number)}

    def _sides(self, number: int, found: Values) -> Iterator[tuple[str, dict[str, Any]]]:
        """In a record a side has its citation as a value of its own; elsewhere it is one."""
        for name, side in (("holds", HOLDS), ("against", AGAINST)):
            said, url = found[name], {"url": self.of_side(number, side)}
            within = {"citation": {**said["citation"], **url}} if "citation" in said else url
            yield name, {**said, **within}


UNLINKED = CitedLinks("", "")
"""Where no pages are served."""


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
    disagreements = tuple(
        each.model_copy(
            update={
                "holds": _opening_side(each.holds, links.of_side(number, HOLDS)),
                "against": _opening_side(each.against, links.of_side(number, AGAINST)),
            }
        )
        for number, each in enumerate(record.contradictions)
    )
    return record.model_copy(
        update={"claims": claims, "nearest": nearest, "contradictions": disagreements}
    )


def _opening_side(side: SideRecord, at: str) -> SideRecord:
    citation = OpeningCitation(**dict(side.citation), opens_at=at)
    return side.model_copy(update={"citation": citation})
