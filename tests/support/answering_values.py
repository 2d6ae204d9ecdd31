"""Evidence and drafts made by hand, for what decides over them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from audit.record import Confidence, Decision
from audit.values import ClaimKind, Status
from bot.answering.outcome import Outcome
from bot.answering.query_rewriting import RewrittenQuery
from bot.answering.values import Brief, Citation, Claim, Draft, DraftClaim, Question, Verdict
from retrieval.ingest.chunking import cut
from retrieval.parsing import parser_for
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


SAMPLE = Path(__file__).parents[2] / "deploy" / "sample"
FILE = Path(__file__).parents[1] / "fixtures" / "written-claims.yaml"


class WrittenClaim(NamedTuple):
    draft: Draft
    wrong: str

    @property
    def text(self) -> str:
        return self.draft.claims[0].text

    @property
    def about(self) -> str:
        passage, _, _ = self.draft.claims[0].anchors[0].partition(".")
        return self.draft.passages[int(passage) - 1].heading


def written_claims(file: Path = FILE) -> list[WrittenClaim]:
    return [
        written for entry in yaml.safe_load(file.read_text("utf-8")) for written in _claims(entry)
    ]


def _claims(entry: Mapping[str, Any]) -> Iterator[WrittenClaim]:
    name = entry.get("of", "claims.md")
    text = entry["document"] if "document" in entry else (SAMPLE / name).read_text("utf-8")
    passages = passages_of(name, text)
    for wrong, claims in {"": entry.get("borne out", ()), **entry.get("falsehoods", {})}.items():
        for said, beginnings in claims:
            anchors = tuple(anchor(beginning, passages) for beginning in beginnings)
            yield WrittenClaim(Draft((DraftClaim(said, anchors),), passages), wrong)


@lru_cache
def passages_of(name: str, text: str) -> tuple[Passage, ...]:
    parsed = parser_for(name)(text.encode())
    document = Document(name, name, "1", datetime(2026, 1, 1, tzinfo=UTC), parsed.title, Metadata())
    return tuple(cut(document, parsed))


def anchor(beginning: str, passages: Sequence[Passage]) -> str:
    """Of the first sentence that begins so; raise `LookupError` where none does."""
    for number, passage in enumerate(passages, start=1):
        for index, sentence in enumerate(passage.sentences, start=1):
            if sentence.text.startswith(beginning):
                return f"{number}.{index}"
    raise LookupError(f"no sentence begins with {beginning!r}")
