"""From what happened to the record that the audit store keeps."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from audit import record as kept
from bot.answering.query_rewriting import RewrittenQuery
from bot.answering.values import Citation, Claim, Contradiction, Draft, Question, Verdict
from retrieval.scores import BM25
from retrieval.types import Evidence, Hit, Passage, Sentence

GUEST = kept.PersonRecord(id="guest")


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What every record of one running process has in common."""

    versions: kept.Versions
    embedding_model: str
    writer: str
    writer_model: str
    calibration: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question's way through the house."""

    audit_id: str
    time: datetime
    question: Question
    evidence: Evidence
    understood: RewrittenQuery
    draft: Draft
    verdict: Verdict
    text: str
    nearest: tuple[Passage, ...]
    """Named in the reply, where it is none."""
    owners: tuple[str, ...]
    more_in_private: bool
    expired: tuple[Passage, ...]
    degraded: tuple[str, ...]
    stages_ms: dict[str, float]


def audit_record(exchange: Exchange, circumstances: Circumstances) -> kept.AuditRecord:
    """All that explains this answer without any of the things that made it."""
    question, verdict, draft = exchange.question, exchange.verdict, exchange.draft
    person = question.person
    shown = {passage.passage_id for passage in draft.passages}
    tokens = {**exchange.understood.tokens, "write": draft.tokens}
    counted = {stage: each for stage, each in tokens.items() if each}
    return kept.AuditRecord(
        audit_id=exchange.audit_id,
        time=exchange.time,
        person=kept.PersonRecord(id=person.id, name=person.name) if person else GUEST,
        channel=question.place or kept.Channel(id=question.channel or ""),
        question=question.text,
        standalone_question=exchange.evidence.query,
        previous_questions=question.previous,
        imagined_passage=exchange.understood.hypothetical,
        embedding_model=circumstances.embedding_model,
        filter=_filter(exchange.evidence),
        candidates=tuple(_candidate(hit, shown) for hit in _candidates(exchange.evidence)),
        writer=kept.WriterRecord(
            name=circumstances.writer,
            model=circumstances.writer_model,
            prompt_hash=draft.prompt_hash,
            output=draft.raw,
        ),
        reply=exchange.text,
        claims=tuple(_claim(claim) for claim in verdict.claims),
        dropped=tuple(_claim(claim) for claim in verdict.dropped),
        answered=verdict.answered,
        missing=verdict.missing,
        reasons=verdict.reasons,
        contradictions=tuple(_contradiction(each) for each in verdict.contradictions),
        confidence=kept.ConfidenceRecord(
            retrieval=verdict.confidence.retrieval,
            coverage=verdict.confidence.coverage,
            entailment=verdict.confidence.entailment,
            consistency=verdict.confidence.consistency,
            overall=verdict.confidence.overall,
        ),
        calibration_id=circumstances.calibration,
        decision=verdict.decision,
        nearest=tuple(_nearest(passage) for passage in exchange.nearest),
        owners=exchange.owners,
        more_in_private=exchange.more_in_private,
        expired=tuple(_expired(passage) for passage in exchange.expired),
        degraded=exchange.degraded,
        latency_ms=exchange.stages_ms,
        tokens=kept.TokenUsage(**sum(map(Counter, counted.values()), Counter[str]())),
        tokens_by_stage={stage: kept.TokenUsage(**each) for stage, each in counted.items()},
        versions=circumstances.versions,
    )


def _candidates(evidence: Evidence) -> list[Hit]:
    """Every candidate, with what overrode it where it passed the threshold."""
    over = (*evidence.hits, *evidence.duplicates)
    hits = {hit.passage.passage_id: hit for hit in over}
    return [hits.get(hit.passage.passage_id, hit) for hit in evidence.candidates]


def _filter(evidence: Evidence) -> kept.SearchFilter:
    facets = {name: tuple(sorted(values)) for name, values in evidence.scope.facets.items()}
    return kept.SearchFilter(facets=facets, on=evidence.scope.on)


def _candidate(hit: Hit, shown: set[str]) -> kept.Candidate:
    """Without raw BM25, which moves with words of documents that the reader may not see.

    What is not kept no door can show; the rank that it gave is enough to follow the fusion.
    """
    passage = hit.passage
    return kept.Candidate(
        passage_id=passage.passage_id,
        document_id=passage.document.document_id,
        file=passage.document.file,
        version=passage.document.version,
        place=_place(passage, passage.sentences),
        scores=kept.CandidateScores.model_validate(
            {name: value for name, value in hit.scores.items() if name != BM25}
        ),
        eligibility=hit.eligibility.value if hit.eligibility else "",
        used=passage.passage_id in shown,
        overridden_by=hit.overridden_by,
    )


def _claim(claim: Claim) -> kept.ClaimRecord:
    return kept.ClaimRecord(
        text=claim.text,
        status=claim.status,
        kind=claim.kind,
        reasoning=claim.reasoning,
        objections=claim.objections,
        score=claim.score if claim.citations else None,
        citations=tuple(_citation(citation) for citation in claim.citations),
    )


def _citation(citation: Citation) -> kept.CitationRecord:
    passage = citation.passage
    sentences = passage.sentences[citation.first : citation.last + 1]
    return kept.CitationRecord(
        passage_id=passage.passage_id,
        document_id=passage.document.document_id,
        file=passage.document.file,
        title=passage.document.title,
        link=passage.document.metadata.link,
        version=passage.document.version,
        status=citation.status,
        score=citation.score,
        place=_place(passage, sentences),
        boxes=tuple(
            kept.BoundingBox(page=box.page, x0=box.x0, y0=box.y0, x1=box.x1, y1=box.y1)
            for sentence in sentences
            for box in sentence.boxes
        ),
        quote=citation.quote,
    )


def _contradiction(found: Contradiction) -> kept.ContradictionRecord:
    return kept.ContradictionRecord(
        holds=_side(found.holds),
        against=_side(found.against),
        differs=found.differs,
        prevails=found.prevails,
    )


def _side(citation: Citation) -> kept.SideRecord:
    metadata = citation.passage.document.metadata
    return kept.SideRecord(
        citation=_citation(citation), level=metadata.level, effective=metadata.effective
    )


def _nearest(passage: Passage) -> kept.NearestRecord:
    document = passage.document
    return kept.NearestRecord(
        document_id=document.document_id,
        file=document.file,
        title=document.title,
        link=document.metadata.link,
        place=_place(passage, passage.sentences),
    )


def _expired(passage: Passage) -> kept.ExpiredRecord:
    metadata = passage.document.metadata
    return kept.ExpiredRecord(source=_nearest(passage), valid_to=metadata.access.valid_to)


def _place(passage: Passage, sentences: Sequence[Sentence]) -> kept.SourcePlace:
    return kept.SourcePlace(
        page=sentences[0].page,
        line_start=sentences[0].line_start,
        line_end=sentences[-1].line_end,
        paragraph=sentences[0].paragraph,
        section_path=passage.section_path,
    )
