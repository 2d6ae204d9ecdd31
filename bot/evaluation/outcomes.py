"""One recipe made this of one question, in the form that is written to the JSON file."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from audit.badge import badge_of
from audit.record.verdict import Decision
from bot.evaluation.judging.judgement import Judgement
from bot.evaluation.questions import Gold, LabelledQuestion
from retrieval.types import Passage

Place = Mapping[str, Any]
"""A ranked passage or a citation: file, page, line_start, line_end, paragraph."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The passages were ranked so before any threshold."""

    best: Sequence[Place]
    """The first ten."""
    found: bool
    """Whether any relevant passage was among those that the reranker reads."""
    relevant: int
    """How many passages of the library overlap gold."""


@dataclass(frozen=True, slots=True)
class LabelledOutcome:
    """All figures are computed from labelled outcomes, so that anyone can recompute them."""

    question: LabelledQuestion
    decision: Decision | None
    """None for a recipe that only ranks."""
    text: str
    claims: Sequence[Mapping[str, Any]]
    dropped: Sequence[Mapping[str, Any]]
    confidence: Mapping[str, float | None]
    latency_ms: float
    ranking: Ranking
    stages_ms: Mapping[str, float]
    nearest: Sequence[Mapping[str, Any]] = ()
    """What an abstention quoted, as citations; `passage` is the place of the whole passage."""
    missing: Sequence[str] = ()
    """The parts of the question that the reply names as unanswered."""
    tokens: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """What language models read and wrote, by stage."""
    degraded: Sequence[str] = ()
    """What was out of order, and how it was answered without it."""
    failure: str = ""
    """Why it was not answered at all; nothing is known of its ranking then."""
    shown: Sequence[Passage] = ()
    """What it was written from and what it quotes: for a judge, and not written down."""
    judgement: Judgement | None = None
    """None where no judge was asked, or where one failed."""
    not_judged: str = ""
    """Why a judge that was asked gave no scores."""

    @property
    def citations(self) -> list[Place]:
        return [citation for claim in self.claims for citation in claim["citations"]]

    @property
    def answered(self) -> bool:
        return self.decision in (Decision.ANSWER, Decision.PARTIAL)

    @property
    def has_draft(self) -> bool:
        """Whether there was anything verified to be posted, whatever the gate decided."""
        return any(claim["status"] == "VERIFIED" for claim in (*self.claims, *self.dropped))

    @property
    def cites_gold(self) -> bool:
        """Whether a verified citation of a posted claim overlaps gold."""
        return verified_gold(self.claims, self.question.gold)

    @property
    def helps(self) -> bool:
        """Whether it answers rightly, or quotes from a passage that overlaps gold."""
        return self._answers_or(any(is_relevant(n["passage"], self._gold) for n in self.nearest))

    @property
    def shows_gold(self) -> bool:
        """Whether it answers rightly, or the words that it quotes overlap gold."""
        return self._answers_or(any(is_relevant(n, self._gold) for n in self.nearest))

    @property
    def _gold(self) -> Sequence[Gold]:
        return self.question.gold

    def _answers_or(self, quoted: bool) -> bool:
        return (self.answered and self.cites_gold) or quoted

    @property
    def drafts_gold(self) -> bool:
        """The same of the whole draft: what would be cited if the gate let all through."""
        return verified_gold((*self.claims, *self.dropped), self.question.gold)

    def as_json(self) -> dict[str, object]:
        return {
            "id": self.question.id,
            "decision": self.decision.value if self.decision else None,
            "text": self.text,
            "reference": self.question.answer,
            "claims": list(self.claims),
            "dropped": list(self.dropped),
            "nearest": list(self.nearest),
            "missing": list(self.missing),
            "badge": badge_of(self.decision, self.missing).value if self.decision else None,
            "confidence": dict(self.confidence),
            "latency_ms": round(self.latency_ms),
            "ranked": list(self.ranking.best),
            "stages_ms": dict(self.stages_ms),
            "tokens": dict(self.tokens),
            "degraded": list(self.degraded),
            "failure": self.failure,
            "judgement": asdict(self.judgement) if self.judgement else None,
            "not_judged": self.not_judged,
        }


def verified_gold(claims: Sequence[Mapping[str, Any]], gold: Sequence[Gold]) -> bool:
    """Whether a citation that bears its claim out overlaps a gold place."""
    return any(
        citation["status"] == "VERIFIED" and is_relevant(citation, gold)
        for claim in claims
        for citation in claim["citations"]
    )


def is_relevant(place: Place, gold: Sequence[Gold]) -> bool:
    """Whether a place overlaps any gold place of the same file."""
    return any(overlaps(place, each) for each in gold)


def is_of_gold_document(place: Place, gold: Sequence[Gold]) -> bool:
    """Whether its document answers anywhere, as Index-RAG (Vadlapati 2026) counts."""
    return any(place["file"] == each.file for each in gold)


def overlaps(place: Place, gold: Gold) -> bool:
    """Same file, same page where there are pages, and a line (or paragraph) in common."""
    if place["file"] != gold.file or (gold.page is not None and place["page"] != gold.page):
        return False
    if gold.line_start is None or place["line_start"] is None:
        return gold.paragraph is None or place["paragraph"] == gold.paragraph
    gold_end = gold.line_end or gold.line_start
    return bool(place["line_start"] <= gold_end and gold.line_start <= place["line_end"])
