"""Plain retrieval, the baseline of Vadlapati, "Index-RAG" (2026).

Chunks of 512 tokens with 64 overlap, dense, cosine, the best k; no reranker, no threshold, no gate.
Published lengths are those of tiktoken's cl100k: here word pieces stand for its tokens, and a chunk
ends with a whole sentence (`retrieval.ingest.chunking.fixed`). The embedder is the plain
all-MiniLM-L6-v2, not the bundled one that was trained from it; it reads the first 256 word pieces
of a chunk.
"""

from bot.evaluation.recipe import Recipe, ranked_by

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
