"""A language model writes several times, to see whether it says the same each time.

Answers that are made up differ from run to run, as in SelfCheckGPT (Manakul, Liusie and
Gales, EMNLP 2023); what is measured here is the mean similarity of all pairs of runs.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean

from bot import wording
from bot.answering.values import Brief, Draft
from bot.answering.writers.port import Writer
from bot.errors import WriterUnavailable
from retrieval.ports import Embedder

TEMPERATURE = 0.7
"""Of the runs beside the one that is posted: high enough for a guess to come out otherwise."""


@dataclass(frozen=True, slots=True)
class SamplingWriter:
    """It posts what `writer` writes; `sampler` writes `more` times beside it."""

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
        drafts = [draft, *self._sampled(brief)]
        tokens = sum((Counter(each.tokens) for each in drafts), Counter[str]())
        missing = self.more + 1 - len(drafts)
        return replace(
            draft,
            consistency=self._agreement(drafts) if len(drafts) > 1 else None,
            tokens=dict(tokens),
            degraded=wording.FEWER_RUNS.format(missing=missing) if missing else "",
        )

    def _sampled(self, brief: Brief) -> Iterator[Draft]:
        """Those runs that came; one that fails takes nothing from the draft."""
        for _ in range(self.more):
            with suppress(WriterUnavailable):
                yield self.sampler.write(brief)

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
