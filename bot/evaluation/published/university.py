"""A university's assistant, as a chapter on retrieval-augmented generation for students tells it.

Documents are cut where their meaning changes. Of 80 candidates by cosine, filtered by what the
student may read, those stay that are similar enough; ten academic ones, with two neighbours on each
side, and ten others by level (100, 50, 20) and freshness (15 points, gone after five years) go to a
language model that writes as an academic adviser. There is no reranker and no check of what it
writes; where nothing is found that is said, with whom to ask.

Published is a similarity of at least 0.7 with a larger embedder, which leaves about 20 to 30 of the
80. A cosine of another embedder is another thing, so the `SIMILAR` most similar are kept in its
place: as many are left, for every question, and so never nothing where anything may be read.

Claims are written with anchors all the same, since replies and measures need to know where an
answer stands. Without a language model the sentences nearest to the question are copied in its
place: a stand-in, and no part of the published system.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from audit.record.claims import Status
from audit.record.verdict import Decision
from bot.answering.confidence import measured
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.values import Claim, Confidence, Contradiction, Draft, Verdict
from bot.answering.writers.extractive import ExtractiveWriter
from bot.answering.writers.openai import OpenAIWriter
from bot.answering.writers.port import Writer
from bot.evaluation.ablations import without_verification
from bot.evaluation.published.adviser import adviser_prompt
from bot.evaluation.recipe import Recipe, as_typed, searching
from retrieval.context import neighbours_of
from retrieval.ports import PassageIndex, RerankPair, RerankScore
from retrieval.retrievers import DenseRetriever
from retrieval.scores import COSINE, HIERARCHY, RECENCY, relevance_of
from retrieval.search import Search
from retrieval.selection import quota_of_each_stream
from retrieval.types import Eligibility, Evidence, Hit, Stream

CANDIDATES = 80
OF_EACH_STREAM = 10
SIMILAR = 25
"""Of the candidates: the middle of the 20 to 30 that are published to remain."""


class ByCosine:
    """A reranker that leaves the cosine what it is; it implements `retrieval.ports.Reranker`."""

    name = "cosine alone"

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        cosines = [pair.scores.get(COSINE, 0.0) for pair in pairs]
        return [RerankScore(each, max(0.0, min(1.0, each))) for each in cosines]


@dataclass(frozen=True, slots=True)
class SimilarOfEachStream:
    """What is similar enough: the best academic passages, then others by level and freshness."""

    similar: int
    """How many of the most similar are looked at."""
    most: int
    """Of each stream."""

    def judged(self, hit: Hit) -> Hit:
        """What shares nothing with the question is no evidence."""
        alike = relevance_of(hit.scores) > 0
        eligibility = Eligibility.OVER_THRESHOLD if alike else Eligibility.UNDER_THRESHOLD
        return replace(hit, eligibility=eligibility)

    def __call__(self, ranked: Sequence[Hit], _: PassageIndex) -> tuple[list[Hit], list[Hit]]:
        alike = [hit for hit in ranked if hit.eligibility is Eligibility.OVER_THRESHOLD]
        similar = alike[: self.similar]
        ordered = sorted(similar, key=_by_level_and_freshness)
        return quota_of_each_stream(ordered, self.most), []


def _by_level_and_freshness(hit: Hit) -> tuple[bool, float]:
    """Academic ones come first, as they were ranked."""
    if hit.passage.document.metadata.stream is Stream.ACADEMIC:
        return False, 0.0
    return True, -(hit.scores.get(HIERARCHY, 0.0) + hit.scores.get(RECENCY, 0.0))


class AnswersWhatIsFound:
    """It posts whatever was written; it implements `bot.answering.gate.Decide`."""

    def __call__(
        self,
        evidence: Evidence,
        draft: Draft,
        claims: Sequence[Claim],
        contradictions: Sequence[Contradiction] = (),  # noqa: ARG002  # the port's: it heeds none
    ) -> Verdict:
        posted = tuple(claim for claim in claims if claim.status is not Status.BROKEN)
        dropped = tuple(claim for claim in claims if claim.status is Status.BROKEN)
        retrieval = measured(evidence, draft, claims).retrieval
        return Verdict(
            decision=Decision.ANSWER if posted else Decision.ABSTAIN,
            claims=posted,
            dropped=dropped,
            missing=(),
            confidence=Confidence(retrieval, float(bool(posted)), None, None, retrieval),
            reasons=("something similar was found" if posted else "nothing similar was found",),
        )


def university(answering: AnsweringPipeline) -> AnsweringPipeline:
    """Raise `TypeError` for a writer that can be told no prompt and chooses by no scores."""
    answering = searching(_similar)(as_typed(without_verification(answering)))
    return replace(
        answering,
        writer=_adviser(answering.writer),
        gate=AnswersWhatIsFound(),
        quote=lambda *_: (),
        fallback=None,
        consistency=None,
    )


def _similar(search: Search) -> Search:
    return replace(
        search,
        retrievers=(DenseRetriever(search.index, CANDIDATES),),
        reranker=ByCosine(),
        window_reranker=None,
        listwise_reranker=None,
        selection=SimilarOfEachStream(SIMILAR, OF_EACH_STREAM),
        context=neighbours_of,
        settings=replace(search.settings, candidates=CANDIDATES),
    )


def _adviser(writer: Writer) -> Writer:
    if isinstance(writer, OpenAIWriter):
        return replace(writer, prompt=adviser_prompt)
    if isinstance(writer, ExtractiveWriter):
        return replace(writer, reranker=ByCosine())
    raise TypeError(f"the writer {writer.name} cannot write as an adviser")


UNIVERSITY = Recipe(
    "university",
    university,
    settings={"chunking": "semantic", "entries": ""},
    says="a university's: similar passages of two streams, ordered by level, unchecked",
)
