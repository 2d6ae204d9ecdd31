"""What would have been decided by other thresholds, from what records keep: pure, asks no model.

The gate itself decides again. What an abstention's sources said against each other is not kept, so
one that would be answered now may still have been held back for that.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from audit.feedback import Opinion, current_feedback
from audit.record import AuditEvent, AuditRecord, Decision
from audit.values import ClaimRecord, Status
from bot.access.entries import folded
from bot.answering.gate import GIVES_WAY, UNSETTLED, Gate, Weighed, of_another_day
from bot.answering.recording import NO_ANSWER
from bot.answering.values import Verdict
from bot.quality.questions import LabelledQuestion
from bot.quality.run import is_relevant
from bot.wording import DOUBTFUL, NO_SUCH_DOCUMENT, STANDARD_ANSWER

_SURER = (Decision.ABSTAIN, Decision.PARTIAL, Decision.ANSWER)


class Judged(StrEnum):
    BETTER = "better"
    WORSE = "worse"
    UNKNOWN = "unknown"
    """Nobody said whether the draft is right, or not all said the same."""


@dataclass(frozen=True, slots=True)
class Changed:
    audit_id: str
    time: str
    question: str
    was: Decision
    would_be: Decision
    confidence: float
    reason: str
    judged: Judged


@dataclass(frozen=True, slots=True)
class WhatIf:
    records: int
    """That were decided on again; a search alone was not, nor what has no confidence."""
    decisions: dict[str, int]
    """As they were, such as `ANSWER`."""
    would_be: dict[str, int]
    judged: dict[str, int]
    """Of what would change: `better`, `worse`, `unknown`."""
    changed: tuple[Changed, ...]
    """In the order of the records."""


GateOf = Callable[[AuditRecord], Gate]
"""The gate that a record is held to now."""
EventsOf = Callable[[str], Iterable[AuditEvent]]
"""What happened to a record later, oldest first, by its id."""


def what_if(
    records: Iterable[AuditRecord],
    gate_of: GateOf,
    events_of: EventsOf,
    labels: Sequence[LabelledQuestion] = (),
) -> WhatIf:
    """Have each record decided again; labels and feedback say which changes are for the better."""
    was: Counter[str] = Counter()
    would_be: Counter[str] = Counter()
    changed: list[Changed] = []
    for record in records:
        confidence = record.confidence.overall
        if record.writer.name in NO_ANSWER or confidence is None:
            continue
        decision, reason = decided_again(record, gate_of(record), confidence)
        was[record.decision] += 1
        would_be[decision] += 1
        if decision is not record.decision:
            right = _is_right(record, events_of(record.audit_id), labels)
            changed.append(_changed(record, decision, reason, right))
    judged = Counter(each.judged.value for each in changed)
    return WhatIf(
        records=was.total(),
        decisions={each.value: was[each] for each in Decision},
        would_be={each.value: would_be[each] for each in Decision},
        judged={each.value: judged[each] for each in Judged},
        changed=tuple(changed),
    )


def decided_again(record: AuditRecord, gate: Gate, confidence: float) -> tuple[Decision, str]:
    """What the gate makes of a record whose draft it is so confident of, from 0 to 1; and why."""
    for settled in (NO_SUCH_DOCUMENT, STANDARD_ANSWER):
        if settled in record.reasons:
            return record.decision, settled
    drafted = _drafted(record)
    borne_out, holding = _borne_out(drafted), _borne_out(record.claims)
    if record.decision is Decision.ABSTAIN and GIVES_WAY not in record.reasons:
        holding = borne_out
    decision, reason = gate.decide(
        Weighed(
            has_evidence=bool(drafted),
            drafted=len(drafted),
            borne_out=len(borne_out),
            holding=len(holding),
            unsettled=UNSETTLED in record.reasons,
            complete=not record.missing,
            doubtful=DOUBTFUL in record.reasons,
            overall=confidence,
        )
    )
    if record.upcoming and record.upcoming.day != record.filter.on:
        verdict = Verdict(decision, (), (), record.missing, record.confidence, (reason,))
        verdict = of_another_day(verdict)
        return verdict.decision, verdict.reasons[0]
    return decision, reason


def _changed(record: AuditRecord, decision: Decision, reason: str, right: bool | None) -> Changed:
    surer = _SURER.index(decision) > _SURER.index(record.decision)
    judged = Judged.BETTER if right is surer else Judged.WORSE
    return Changed(
        audit_id=record.audit_id,
        time=record.time.isoformat(),
        question=record.question,
        was=record.decision,
        would_be=decision,
        confidence=record.confidence.overall or 0.0,
        reason=reason,
        judged=Judged.UNKNOWN if right is None else judged,
    )


def _is_right(
    record: AuditRecord, events: Iterable[AuditEvent], labels: Sequence[LabelledQuestion]
) -> bool | None:
    """Whether the draft answers, by a label, else by feedback; None where neither tells."""
    label = next((each for each in labels if _is_asked(record, each)), None)
    if label is not None:
        return _bears_out(record, label)
    said = current_feedback(events)
    opinions = {each.details.get("value") for each in said}
    if record.decision is Decision.ABSTAIN:  # a thumb is for the abstention, not for the draft
        were_it = {each.details.get("passage_id") for each in said} - {None}
        cited = {each.passage_id for claim in _drafted(record) for each in claim.citations}
        return True if Opinion.THIS_WAS_IT in opinions and were_it & cited else None
    thumbs = opinions & {Opinion.GOOD, Opinion.BAD}
    return Opinion.GOOD in thumbs if len(thumbs) == 1 else None


def _is_asked(record: AuditRecord, label: LabelledQuestion) -> bool:
    who = label.person is None or label.person in (record.person.id, record.person.name)
    earlier = tuple(map(folded, label.previous)) == tuple(map(folded, record.previous_questions))
    on_its_day = label.on in (None, record.filter.on)
    return who and earlier and on_its_day and folded(label.question) == folded(record.question)


def _bears_out(record: AuditRecord, label: LabelledQuestion) -> bool | None:
    """Whether a claim that is borne out stands on a gold place; None where there is none."""
    if not label.kind.has_answer:
        return False
    cited = (each for claim in _borne_out(_drafted(record)) for each in claim.citations)
    places = [{"file": each.file, **asdict(each.place)} for each in cited]
    return any(is_relevant(each, label.gold) for each in places) if label.gold else None


def _drafted(record: AuditRecord) -> tuple[ClaimRecord, ...]:
    return (*record.claims, *record.dropped)


def _borne_out(claims: Iterable[ClaimRecord]) -> list[ClaimRecord]:
    return [each for each in claims if each.status is Status.VERIFIED]
