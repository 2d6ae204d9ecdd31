"""Plain retrieval, the baseline of Vadlapati, "Index-RAG" (2026).

Chunks of 512 tokens with 64 overlap, dense, cosine, the best k; no reranker, no threshold, no gate.
Published lengths are those of tiktoken's cl100k: here word pieces stand for its tokens, and a chunk
ends with a whole sentence (`bot.lab.published.chunking`). The embedder is the plain
all-MiniLM-L6-v2, not the bundled one that was trained from it; it reads the first 256 word pieces
of a chunk.
"""

from dataclasses import replace
from functools import cache

from bot.lab.published.chunking import BundledWordPieces, Fixed
from bot.lab.published.entries import EntryRetriever, entries_by
from bot.lab.recipe import Compose, Recipe, ranked_by, searching
from retrieval.ingest.chunking import Chunking
from retrieval.models.caching import CachingEmbedder
from retrieval.models.embedders import BundledEmbedder
from retrieval.models.onnx import usable_processors
from retrieval.ports import Embedder
from retrieval.search.ranking import DenseRetriever, LexicalRetriever, Retriever
from retrieval.search.search import Search


def chunks_of_512() -> Chunking:
    """With 64 that the next one repeats."""
    return Fixed(BundledWordPieces(), tokens=512, overlap=64)


def chunks_of_500() -> Chunking:
    return Fixed(BundledWordPieces(), tokens=500, overlap=0)


PLAIN = Recipe(
    "plain",
    ranked_by("dense"),
    decides=False,
    settings={
        "embedder": "all-MiniLM-L6-v2",
    },
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


CANDIDATES = 4
"""Of each retriever, as published."""
MULTI_RRF = Recipe(
    "multi-rrf",
    _with_candidates(CANDIDATES),
    decides=False,
    settings={
        "embedder": "all-MiniLM-L6-v2",
    },
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
"""The published sweep; all of them read one library."""
