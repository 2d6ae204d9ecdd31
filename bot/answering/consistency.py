"""A question is asked several times, to see whether the same is said each time.

Answers that are made up differ from run to run, as in SelfCheckGPT (Manakul, Liusie and Gales,
EMNLP 2023). As in the published accountable-RAG system, each run understands, searches and writes
anew; what is measured is the mean similarity of all pairs of runs.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean

from bot import wording
from bot.answering.evidence import EvidenceFinder
from bot.answering.query_rewriting import QueryRewriting
from bot.answering.values import Brief, Draft, Question
from bot.answering.writers.port import Writer
from bot.errors import WriterUnavailable
from retrieval.ports import Embedder
from retrieval.timing import Stages

TEMPERATURE = 0.7
"""Of the runs beside the one that is posted: high enough for a guess to come out otherwise."""


@dataclass(frozen=True, slots=True)
class Run:
    """One more run: what was written, and the tokens of all its requests."""

    draft: Draft
    tokens: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Consistency:
    """It asks `more` times beside the draft that is posted; no other run is ever shown."""

    understanding: QueryRewriting
    writer: Writer
    """Of the same models as the pipeline's, at a higher temperature; as the understanding."""
    more: int
    embedder: Embedder

    def __call__(self, draft: Draft, question: Question, evidence: EvidenceFinder) -> Draft:
        """Return the draft with what was measured; raise one of retrieval's errors.

        `evidence`: the finder that the draft rests on. Each run searches in the same scope.
        """
        if not draft.claims:
            return draft
        runs = list(self._runs(question, replace(evidence, understanding=self.understanding)))
        tokens = sum((Counter(run.tokens) for run in runs), Counter[str]())
        missing = self.more - len(runs)
        return replace(
            draft,
            consistency=self._agreement([draft, *(run.draft for run in runs)]) if runs else None,
            tokens_of_runs=dict(tokens),
            degraded=wording.FEWER_RUNS.format(missing=missing) if missing else draft.degraded,
        )

    def _runs(self, question: Question, evidence: EvidenceFinder) -> Iterator[Run]:
        """Those that came; one that fails takes nothing from the draft."""
        for _ in range(self.more):
            with suppress(WriterUnavailable):
                found = evidence(question, Stages())
                draft = self.writer.write(Brief.of(question, found.evidence))
                used = (*found.understood.tokens.values(), draft.tokens)
                yield Run(draft, sum(map(Counter, used), Counter[str]()))

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
