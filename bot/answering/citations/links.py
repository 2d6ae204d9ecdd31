"""The name of a citation in its record, `2-1`, `n1` or `d1-2`, and where it opens."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from audit.record import AuditRecord, NearestRecord
from audit.values import (
    CitationRecord,
    Cited,
    ClaimRecord,
    ContradictionRecord,
    SideRecord,
    is_attached,
)
from bot.access.reading import RecordView
from bot.wording.links import document_link

_COUNT = r"([1-9][0-9]{0,3})"
_REF = re.compile(rf"n{_COUNT}|{_COUNT}-{_COUNT}|d{_COUNT}-([12])")
HOLDS, AGAINST = 1, 2
"""The sides of a disagreement."""
REPLY = "reply"
"""In place of a citation's name: all of the reply."""


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
        """Read `2-1`, the first citation of the second claim, `n1`, or `d1-2`, the second side."""
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
        if self.claim is None or self.claim > len(record.claims):
            return None
        return record.claims[self.claim - 1]

    def disagreement_of(self, record: AuditRecord) -> ContradictionRecord | None:
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

    def cited_by(self, record: AuditRecord) -> Cited | None:
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

    def opened_in(self, view: RecordView) -> Cited | None:
        """Return the same where it may be read; of a disagreement both sides, or none is shown."""
        cited, disagreement = self.cited_by(view.record), self.disagreement_of(view.record)
        if cited is None or cited.document_id in view.withheld:
            return None
        return cited if disagreement is None or view.may_compare(disagreement) else None


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


def own_link(cited: Cited) -> str:
    """The document's own address, at the page; empty for none that people may safely follow."""
    return document_link(cited.link, cited.place.page, cited.place.page_label)


Values = Mapping[str, Any]


class OpeningCitation(CitationRecord):
    """A citation with the address of its page; its `link` is the document's own."""

    opens_at: str


class OpeningNearest(NearestRecord):
    opens_at: str


def opens_at(cited: Cited) -> str:
    """The address of a page of ours that shows it; empty where there is none."""
    return cited.opens_at if isinstance(cited, OpeningCitation | OpeningNearest) else ""


def path_of(audit_id: str, ref: str) -> str:
    return f"/cited/{quote(audit_id, safe='')}/{quote(ref, safe='')}"


def document_path(document_id: str) -> str:
    return f"/document/{quote(document_id, safe='')}"


_PATH = re.compile(r"/cited/([^/]+)/([^/]+)")


def cited_at(url: str, base: str) -> tuple[str, CitationRef] | None:
    """Return which citation of which record an address opens; None where it is no page of ours.

    `base`: where pages are served, as in `CitedLinks`.
    """
    if not base or not url.startswith(f"{base}/"):
        return None
    path = url.removeprefix(base).partition("#")[0].partition("?")[0]
    found = _PATH.fullmatch(path)
    ref = CitationRef.parse(unquote(found[2])) if found else None
    return (unquote(found[1]), ref) if found and ref else None


@dataclass(frozen=True, slots=True)
class CitedLinks:
    """Addresses of the pages of one record's citations; a link names no person."""

    base: str
    """Without a slash at its end; empty where no pages are served, and then there are no links."""
    audit_id: str

    def of_citation(self, claim: int, citation: int) -> str:
        """Both from 0, in the record's order; empty where no pages are served."""
        return self.of_ref(CitationRef(claim + 1, citation + 1))

    def of_nearest(self, number: int) -> str:
        return self.of_ref(CitationRef(None, number + 1))

    def of_side(self, disagreement: int, side: int) -> str:
        """`disagreement` from 0; `side`: `HOLDS` or `AGAINST`."""
        return self.of_ref(CitationRef(None, side, disagreement + 1))

    def of_ref(self, ref: CitationRef) -> str:
        return f"{self.base}{path_of(self.audit_id, str(ref))}" if self.base else ""

    def receipt(self, record: AuditRecord) -> str:
        """Where whoever was answered finds the reply's receipt, if no page of a citation has it."""
        cited = (ref.cited_by(record) for ref in refs_in(record))
        has_page = any(each and not is_attached(each.document_id) for each in cited)
        path = "" if has_page else f"{path_of(self.audit_id, REPLY)}/receipt.json"
        return f"{self.base}{path}" if self.base and path else ""

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
    """Return the record, of which each citation says where it opens; the same without pages.

    What came with a question has no page: it opens in Slack alone.
    """
    if not base:
        return record
    links = CitedLinks(base, record.audit_id)
    claims = tuple(
        claim.model_copy(
            update={
                "citations": tuple(
                    _opening(each, links.of_citation(number, at))
                    for at, each in enumerate(claim.citations)
                )
            }
        )
        for number, claim in enumerate(record.claims)
    )
    nearest = tuple(
        each
        if is_attached(each.document_id)
        else OpeningNearest(**dict(each), opens_at=links.of_nearest(number))
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
    return side.model_copy(update={"citation": _opening(side.citation, at)})


def _opening(citation: CitationRecord, at: str) -> CitationRecord:
    if is_attached(citation.document_id):
        return citation
    return OpeningCitation(**dict(citation), opens_at=at)
