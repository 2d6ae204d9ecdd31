"""Why a recorded reply is sure or not, for people: at every door the same sentence."""

from dataclasses import asdict

from audit.record import AuditRecord, Badge, badge_of
from audit.values import ClaimRecord
from bot import wording
from bot.answering.recording import FROM_LIBRARY, SUMMED_UP


def certainty(record: AuditRecord) -> str:
    """One plain sentence; empty for an abstention, which gives its own reason."""
    copied = all(_is_copy(claim) for claim in record.claims)
    borne_out = wording.COPIED if copied else wording.CHECKED
    badge = badge_of(record.decision, record.missing)
    if badge is Badge.UNKNOWN:
        return ""
    if record.writer.name == FROM_LIBRARY:
        return wording.FROM_LIBRARY
    if SUMMED_UP in record.reasons:
        return wording.SUMMED_UP
    if badge is Badge.ANSWERED:
        return wording.sure(borne_out)
    if badge is Badge.IN_PART:
        return wording.in_part(borne_out)
    if wording.FROM_ELSEWHERE in record.reasons:
        return wording.from_elsewhere(borne_out)
    if wording.ANOTHER_DAY in record.reasons:
        return wording.another_day(borne_out)
    return wording.not_sure(wording.WEAKEST[_weakest(record, copied=copied)], borne_out)


def _is_copy(claim: ClaimRecord) -> bool:
    """A score of 1 in records in which nobody noted it: no model is that sure."""
    return claim.copied or claim.score == 1.0


def _weakest(record: AuditRecord, *, copied: bool) -> str:
    """The lowest of the confidences that could tell; copies are borne out whatever it was."""
    shares = asdict(record.confidence)
    known = {
        name: shares[name]
        for name in wording.WEAKEST
        if shares[name] is not None and not (copied and name == "entailment")
    }
    return min(known, key=lambda name: known[name], default="retrieval")
