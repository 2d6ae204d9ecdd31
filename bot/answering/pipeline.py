"""The straight line: one question in, one audited reply out."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from audit.errors import AuditError
from audit.record import AuditRecord, Decision, new_id
from bot import wording
from bot.answering.contradictions import contradictions
from bot.answering.corroboration import corroborated
from bot.answering.evidence import EvidenceFinder
from bot.answering.gate import Decide
from bot.answering.length import as_read
from bot.answering.query_rewriting import RewrittenQuery
from bot.answering.recording import Circumstances, Exchange, audit_record
from bot.answering.reply import nearest_passages, owners_of, reply_text
from bot.answering.values import Brief, Draft, Question, Reply, Verdict
from bot.answering.verification import ClaimVerifier
from bot.answering.writers.port import Writer
from bot.errors import EmptyLibrary, EmptyQuestion, NotAudited
from bot.visible import uncalled
from retrieval.timing import Stages
from retrieval.types import Evidence, Passage

Record = Callable[[AuditRecord], object]
"""Appends to the audit store; raises `AuditError` where it cannot."""


@dataclass(frozen=True, slots=True)
class _Beside:
    """What is known beyond the evidence."""

    understood: RewrittenQuery
    more_in_private: bool
    """The asker may read evidence that not everyone in the channel may."""
    expired: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class AnsweringPipeline:
    """Everything that a question meets on its way, in order."""

    evidence: EvidenceFinder
    writer: Writer
    verification: ClaimVerifier
    gate: Decide
    record: Record
    circumstances: Circumstances
    near: float = 0.0
    """The cosine from which a passage is named where there is no answer."""

    def __call__(self, question: Question) -> Reply:
        """Answer, and keep a record before anyone sees it.

        Raise `EmptyQuestion`, `EmptyLibrary`, `WriterUnavailable`, `NotAudited` or one of
        retrieval's errors; nothing is ever shown unrecorded.
        """
        if not question.text.strip():
            raise EmptyQuestion(wording.EMPTY_QUESTION)
        if self.evidence.search.library.is_empty():
            raise EmptyLibrary(wording.EMPTY_LIBRARY)
        question = as_read(question)
        time, stages = datetime.now(UTC), Stages()
        with stages.stage("total"):
            searched = self.evidence(question, stages)
            evidence = searched.evidence
            reader = question.person if question.channel is None else None
            with stages.stage("write"):
                draft = self.writer.write(Brief(evidence.query, evidence, reader))
            with stages.stage("verify"):
                claims = self.verification(draft)
                found = contradictions(claims, evidence)
                verdict = self.gate(evidence, draft, claims, found)
                says_so = (*evidence.hits, *evidence.duplicates)
                verdict = replace(verdict, claims=corroborated(verdict.claims, says_so, found))
            with stages.stage("private"):
                more = self.evidence.more_in_private(question, searched)
            with stages.stage("expired"):
                expired = self.evidence.expired(searched)
        beside = _Beside(searched.understood, more, expired)
        return self._recorded(question, evidence, draft, verdict, time, stages, beside)

    def _recorded(
        self,
        question: Question,
        evidence: Evidence,
        draft: Draft,
        verdict: Verdict,
        time: datetime,
        stages: Stages,
        beside: _Beside,
    ) -> Reply:
        close = nearest_passages(evidence, self.near)
        nearest = close if verdict.decision is Decision.ABSTAIN else ()
        owners = owners_of(close) if verdict.decision is not Decision.ANSWER else ()
        degraded = (*beside.understood.degraded, *([draft.degraded] if draft.degraded else []))
        said = reply_text(verdict, evidence.query, nearest, owners, beside.expired)
        exchange = Exchange(
            audit_id=question.audit_id or new_id(time),
            time=time,
            question=question,
            evidence=evidence,
            understood=beside.understood,
            draft=draft,
            verdict=verdict,
            text="\n".join([said, *map(uncalled, degraded)]),
            nearest=nearest,
            owners=owners,
            more_in_private=beside.more_in_private,
            expired=beside.expired,
            degraded=degraded,
            stages_ms=dict(stages.milliseconds),
        )
        try:
            with stages.stage("audit"):
                self.record(audit_record(exchange, self.circumstances))
        except AuditError as error:
            raise NotAudited(f"{wording.NOT_AUDITED} ({error})") from error
        return Reply(
            audit_id=exchange.audit_id,
            decision=verdict.decision,
            text=exchange.text,
            claims=verdict.claims,
            dropped=verdict.dropped,
            missing=verdict.missing,
            answered=verdict.answered,
            confidence=verdict.confidence,
            latency_ms=round(stages.milliseconds["total"] + stages.milliseconds["audit"]),
            question=question.text,
            standalone_question=evidence.query,
            nearest=nearest,
            owners=owners,
            more_in_private=beside.more_in_private,
            expired=beside.expired,
            contradictions=verdict.contradictions,
            degraded=degraded,
            ranked=evidence.candidates,
            stages_ms=dict(stages.milliseconds),
        )
