"""Writing several times, to see whether a language model says the same each time.

Answers that are made up differ from run to run, as in SelfCheckGPT (Manakul, Liusie and
Gales, EMNLP 2023); what is measured here is the mean similarity of all pairs of runs.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean

from bot.answering.values import Brief, Draft
from bot.answering.writers.port import Writer
from retrieval.ports import Embedder

TEMPERATURE = 0.7
"""Of the runs beside the one that is posted: high enough for a guess to come out otherwise."""


@dataclass(frozen=True, slots=True)
class SamplingWriter:
    """Posts what `writer` writes; `sampler` writes `more` times beside it."""

    writer: Writer
    sampler: Writer
    """Of the same model at a higher temperature."""
    more: int
    embedder: Embedder

    @property
    def name(self) -> str:
        return f"{self.writer.name}, {self.more + 1} runs"

    def write(self, brief: Brief) -> Draft:
        draft = self.writer.write(brief)
        if not draft.claims:
            return draft
        drafts = [draft, *(self.sampler.write(brief) for _ in range(self.more))]
        tokens = sum((Counter(each.tokens) for each in drafts), Counter[str]())
        return replace(draft, consistency=self._agreement(drafts), tokens=dict(tokens))

    def _agreement(self, drafts: Sequence[Draft]) -> float:
        """0 to 1; a run that writes nothing agrees with none that writes something."""
        texts = [" ".join(claim.text for claim in draft.claims) for draft in drafts]
        vectors = self.embedder.embed(texts)
        return fmean(
            max(0.0, min(1.0, float(vectors[one] @ vectors[other])))
            if texts[one] and texts[other]
            else float(texts[one] == texts[other])
            for one, other in combinations(range(len(texts)), 2)
        )
