"""What happened becomes the record that the audit store keeps."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from audit.record import (
    AuditRecord,
    Candidate,
    CandidateScores,
    SearchFilter,
    ShownRecord,
    TokenUsage,
    Versions,
    WriterRecord,
)
from audit.values import (
    Channel,
    CitationRecord,
    ClaimRecord,
    PersonRecord,
    SideRecord,
    is_searched,
)
from bot.access.people import Person
from bot.answering.outcome import Outcome, expired_record
from bot.answering.reply import reply_text
from retrieval.search.scores import BM25
from retrieval.types import Evidence, Hit, Passage, Scope

GUEST = PersonRecord(id="guest")
SEARCH_ALONE = "none: a search"
"""In place of a writer's name where passages were listed and no answer was sought."""

FROM_LIBRARY = "none: the library"
"""In place of a writer's name where it was told what the library itself has."""

FROM_REVIEW = "none: a standard answer"
"""Likewise where the words are those that somebody reviewed."""

SUMMED_UP = "a summary of a document that was named"
OF_LIBRARY = frozenset({FROM_LIBRARY, SUMMED_UP})
"""Reasons of what was asked of the library itself, and sought in no other document."""


EXTRACTION = "none: an extraction"
"""Likewise where fields were read out of a document."""
NO_ANSWER = frozenset({SEARCH_ALONE, EXTRACTION})


def is_sought(record: AuditRecord) -> bool:
    """Tell whether somebody asked for an answer: of a search or a correction nobody did."""
    return record.writer.name not in NO_ANSWER and record.corrects is None


def is_no_answer(record: Mapping[str, Any]) -> bool:
    """Tell of a record's JSON whether nobody asked for an answer."""
    return bool(record["writer"]["name"] in NO_ANSWER or record.get("corrects"))


@dataclass(frozen=True, slots=True)
class Circumstances:
    versions: Versions
    embedding_model: str
    writer: str
    writer_model: str
    calibration: str


def audit_record(outcome: Outcome, circumstances: Circumstances) -> AuditRecord:
    question, verdict, draft = outcome.question, outcome.verdict, outcome.draft
    said_by = dict(question.said_by)
    shown = {passage.passage_id for passage in draft.passages}
    record = AuditRecord(
        audit_id=outcome.audit_id,
        time=outcome.time,
        person=person_record(question.person),
        channel=question.place or Channel(id=question.channel or ""),
        question=question.text,
        standalone_question=outcome.evidence.query,
        in_english=outcome.understood.in_english,
        sought=outcome.sought if len(outcome.sought) > 1 else (),
        previous_questions=question.previous,
        embedding_model=circumstances.embedding_model,
        filter=search_filter(outcome.evidence.scope, question.sources),
        candidates=tuple(_candidate(hit, shown) for hit in _candidates(outcome.evidence)),
        shown=tuple(_shown(passage, said_by) for passage in outcome.shown),
        writer=WriterRecord(
            name=circumstances.writer,
            model=circumstances.writer_model,
            prompt_hash=draft.prompt_hash,
            template_hash=draft.template_hash,
            output=draft.raw,
        ),
        reply=reply_text(outcome),
        claims=outcome.claims,
        dropped=outcome.dropped,
        answered=verdict.answered,
        missing=verdict.missing,
        unsure=outcome.unsure,
        reasons=verdict.reasons,
        contradictions=outcome.contradictions,
        confidence=verdict.confidence,
        calibration_id=circumstances.calibration,
        decision=verdict.decision,
        nearest=outcome.quoted,
        owners=outcome.owners,
        more_in_private=outcome.more_in_private,
        own_rule_in_private=outcome.own_rule_in_private,
        expired=tuple(map(expired_record, outcome.expired)),
        upcoming=outcome.upcoming,
        degraded=outcome.degraded,
        latency_ms=dict(outcome.stages_ms),
        tokens=TokenUsage(**sum(map(Counter, outcome.tokens.values()), Counter[str]())),
        tokens_by_stage={stage: TokenUsage(**used) for stage, used in outcome.tokens.items()},
        versions=circumstances.versions,
    )
    return record if said_by else without_searched(record)


def without_searched(record: AuditRecord) -> AuditRecord:
    """Without words of messages that were found for the question, but those that the reply says."""
    if not any(is_searched(each.document_id) for each in record.shown):
        return record
    reply = _folded(record.reply)
    return record.model_copy(
        update={
            "claims": tuple(_unquoted_claim(each, reply) for each in record.claims),
            "dropped": (),
            "contradictions": tuple(
                each.model_copy(
                    update={
                        "holds": _unquoted_side(each.holds, reply),
                        "against": _unquoted_side(each.against, reply),
                    }
                )
                for each in record.contradictions
            ),
            "writer": record.writer.model_copy(update={"output": ""}),
        }
    )


def _is_of_searched(claim: ClaimRecord) -> bool:
    return any(is_searched(each.document_id) for each in claim.citations)


def _unquoted_claim(claim: ClaimRecord, reply: str) -> ClaimRecord:
    """What is held against it may quote what it cites."""
    if not _is_of_searched(claim):
        return claim
    citations = tuple(_unquoted(each, reply) for each in claim.citations)
    return claim.model_copy(update={"objections": (), "citations": citations})


def _unquoted_side(side: SideRecord, reply: str) -> SideRecord:
    if not is_searched(side.citation.document_id):
        return side
    told = side.text if _folded(side.text) in reply else ""
    return side.model_copy(update={"text": told, "citation": _unquoted(side.citation, reply)})


def _unquoted(cited: CitationRecord, reply: str) -> CitationRecord:
    if not is_searched(cited.document_id) or _folded(cited.quote) in reply:
        return cited
    return cited.model_copy(update={"quote": "", "cells": ()})


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _candidates(evidence: Evidence) -> list[Hit]:
    """Every candidate, with what overrode it where it passed the threshold."""
    over = (*evidence.hits, *evidence.duplicates)
    hits = {hit.passage.passage_id: hit for hit in over}
    return [hits.get(hit.passage.passage_id, hit) for hit in evidence.candidates]


def person_record(person: Person | None) -> PersonRecord:
    return PersonRecord(id=person.id, name=person.name) if person else GUEST


def search_filter(scope: Scope, sources: tuple[str, ...] = ()) -> SearchFilter:
    facets = {name: tuple(sorted(values)) for name, values in scope.facets.items()}
    return SearchFilter(facets=facets, on=scope.on, sources=sources)


def candidate(passage: Passage, *, used: bool) -> Candidate:
    return Candidate(
        passage_id=passage.passage_id,
        document_id=passage.document.document_id,
        file=passage.document.file,
        version=passage.document.version,
        place=passage.place(),
        used=used,
    )


def _candidate(hit: Hit, shown: set[str]) -> Candidate:
    """Without raw BM25, which tells of documents that the reader may not see."""
    scores = {name: value for name, value in hit.scores.items() if name != BM25}
    return candidate(hit.passage, used=hit.passage.passage_id in shown).model_copy(
        update={
            "scores": CandidateScores.model_validate(scores),
            "eligibility": hit.eligibility.value if hit.eligibility else "",
            "overridden_by": hit.overridden_by,
        }
    )


def _shown(passage: Passage, said_by: Mapping[str, str]) -> ShownRecord:
    by = said_by.get(passage.document.document_id, "")
    return ShownRecord(
        passage_id=passage.passage_id,
        document_id=passage.document.document_id,
        version=passage.document.version,
        sha256=passage.content_hash,
        text=passage.text if by else "",
        by=by,
    )
