"""Index-RAG and its baseline, after Vadlapati, "Index-RAG" (2026), and several retrievers fused.

`index-rag`: paragraphs and questions that they answer in one index; a document scores 0.6 of its
nearest passage's cosine and 0.4 of its nearest question's. Here rules make the questions, and
passages of one document are told apart by their own cosines. A question that is asked never meets
an entry of its own wording. `plain`: chunks of 512 tokens with 64 overlap, the best by cosine.
`multi-rrf` is after Patwal (2025). Word pieces stand for the published tokens, a chunk ends with a
whole sentence, and the embedder is all-MiniLM-L6-v2, which reads the first 256 word pieces. All
only rank: no reranker, no threshold, no gate.
"""

from dataclasses import replace
from functools import cache

from bot.answering.pipeline import AnsweringPipeline
from bot.lab.published.chunking import BundledWordPieces, Fixed
from bot.lab.published.entries import (
    BlendedRetriever,
    EntryRetriever,
    entries_by,
    entries_of,
    own_entries,
    questions,
)
from bot.lab.recipe import Compose, Recipe, ranked_by, searching
from retrieval.ingest.chunking import Chunking
from retrieval.models.caching import CachingEmbedder
from retrieval.models.embedders import BundledEmbedder
from retrieval.models.onnx import usable_processors
from retrieval.ports import Embedder
from retrieval.search.ranking import DenseRetriever, LexicalRetriever, Retriever
from retrieval.search.search import Search


def by_blend(answering: AnsweringPipeline) -> AnsweringPipeline:
    def of_blend(search: Search) -> Search:
        own, made = own_entries(search), entries_of(questions, search)
        blending = BlendedRetriever(own, made, search.settings.candidates)
        return replace(search, retrievers=(blending,))

    return searching(of_blend)(ranked_by()(answering))


SETTINGS = {"embedder": "all-MiniLM-L6-v2"}
INDEX_RAG = Recipe(
    "index-rag",
    by_blend,
    decides=False,
    settings=SETTINGS,
    says="paragraphs by all-MiniLM-L6-v2, 0.6 passage and 0.4 its document's nearest question",
)


def chunks_of_512() -> Chunking:
    """With 64 that the next one repeats."""
    return Fixed(BundledWordPieces(), tokens=512, overlap=64)


def chunks_of_500() -> Chunking:
    return Fixed(BundledWordPieces(), tokens=500, overlap=0)


PLAIN = Recipe(
    "plain",
    ranked_by("dense"),
    decides=False,
    settings=SETTINGS,
    chunking=chunks_of_512,
    says="512 tokens with 64 overlap, ranked by all-MiniLM-L6-v2 alone",
)


@cache
def bundled_embedder() -> Embedder:
    """It reads no chunk twice for the sweep, whose recipes share a library."""
    return CachingEmbedder(BundledEmbedder(threads=usable_processors()), None)


def _with_candidates(most: int) -> Compose:
    def of_each(retriever: Retriever) -> Retriever:
        if isinstance(retriever, DenseRetriever | LexicalRetriever):
            return replace(retriever, most=most)
        return retriever

    def composed(search: Search) -> Search:
        dense, bm25 = map(of_each, search.retrievers)
        other = bundled_embedder()
        second = EntryRetriever("dense-2", entries_by(other, search), most, other)
        return replace(search, retrievers=(dense, second, bm25))

    return lambda answering: searching(composed)(ranked_by()(answering))


MULTI_RRF = Recipe(
    "multi-rrf",
    _with_candidates(4),  # as published
    decides=False,
    settings=SETTINGS,
    chunking=chunks_of_500,
    says="500 tokens, ranked by BM25 and two embedders fused, four candidates each",
)


SWEEP = tuple(
    replace(
        MULTI_RRF,
        name=f"{MULTI_RRF.name}-{most}",
        compose=_with_candidates(most),
        says=f"the same with {most} of each",
    )
    for most in range(1, 11)
)
