"""Several retrievers and one fusion, after Patwal (2025).

Chunks of about 500 tokens; BM25 and three embedders find four chunks each; a chunk's score is the
sum of 1 / (60 + rank) over the retrievers that found it. The published embedders (those of OpenAI,
all-MiniLM-L12-v2 and all-mpnet-base-v2) are in a hub or on a server: the plain all-MiniLM-L6-v2 and
the bundled embedder stand in for them, so there are three retrievers here and not four. Word pieces
stand for tokens. The first chunk alone is the context there, from which a language model answers;
this recipe only ranks, and its P@1 tells how often that chunk answers.
"""

from bot.evaluation.recipe import Recipe, ranked_by

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
