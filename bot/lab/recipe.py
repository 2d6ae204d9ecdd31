"""A recipe is a named way to answer: what it consists of, and how one is made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.answering.gate import Decide
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.values import Claim, Contradiction, Draft, Verdict
from retrieval.ingest.chunking import Chunking
from retrieval.search.search import Search
from retrieval.search.selection import PassageVectors
from retrieval.types import Evidence, Hit

Compose = Callable[[AnsweringPipeline], AnsweringPipeline]


@dataclass(frozen=True, slots=True)
class Recipe:
    name: str
    compose: Compose
    decides: bool = True
    """Without a reranker nothing can be gated: such a recipe only ranks."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """The fields of the bot's settings that it changes, for its documents to be indexed and
    searched so."""
    chunking: Callable[[], Chunking] | None = None
    """Makes its way to cut documents, where that is not at paragraphs."""
    says: str = ""


@dataclass(frozen=True, slots=True)
class BestOfOrder:
    """It takes the first of a ranking that nobody judged."""

    most: int = 5

    def judged(self, hit: Hit) -> Hit:
        return hit

    def __call__(self, ranked: Sequence[Hit], _: PassageVectors) -> tuple[list[Hit], list[Hit]]:
        return list(ranked[: self.most]), []


def searching(composed: Callable[[Search], Search]) -> Compose:
    """An answering whose search is composed in another way."""

    def compose(answering: AnsweringPipeline) -> AnsweringPipeline:
        finder = answering.evidence
        return replace(answering, evidence=replace(finder, search=composed(finder.search)))

    return compose


def as_typed(answering: AnsweringPipeline) -> AnsweringPipeline:
    """An answering that searches in the words that were typed, however they are spelt."""
    finder = replace(answering.evidence, plain_words=lambda text, _: text)
    return replace(answering, evidence=finder)


def ranked_by(*retrievers: str) -> Compose:
    """Some, or all, retrievers and their fusion alone, as published systems do."""

    def composed(search: Search) -> Search:
        chosen = tuple(
            each for each in search.retrievers if not retrievers or each.name in retrievers
        )
        return replace(
            search, retrievers=chosen, reranker=None, window_reranker=None, selection=BestOfOrder()
        )

    return lambda answering: searching(composed)(as_typed(answering))


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
    return replace(answering, verification=replace(answering.verification, compares=False))


def without_verification(answering: AnsweringPipeline) -> AnsweringPipeline:
    """A claim passes whose anchors were given, whatever it says."""
    checked = without_comparison(answering).verification
    return replace(answering, verification=replace(checked, threshold=0.0, sure=0.0))
