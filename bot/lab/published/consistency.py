"""A question is asked several times, to see whether the same is said each time.

Answers that are made up differ from run to run, as in SelfCheckGPT (Manakul, Liusie and Gales,
EMNLP 2023). As in the published accountable-RAG system, each run understands, searches and writes
anew; what is measured is the mean similarity of all pairs of runs.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from itertools import combinations
from statistics import fmean

from bot.answering.evidence import EvidenceFinder
from bot.answering.values import Brief, Draft, Writer
from bot.errors import WriterUnavailable
from retrieval.ports import Embedder
from retrieval.search.timing import Stages

TEMPERATURE = 0.7
"""Of the runs beside the one that is posted: high enough for a guess to come out otherwise."""
RUNS = 3
"""As published."""


@dataclass(frozen=True, slots=True)
class DraftOfRuns(Draft):
    """The first run's; its tokens are those of all runs."""

    consistency: float | None = None
    """Agreement of the runs, 0 to 1; None where no other one came."""


@dataclass(frozen=True, slots=True)
class SeveralRuns:
    """It writes `RUNS` times, and shows the first; it implements the port of a writer."""

    first: Writer
    again: Writer
    """Of the same model, at `TEMPERATURE`."""
    finder: Callable[[], EvidenceFinder]
    """For each further run one that understands and imagines anew, at that temperature."""
    embedder: Embedder

    @property
    def name(self) -> str:
        return self.first.name

    def write(self, brief: Brief) -> Draft:
        """Each further run searches in the brief's scope, and is spared where the first is empty.

        Raise `WriterUnavailable`, or one of retrieval's errors.
        """
        draft = self.first.write(brief)
        if not draft.claims:
            return draft
        runs = list(self._runs(brief))
        spent = sum((Counter(each.tokens) for each in runs), Counter(draft.tokens))
        made = {each.name: getattr(draft, each.name) for each in fields(draft)}
        agreed = self._agreement([draft, *runs]) if runs else None
        return DraftOfRuns(**{**made, "tokens": dict(spent)}, consistency=agreed)

    def _runs(self, brief: Brief) -> Iterator[Draft]:
        """Those that came; one that fails takes nothing from the first."""
        for _ in range(RUNS - 1):
            with suppress(WriterUnavailable):
                finder, stages = self.finder(), Stages()
                asked = finder.understanding(brief.question, (), stages)
                found = finder.within(asked, brief.evidence.scope, stages).evidence
                draft = self.again.write(replace(brief, question=found.query, evidence=found))
                used = (*asked.tokens.values(), draft.tokens)
                yield replace(draft, tokens=dict(sum(map(Counter, used), Counter[str]())))

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
