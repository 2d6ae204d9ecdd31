"""What it costs to ask all retrievers and fuse what they find, against asking one of them."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from bot.evaluation.fusion.sweep import FUSION, Asked
from bot.evaluation.run import Progress
from retrieval.ranking import reciprocal_rank_fusion
from retrieval.retrievers import Query, Retriever
from retrieval.spaces import Embedders, sought

REPEATS = 3
"""That count; before them each way has searched for each question once."""

Seconds = Mapping[str, float]
"""Of a question's retrieval, by retriever and `FUSION`: the median of the questions' medians."""


@dataclass(frozen=True, slots=True)
class Timing:
    """It has what a search has to embed a question, to search with and to fuse."""

    embedders: Embedders
    """They must not remember what they have read."""
    retrievers: Sequence[Retriever]
    rrf_k: int

    def seconds(self, asked: Sequence[Asked], progress: Progress) -> Seconds:
        """Time embedding, search and fusion for each question.

        Retrievers are asked one after another, as in any search here. Ways take turns, each
        question beginning with another one, so that what else the machine does hits all alike.
        """
        ways: list[tuple[str, Sequence[Retriever]]] = [
            *((each.name, (each,)) for each in self.retrievers),
            (FUSION, self.retrievers),
        ]
        spent: dict[str, list[list[float]]] = {name: [[] for _ in asked] for name, _ in ways}
        searches = (REPEATS + 1) * len(asked)
        for done in range(searches):
            at, turn = done % len(asked), done % len(ways)
            for name, retrievers in (*ways[turn:], *ways[:turn]):
                start = time.perf_counter()
                self._found(retrievers, asked[at])
                if done >= len(asked):
                    spent[name][at].append(time.perf_counter() - start)
            progress(done + 1, searches, asked[at].labelled.id)
        return {name: median(map(median, each)) for name, each in spent.items()}

    def _found(self, retrievers: Sequence[Retriever], asked: Asked) -> list[str]:
        """The ids of passages, best first."""
        spaces = {each.space for each in retrievers if each.space}
        query = Query(asked.text, sought(self.embedders, spaces, asked.text))
        found = [[match.passage_id for match in each(query, asked.scope)] for each in retrievers]
        scores = reciprocal_rank_fusion(found, self.rrf_k)
        return sorted(scores, key=lambda one: (-scores[one], one))
