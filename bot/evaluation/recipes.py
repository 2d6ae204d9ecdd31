"""Named ways to answer, so that each stage can be compared with going without it."""

from dataclasses import dataclass, replace

from bot.answering.gate import UNCALIBRATED
from bot.answering.pipeline import AnsweringPipeline
from retrieval.search import Search


@dataclass(frozen=True, slots=True)
class Recipe:
    """A name and what it leaves out."""

    name: str
    dense: bool = True
    lexical: bool = True
    rerank: bool = True
    """Without the reranker nothing can be gated: such a recipe only ranks."""
    close_reading: bool = True
    threshold: bool = True
    """Without it the best passages are evidence whatever their relevance."""
    verified: bool = True
    """Without it a claim passes whose anchors were given, whatever it says."""
    compared: bool = True
    """Without it the entailment model alone checks a claim."""
    coverage: bool = True
    """Without it a part of the question that is missing goes for answered."""
    calibrated: bool = True
    """Without it the composite confidence is taken for a probability."""

    def search(self, search: Search) -> Search:
        settings = replace(
            search.settings, dense=self.dense, lexical=self.lexical, rerank=self.rerank
        )
        if not self.threshold:
            settings = replace(settings, threshold=0.0)
        reader = search.close_reader if self.close_reading else None
        return replace(search, settings=settings, close_reader=reader)

    def answering(self, answering: AnsweringPipeline) -> AnsweringPipeline:
        gate, verification = answering.gate, answering.verification
        if not self.calibrated:
            gate = replace(gate, calibration=UNCALIBRATED)
        gate = replace(gate, needs_coverage=self.coverage)
        if not self.verified:
            verification = replace(verification, threshold=0.0, sure=0.0)
        verification = replace(verification, exact=self.verified and self.compared)
        search = self.search(answering.search)
        return replace(answering, search=search, gate=gate, verification=verification)


RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("vouch"),
        Recipe("dense", lexical=False, rerank=False),
        Recipe("bm25", dense=False, rerank=False),
        Recipe("fusion", rerank=False),
        Recipe("no-close-reading", close_reading=False),
        Recipe("no-threshold", threshold=False),
        Recipe("no-verification", verified=False),
        Recipe("no-exact-comparison", compared=False),
        Recipe("no-coverage", coverage=False),
        Recipe("no-calibration", calibrated=False),
    )
}
