"""What stands behind a reply, as far as the one who looks may read it today.

Of a document that is withheld nothing is shown: neither title, file, place and quote nor a
claim's words that may be copied from it. Which words those are only verification knows, so
a claim is shown where all that it cites may be read and bears it out; what was dropped, and
why an inference follows, may be anybody's words, and is shown only where nothing is withheld.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from audit.badge import badge_of
from audit.record import AuditRecord, Candidate, CitationRecord, ClaimRecord, Status, TokenUsage
from bot.slack.blocks.claims import (
    candidate_block,
    citation_parts,
    claim_block,
    confidences,
    several,
)
from bot.slack.blocks.contradictions import contradiction_parts
from bot.slack.blocks.elements import (
    RichPiece,
    header,
    labelled,
    line,
    modal,
    note,
    quotation,
    rich,
    section,
    words,
)
from bot.slack.blocks.limits import MODAL, fitting, in_line, trimmed
from bot.slack.blocks.reply import understood
from bot.slack.blocks.sentences import Sentences
from bot.slack.message import Block, View
from bot.wording import UNDERSTOOD
from bot.wording import evidence as wording
from bot.wording import slack as replies

MOST_USED = 10
MOST_OTHERS = 5


def evidence(record: AuditRecord, passages: Mapping[str, str], withheld: frozenset[str]) -> View:
    """Make a modal; `passages`: texts by passage id, `withheld`: ids of documents."""
    return fitting(partial(_view, _Seen(record, passages, withheld)), MODAL)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A record through the eyes of one person."""

    record: AuditRecord
    passages: Mapping[str, str]
    withheld: frozenset[str]

    @property
    def hidden(self) -> frozenset[str]:
        """Return the documents that are withheld and that the writer saw or cited."""
        claims = (*self.record.claims, *self.record.dropped)
        cited = {citation.document_id for claim in claims for citation in claim.citations}
        used = {each.document_id for each in self.record.candidates if each.used}
        return self.withheld & (cited | used | self.contradicting)

    @property
    def contradicting(self) -> set[str]:
        sides = [s for each in self.record.contradictions for s in (each.holds, each.against)]
        return {side.citation.document_id for side in sides}

    @property
    def all_readable(self) -> bool:
        return not self.hidden

    def may_show(self, claim: ClaimRecord) -> bool:
        borne_out = claim.status is Status.VERIFIED and claim.citations
        return self.all_readable or bool(
            borne_out and len(self.readable(claim)) == len(claim.citations)
        )

    def readable(self, claim: ClaimRecord) -> list[CitationRecord]:
        return [each for each in claim.citations if each.document_id not in self.withheld]

    def text(self, candidate: Candidate) -> str:
        return self.passages.get(candidate.passage_id, wording.NO_LONGER_THERE)

    def candidates(self, *, used: bool) -> list[Candidate]:
        """Return what may be shown; and no hint of a rule that prevails but may not."""
        readable = [
            each for each in self.record.candidates if each.document_id not in self.withheld
        ]
        prevailing = {each.passage_id for each in readable}
        return [
            each
            if each.overridden_by in prevailing
            else each.model_copy(update={"overridden_by": None})
            for each in readable
            if each.used is used
        ]

    def title(self, candidate: Candidate) -> str:
        """Name the document as a citation does, else by its file."""
        claims = (*self.record.claims, *self.record.dropped)
        named = [(c.document_id, c.title) for claim in claims for c in claim.citations]
        named += [(each.document_id, each.title) for each in self.record.nearest]
        titles = (title for document_id, title in named if document_id == candidate.document_id)
        return next((title for title in titles if title.strip()), candidate.file)


def _view(seen: _Seen, detail: int) -> View:
    record = seen.record
    read = partial(_read, seen, detail)
    blocks = [
        section(
            replies.headline(badge_of(record.decision, record.missing), record.confidence.overall)
        ),
        _measures(seen),
        *_said(seen, detail),
        *_contradictions(seen),
        *_withheld(seen),
        *_dropped(seen, detail),
        *several(wording.READ, seen.candidates(used=True), MOST_USED, read),
        *several(wording.OTHERS, seen.candidates(used=False)[:MOST_OTHERS], MOST_OTHERS, read),
        note(replies.audit_footer(record.audit_id)),
    ]
    return modal(wording.TITLE, "evidence", "", blocks, close=replies.CLOSE)


def _measures(seen: _Seen) -> Block:
    """Why it was decided so is said where nothing is withheld, for it may hint at that."""
    record = seen.record
    said = "; ".join(record.reasons) if seen.all_readable else ""
    reasons = [line(words(in_line(said, 300)))] if said else []
    meant = understood(record)
    heard = [labelled(UNDERSTOOD, in_line(meant, 500))] if meant else []
    heard += _hypothetical(record)
    shares = record.confidence.model_dump()
    return rich(quotation(trimmed(record.question, 600)), *heard, *reasons, *confidences(shares))


def _hypothetical(record: AuditRecord) -> list[RichPiece]:
    """Show what is no document's: a language model made it up from the question, at some cost."""
    parts = []
    if record.imagined_passage.strip():
        passage = in_line(record.imagined_passage, 600)
        parts.append(labelled(wording.FACTS["hypothetical"], passage))
    if "imagine" in record.latency_ms:
        tokens = record.tokens_by_stage.get("imagine", TokenUsage()).model_dump()
        cost = wording.hypothetical_cost(record.latency_ms["imagine"], tokens)
        parts.append(labelled(wording.HYPOTHETICAL, cost))
    return parts


def _said(seen: _Seen, detail: int) -> list[Block]:
    """Show the claims; of one that may not be shown, those of its sources that may."""
    numbers = Sentences.of(seen.record.claims).numbers

    def block(claim: ClaimRecord) -> Block:
        if seen.may_show(claim):
            return claim_block(claim, numbers, detail, reasoned=seen.all_readable)
        return rich(*citation_parts(seen.readable(claim), numbers, detail))

    claims = [each for each in seen.record.claims if seen.may_show(each) or seen.readable(each)]
    return several(wording.SAID, claims, detail, block)


def _contradictions(seen: _Seen) -> list[Block]:
    """Show those of which both sides may be read."""
    shown = [
        each
        for each in seen.record.contradictions
        if not seen.withheld & {s.citation.document_id for s in (each.holds, each.against)}
    ]
    return [rich(*contradiction_parts(shown))] if shown else []


def _withheld(seen: _Seen) -> list[Block]:
    count = len(seen.hidden)
    return [rich(line(words(wording.withheld(count), italic=True)))] if count else []


def _dropped(seen: _Seen, detail: int) -> list[Block]:
    dropped = seen.record.dropped
    if dropped and not seen.all_readable:
        return [header(wording.DROPPED), rich(line(words(wording.DROPPED_WITHHELD, italic=True)))]
    return several(
        wording.DROPPED, dropped, detail, partial(claim_block, numbers={}, detail=detail)
    )


def _read(seen: _Seen, detail: int, candidate: Candidate) -> Block:
    return candidate_block(candidate, seen.title(candidate), seen.text(candidate), detail)
