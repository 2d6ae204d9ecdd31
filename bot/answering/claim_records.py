"""What was judged, quoted and named, as a record keeps it: from here on every door shows that."""

from collections.abc import Sequence
from typing import Any

from audit.places import Place
from audit.record import ExpiredRecord, NearestRecord
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
from bot.answering.quoting import Quotation
from bot.answering.values import Citation, Claim, Contradiction, Run
from retrieval.language.table_rows import rows_of
from retrieval.types import Passage, Sentence


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
