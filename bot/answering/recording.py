"""What happened becomes the record that the audit store keeps."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from audit.record import (
    AuditRecord,
    Candidate,
    CandidateScores,
    ExpiredRecord,
    NearestRecord,
    SearchFilter,
    ShownRecord,
    TokenUsage,
    UpcomingRecord,
    Versions,
    WriterRecord,
)
from audit.values import (
    CellRecord,
    Channel,
    CitationRecord,
    ClaimRecord,
    ContradictionRecord,
    PersonRecord,
    SideRecord,
)
from bot.answering.cited_cells import cited_boxes, cited_cells, value_of
from bot.answering.outcome import Outcome
from bot.answering.quoting import Quotation
from bot.answering.reply import reply_text
from bot.answering.values import Citation, Claim, Contradiction
from retrieval.language.table_rows import rows_of
from retrieval.scores import BM25
from retrieval.types import Box, Evidence, Hit, Passage, Place, Sentence

GUEST = PersonRecord(id="guest")
SEARCH_ALONE = "none: a search"
"""In place of a writer's name where passages were listed and no answer was sought."""


def is_search_alone(record: Mapping[str, Any]) -> bool:
    """Tell of a record's JSON whether nothing was to be answered."""
    return bool(record["writer"]["name"] == SEARCH_ALONE)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """All records of one running process have these in common."""

    versions: Versions
    embedding_model: str
    writer: str
    writer_model: str
    calibration: str
    unrecorded: frozenset[str] = frozenset()
    """Names of scores that would tell what others asked."""


def audit_record(outcome: Outcome, circumstances: Circumstances) -> AuditRecord:
    """All that explains this answer without any of the things that made it."""
    question, verdict, draft = outcome.question, outcome.verdict, outcome.draft
    person = question.person
    shown = {passage.passage_id for passage in draft.passages}
    left_out = circumstances.unrecorded | {BM25}
    return AuditRecord(
        audit_id=outcome.audit_id,
        time=outcome.time,
        person=PersonRecord(id=person.id, name=person.name) if person else GUEST,
        channel=question.place or Channel(id=question.channel or ""),
        question=question.text,
        standalone_question=outcome.evidence.query,
        in_english=outcome.understood.in_english,
        sought=outcome.sought if len(outcome.sought) > 1 else (),
        previous_questions=question.previous,
        imagined_passage=outcome.understood.hypothetical,
        embedding_model=circumstances.embedding_model,
        filter=_filter(outcome.evidence),
        candidates=tuple(_candidate(hit, shown, left_out) for hit in _candidates(outcome.evidence)),
        shown=tuple(_shown(passage) for passage in outcome.shown),
        writer=WriterRecord(
            name=circumstances.writer,
            model=circumstances.writer_model,
            prompt_hash=draft.prompt_hash,
            output=draft.raw,
        ),
        reply=reply_text(outcome),
        citation_style=outcome.citation_style.value,
        claims=tuple(_claim(claim) for claim in verdict.claims),
        dropped=tuple(_claim(claim) for claim in verdict.dropped),
        answered=verdict.answered,
        missing=verdict.missing,
        unsure=outcome.unsure,
        reasons=verdict.reasons,
        contradictions=tuple(_contradiction(each) for each in verdict.contradictions),
        confidence=verdict.confidence,
        calibration_id=circumstances.calibration,
        decision=verdict.decision,
        nearest=tuple(_nearest(quotation) for quotation in outcome.nearest),
        owners=outcome.owners,
        more_in_private=outcome.more_in_private,
        own_rule_in_private=outcome.own_rule_in_private,
        expired=tuple(_expired(passage) for passage in outcome.expired),
        upcoming=UpcomingRecord(**asdict(outcome.upcoming)) if outcome.upcoming else None,
        degraded=outcome.degraded,
        latency_ms=dict(outcome.stages_ms),
        tokens=TokenUsage(**sum(map(Counter, outcome.tokens.values()), Counter[str]())),
        tokens_by_stage={stage: TokenUsage(**used) for stage, used in outcome.tokens.items()},
        versions=circumstances.versions,
    )


def _candidates(evidence: Evidence) -> list[Hit]:
    """Every candidate, with what overrode it where it passed the threshold."""
    over = (*evidence.hits, *evidence.duplicates)
    hits = {hit.passage.passage_id: hit for hit in over}
    return [hits.get(hit.passage.passage_id, hit) for hit in evidence.candidates]


def _filter(evidence: Evidence) -> SearchFilter:
    facets = {name: tuple(sorted(values)) for name, values in evidence.scope.facets.items()}
    return SearchFilter(facets=facets, on=evidence.scope.on)


def _candidate(hit: Hit, shown: set[str], left_out: frozenset[str]) -> Candidate:
    """Without scores that tell too much, as raw BM25 does of documents that the reader may not see.

    What is not kept no door can show; the rank that it gave is enough to follow the fusion.
    """
    passage = hit.passage
    return Candidate(
        passage_id=passage.passage_id,
        document_id=passage.document.document_id,
        file=passage.document.file,
        version=passage.document.version,
        place=passage.place(),
        scores=CandidateScores.model_validate(
            {name: value for name, value in hit.scores.items() if name not in left_out}
        ),
        eligibility=hit.eligibility.value if hit.eligibility else "",
        used=passage.passage_id in shown,
        overridden_by=hit.overridden_by,
    )


def _shown(passage: Passage) -> ShownRecord:
    return ShownRecord(
        passage_id=passage.passage_id,
        document_id=passage.document.document_id,
        version=passage.document.version,
        sha256=passage.content_hash,
    )


def _claim(claim: Claim) -> ClaimRecord:
    return ClaimRecord(
        text=claim.text,
        status=claim.status,
        kind=claim.kind,
        reasoning=claim.reasoning,
        objections=claim.objections,
        score=claim.score if claim.citations else None,
        copied=claim.copied,
        lines=claim.lines,
        rows=_rows([each for cited in claim.citations for each in cited.sentences])
        if claim.copied
        else (),
        citations=tuple(_citation(citation, claim.text) for citation in claim.citations),
    )


def _citation(citation: Citation, claim: str = "") -> CitationRecord:
    """`claim`: its text, which tells the cells it rests on; empty for what cites whole rows."""
    passage = citation.passage
    sentences = passage.sentences[citation.first : citation.last + 1]
    return CitationRecord(
        passage_id=passage.passage_id,
        document_id=passage.document.document_id,
        file=passage.document.file,
        title=passage.document.title,
        link=passage.document.metadata.link,
        subtype=passage.document.metadata.subtype,
        level=passage.document.metadata.level,
        version=passage.document.version,
        status=citation.status,
        score=citation.score,
        place=citation.place,
        boxes=_boxes(sentences, claim),
        quote=citation.quote,
        recognised=citation.recognised,
        cells=_cells(sentences, claim),
    )


def _contradiction(found: Contradiction) -> ContradictionRecord:
    return ContradictionRecord(
        holds=_side(found.holds),
        against=_side(found.against),
        differs=found.differs,
        prevails=found.prevails,
    )


def _side(citation: Citation) -> SideRecord:
    metadata = citation.passage.document.metadata
    return SideRecord(
        citation=_citation(citation), level=metadata.level, effective=metadata.effective
    )


def _nearest(quotation: Quotation) -> NearestRecord:
    passage = quotation.passage
    sentences = passage.sentences[quotation.first : quotation.last + 1]
    return _named(
        passage,
        quotation.place,
        passage_id=passage.passage_id,
        version=passage.document.version,
        boxes=_boxes(sentences),
        quote=quotation.quote,
        recognised=quotation.recognised,
        text=quotation.shown,
        rows=_rows(sentences),
        overridden=quotation.overridden,
    )


def _named(passage: Passage, place: Place, **quoted: Any) -> NearestRecord:
    document = passage.document
    return NearestRecord(
        document_id=document.document_id,
        file=document.file,
        title=document.title,
        link=document.metadata.link,
        subtype=document.metadata.subtype,
        level=document.metadata.level,
        place=place,
        **quoted,
    )


def _boxes(sentences: Sequence[Sentence], claim: str = "") -> tuple[Box, ...]:
    return tuple(box for sentence in sentences for box in cited_boxes(claim, sentence))


def _cells(sentences: Sequence[Sentence], claim: str) -> tuple[CellRecord, ...]:
    return tuple(
        CellRecord(
            name=cell.name,
            value=value_of(cell, sentence),
            reference=cell.reference,
            sentence=number,
        )
        for number, sentence in enumerate(sentences)
        for cell in cited_cells(claim, sentence)
    )


def _rows(sentences: Sequence[Sentence]) -> tuple[tuple[CellRecord, ...], ...]:
    return tuple(
        tuple(CellRecord(name=cell.column, value=cell.text, sentence=number) for cell in row)
        for number, row in enumerate(rows_of(sentences))
    )


def _expired(passage: Passage) -> ExpiredRecord:
    metadata = passage.document.metadata
    return ExpiredRecord(source=_named(passage, passage.place()), valid_to=metadata.access.valid_to)
