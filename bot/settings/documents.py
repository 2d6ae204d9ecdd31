"""Settings of documents."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field


class DocumentSettings(BaseModel):
    """What is known of documents, and how they are cut."""

    keep_versions_days: int = Field(
        default=400,
        ge=0,
        description="How long the text of a document's earlier versions is kept at least; what an "
        "answer cites is kept longer.",
    )
    ontology: Path | None = Field(
        default=None,
        description="File of levels and facets; empty for department, faculty, university.",
    )
    chunking: Literal["paragraphs", "fixed", "semantic"] = Field(
        default="paragraphs",
        description="How documents are cut into passages, from the next ingest on: at "
        "`paragraphs`, at a `fixed` length, or `semantic`, where neighbouring sentences are "
        "least alike.",
    )
    chunk_enough_words: int = Field(
        default=60,
        ge=1,
        description="With `paragraphs`: short ones of a section are merged to this many words.",
    )
    chunk_most_words: int = Field(
        default=160,
        ge=1,
        description="With `paragraphs` and `semantic`: what has more words is split at sentences; "
        "the bundled models read about so many.",
    )
    chunk_tokens: int = Field(
        default=512,
        ge=16,
        description="With `fixed`: word pieces of a passage at most, in whole sentences.",
    )
    chunk_overlap: int = Field(
        default=64,
        ge=0,
        description="With `fixed`: word pieces at most that a passage repeats of the one before, "
        "in whole sentences.",
    )
    glossary: Path | None = Field(
        default=None,
        description="File of the organisation's own words, `term: [other words for it]` in YAML; "
        "empty for none.",
    )
