"""Supported claims are told from others by the model alone, and with exact comparison."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from bot.answering.premises import Premise
from bot.answering.verification import ClaimVerifier
from bot.evaluation.lines import read_lines
from retrieval.language.sentences import sentence_spans


class LabelledClaim(BaseModel):
    """A labelled claim is one line of a claims file."""

    model_config = ConfigDict(frozen=True)

    kind: str
    """What sort of claim it is; figures are given for each."""
    premise: str
    """A heading and, on further lines, the text."""
    claim: str
    supported: bool


@dataclass(frozen=True, slots=True)
class Passing:
    """So many of the claims of a kind were taken for supported, as shares from 0 to 1."""

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
        [judged] = verification.judge(claim.claim, [premise_of(claim.premise)])
        by_model = judged.score >= verification.threshold
        results = found.setdefault((claim.kind, claim.supported), [])
        results.append((by_model, verification.entails(judged)))
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
