"""A reply as plain values, in the form that `vouch ask --json` promises."""

from collections.abc import Sequence

from bot.answering.values import Citation, Claim, Confidence, Contradiction, Reply
from retrieval.scores import FUSION, RELEVANCE
from retrieval.types import Hit, Passage, Sentence

MOST_RANKED = 10


def reply_as_json(reply: Reply) -> dict[str, object]:
    return {
        "audit_id": reply.audit_id,
        "decision": reply.decision.value,
        "text": reply.text,
        "claims": [claim_as_json(claim) for claim in reply.claims],
        "dropped": [claim_as_json(claim) for claim in reply.dropped],
        "answered": list(reply.answered),
        "missing": list(reply.missing),
        "contradictions": [_contradiction(each) for each in reply.contradictions],
        "confidence": confidence_as_json(reply.confidence),
        "latency_ms": reply.latency_ms,
        "nearest": [
            {"file": passage.document.file, "heading": passage.heading} for passage in reply.nearest
        ],
        "expired": [
            {"file": passage.document.file, "heading": passage.heading} for passage in reply.expired
        ],
        "owners": list(reply.owners),
        "more_in_private": reply.more_in_private,
        "degraded": list(reply.degraded),
        "standalone_question": reply.standalone_question,
        "ranked": ranked_as_json(reply.ranked),
    }


def claim_as_json(claim: Claim) -> dict[str, object]:
    return {
        "text": claim.text,
        "status": claim.status.value,
        "kind": claim.kind.value,
        "score": claim.score,
        "reasoning": claim.reasoning,
        "objections": list(claim.objections),
        "citations": [_citation(citation) for citation in claim.citations],
    }


def confidence_as_json(confidence: Confidence) -> dict[str, float | None]:
    return {
        "retrieval": confidence.retrieval,
        "coverage": confidence.coverage,
        "entailment": confidence.entailment,
        "consistency": confidence.consistency,
        "overall": confidence.overall,
    }


def passage_place(passage: Passage) -> dict[str, object]:
    """Where a passage stands."""
    return _place(passage, passage.sentences)


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


def _citation(citation: Citation) -> dict[str, object]:
    passage = citation.passage
    sentences = passage.sentences[citation.first : citation.last + 1]
    return _place(passage, sentences) | {
        "passage_id": passage.passage_id,
        "document_id": passage.document.document_id,
        "version": passage.document.version,
        "status": citation.status.value,
        "score": citation.score,
        "section_path": list(passage.section_path),
        "boxes": [
            {"page": box.page, "bbox": [box.x0, box.y0, box.x1, box.y1]}
            for sentence in sentences
            for box in sentence.boxes
        ],
        "quote": citation.quote,
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


def _place(passage: Passage, sentences: Sequence[Sentence]) -> dict[str, object]:
    return {
        "file": passage.document.file,
        "page": sentences[0].page,
        "line_start": sentences[0].line_start,
        "line_end": sentences[-1].line_end,
        "paragraph": sentences[0].paragraph,
    }
