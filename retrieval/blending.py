"""Passages by a blend of their own cosine and of their document's nearest question.

Vadlapati, "Index-RAG" (2026): a document's score is 0.6 of its best passage and 0.4 of its best
question, or its best passage's alone where no question leads to it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import MATCH_DIGITS, PASSAGES, TEXT_SPACE, EntryKind, Match, PassageIndex
from retrieval.ranking import blended
from retrieval.retrievers import Query
from retrieval.scores import BLEND, BLEND_RANK
from retrieval.types import Scope

QUESTIONS = frozenset({EntryKind.QUESTION})
AT_ONCE = 200
"""Passages in one search for the best of each document."""


@dataclass(frozen=True, slots=True)
class BlendedRetriever:
    """It implements `retrievers.Retriever` in place of the one among questions.

    What is published scores documents. Here each passage has its own cosine in the place of the
    best one, so that a document's best passage has the published score, and the others follow.
    """

    index: PassageIndex
    most: int
    """Of the nearest passages and of those that the nearest questions lead to, whose documents
    are then scored to the end."""
    name: str = str(EntryKind.QUESTION)
    score: str = BLEND
    rank: str = BLEND_RANK
    space: str = TEXT_SPACE
    weighed: bool = False

    def __call__(self, query: Query, scope: Scope) -> list[Match]:
        vector = query.vectors[self.space]

        def nearest(kinds: Collection[EntryKind]) -> list[Match]:
            return self.index.nearest(vector, scope, self.most, kinds, self.space)

        near = nearest(PASSAGES)
        known = {each.document_id for each in near}
        led = {each.document_id for each in nearest(QUESTIONS)}
        others = self._best_of_each(vector, scope, PASSAGES, led - known)
        questions = self._best_of_each(vector, scope, QUESTIONS, led | known)
        scored = (_blended(each, questions) for each in (*near, *others.values()))
        return sorted(scored, key=lambda each: (-each.score, each.passage_id))[: self.most]

    def _best_of_each(
        self,
        vector: NDArray[np.float32],
        scope: Scope,
        kinds: Collection[EntryKind],
        documents: Collection[str],
    ) -> dict[str, Match]:
        """By document its nearest entry; of one without such entries nothing.

        The documents that are crowded out of one search are looked for in the next.
        """
        best: dict[str, Match] = {}
        left = set(documents)
        while left:
            found = self.index.nearest(vector, scope, AT_ONCE, kinds, self.space, left)
            for each in found:
                best.setdefault(each.document_id, each)
            left = left - best.keys() if len(found) == AT_ONCE else set()
        return best


def _blended(passage: Match, questions: Mapping[str, Match]) -> Match:
    question = questions.get(passage.document_id)
    score = blended(passage.score, question.score if question else None)
    return replace(passage, score=round(score, MATCH_DIGITS))
