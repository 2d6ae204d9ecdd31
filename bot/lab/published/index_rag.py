"""Index-RAG, after Vadlapati, "Index-RAG" (2026).

Paragraphs, short ones merged with their neighbours and long ones cut at sentences, and questions
that they answer stand in one index, which keeps vectors and places and no text twice. A document's
score is 0.6 of its nearest passage's cosine and 0.4 of its nearest question's, or the passage's
alone where it has no question; the best k are what is found. No reranker, no threshold, no gate:
this recipe only ranks.

Its questions are labelled ones, or a language model writes them, simple, intermediate and advanced.
Here rules make them of headings and sentences; what a language model's were worth stands in
`docs/measurements.md`.

What differs: the plain all-MiniLM-L6-v2 stands in for its embedder, as in its baseline `plain`. It
scores documents: passages of the same one are told apart by their own cosines here.
The bounds of a paragraph are ours. A question that is asked never meets an entry of its own
wording; those of other labelled questions it may.
"""

from dataclasses import replace

from bot.answering.pipeline import AnsweringPipeline
from bot.lab.published.entries import BlendedRetriever, EntryRetriever, entries_of, own_entries
from bot.lab.published.rule_entries import questions
from bot.lab.recipe import Recipe, ranked_by, searching
from retrieval.search.ranking import DENSE
from retrieval.search.search import Search


def by_blend(answering: AnsweringPipeline) -> AnsweringPipeline:
    def of_blend(search: Search) -> Search:
        own, made = own_entries(search), entries_of(questions, search)
        blending = BlendedRetriever(own, made, search.settings.candidates)
        return replace(search, retrievers=(blending,))

    return searching(of_blend)(ranked_by()(answering))


def by_ranks(answering: AnsweringPipeline) -> AnsweringPipeline:
    def of_both(search: Search) -> Search:
        made, most = entries_of(questions, search), search.settings.candidates
        asking = EntryRetriever("question", made, most)
        return replace(search, retrievers=(*search.retrievers, asking))

    return searching(of_both)(ranked_by(DENSE)(answering))


SETTINGS = {"embedder": "all-MiniLM-L6-v2"}
INDEX_RAG = Recipe(
    "index-rag",
    by_blend,
    decides=False,
    settings=SETTINGS,
    says="paragraphs by all-MiniLM-L6-v2, 0.6 passage and 0.4 its document's nearest question",
)
INDEX_RAG_BY_RANKS = Recipe(
    "index-rag-by-ranks",
    by_ranks,
    decides=False,
    settings=SETTINGS,
    says="the same, passages and questions fused by reciprocal rank instead",
)
