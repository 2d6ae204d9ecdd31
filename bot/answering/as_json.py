"""An outcome becomes plain values, in the form that `vouch ask --json` promises."""

from collections.abc import Sequence
from dataclasses import asdict

from bot.answering.cited_cells import cited_boxes, cited_cells, value_of
from bot.answering.outcome import Outcome
from bot.answering.quoting import Quotation, own_link
from bot.answering.reply import reply_text
from bot.answering.values import Citation, Claim, Contradiction
from retrieval.scores import FUSION, RELEVANCE
from retrieval.types import Hit, Passage, Place

MOST_RANKED = 10


def outcome_as_json(outcome: Outcome) -> dict[str, object]:
    verdict = outcome.verdict
    return {
        "audit_id": outcome.audit_id,
        "decision": outcome.decision.value,
        "badge": verdict.badge.value,
        "text": reply_text(outcome),
        "citation_style": outcome.citation_style.value,
        "claims": [claim_as_json(claim) for claim in verdict.claims],
        "dropped": [claim_as_json(claim) for claim in verdict.dropped],
        "answered": list(verdict.answered),
        "missing": list(verdict.missing),
        "unsure": list(outcome.unsure),
        "contradictions": [_contradiction(each) for each in verdict.contradictions],
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


def claim_as_json(claim: Claim) -> dict[str, object]:
    return {
        "text": claim.text,
        "status": claim.status.value,
        "kind": claim.kind.value,
        "score": claim.score,
        "copied": claim.copied,
        "reasoning": claim.reasoning,
        "objections": list(claim.objections),
        "lines": [asdict(line) for line in claim.lines],
        "citations": [_citation(citation, claim.text) for citation in claim.citations],
    }


def passage_place(passage: Passage) -> dict[str, object]:
    """Where a passage stands."""
    return _place(passage, passage.place())


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


def _citation(citation: Citation, claim: str = "") -> dict[str, object]:
    """`claim`: its text, which tells the cells it rests on; empty for what cites whole rows."""
    judged = {"status": citation.status.value, "score": citation.score}
    return _quoted(citation, claim) | judged


def quotation_as_json(quotation: Quotation) -> dict[str, object]:
    """As a citation that nobody judged, with what people read of it."""
    return _quoted(quotation) | {
        "heading": quotation.passage.heading,
        "text": quotation.shown,
        "overridden": quotation.overridden,
    }


def _quoted(found: Citation | Quotation, claim: str = "") -> dict[str, object]:
    passage = found.passage
    sentences = passage.sentences[found.first : found.last + 1]
    return _place(passage, found.place) | {
        "passage_id": passage.passage_id,
        "document_id": passage.document.document_id,
        "version": passage.document.version,
        "subtype": passage.document.metadata.subtype,
        "level": passage.document.metadata.level,
        "link": own_link(found),
        "section_path": list(passage.section_path),
        "boxes": [
            {"page": box.page, "bbox": [box.x0, box.y0, box.x1, box.y1]}
            for sentence in sentences
            for box in cited_boxes(claim, sentence)
        ],
        "cells": [
            {"name": cell.name, "value": value_of(cell, sentence), "reference": cell.reference}
            for sentence in sentences
            for cell in cited_cells(claim, sentence)
        ],
        "quote": found.quote,
        "recognised": found.recognised,
    }


def _contradiction(found: Contradiction) -> dict[str, object]:
    return {
        "holds": _side(found.holds),
        "against": _side(found.against),
        "differs": list(found.differs),
        "prevails": found.prevails.value,
    }


def _side(citation: Citation) -> dict[str, object]:
    metadata = citation.passage.document.metadata
    effective = metadata.effective.isoformat() if metadata.effective else None
    return _citation(citation) | {"level": metadata.level, "effective": effective}


def _named(passage: Passage) -> dict[str, object]:
    return {"file": passage.document.file, "heading": passage.heading}


def _place(passage: Passage, place: Place) -> dict[str, object]:
    return {
        "file": passage.document.file,
        "page": place.page,
        "page_label": place.page_label,
        "line_start": place.line_start,
        "line_end": place.line_end,
        "paragraph": place.paragraph,
        "cell_range": place.cell_range,
        "misread": place.misread,
    }
