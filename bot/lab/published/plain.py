"""Plain retrieval, the baseline of Vadlapati, "Index-RAG" (2026).

Chunks of 512 tokens with 64 overlap, dense, cosine, the best k; no reranker, no threshold, no gate.
Published lengths are those of tiktoken's cl100k: here word pieces stand for its tokens, and a chunk
ends with a whole sentence (`retrieval.ingest.baseline_chunking`). The embedder is the plain
all-MiniLM-L6-v2, not the bundled one that was trained from it; it reads the first 256 word pieces
of a chunk.
"""

from bot.lab.recipe import Recipe, ranked_by

PLAIN = Recipe(
    "plain",
    ranked_by("dense"),
    decides=False,
    settings={
        "chunking": "fixed",
        "chunk_tokens": 512,
        "chunk_overlap": 64,
        "embedder": "all-MiniLM-L6-v2",
        "entries": "",
    },
    says="512 tokens with 64 overlap, ranked by all-MiniLM-L6-v2 alone",
)


CHUNKS = {"chunking": "fixed", "chunk_tokens": 500, "chunk_overlap": 0, "entries": ""}
"""Settings that cut documents as published, with nothing in the index but the chunks."""
CANDIDATES = 4
"""Of each retriever, as published."""
MULTI_RRF = Recipe(
    "multi-rrf",
    ranked_by(),
    decides=False,
    settings={
        **CHUNKS,
        "embedder": "all-MiniLM-L6-v2",
        "more_embedders": "bundled",
        "retrieved": str(CANDIDATES),
        "rrf_k": 60,
    },
    says="500 tokens, ranked by BM25 and two embedders fused, four candidates each",
)
