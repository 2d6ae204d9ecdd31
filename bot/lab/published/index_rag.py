"""Index-RAG, after Vadlapati, "Index-RAG" (2026).

Paragraphs, short ones merged with their neighbours and long ones cut at sentences, and questions
that they answer stand in one index, which keeps vectors and places and no text twice. A document's
score is 0.6 of its nearest passage's cosine and 0.4 of its nearest question's, or the passage's
alone where it has no question; the best k are what is found. No reranker, no threshold, no gate:
this recipe only ranks. In a measurement no question meets its own entry
(`retrieval.ingest.expansion`).

Its questions are labelled ones, or a language model writes them, simple, intermediate and advanced.
So does one here where the settings name it; else rules make them of headings and sentences.

What differs: the plain all-MiniLM-L6-v2 stands in for its embedder, as in its baseline `plain`. It
scores documents: passages of the same one are told apart by their own cosines here.
The bounds of a paragraph are ours.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.answering.pipeline import AnsweringPipeline
from bot.lab.recipe import Recipe, ranked_by, searching
from retrieval.ports import MATCH_DIGITS, PASSAGES, TEXT_SPACE, EntryKind, Match, PassageIndex
from retrieval.search.retrievers import DENSE, EntryRetriever, Query, Retriever
from retrieval.search.search import Search
from retrieval.types import Scope

QUESTIONS = EntryKind.QUESTION
BLEND: Final = "blend"
"""0.6 of the passage's cosine and 0.4 of that of its document's nearest question, -1 to 1; the
passage's alone where its document has no questions."""
BLEND_RANK: Final = "blend_rank"
"""The place by that blend, a whole number from 1."""
OF_PASSAGE, OF_QUESTION = 0.6, 0.4
"""Published weights, see `blended`."""


def blended(passage: float, question: float | None) -> float:
    """Of two cosines one score, as Vadlapati, "Index-RAG" (2026) has it for a document.

    `question` is that of its nearest question; None where it has none, and then the passage's
    stands alone.
    """
    return passage if question is None else OF_PASSAGE * passage + OF_QUESTION * question


AT_ONCE = 200
"""Passages in one search for the best of each document."""


@dataclass(frozen=True, slots=True)
class BlendedRetriever:
    """It implements `Retriever` in place of the one among questions.

    What is published scores documents. Here each passage has its own cosine in the place of the
    best one, so that a document's best passage has the published score, and the others follow.
    """

    index: PassageIndex
    most: int
    """Of the nearest passages and of those that the nearest questions lead to, whose documents
    are then scored to the end."""
    name: str = str(QUESTIONS)
    score: str = BLEND
    rank: str = BLEND_RANK
    space: str = TEXT_SPACE
    weighed: bool = True

    def __call__(self, query: Query, scope: Scope) -> list[Match]:
        vector = query.vectors[self.space]

        def nearest(kinds: Collection[EntryKind]) -> list[Match]:
            return self.index.nearest(vector, scope, self.most, kinds, self.space)

        near = nearest(PASSAGES)
        known = {each.document_id for each in near}
        led = {each.document_id for each in nearest({QUESTIONS})}
        others = self._best_of_each(vector, scope, PASSAGES, led - known)
        questions = self._best_of_each(vector, scope, {QUESTIONS}, led | known)
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


def by_blend(answering: AnsweringPipeline) -> AnsweringPipeline:
    def of_blend(search: Search) -> Search:
        return replace(search, retrievers=tuple(map(_blending, search.retrievers)))

    return ranked_by(QUESTIONS)(searching(of_blend)(answering))


def _blending(retriever: Retriever) -> Retriever:
    if isinstance(retriever, EntryRetriever) and retriever.kind == QUESTIONS:
        return BlendedRetriever(retriever.index, retriever.most)
    return retriever


SETTINGS = {"embedder": "all-MiniLM-L6-v2", "entries": "question"}
INDEX_RAG = Recipe(
    "index-rag",
    by_blend,
    decides=False,
    settings=SETTINGS,
    says="paragraphs by all-MiniLM-L6-v2, 0.6 passage and 0.4 its document's nearest question",
)
INDEX_RAG_BY_RANKS = Recipe(
    "index-rag-by-ranks",
    ranked_by(DENSE, QUESTIONS),
    decides=False,
    settings=SETTINGS,
    says="the same, passages and questions fused by reciprocal rank instead",
)
