"""Stages that do nothing stand in a recipe where one is left out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.answering.copying import Place
from bot.answering.gate import Decide
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.premises import Premise
from bot.answering.values import Claim, Contradiction, Draft, Verdict
from retrieval.types import Evidence


@dataclass(frozen=True, slots=True)
class NoComparison:
    """It finds nothing against a claim."""

    def left_out(self, _claim: str, _places: Sequence[Place], _before: str) -> tuple[str, ...]:
        return ()

    def against(self, _claim: str, _source: Premise, _left: Sequence[str]) -> tuple[str, ...]:
        return ()

    def objections(self, _claim: str, _sentences: Sequence[str]) -> tuple[str, ...]:
        return ()

    def doubts(self, _claim: str, _sentences: Sequence[str]) -> tuple[str, ...]:
        return ()

    def put_together(self, _claim: str, _sentences: Sequence[str]) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class GateOfOnePart:
    """It lets a gate see a question as one part, which has evidence."""

    gate: Decide

    def __call__(
        self,
        evidence: Evidence,
        draft: Draft,
        claims: Sequence[Claim],
        contradictions: Sequence[Contradiction] = (),
    ) -> Verdict:
        whole = replace(evidence.parts[0], text=evidence.query, asked="", covered=True)
        return self.gate(replace(evidence, parts=(whole,)), draft, claims, contradictions)


def without_comparison(answering: AnsweringPipeline) -> AnsweringPipeline:
    """The entailment model alone checks a claim."""
    verification = replace(answering.verification, comparison=NoComparison())
    return replace(answering, verification=verification)


def without_verification(answering: AnsweringPipeline) -> AnsweringPipeline:
    """A claim passes whose anchors were given, whatever it says."""
    checked = without_comparison(answering).verification
    return replace(answering, verification=replace(checked, threshold=0.0, sure=0.0))
