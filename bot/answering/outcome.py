"""An outcome is what became of one question: it is recorded, and every door renders it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from audit.places import Place
from audit.record import Decision, ExpiredRecord, NearestRecord, Upcoming
from audit.values import (
    CellRecord,
    CitationRecord,
    ClaimKind,
    ClaimRecord,
    ContradictionRecord,
    SideRecord,
)
from bot import wording
from bot.answering.exact.table_rows import cited_boxes, cited_cells, value_of
from bot.answering.query_rewriting import RewrittenQuery
from bot.answering.quoting import LIKELY, Quotation
from bot.answering.values import Citation, Claim, Contradiction, Draft, Question, Run, Verdict
from retrieval.language.table_rows import rows_of
from retrieval.types import Evidence, Passage, Sentence


def claim_record(claim: Claim) -> ClaimRecord:
    return ClaimRecord(
        text=claim.text,
        status=claim.status,
        kind=claim.kind,
        reasoning=claim.reasoning,
        objections=claim.objections,
        broken_anchors=claim.broken_anchors,
        score=claim.score if claim.citations and claim.kind is not ClaimKind.LISTED else None,
        copied=claim.copied,
        lines=claim.lines,
        rows=_rows([each for cited in claim.citations for each in cited.sentences])
        if claim.copied
        else claim.rows,
        citations=tuple(_citation(citation, claim.text) for citation in claim.citations),
    )


def _citation(citation: Citation, claim: str = "") -> CitationRecord:
    """`claim`: its text, which tells the cells it rests on; empty for what cites whole rows."""
    return CitationRecord(
        **_quoted(citation, claim),
        status=citation.status,
        score=citation.score,
        also=citation.also,
        cells=_cells(citation.sentences, claim),
    )


def _quoted(run: Run, claim: str = "") -> dict[str, Any]:
    return {
        **_named(run.passage, run.place),
        "passage_id": run.passage.passage_id,
        "version": run.passage.document.version,
        "boxes": tuple(box for each in run.sentences for box in cited_boxes(claim, each)),
        "quote": run.quote,
        "char_start": run.sentences[0].char_start,
        "ingested_at": run.passage.document.ingested_at,
        "recognised": run.recognised,
    }


def _named(passage: Passage, place: Place) -> dict[str, Any]:
    document = passage.document
    return {
        "document_id": document.document_id,
        "file": document.file,
        "title": document.title,
        "link": document.metadata.link,
        "subtype": document.metadata.subtype,
        "level": document.metadata.level,
        "place": place,
    }


def contradiction_record(found: Contradiction) -> ContradictionRecord:
    return ContradictionRecord(
        holds=_side(found.holds),
        against=_side(found.against),
        differs=found.differs,
        prevails=found.prevails,
    )


def _side(citation: Citation) -> SideRecord:
    metadata = citation.passage.document.metadata
    return SideRecord(
        citation=_citation(citation),
        text=citation.passage.sentences[citation.first].text,
        level=metadata.level,
        effective=metadata.effective,
    )


def nearest_record(quotation: Quotation) -> NearestRecord:
    return NearestRecord(
        **_quoted(quotation),
        text=quotation.shown,
        rows=_rows(quotation.sentences),
        overridden=quotation.overridden,
    )


def _cells(sentences: Sequence[Sentence], claim: str) -> tuple[CellRecord, ...]:
    """Parts of one long row count as one: they stand in the same place."""
    begins = list(dict.fromkeys(sentence.char_start for sentence in sentences))
    return tuple(
        CellRecord(
            name=cell.name,
            value=value_of(cell, sentence),
            reference=cell.reference,
            sentence=begins.index(sentence.char_start),
        )
        for sentence in sentences
        for cell in cited_cells(claim, sentence)
    )


def _rows(sentences: Sequence[Sentence]) -> tuple[tuple[CellRecord, ...], ...]:
    return tuple(
        tuple(CellRecord(name=cell.column, value=cell.text, sentence=number) for cell in row)
        for number, row in enumerate(rows_of(sentences))
    )


def expired_record(passage: Passage) -> ExpiredRecord:
    metadata = passage.document.metadata
    source = NearestRecord(**_named(passage, passage.place()))
    return ExpiredRecord(source=source, valid_to=metadata.access.valid_to)


def reviewed(reasons: Sequence[str], claims: Sequence[ClaimRecord]) -> str:
    """Say by whom and when the answer was reviewed; empty for any other."""
    if wording.STANDARD_ANSWER not in reasons:
        return ""
    said = claims[0].citations[0].subtype
    return f"{said[:1].upper()}{said[1:]}."


@dataclass(frozen=True, slots=True)
class Outcome:
    """An outcome is one question's way through the program; it is recorded before it is seen."""

    audit_id: str
    time: datetime
    """In UTC, when it was asked."""
    question: Question
    understood: RewrittenQuery
    evidence: Evidence
    draft: Draft
    verdict: Verdict
    closest: tuple[Passage, ...] = ()
    """What came nearest to the question, best first, one passage a document."""
    nearest: tuple[Quotation, ...] = ()
    """Quoted where there is no answer, best first, for the person to look at."""
    more_in_private: bool = False
    """The asker may read evidence that not everyone in the channel may."""
    own_rule_in_private: bool = False
    """It has a rule of the asker's own unit, over one that was found for the channel."""
    expired: tuple[Passage, ...] = ()
    """What would have been evidence, had its time not run out."""
    upcoming: Upcoming | None = None
    """Another rule will hold on the day that was asked about."""
    contact: str = ""
    """Whom to ask in the asker's own unit, else in the organisation; empty for nobody."""
    unsearched: int = 0
    """Passages of the library that the index lacks, so that nobody can find them."""
    stages_ms: Mapping[str, float] = field(default_factory=dict)
    """How long each stage took; `audit` only once it is recorded."""

    @property
    def claims(self) -> tuple[ClaimRecord, ...]:
        """What is posted, as it is recorded; so are the next three."""
        return tuple(map(claim_record, self.verdict.claims))

    @property
    def dropped(self) -> tuple[ClaimRecord, ...]:
        return tuple(map(claim_record, self.verdict.dropped))

    @property
    def contradictions(self) -> tuple[ContradictionRecord, ...]:
        return tuple(map(contradiction_record, self.verdict.contradictions))

    @property
    def quoted(self) -> tuple[NearestRecord, ...]:
        return tuple(map(nearest_record, self.nearest))

    @property
    def is_as_of(self) -> bool:
        """Whether it is answered as of the day ahead that was asked about."""
        return self.evidence.scope.on != self.question.on

    @property
    def decision(self) -> Decision:
        return self.verdict.decision

    @property
    def sought(self) -> tuple[str, ...]:
        parts = self.evidence.parts
        return (
            tuple(part.in_own_words for part in parts) if len(parts) > 1 else (self.evidence.query,)
        )

    @property
    def shown_as(self) -> str:
        near = bool(self.nearest or self.verdict.contradictions)
        return wording.shown_as(self.verdict.badge, quoted=near)

    @property
    def unsure(self) -> tuple[str, ...]:
        citations = (each for claim in self.verdict.claims for each in claim.citations)
        cited = {citation.passage.passage_id for citation in citations}
        return tuple(
            part.in_own_words
            for part in self.evidence.parts
            if part.in_own_words in self.verdict.missing
            and part.relevance >= LIKELY
            and part.best
            and part.best.passage.passage_id in cited
        )

    @property
    def owners(self) -> tuple[str, ...]:
        """Whom to ask for what is missing or unsure: whose words are shown, and `contact`."""
        if self.decision is Decision.ANSWER:
            return ()
        owners = (passage.document.metadata.owner for passage in self._to_ask_about())
        return tuple(dict.fromkeys(owner for owner in (*owners, self.contact) if owner))

    def _to_ask_about(self) -> tuple[Passage, ...]:
        """What is quoted, named or cited; where a part is missing, what came closest to it."""
        if self.decision is Decision.ABSTAIN:
            disagreeing = (
                side.passage
                for each in self.verdict.contradictions
                for side in (each.holds, each.against)
            )
            return (*disagreeing, *self.expired, *(each.passage for each in self.nearest))
        if self.verdict.missing:
            return self.closest
        cited = (citation for claim in self.verdict.claims for citation in claim.citations)
        return tuple(citation.passage for citation in cited)

    @property
    def degraded(self) -> tuple[str, ...]:
        lacking = wording.unsearched(self.unsearched) if self.unsearched else ""
        others = (self.evidence.degraded, self.draft.degraded, lacking, self.question.not_searched)
        return (*self.understood.degraded, *filter(None, others))

    @property
    def tokens(self) -> dict[str, Mapping[str, int]]:
        """What language models read and wrote, by stage; without those that used none."""
        drafting = {"rerank": self.evidence.tokens, "write": self.draft.tokens}
        by_stage = {**self.understood.tokens, **drafting}
        return {stage: used for stage, used in by_stage.items() if used}

    @property
    def shown(self) -> tuple[Passage, ...]:
        """What the writer was shown, to be cited or to understand it by; each once."""
        passages = (*self.draft.passages, *self.evidence.context)
        return tuple({passage.passage_id: passage for passage in passages}.values())

    @property
    def latency_ms(self) -> int:
        return round(self.stages_ms.get("total", 0.0) + self.stages_ms.get("audit", 0.0))
