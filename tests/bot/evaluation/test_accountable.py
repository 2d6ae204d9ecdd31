"""What the accountable recipe keeps, checks and decides."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import pytest
from fakes import WordsEmbedder
from openai_fixtures import (
    DEADLINE,
    FEE,
    Scripted,
    ScriptedServer,
    a_brief,
    a_claim,
    a_completion,
    a_hit,
    a_writer,
    an_answer,
    an_error,
)
from openai_fixtures import a_server as a_chat_server
from shelves import TODAY, Shelves
from tiny_pipeline import reading

from audit.record import AuditRecord, Decision
from audit.values import ClaimKind, Status
from bot.access.people import Person
from bot.answering.chat.query_rewriting import ChatQueryRewriter
from bot.answering.outcome import Outcome
from bot.answering.query_rewriting import QueryRewriting
from bot.answering.values import Claim, Draft, DraftClaim, Question
from bot.answering.writers.openai import OpenAIWriter
from bot.lab.published.accountable import (
    AgainstEveryPassage,
    DraftOfRuns,
    RelevantAlone,
    SeveralRuns,
    four_confidences,
)
from retrieval.ports import EntailmentPair, PassageIndex
from retrieval.types import AccessRule, Hit, Metadata

NO_INDEX = cast("PassageIndex", None)
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


DOGS = "Dogs bark at night, 0.9."
ASKED = Question("dogs bark?", None, TODAY)
AWAY = Scripted(an_error("overloaded"), status=503)
Ask = Callable[..., Outcome]


def saying(*texts: str) -> list[Scripted]:
    """A response for each run; an empty text is a run without claims."""
    claims = [[a_claim(text, "1.1")] if text else [] for text in texts]
    return [Scripted(a_completion(an_answer(*each))) for each in claims]


@pytest.fixture
def asked(shelves: Shelves, server: ScriptedServer, records: list[AuditRecord]) -> Ask:
    """Three runs in all."""
    shelves.add("dogs", DOGS)

    def ask(
        *script: Scripted, question: Question = ASKED, understanding: QueryRewriting | None = None
    ) -> Outcome:
        server.script = list(script)
        answering = reading(shelves, records.append, a_writer(server.url))
        finder = replace(answering.evidence, understanding=understanding or QueryRewriting())
        again = OpenAIWriter(a_chat_server(server.url), 0.7)
        runs = SeveralRuns(answering.writer, again, lambda: finder, WordsEmbedder())
        return replace(answering, writer=runs, gate=four_confidences)(question)

    return ask


def test_three_runs_that_agree_are_consistent_and_all_are_counted(
    asked: Ask, server: ScriptedServer, records: list[AuditRecord]
) -> None:
    outcome = asked(*saying(DOGS))
    assert outcome.verdict.confidence.consistency == pytest.approx(1.0)
    [record] = records
    assert record.tokens_by_stage["write"].prompt == 3 * 321
    assert len(server.received) == 3


def test_what_the_first_run_says_is_what_is_posted_and_no_other_run_is_kept(
    asked: Ask, records: list[AuditRecord]
) -> None:
    outcome = asked(*saying(DOGS, "Cats purr.", "Nobody sleeps."))
    assert [claim.text for claim in outcome.verdict.claims] == [DOGS]
    consistency = outcome.verdict.confidence.consistency
    assert consistency is not None
    assert consistency < 0.5
    assert "purr" not in records[0].model_dump_json()


def test_runs_that_find_nothing_disagree_with_one_that_does(asked: Ask) -> None:
    outcome = asked(*saying(DOGS, "", ""))
    assert outcome.verdict.confidence.consistency == pytest.approx(1 / 3)


def test_where_the_first_run_finds_nothing_the_others_are_spared(
    asked: Ask, server: ScriptedServer
) -> None:
    assert asked(*saying("")).verdict.confidence.consistency is None
    assert len(server.received) == 1


def test_a_run_that_fails_takes_nothing_from_the_draft(asked: Ask) -> None:
    [good] = saying(DOGS)
    outcome = asked(good, AWAY, good)
    assert [claim.text for claim in outcome.verdict.claims] == [DOGS]
    assert outcome.verdict.confidence.consistency == pytest.approx(1.0)


def test_each_run_takes_the_question_apart_and_searches_anew(
    shelves: Shelves, asked: Ask, server: ScriptedServer
) -> None:
    """The others understand that cats are meant, and read what is said of them."""
    shelves.add("cats", "Cats purr by day, 0.9.")
    cats = Scripted(a_completion('{"question": "cats?", "parts": ["cats purr?", "cats nap?"]}'))
    script = [*saying(DOGS), cats, *saying("Cats purr by day, 0.9."), cats, *saying("Cats purr.")]
    rewriter = ChatQueryRewriter(a_chat_server(server.url), 0.7)
    outcome = asked(
        *script,
        question=replace(ASKED, text="dogs bark and howl?"),
        understanding=QueryRewriting(understand=rewriter.understood),
    )
    assert len(server.received) == 5
    assert "cats nap?" in str(server.received[2].messages)
    assert "cats nap?" not in str(server.received[0].messages)
    assert (outcome.verdict.confidence.consistency or 0) < 0.5


def test_no_run_reads_what_the_asker_may_not(
    shelves: Shelves, asked: Ask, server: ScriptedServer
) -> None:
    secret = Metadata(access=AccessRule((("departments", ("cs",)),)))
    shelves.add("secret", "Dogs bark at the vault, 0.9.", metadata=secret)
    asked(*saying(DOGS))
    ana = Person("ana", "Ana", "", {"departments": frozenset({"cs"})})
    asked(*saying(DOGS), question=replace(ASKED, person=ana, channel="C1"))
    assert len(server.received) == 6
    assert "vault" not in str([each.messages for each in server.received])
