"""What the accountable recipe keeps, checks and decides."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import pytest
from openai_fixtures import DEADLINE, FEE, a_brief, a_hit

from audit.record import Decision
from audit.values import ClaimKind, Status
from bot.answering.values import Claim, Draft, DraftClaim
from bot.lab.published.accountable import (
    AgainstEveryPassage,
    DraftOfRuns,
    RelevantAlone,
    four_confidences,
)
from retrieval.ports import EntailmentPair, PassageIndex
from retrieval.types import Hit

NO_INDEX = cast("PassageIndex", None)
"""It is not asked."""
FOUND = a_brief([a_hit(FEE), a_hit(DEADLINE)]).evidence
VERIFIED = Claim("It costs 20 euros.", Status.VERIFIED, ClaimKind.CITED, (), score=0.9)


@dataclass
class Stated:
    """In place of the entailment model, which would be right or wrong for reasons of its own."""

    scores: dict[str, float]
    name: str = "stated"
    read: list[EntailmentPair] = field(default_factory=list)

    def supported(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        self.read += pairs
        return [self.scores[pair.premise] for pair in pairs]


def checked(scores: dict[str, float], *anchors: str) -> Claim:
    verifier = AgainstEveryPassage(Stated(scores))
    claim = DraftClaim("It costs 20 euros within 14 days.", anchors)
    [done] = verifier(Draft((claim,), (FEE, DEADLINE)))
    return done


def test_only_what_is_relevant_at_seven_tenths_is_kept_and_five_at_most() -> None:
    hits = [Hit(FEE, {"relevance": relevance}) for relevance in (0.9, 0.7, 0.69)]
    selection = RelevantAlone()
    kept, _ = selection([selection.judged(hit) for hit in hits], NO_INDEX)
    assert [hit.scores["relevance"] for hit in kept] == [0.9, 0.7]
    many, _ = selection([selection.judged(hits[0])] * 9, NO_INDEX)
    assert len(many) == 5


def test_a_claim_is_read_with_every_passage_that_it_cites_and_one_must_entail_it() -> None:
    claim = checked({FEE.text: 0.2, DEADLINE.text: 0.8}, "1.1", "1.2", "2.1")
    assert (claim.status, claim.score) == (Status.VERIFIED, 0.8)
    assert [(c.passage, c.first, c.last, c.status) for c in claim.citations] == [
        (FEE, 0, 1, Status.UNSUPPORTED),
        (DEADLINE, 0, 0, Status.VERIFIED),
    ]


def test_what_no_passage_entails_is_unsupported() -> None:
    assert checked({FEE.text: 0.2}, "1.1").status is Status.UNSUPPORTED


@pytest.mark.parametrize("anchors", [(), ("9.1",), ("1.1", "1.9")])
def test_a_claim_with_an_anchor_that_was_never_given_is_broken(anchors: tuple[str, ...]) -> None:
    assert checked({FEE.text: 0.9}, *anchors).status is Status.BROKEN


@pytest.mark.parametrize(
    ("score", "consistency", "decision"),
    [
        (0.9, None, Decision.ANSWER),
        (0.9, 0.2, Decision.PARTIAL),
        (0.6, None, Decision.PARTIAL),
        (0.5, 0.0, Decision.PARTIAL),
    ],
)
def test_four_confidences_decide_by_their_shares(
    score: float, consistency: float | None, decision: Decision
) -> None:
    """Relevance 0.9 and full coverage throughout."""
    draft = DraftOfRuns((), (FEE,), consistency=consistency)
    verdict = four_confidences(FOUND, draft, [replace(VERIFIED, score=score)])
    assert verdict.decision is decision
    shares = [(0.35, 0.9), (0.15, 1.0), (0.35, score), (0.15, consistency)]
    known = [(share, value) for share, value in shares if value is not None]
    mean = sum(share * value for share, value in known) / sum(share for share, _ in known)
    assert verdict.confidence.overall == pytest.approx(mean)


def test_nothing_is_posted_that_no_passage_entails_and_nothing_without_relevant_passages() -> None:
    unsupported = replace(VERIFIED, status=Status.UNSUPPORTED, score=0.1)
    decide = four_confidences
    both = decide(FOUND, Draft((), (FEE,)), [VERIFIED, unsupported])
    assert (both.claims, both.dropped) == ((VERIFIED,), (unsupported,))
    assert decide(FOUND, Draft((), (FEE,)), [unsupported]).decision is Decision.ABSTAIN
    nothing = replace(FOUND, hits=())
    assert decide(nothing, Draft((), ()), [VERIFIED]).decision is Decision.ABSTAIN
    assert decide(nothing, Draft((), ()), [VERIFIED]).claims == ()
