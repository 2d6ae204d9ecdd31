"""Labelled questions are asked of one recipe."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

from audit.errors import AuditError
from audit.record import Decision, badge_of
from bot.access.people import Person
from bot.answering.as_json import (
    MOST_RANKED,
    claim_as_json,
    passage_place,
    quotation_as_json,
    ranked_as_json,
)
from bot.answering.evidence import EvidenceFinder
from bot.answering.outcome import Outcome
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.reply import reply_text
from bot.answering.values import Question, as_read
from bot.errors import BotError, EmptyLibrary, UnknownPerson
from bot.quality.questions import Gold, LabelledQuestion
from retrieval.errors import RetrievalError
from retrieval.search.timing import Stages
from retrieval.types import Evidence, Hit, Passage


@dataclass(frozen=True, slots=True)
class JudgedReply:
    """Four scores from 0 to 1, more being better, as published."""

    correctness: float
    conciseness: float
    free_of_hallucination: float
    """Published as hallucination, in which more is better as well."""
    similarity: float
    by: str
    tokens: Mapping[str, int] = field(default_factory=dict)


Place = Mapping[str, Any]
"""A ranked passage or a citation: file, page, line_start, line_end, paragraph."""


@dataclass(frozen=True, slots=True)
class QuestionRanking:
    best: Sequence[Place]
    found: bool
    """Whether any relevant passage was among those that the reranker reads."""
    relevant: int
    """How many passages of the library overlap gold."""


@dataclass(frozen=True, slots=True)
class LabelledOutcome:
    """All figures are computed from labelled outcomes, so that anyone can recompute them."""

    question: LabelledQuestion
    ranking: QuestionRanking
    decision: Decision | None = None
    """None for a recipe that only ranks."""
    text: str = ""
    claims: Sequence[Mapping[str, Any]] = ()
    dropped: Sequence[Mapping[str, Any]] = ()
    confidence: Mapping[str, float | None] = field(default_factory=dict)
    latency_ms: float = 0.0
    stages_ms: Mapping[str, float] = field(default_factory=dict)
    nearest: Sequence[Mapping[str, Any]] = ()
    """What an abstention quoted, as citations; `passage` is the place of the whole passage."""
    missing: Sequence[str] = ()
    tokens: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    degraded: Sequence[str] = ()
    """What was out of order, and how it was answered without it."""
    failure: str = ""
    shown: Sequence[Passage] = ()
    """What it was written from and what it quotes: for a judge, and not written down."""
    judgement: JudgedReply | None = None
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
    def overall(self) -> float:
        """How sure it is; 0 where nothing was drafted."""
        return self.confidence.get("overall") or 0.0

    @property
    def has_draft(self) -> bool:
        """Whether there was anything verified to be posted, whatever the gate decided."""
        return any(claim["status"] == "VERIFIED" for claim in (*self.claims, *self.dropped))

    @property
    def cites_gold(self) -> bool:
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
    return any(
        citation["status"] == "VERIFIED" and is_relevant(citation, gold)
        for claim in claims
        for citation in claim["citations"]
    )


def is_relevant(place: Place, gold: Sequence[Gold]) -> bool:
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


Progress = Callable[[int, int, str], None]
"""Is called with questions done, from 0, questions in all, and the id of the one in hand."""
PersonOf = Callable[[str | None], Person | None]
"""Finds a person by id, e-mail or name; None is a guest. Raises `UnknownPerson`."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    questions: Sequence[LabelledQuestion]
    person_of: PersonOf
    passages: Sequence[Passage]
    """All of the library, to know how many could be found."""
    today: date

    def answers(self, answering: AnsweringPipeline, progress: Progress) -> list[LabelledOutcome]:
        """The whole line; a question that fails is kept as that, and the next one is asked."""
        outcomes = []
        for done, labelled in enumerate(self.questions):
            progress(done, len(self.questions), labelled.id)
            try:
                outcome = answering(self.asked(labelled))
            except (EmptyLibrary, UnknownPerson):
                raise  # no question would go better
            except (AuditError, BotError, RetrievalError) as error:
                unranked = self._ranking(labelled, ())
                outcomes.append(LabelledOutcome(labelled, unranked, failure=str(error)))
            else:
                outcomes.append(self._answered(labelled, outcome))
        progress(len(self.questions), len(self.questions), "")
        return outcomes

    def _answered(self, labelled: LabelledQuestion, outcome: Outcome) -> LabelledOutcome:
        return LabelledOutcome(
            question=labelled,
            decision=outcome.decision,
            text=reply_text(outcome),
            claims=[claim_as_json(claim) for claim in outcome.claims],
            dropped=[claim_as_json(claim) for claim in outcome.dropped],
            nearest=[
                quotation_as_json(each) | {"passage": passage_place(each.passage)}
                for each in outcome.nearest
            ],
            missing=outcome.verdict.missing,
            confidence=asdict(outcome.verdict.confidence),
            latency_ms=outcome.latency_ms,
            stages_ms=outcome.stages_ms,
            ranking=self._ranking(labelled, outcome.evidence.candidates),
            tokens=outcome.tokens,
            degraded=outcome.degraded,
            shown=_shown(outcome),
        )

    def rankings(self, evidence: EvidenceFinder, progress: Progress) -> list[LabelledOutcome]:
        """Retrieval alone, to compare rankings; nothing is decided."""
        return [
            LabelledOutcome(
                labelled,
                self._ranking(labelled, found.candidates),
                latency_ms=sum(stages.milliseconds.values()),
                stages_ms=stages.milliseconds,
            )
            for labelled, found, stages in self._searched(evidence, progress)
        ]

    def evidences(
        self, evidence: EvidenceFinder, progress: Progress
    ) -> Iterator[tuple[LabelledQuestion, Evidence]]:
        for labelled, found, _ in self._searched(evidence, progress):
            yield labelled, found

    def _searched(
        self, evidence: EvidenceFinder, progress: Progress
    ) -> Iterator[tuple[LabelledQuestion, Evidence, Stages]]:
        for done, labelled in enumerate(self.questions, start=1):
            stages = Stages()
            found = evidence(as_read(self.asked(labelled)), stages)
            yield labelled, found.evidence, stages
            progress(done, len(self.questions), labelled.id)

    def asked(self, labelled: LabelledQuestion) -> Question:
        """The question as that person asks it on that day; raise `UnknownPerson`."""
        return Question(
            text=labelled.question,
            person=self.person_of(labelled.person),
            on=labelled.on or self.today,
            previous=labelled.previous,
        )

    def _ranking(self, labelled: LabelledQuestion, hits: Sequence[Hit]) -> QuestionRanking:
        places = ranked_as_json(hits, most=len(hits))
        library = [passage_place(passage) for passage in self.passages]
        return QuestionRanking(
            best=places[:MOST_RANKED],
            found=any(is_relevant(place, labelled.gold) for place in places),
            relevant=sum(is_relevant(place, labelled.gold) for place in library),
        )


def _shown(outcome: Outcome) -> tuple[Passage, ...]:
    """What was written from and what is quoted, each passage once."""
    passages = (*outcome.shown, *(each.passage for each in outcome.nearest))
    return tuple({passage.passage_id: passage for passage in passages}.values())
