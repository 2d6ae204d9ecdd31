"""Supported claims are told from others by the model alone, and with exact comparison."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, model_validator

from audit.values import Status
from bot.answering.premises import Premise
from bot.answering.values import Draft, DraftClaim
from bot.answering.verification import ClaimVerifier
from bot.errors import BadConfiguration
from bot.quality.questions import read_lines
from retrieval.ingest.chunking import cut
from retrieval.language.sentences import sentence_spans
from retrieval.metadata.ontology import load_ontology
from retrieval.metadata.statements import metadata, statements
from retrieval.parsing import parser_for
from retrieval.types import Document, Passage

FILE = "claims.md"


def citing(
    claim: str, document: str, cites: Sequence[str]
) -> tuple[DraftClaim, tuple[Passage, ...]]:
    """The claim with anchors in the passages; raise `BadConfiguration` if no sentence begins so."""
    passages = _passages(document)
    anchors = tuple(_anchor(beginning, passages) for beginning in cites)
    return DraftClaim(claim, anchors), passages


def _anchor(beginning: str, passages: Sequence[Passage]) -> str:
    for number, passage in enumerate(passages, start=1):
        for index, sentence in enumerate(passage.sentences, start=1):
            if sentence.text.startswith(beginning):
                return f"{number}.{index}"
    raise BadConfiguration(f"No sentence of its document begins with {beginning!r}.")


@lru_cache(maxsize=64)
def _passages(text: str) -> tuple[Passage, ...]:
    """Kept for a while: many claims cite one document."""
    parsed = parser_for(FILE)(text.encode())
    ontology = load_ontology()
    known = metadata(statements(parsed.stated, ontology), ontology)
    title = known.title or parsed.title
    document = Document(FILE, FILE, "1", datetime.now(UTC), title, known)
    return tuple(cut(document, parsed))


class LabelledClaim(BaseModel):
    """A labelled claim is one line of a claims file: on a text, or on a document that it cites."""

    model_config = ConfigDict(frozen=True)

    kind: str
    """What sort of claim it is; figures are given for each."""
    premise: str = ""
    """A heading and, on further lines, the text."""
    document: str = ""
    """A whole Markdown document, which is read and cut as ingest does."""
    cites: tuple[str, ...] = ()
    """How the sentences of the document begin that the claim cites; a table row is one."""
    claim: str
    supported: bool

    @model_validator(mode="after")
    def _is_on_something(self) -> Self:
        if bool(self.premise) == bool(self.document) or bool(self.document) != bool(self.cites):
            raise ValueError("a claim has a `premise`, or a `document` and what it `cites` of it")
        return self


@dataclass(frozen=True, slots=True)
class Passing:
    kind: str
    supported: bool
    claims: int
    by_model: float
    by_both: float
    """By model and exact comparison together, as replies are checked."""


def passing(
    claims: Sequence[LabelledClaim],
    verification: ClaimVerifier,
    progress: Callable[[int, int, str], None],
) -> list[Passing]:
    """By kind, those that are supported apart."""
    found: dict[tuple[str, bool], list[tuple[bool, bool]]] = {}
    for number, claim in enumerate(claims, start=1):
        results = found.setdefault((claim.kind, claim.supported), [])
        results.append(_passes(claim, verification))
        progress(number, len(claims), claim.kind)
    return [
        Passing(
            kind,
            supported,
            len(results),
            sum(alone for alone, _ in results) / len(results),
            sum(both for _, both in results) / len(results),
        )
        for (kind, supported), results in sorted(found.items())
    ]


def _passes(labelled: LabelledClaim, verification: ClaimVerifier) -> tuple[bool, bool]:
    if labelled.premise:
        [judged] = verification.judge(labelled.claim, [premise_of(labelled.premise)])
        return judged.score >= verification.threshold, verification.entails(judged)
    claim, passages = citing(labelled.claim, labelled.document, labelled.cites)
    [checked] = verification(Draft((claim,), passages))
    return checked.score >= verification.threshold, checked.status is Status.VERIFIED


def premise_of(text: str) -> Premise:
    """The text with its sentences, cut as ingest cuts them."""
    lines = [line for line in text.split("\n") if line.strip()]
    sentences = [line[a:b] for line in lines for a, b in sentence_spans(line)]
    return Premise(text, tuple(sentences))


def balanced_accuracy(rows: Sequence[Passing]) -> Mapping[str, tuple[float, float]]:
    """By kind that has both sorts of claims: of the model, and of both together."""
    true = {row.kind: row for row in rows if row.supported}
    false = {row.kind: row for row in rows if not row.supported}
    return {
        kind: (
            (true[kind].by_model + 1 - false[kind].by_model) / 2,
            (true[kind].by_both + 1 - false[kind].by_both) / 2,
        )
        for kind in sorted(true.keys() & false.keys())
    }


def load_claims(path: Path) -> list[LabelledClaim]:
    """Raise `BadConfiguration` naming the line that is wrong."""
    return read_lines(path, LabelledClaim)
