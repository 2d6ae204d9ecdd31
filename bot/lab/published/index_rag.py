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
scores documents: passages of the same one are told apart by their own cosines here
(`retrieval.search.retrievers`). The bounds of a paragraph are ours.
"""

from dataclasses import replace

from bot.answering.pipeline import AnsweringPipeline
from bot.lab.recipe import Recipe, ranked_by, searching
from retrieval.ports import EntryKind
from retrieval.search.retrievers import DENSE, BlendedRetriever, EntryRetriever, Retriever
from retrieval.search.search import Search

QUESTIONS = EntryKind.QUESTION
SETTINGS = {
    "chunking": "paragraphs",
    "embedder": "all-MiniLM-L6-v2",
    "entries": "question",
    "entry_scores": "blend",
}


def by_ranks(answering: AnsweringPipeline) -> AnsweringPipeline:
    """The other way to put both together, of the same library, which is then read once."""
    return ranked_by(DENSE, QUESTIONS)(searching(_of_ranks)(answering))


def _of_ranks(search: Search) -> Search:
    return replace(search, retrievers=tuple(map(_by_rank, search.retrievers)))


def _by_rank(retriever: Retriever) -> Retriever:
    if isinstance(retriever, BlendedRetriever):
        return EntryRetriever(retriever.index, retriever.most, QUESTIONS)
    return retriever


INDEX_RAG = Recipe(
    "index-rag",
    ranked_by(QUESTIONS),
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
