"""The numbers behind a reply, as far as the one who looks may read what they are of today."""

from collections.abc import Mapping
from functools import partial

from audit.record import AuditRecord
from audit.record.claims import ClaimRecord
from audit.record.evidence import Candidate
from audit.record.made_with import TokenUsage
from bot.seen import Seen
from bot.slack.blocks.claims import candidate_block, confidences, scored_block, several
from bot.slack.blocks.elements import RichPiece, labelled, line, modal, note, rich, words
from bot.slack.blocks.limits import MODAL, fitting, in_line
from bot.slack.message import Block, View
from bot.wording import evidence as wording
from bot.wording import slack as replies

MOST_USED = 10
MOST_OTHERS = 5


def numbers(record: AuditRecord, passages: Mapping[str, str], withheld: frozenset[str]) -> View:
    """Make a modal; `passages`: texts by passage id, `withheld`: ids of documents."""
    return fitting(partial(_view, Seen(record, withheld), passages), MODAL)


def _view(seen: Seen, passages: Mapping[str, str], detail: int) -> View:
    record = seen.record

    def read(candidate: Candidate) -> Block:
        text = passages.get(candidate.passage_id, wording.NO_LONGER_THERE)
        return candidate_block(candidate, seen.title(candidate), text, detail)

    claims = [claim for claim in _judged(seen) if seen.may_show(claim)]
    blocks = [
        rich(*_reasons(seen), *confidences(record.confidence.model_dump()), *_hypothetical(record)),
        *several(wording.CLAIMS, claims, detail, partial(scored_block, detail=detail)),
        *several(wording.READ, seen.candidates(used=True), MOST_USED, read),
        *several(wording.OTHERS, seen.candidates(used=False)[:MOST_OTHERS], MOST_OTHERS, read),
        note(replies.audit_footer(record.audit_id)),
    ]
    return modal(wording.NUMBERS, "numbers", "", blocks, close=replies.CLOSE)


def _judged(seen: Seen) -> list[ClaimRecord]:
    """The claims, and what was dropped where all that it may be copied from may be read."""
    dropped = seen.record.dropped if seen.all_readable else ()
    return [*seen.record.claims, *dropped]


def _reasons(seen: Seen) -> list[RichPiece]:
    """Why it was decided so is said where nothing is withheld, for it may hint at that."""
    said = "; ".join(seen.record.reasons) if seen.all_readable else ""
    return [line(words(in_line(said, 300)))] if said else []


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
