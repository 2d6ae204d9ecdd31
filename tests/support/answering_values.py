"""Evidence and drafts made by hand, for what decides over them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from audit.record import Confidence, Decision
from audit.values import ClaimKind, Status
from bot.answering.outcome import Outcome
from bot.answering.query_rewriting import RewrittenQuery
from bot.answering.values import Brief, Citation, Claim, Draft, DraftClaim, Question, Verdict
from retrieval.types import (
    Document,
    Evidence,
    Hit,
    Metadata,
    Passage,
    QuestionPart,
    Scope,
    Sentence,
)

SCOPE = Scope(facets={}, on=date(2026, 3, 2))
SURE = Confidence(0.9, 1.0, 0.9, None, 0.9)


def passage(
    passage_id: str, *texts: str, title: str = "Leave", metadata: Metadata | None = None
) -> Passage:
    ingested = datetime(2026, 1, 1, tzinfo=UTC)
    file, about = f"{passage_id}.md", metadata or Metadata()
    document = Document(passage_id, file, "1", ingested, title, about)
    sentences, start = [], 0
    for number, text in enumerate(texts, start=1):
        sentences.append(Sentence(text, start, start + len(text), number, number))
        start += len(text) + 1
    return Passage(passage_id, document, 0, ("Annual leave",), tuple(sentences), " ".join(texts))


def evidence(
    *passages: Passage, relevance: float = 0.9, covered: Sequence[bool] = (True,)
) -> Evidence:
    hits = tuple(Hit(each, {"relevance": relevance}) for each in passages)
    parts = tuple(
        QuestionPart(f"part {n}", relevance if yes else 0.1, yes)
        for n, yes in enumerate(covered, start=1)
    )
    return Evidence("how much leave", SCOPE, hits, hits if any(covered) else (), parts)


def brief(asked: str, *passages: Passage, parts: Sequence[QuestionPart] = ()) -> Brief:
    """Every passage is evidence for the question, or for each of its parts."""
    hits = tuple(Hit(each, {"relevance": 0.9}) for each in passages)
    asks = tuple(parts) or (QuestionPart(asked, 0.9, True),)
    return Brief(asked, Evidence(asked, SCOPE, hits, hits, asks), None)


def cites(
    source: Passage, first: int = 0, last: int | None = None, status: Status = Status.VERIFIED
) -> Citation:
    return Citation(source, first, first if last is None else last, status, 1.0)


def claimed(text: str, *cited: Citation, kind: ClaimKind = ClaimKind.CITED) -> Claim:
    """A claim of the status of what it cites first."""
    return Claim(text, cited[0].status, kind, cited, cited[0].score)


def answering(*claims: Claim, **changes: Any) -> Verdict:
    return replace(Verdict(Decision.ANSWER, claims, (), (), SURE, ()), **changes)


def draft(*claims: DraftClaim, passages: Sequence[Passage], only_copies: bool = True) -> Draft:
    return Draft(claims, tuple(passages), only_copies=only_copies)


def an_outcome(verdict: Verdict, *closest: Passage) -> Outcome:
    found = evidence()
    return Outcome(
        audit_id="id",
        time=datetime(2026, 3, 2, tzinfo=UTC),
        question=Question(found.query, None, SCOPE.on),
        understood=RewrittenQuery(found.query, ()),
        evidence=found,
        draft=draft(passages=()),
        verdict=verdict,
        closest=closest,
    )
