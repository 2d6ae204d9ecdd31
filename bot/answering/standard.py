"""What an administrator reviewed leads the reply to its question, and is known to be reviewed."""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from audit.record import Decision
from audit.values import Prevails
from bot import wording
from bot.answering.anchors import anchor
from bot.answering.contradictions import contradictions, gives_way, unsettled
from bot.answering.gate import Decide
from bot.answering.recording import Circumstances
from bot.answering.values import Brief, Claim, Contradiction, Draft, DraftClaim, Verdict, Writer
from bot.answering.verification import ClaimVerifier
from bot.errors import WriterUnavailable
from bot.wording.referrals import REVIEWED
from retrieval.language.questions import without_chatter
from retrieval.search.scores import reranked_logit
from retrieval.search.selection import without_floor
from retrieval.types import Eligibility, Evidence, Hit, Passage

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Drafted:
    """A draft, what it was made from, its checked claims, and what it is held to."""

    evidence: Evidence
    draft: Draft
    claims: tuple[Claim, ...]
    gate: Decide
    circumstances: Circumstances


@dataclass(frozen=True, slots=True)
class Fallback:
    """It drafts in place of a writer that cannot, and says so in the draft."""

    writer: Writer
    threshold: float
    """Relevance, 0 to 1, from which a passage is evidence for this writer."""
    verification: ClaimVerifier
    gate: Decide
    circumstances: Circumstances

    def __call__(self, brief: Brief, error: WriterUnavailable) -> Drafted:
        log.warning("The writer failed, so %s writes: %s", self.writer.name, error)
        evidence = without_floor(brief.evidence, self.threshold)
        draft = self.writer.write(replace(brief, evidence=evidence))
        return Drafted(
            evidence,
            replace(draft, degraded=f"{wording.FALLBACK_WRITER} ({error})"),
            self.verification(draft),
            self.gate,
            self.circumstances,
        )


SOURCE = "given-answers"
"""The source that has them, with what people answered; so its folder in the home is called."""
SAME_QUESTION = 0.94
"""Relevance, 0 to 1, of a reviewed answer under its question, from which that is the question that
is asked: of questions that nearly ask it fewer than 1 in 100 reach it (`docs/slack.md`)."""


@dataclass(frozen=True, slots=True)
class StandardAnswers:
    """They stand among what was found, and tell themselves of what they rest on no more."""

    reviewed: Callable[[], Collection[str]]
    """Ids of the documents that hold them, whoever may read them."""
    relevance: Callable[[float], float]
    """Of the cross-encoder's logit, as calibrated."""
    passages_of: Callable[[str], Collection[Passage]]
    """All passages of a document, by its id."""
    verification: ClaimVerifier
    gate: Decide
    circumstances: Circumstances

    def __call__(self, evidence: Evidence) -> Drafted | None:
        """Draft from the one that answers the question; None for a question without one.

        So it is where a newer document says otherwise, or the reader's own unit: then it is
        weighed as any document.
        """
        judged = {hit.passage.passage_id: hit for hit in (*evidence.hits, *evidence.duplicates)}
        for candidate in evidence.candidates:
            hit = judged.get(candidate.passage.passage_id, candidate)
            if (why := self._why(evidence, hit)) and hit.overridden_by is None:
                return self._drafted(evidence, hit, why)
        return None

    def _why(self, evidence: Evidence, hit: Hit) -> str:
        """Say why it answers the very question; empty where it does not, or nobody reviewed it."""
        document, logit = hit.passage.document, reranked_logit(hit.scores)
        if not document.metadata.subtype.startswith(REVIEWED):
            return ""
        if document.document_id not in self.reviewed():
            return ""  # it only calls itself so
        if (document.metadata.effective or date.min) > evidence.scope.on:
            return ""  # of that day it is asked what was not reviewed yet
        if _plain(evidence.query) == _plain(without_chatter(document.title)):
            return wording.ASKED_IN_ITS_WORDS
        foreign = hit.eligibility is Eligibility.NOT_ENGLISH
        if foreign or logit is None or len(evidence.parts) > 1:
            return ""
        relevance = self.relevance(logit)
        alike = relevance >= SAME_QUESTION
        return wording.asked_alike(relevance, SAME_QUESTION) if alike else ""

    def _drafted(self, evidence: Evidence, hit: Hit, why: str) -> Drafted | None:
        document_id = hit.passage.document.document_id
        passages = sorted(self.passages_of(document_id), key=lambda each: each.ordinal)
        others = (e for e in evidence.hits if e.passage.document.document_id != document_id)
        told = replace(evidence, hits=(*(replace(hit, passage=p) for p in passages), *others))
        draft = _draft_of(passages)
        if refused_in(self.verification, passages):
            return None
        claims = self.verification(draft)
        found = tuple(map(_since_review, contradictions(claims, told)))
        if not claims or any(gives_way(e, found) for e in claims) or unsettled(found):
            return None
        return Drafted(told, draft, claims, _Reviewed(self.gate, found, why), self.circumstances)


def refused_in(verification: ClaimVerifier, passages: Sequence[Passage]) -> str:
    """Return what verification refuses of a reviewed answer; empty where it may lead."""
    claims = _draft_of(passages).claims
    return next((each.text for each in claims if not verification.copy(each, passages)), "")


def _draft_of(passages: Sequence[Passage]) -> Draft:
    drafted = tuple(
        DraftClaim(p.text, tuple(anchor(at, n + 1) for n in range(len(p.sentences))))
        for at, p in enumerate(passages, start=1)
    )
    raw = "\n".join(each.text for each in drafted)
    return Draft(drafted, tuple(passages), raw=raw, only_copies=True)


@dataclass(frozen=True, slots=True)
class _Reviewed:
    """It decides as somebody did who reviewed the answer; how sure it is, is measured as ever."""

    gate: Decide
    found: tuple[Contradiction, ...]
    why: str

    def __call__(
        self,
        evidence: Evidence,
        draft: Draft,
        claims: Sequence[Claim],
        contradictions: Sequence[Contradiction] = (),
    ) -> Verdict:
        return replace(
            self.gate(evidence, draft, claims, contradictions),
            decision=Decision.ANSWER,
            claims=tuple(claims),
            dropped=(),
            missing=(),
            answered=(),
            reasons=(wording.STANDARD_ANSWER, self.why),
            contradictions=self.found,
        )


def _since_review(each: Contradiction) -> Contradiction:
    """A document without a date that stood there at the review is older than that."""
    other, reviewed = each.against.passage.document, each.holds.passage.document.metadata.effective
    undated = each.prevails is Prevails.NEITHER and other.metadata.effective is None
    older = undated and reviewed is not None and other.ingested_at.date() <= reviewed
    return replace(each, prevails=Prevails.NEWER) if older else each


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .?!")
