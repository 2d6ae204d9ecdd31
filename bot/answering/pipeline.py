"""The straight line: one question in, one audited reply out."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from audit.errors import AuditError
from audit.record import AuditRecord, new_id
from bot import wording
from bot.access import Person
from bot.answering.contradictions import contradictions
from bot.answering.corroboration import corroborated
from bot.answering.followups import (
    standalone,
    with_its_subject,
    with_what_it_adds,
    with_what_it_asks,
)
from bot.answering.gate import Gate
from bot.answering.length import as_read
from bot.answering.outcome import Outcome
from bot.answering.query_rewriting import QueryRewriting, RewrittenQuery
from bot.answering.recording import Circumstances, audit_record
from bot.answering.reply import closest_passages
from bot.answering.values import Brief, Question
from bot.answering.verification import ClaimVerifier
from bot.answering.writers.port import Writer
from bot.errors import EmptyLibrary, EmptyQuestion, NotAudited
from retrieval.filters import permits
from retrieval.language.question_parts import parts_of
from retrieval.search import Search
from retrieval.timing import Stages
from retrieval.types import Evidence, Passage, QuestionPart, Scope

MOST_PARTS = 5
"""Of a question, since each costs a look at the best passages; what else it asks is missing."""
ScopeFor = Callable[[Person | None, str | None, date], Scope]
"""What a person may read in a channel (None: in private) on a day."""
Record = Callable[[AuditRecord], object]
"""Appends to the audit store; raises `AuditError` where it cannot."""


@dataclass(frozen=True, slots=True)
class AnsweringPipeline:
    """Everything that a question meets on its way, in order."""

    scope_for: ScopeFor
    search: Search
    writer: Writer
    verification: ClaimVerifier
    gate: Gate
    record: Record
    circumstances: Circumstances
    understanding: QueryRewriting
    near: float = 0.0
    """The cosine from which a passage is named where there is no answer."""

    def __call__(self, question: Question) -> Outcome:
        """Answer, and keep a record before anyone sees it.

        Raise `EmptyQuestion`, `EmptyLibrary`, `WriterUnavailable`, `NotAudited` or one of
        retrieval's errors; nothing is ever shown unrecorded.
        """
        if not question.text.strip():
            raise EmptyQuestion(wording.EMPTY_QUESTION)
        if self.search.library.is_empty():
            raise EmptyLibrary(wording.EMPTY_LIBRARY)
        question = as_read(question)
        time, stages = datetime.now(UTC), Stages()
        with stages.stage("total"):
            scope = self.scope_for(question.person, question.channel, question.on)
            understood = self.understanding(question.text, question.previous, stages)
            evidence = self._evidence(understood, scope, stages)
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
                more = self._more_in_private(question, evidence)
            with stages.stage("expired"):
                expired = () if evidence.hits else self._expired(understood, scope)
        outcome = Outcome(
            audit_id=question.audit_id or new_id(time),
            time=time,
            question=question,
            understood=understood,
            evidence=evidence,
            draft=draft,
            verdict=verdict,
            closest=closest_passages(evidence, self.near),
            more_in_private=more,
            expired=expired,
            stages_ms=dict(stages.milliseconds),
        )
        return self._recorded(outcome, stages)

    def _evidence(self, asked: RewrittenQuery, scope: Scope, stages: Stages) -> Evidence:
        """Question and parts are made to stand alone; a part leans on those before it."""
        query = standalone(asked.text, asked.previous)
        asks = asked.parts or parts_of(asked.text)
        texts, unsought = asks[:MOST_PARTS], asks[MOST_PARTS:]
        if len(texts) == 1:
            evidence = self._followed_up(query, asked, scope, stages)
            return with_what_it_adds(evidence, asked.text, asked.previous)
        parts = (
            texts
            if asked.parts
            else [standalone(text, (*asked.previous, *texts[:n])) for n, text in enumerate(texts)]
        )
        evidence = self.search(query, scope, stages, parts, asked.imagined)
        own_words = dict(zip(parts, texts, strict=True))
        named = tuple(replace(part, asked=own_words[part.text]) for part in evidence.parts)
        left = tuple(QuestionPart(text, relevance=0.0, covered=False) for text in unsought)
        return replace(evidence, parts=(*named, *left))

    def _followed_up(
        self, query: str, asked: RewrittenQuery, scope: Scope, stages: Stages
    ) -> Evidence:
        """What is found for a follow-up, with the earlier question where it finds nothing alone.

        By their form two of five do not show that they lean on it ("do I get a break halfway?").
        Where neither finds anything, the reply tells of the search that came nearer.
        """
        evidence = self.search(query, scope, stages, imagined=asked.imagined)
        if evidence.hits or not asked.previous or query != asked.text:
            return evidence
        joined = with_its_subject(asked.text, asked.previous)
        found = self.search(joined, scope, stages, imagined=asked.imagined)
        if found.hits:
            together = with_what_it_asks(found, asked.text)
            return together if together.hits else evidence
        return max(evidence, found, key=lambda each: each.parts[0].relevance)

    def _more_in_private(self, question: Question, evidence: Evidence) -> bool:
        """Whether the asker may read evidence that the channel's audience may not."""
        if question.channel is None or question.person is None:
            return False
        own = self.scope_for(question.person, None, question.on)
        if own.facets == evidence.scope.facets:
            return False
        found = self.search(evidence.query, own, Stages()).hits
        return not all(
            permits(hit.passage.document.metadata.access, evidence.scope) for hit in found
        )

    def _expired(self, asked: RewrittenQuery, scope: Scope) -> tuple[Passage, ...]:
        """What would have been evidence, had its time not run out: one passage a document."""
        if not self.search.library.has_expired(scope.on):
            return ()
        ever = replace(scope, expired=True)
        over: dict[str, Passage] = {}
        for hit in self._evidence(asked, ever, Stages()).hits:
            document = hit.passage.document
            if not permits(document.metadata.access, scope):
                over.setdefault(document.document_id, hit.passage)
        return tuple(over.values())

    def _recorded(self, outcome: Outcome, stages: Stages) -> Outcome:
        """The same outcome, with the time that recording it took."""
        try:
            with stages.stage("audit"):
                self.record(audit_record(outcome, self.circumstances))
        except AuditError as error:
            raise NotAudited(f"{wording.NOT_AUDITED} ({error})") from error
        return replace(outcome, stages_ms=dict(stages.milliseconds))
