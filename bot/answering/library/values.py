"""What a question about the library is asked for, and what is said of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from audit.record import Confidence, Decision
from audit.values import ClaimKind, Status
from bot.answering.recording import FROM_LIBRARY
from bot.answering.values import Claim, Draft, Verdict
from bot.wording import DOUBTFUL
from retrieval.search.scores import RELEVANCE, Scores
from retrieval.types import Eligibility, Evidence, Hit, Passage, QuestionPart, Scope

UNJUDGED: Scores = MappingProxyType({})
BY_NAME: Scores = MappingProxyType({RELEVANCE: 1.0})
"""Of a document that was asked for by what it is called."""


@dataclass(frozen=True, slots=True)
class FromLibrary:
    """The library says this, and the gate has let it through."""

    evidence: Evidence
    draft: Draft
    verdict: Verdict
    by_writer: bool = False
    """Whether a language model wrote it."""

    def followed_by(self, other: "FromLibrary") -> "FromLibrary":
        """The same, and below it what the library says of others, which no writer was shown."""
        shown = () if self.by_writer else other.draft.passages
        evidence = replace(
            self.evidence,
            candidates=(*self.evidence.candidates, *other.evidence.candidates),
            hits=(*self.evidence.hits, *other.evidence.hits),
        )
        draft = replace(self.draft, passages=(*self.draft.passages, *shown))
        verdict = replace(self.verdict, claims=(*self.verdict.claims, *other.verdict.claims))
        return replace(self, evidence=evidence, draft=draft, verdict=verdict)


@dataclass(frozen=True, slots=True)
class Asking:
    """Somebody asks the library."""

    asked: str
    scope: Scope
    readers: str
    """In words: who reads the reply."""

    def evidence(self, passages: Sequence[Passage], scores: Scores = UNJUDGED) -> Evidence:
        """What was named; `scores`: of each."""
        hits = tuple(Hit(each, scores, eligibility=Eligibility.OVER_THRESHOLD) for each in passages)
        part = QuestionPart(self.asked, 1.0, covered=True)
        return Evidence(self.asked, self.scope, candidates=hits, hits=hits, parts=(part,))


def listed(decision: Decision, *claims: Claim) -> Verdict:
    """What the library says of its documents; nothing is measured of how sure it is."""
    return Verdict(decision, claims, (), (), Confidence(), reasons=(FROM_LIBRARY,))


def nothing(asking: Asking, *why: str) -> FromLibrary:
    """There is none of what was asked for."""
    verdict = replace(listed(Decision.ABSTAIN), reasons=(FROM_LIBRARY, *why))
    return FromLibrary(asking.evidence(()), Draft((), ()), verdict)


def left_open(verdict: Verdict) -> tuple[str, ...]:
    """Why it is doubtful: a template leaves a value or a condition of it open."""
    return tuple(each for each in verdict.reasons if each == DOUBTFUL)


def surely(verdict: Verdict) -> Decision:
    """Probably where it is doubtful."""
    return Decision.PARTIAL if left_open(verdict) else Decision.ANSWER


def lead_in(said: str) -> Claim:
    """A line above what is told, which cites nothing."""
    return Claim(said, Status.VERIFIED, ClaimKind.LISTED, ())
