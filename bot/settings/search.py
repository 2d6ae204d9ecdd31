"""Settings of the search."""

from typing import Literal

from pydantic import BaseModel, Field


class SearchSettings(BaseModel):
    """How passages are searched for, and which of them a writer sees."""

    candidates: int = Field(
        default=50,
        ge=1,
        le=500,
        description="Passages that fusion finds for a question; the reranker reads the best 16.",
    )
    retrieved: str = Field(
        default="",
        description="Passages that each retriever finds before they are fused: one number, or some "
        "by name such as `dense=50, bm25=20`; empty for as many as `VOUCH_CANDIDATES`.",
    )
    rrf_k: int = Field(
        default=60,
        ge=1,
        le=1000,
        description="Constant k of reciprocal rank fusion, which adds 1 / (k + rank).",
    )
    relevance_threshold: float = Field(
        default=0.7, ge=0, le=1, description="Less probable passages are no evidence."
    )
    reading_floor: float = Field(
        default=0.05,
        ge=0,
        le=1,
        description="With `VOUCH_WRITER=openai` the language model reads passages from this "
        "probability on: what it writes from them and the check bears out decides.",
    )
    most_passages: int = Field(default=5, ge=1, le=20, description="Passages that a writer sees.")
    most_per_stream: int = Field(
        default=0,
        ge=0,
        le=19,
        description="How many of these are academic, and how many are not, at most; 0: as they "
        "come.",
    )
    context: Literal["neighbours", "section", "none"] = Field(
        default="neighbours",
        description="With `VOUCH_WRITER=openai`, what is read beside a passage, to understand it "
        "by: two `neighbours` on each side of an academic one, the `section` of any, or `none`.",
    )
