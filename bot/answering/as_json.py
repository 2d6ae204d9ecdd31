"""An outcome becomes plain values, in the form that `vouch ask --json` promises."""

from collections.abc import Sequence
from dataclasses import asdict

from audit.values import (
    CellRecord,
    CitationRecord,
    Cited,
    ClaimRecord,
    ContradictionRecord,
    SideRecord,
)
from bot.answering.citations.links import own_link
from bot.answering.outcome import Outcome, nearest_record
from bot.answering.quoting import Quotation
from bot.answering.reply import reply_text
from retrieval.search.scores import FUSION, RELEVANCE
from retrieval.types import Hit, Passage, Place

MOST_RANKED = 10


def outcome_as_json(outcome: Outcome) -> dict[str, object]:
    verdict = outcome.verdict
    return {
        "audit_id": outcome.audit_id,
        "decision": outcome.decision.value,
        "badge": verdict.badge.value,
        "text": reply_text(outcome),
        "claims": [claim_as_json(claim) for claim in outcome.claims],
        "dropped": [claim_as_json(claim) for claim in outcome.dropped],
        "answered": list(verdict.answered),
        "missing": list(verdict.missing),
        "unsure": list(outcome.unsure),
        "contradictions": [_contradiction(each) for each in outcome.contradictions],
        "confidence": asdict(verdict.confidence),
        "latency_ms": outcome.latency_ms,
        "nearest": [quotation_as_json(quotation) for quotation in outcome.nearest],
        "expired": [_named(passage) for passage in outcome.expired],
        "as_of": outcome.evidence.scope.on.isoformat(),
        "upcoming": outcome.upcoming
        and {name: str(day) for name, day in asdict(outcome.upcoming).items()},
        "owners": list(outcome.owners),
        "more_in_private": outcome.more_in_private,
        "own_rule_in_private": outcome.own_rule_in_private,
        "degraded": list(outcome.degraded),
        "standalone_question": outcome.evidence.query,
        "ranked": ranked_as_json(outcome.evidence.candidates),
    }


def claim_as_json(claim: ClaimRecord) -> dict[str, object]:
    return {
        "text": claim.text,
        "status": claim.status.value,
        "kind": claim.kind.value,
        "score": claim.score or 0.0,
        "copied": claim.copied,
        "reasoning": claim.reasoning,
        "objections": list(claim.objections),
        "lines": [asdict(line) for line in claim.lines],
        "rows": [[cell.model_dump() for cell in row] for row in claim.rows],
        "citations": [_citation(citation) for citation in claim.citations],
    }


def passage_place(passage: Passage) -> dict[str, object]:
    return _place(passage.document.file, passage.place())


def ranked_as_json(hits: Sequence[Hit], most: int = MOST_RANKED) -> list[dict[str, object]]:
    """The best before any threshold, with what ranked each and whether it was eligible."""
    return [
        passage_place(hit.passage)
        | {
            "score": hit.scores.get(RELEVANCE, hit.scores.get(FUSION)),
            "eligibility": hit.eligibility.value if hit.eligibility else None,
        }
        for hit in hits[:most]
    ]


def quotation_as_json(quotation: Quotation) -> dict[str, object]:
    """As a citation that nobody judged, with what people read of it."""
    near = nearest_record(quotation)
    return _quoted(near, ()) | {
        "heading": quotation.passage.heading,
        "text": near.text,
        "overridden": near.overridden,
    }


def _citation(citation: CitationRecord) -> dict[str, object]:
    judged = {"status": citation.status.value, "score": citation.score, "also": citation.also}
    return _quoted(citation, citation.cells) | judged


def _quoted(found: Cited, cells: Sequence[CellRecord]) -> dict[str, object]:
    return _place(found.file, found.place) | {
        "passage_id": found.passage_id,
        "document_id": found.document_id,
        "version": found.version,
        "subtype": found.subtype,
        "level": found.level,
        "link": own_link(found),
        "section_path": list(found.place.section_path),
        "boxes": [
            {"page": box.page, "bbox": [box.x0, box.y0, box.x1, box.y1]} for box in found.boxes
        ],
        "cells": [
            {"name": cell.name, "value": cell.value, "reference": cell.reference} for cell in cells
        ],
        "quote": found.quote,
        "recognised": found.recognised,
    }


def _contradiction(found: ContradictionRecord) -> dict[str, object]:
    return {
        "holds": _side(found.holds),
        "against": _side(found.against),
        "differs": list(found.differs),
        "prevails": found.prevails.value,
    }


def _side(side: SideRecord) -> dict[str, object]:
    effective = side.effective.isoformat() if side.effective else None
    return _citation(side.citation) | {"level": side.level, "effective": effective}


def _named(passage: Passage) -> dict[str, object]:
    return {"file": passage.document.file, "heading": passage.heading}


def _place(file: str, place: Place) -> dict[str, object]:
    return {
        "file": file,
        "page": place.page,
        "page_label": place.page_label,
        "line_start": place.line_start,
        "line_end": place.line_end,
        "paragraph": place.paragraph,
        "cell_range": place.cell_range,
        "misread": place.misread,
    }
