"""An outcome is what became of one question: it is recorded, and every door renders it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from audit.record import Decision, NearestRecord, Upcoming
from audit.values import ClaimRecord, ContradictionRecord
from bot import wording
from bot.answering.claim_records import claim_record, contradiction_record, nearest_record
from bot.answering.query_rewriting import RewrittenQuery
from bot.answering.quoting import LIKELY, Quotation
from bot.answering.values import Draft, Question, Verdict
from retrieval.types import Evidence, Passage


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
        """What was looked for: the question, or each of its parts."""
        parts = self.evidence.parts
        return (
            tuple(part.in_own_words for part in parts) if len(parts) > 1 else (self.evidence.query,)
        )

    @property
    def shown_as(self) -> str:
        """By which of `wording.BADGES` people know it."""
        near = bool(self.nearest or self.verdict.contradictions)
        return wording.shown_as(self.verdict.badge, quoted=near)

    @property
    def unsure(self) -> tuple[str, ...]:
        """Of the parts that are missing those that a cited passage may answer."""
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
        """What was out of order, and how the answer was made without it."""
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
