"""What an audit record shows of the settings."""

from typing import TYPE_CHECKING

from bot.address import Address
from bot.settings import Settings

if TYPE_CHECKING:
    from pydantic import JsonValue

RECORDED = (
    "chunking",
    "chunk_enough_words",
    "chunk_most_words",
    "chunk_tokens",
    "chunk_overlap",
    "embedder",
    "more_embedders",
    "embeddings_base_url",
    "reranker",
    "entailment",
    "entailment_model",
    "calibration",
    "ontology",
    "entries",
    "entry_scores",
    "entries_by",
    "entries_model",
    "learn_questions",
    "glossary",
    "writer",
    "openai_base_url",
    "openai_model",
    "openai_timeout_seconds",
    "openai_stream",
    "on_writer_failure",
    "consistency_runs",
    "hyde",
    "organisation",
    "unsupported_claims",
    "candidates",
    "retrieved",
    "rrf_k",
    "relevance_threshold",
    "reading_floor",
    "most_passages",
    "context",
    "answer_at",
    "partial_at",
)
"""Settings that an audit record shows, since answers depend on them; no other one, so that a
new one cannot be shown by mistake."""


def recorded(settings: Settings) -> "dict[str, JsonValue]":
    """What an audit record shows of the settings, and what its hash is made of.

    No hash of a secret is kept: a short one could be guessed from it.
    """
    values = settings.model_dump(mode="json", include=set(RECORDED))
    shown = {
        name: str(value) for name in values if isinstance(value := getattr(settings, name), Address)
    }
    return values | shown
